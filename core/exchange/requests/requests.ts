import type { OrderId, UserId } from '../../protocol/ids.ts'
import type { DumpVersion } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import * as entry from './entry.ts'
import type { RequestPlace } from './entry.ts'
import * as expecting from './expected-fields.ts'
import { Expected } from './expected.ts'
import { dumpRequests, LISTED_12, restoreRequests } from './dump.ts'
import { type KeptRequest, keptAt, type RequestHashes, type RequestRoom } from './kept.ts'
import { RequestHash } from './hash.ts'
import { RequestIndex } from './hash-index.ts'
import { RequestUsers, requestLimits } from './users.ts'
import type { RequestLimits } from './users.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { ENTRY, HIGH, LOW, UNKNOWN, USER, pageBits, placeBits } = entry
const { EXPECTED, HASH, ID_HIGH, ID_LOW, NOT_EXPECTED } = expecting

// Further words of an entry, besides those that the index reads: its number among its user's requests; the body's hash; 53 bits
// of number with 11 bits of refusal above them.
const ORDINAL = 3
const BODY_LOW = 4
const BODY_HIGH = 5
const NUMBER = 6
const REFUSAL = 7
const refusalShift = 21
const numberMask = 2 ** refusalShift - 1
const word = 2 ** 32
/** User of an entry that is forgotten and not in the index. */
const forgotten = -1
const nothing = new Int32Array(0)

const pageMask = 2 ** pageBits - 1
const capacity = 2 ** placeBits
/** Entries besides users' last ones that are not worth a sweep: 64 MB. */
const sweptMin = 2 ** 21
/** While a sweep runs, one in this many new requests looks at a few entries for each of them. */
const looksEvery = 8
const looksAtOnce = 4 * looksEvery

/**
 * The outcomes of requests with a client id: the last ones of each user (see `RequestUsers`), and those whose orders are still
 * open. Repeats are answered from here. An entry has the user's number, 64-bit hashes of id and body, and the outcome.
 *
 * Entries stand in the order in which they came. A forgotten entry stays, unused, until there are half as many forgotten
 * entries as others. Then a sweep looks through all, a few with each new request, and moves those still remembered to the end.
 *
 * The full user number is compared, so no user can affect another. The two halves of a hash are chains of different products over
 * the slots; two requests of one user count as the same when both agree. For requests not made to collide the chance of that is
 * 2^-64. A new id thus matches a wrong one among 2^23 with a chance of 2^-41, and is then refused unless the body's hash agrees
 * too. A user who constructs two colliding requests only gets two own requests that count as one.
 */
export class Requests {
  readonly #pages: Int32Array[] = [new Int32Array(ENTRY << pageBits)]
  readonly #index: RequestIndex
  readonly #users: RequestUsers
  /** Allocated pages that are not in use. */
  readonly #spare: Int32Array[] = []
  /** Ring of entries: its oldest place, its count, the place of the next entry, and the page of that place. */
  #first = 0 as RequestPlace
  #count = 0
  #next = 0 as RequestPlace
  #page = this.#pages[0]!
  /** Number of entries besides users' last ones at which the next sweep begins; and entries still to be looked at by a running sweep. */
  #sweepsAt = sweptMin
  #sweeps = 0
  readonly #expected = new Expected()
  readonly #near = new Int32Array(EXPECTED)
  readonly #isOpen: (number: OrderId) => boolean
  #watch: ((request: KeptRequest) => void) | undefined
  readonly #hash = new RequestHash()
  // The arguments of the last `meet`.
  #user = 0 as UserId
  #idLow = 0
  #idHigh = 0
  #idHash = 0
  #bodyLow = 0
  #bodyHigh = 0

  /**
   * `isOpen`: whether an order or list of this number is still in the core. `isMaker`: whether a user has a maker's ring.
   * `secret`: see `RequestIndex`.
   */
  constructor(isOpen: (number: OrderId) => boolean, isMaker: (user: UserId) => boolean, limits: RequestLimits = requestLimits, secret = 0) {
    this.#isOpen = isOpen
    this.#users = new RequestUsers(isMaker, limits)
    this.#index = new RequestIndex(this.#pages, secret)
  }

  /** Takes the memory for as many requests and users as there can ever be; entries are in pages. False when the system does not give it. */
  reserve(): boolean {
    const hasIndex = this.#index.reserve()
    return this.#users.reserve() && hasIndex
  }

  /** Entries in memory, including forgotten ones. */
  get count(): number {
    return this.#count
  }

  /** Forgets the expected requests, because others will come. */
  expectNone(): void {
    this.#expected.clear()
  }

  /**
   * Announces that `meet` will be called for the client id at `idAt` of the same slots, after those announced since `expectNone`.
   * At most 32.
   */
  expect(user: UserId, data: Float64Array, idAt: number): void {
    if (this.#expected.isFull) return
    this.#hash.hashId(user, data, idAt)
    const { low, high } = this.#hash
    this.#expected.add(idAt, low, high, this.#index.hash(low, high), user)
  }

  /** Prefetches what the expected requests will read, all at once, so that their waits for memory overlap. The result has no meaning. */
  reach(): number {
    const { words, count } = this.#expected
    return this.#index.reach(words, count) ^ this.#users.reach(words, count)
  }

  /**
   * Place of the first request with the client id at `idAt`. `UNKNOWN` when this is the first, which `keep` then remembers. The
   * body is in slots `from` to `to`.
   */
  meet(user: UserId, data: Float64Array, idAt: number, code: number, from: number, to: number): RequestPlace {
    const expected = this.#hash.isAt(data) ? this.#expected.take(idAt) : NOT_EXPECTED
    if (expected !== NOT_EXPECTED) {
      const { words } = this.#expected
      this.#hash.low = words[expected + ID_LOW]!
      this.#hash.high = words[expected + ID_HIGH]!
      this.#idHash = words[expected + HASH]!
    } else {
      this.#hash.hashId(user, data, idAt)
      this.#idHash = this.#index.hash(this.#hash.low, this.#hash.high)
    }
    const low = this.#hash.low
    const high = this.#hash.high
    const place = this.#remembered(this.#index.find(this.#idHash, low, high, (user | 0) as UserId))
    this.#hash.hashBody(code, from, to)
    this.#user = (user | 0) as UserId
    this.#idLow = low
    this.#idHigh = high
    this.#bodyLow = this.#hash.low
    this.#bodyHigh = this.#hash.high
    return place
  }

  /** Whether the request at `place` has the same body as that of the last `meet`. */
  isSame(place: RequestPlace): boolean {
    const page = this.#pages[place >>> pageBits]!
    const at = (place & pageMask) * ENTRY
    return page[at + BODY_LOW] === this.#bodyLow && page[at + BODY_HIGH] === this.#bodyHigh
  }

  /** Calls `watch` with each request just before it is remembered and before another is forgotten for it. */
  watch(watch: (request: KeptRequest) => void): void {
    this.#watch = watch
  }

  room(user: UserId): RequestRoom {
    return this.#users.room(user)
  }

  /**
   * The remembered requests, of some users or of all. Requests may come and be forgotten between two steps, so a request may be
   * returned twice.
   */
  *all(users?: ReadonlySet<number>): Generator<KeptRequest> {
    for (let place = this.#first; place !== this.#next; place = after(place)) {
      // Entries moved to the end meanwhile are found there.
      if (((place - this.#first) & (capacity - 1)) >= this.#count) place = this.#first
      const owner = this.#word(place, USER)
      if (owner < 0 || users?.has(owner) === false || !this.#isRemembered(place)) continue
      yield keptAt(this.#pages[place >>> pageBits]!, (place & pageMask) * ENTRY)
    }
  }

  /** Hashes that would be remembered of a request: the id at `idAt`, the body in slots `from` to `to`. Does not affect `meet`. */
  hashes(user: UserId, data: Float64Array, idAt: number, code: number, from: number, to: number): RequestHashes {
    this.#hash.hashId(user, data, idAt)
    const [idLow, idHigh] = [this.#hash.low, this.#hash.high]
    this.#hash.hashBody(code, from, to)
    return { user, idLow, idHigh, bodyLow: this.#hash.low, bodyHigh: this.#hash.high }
  }

  /** Remembers the outcome of the request of the last `meet`, which was new. `number`: its order or user. */
  keep(number: number, refusal: number): void {
    if (this.#watch !== undefined) this.#tell(this.#watch, number, refusal)
    const ordinal = this.#users.add(this.#user)
    this.#write(this.#idHash, this.#idLow, this.#idHigh, this.#user, ordinal, this.#bodyLow, this.#bodyHigh, number, refusal)
    if (this.#next % looksEvery === 0) this.#clean()
  }

  /** Place of the request with the client id at `at`, `UNKNOWN` for none. Does not affect `meet`. */
  find(user: UserId, data: Float64Array, at: number): RequestPlace {
    this.#hash.hashId(user, data, at)
    return this.#remembered(
      this.#index.find(this.#index.hash(this.#hash.low, this.#hash.high), this.#hash.low, this.#hash.high, (user | 0) as UserId),
    )
  }

  /** Prefetches what a search for the client id at `at` reads. The result has no meaning. */
  reachId(user: UserId, data: Float64Array, at: number): number {
    this.#hash.hashId(user, data, at)
    this.#near[HASH] = this.#index.hash(this.#hash.low, this.#hash.high)
    return this.#index.reach(this.#near, 1)
  }

  /** Number that the first request with the client id at `at` got, 0 for none. Changes nothing, unlike `find`. */
  numberNear(user: UserId, data: Float64Array, at: number): number {
    this.#hash.hashId(user, data, at)
    const { low, high } = this.#hash
    const place = this.#index.find(this.#index.hash(low, high), low, high, (user | 0) as UserId)
    return place === UNKNOWN ? 0 : this.number(place)
  }

  /** Remembers a request that `find` did not know. Does not affect `meet`. */
  add(user: UserId, data: Float64Array, idAt: number, code: number, from: number, to: number, number: number, refusal: number): void {
    this.#hash.hashId(user, data, idAt)
    const low = this.#hash.low
    const high = this.#hash.high
    this.#hash.hashBody(code, from, to)
    this.#watch?.({ user, idLow: low, idHigh: high, bodyLow: this.#hash.low, bodyHigh: this.#hash.high, number, refusal })
    this.#write(
      this.#index.hash(low, high),
      low,
      high,
      (user | 0) as UserId,
      this.#users.add(user),
      this.#hash.low,
      this.#hash.high,
      number,
      refusal,
    )
    if (this.#next % looksEvery === 0) this.#clean()
  }

  /** Order number of the first outcome or, for an opened user, the user's number. */
  number(place: RequestPlace): OrderId {
    const page = this.#pages[place >>> pageBits]!
    const at = (place & pageMask) * ENTRY
    return ((page[at + REFUSAL]! & numberMask) * word + (page[at + NUMBER]! >>> 0)) as OrderId
  }

  refusal(place: RequestPlace): number {
    return this.#word(place, REFUSAL) >>> refusalShift
  }

  /** By user, oldest first: the places are not in the dump. Yields whenever much has been appended. */
  *dump(into: Records): Generator<void> {
    const places: RequestPlace[][] = Array.from({ length: this.#users.end }, () => [])
    for (let n = 0, place = this.#first; n < this.#count; n++, place = after(place)) {
      const user = this.#word(place, USER)
      if (user >= 0 && this.#isRemembered(place)) places[user]!.push(place)
    }
    yield* dumpRequests(places, this.#pages, (user, place) => this.#users.isLast(user, this.#word(place, ORDINAL)), into)
    this.#users.dump(into)
  }

  /** `from`: version of the dump; before 13 all requests were one list, oldest first. */
  restore(data: Float64Array, at: number, from: DumpVersion): number {
    if (from >= 13)
      return this.#users.restore(
        data,
        restoreRequests(data, at, this.#users, (a, b, c, d, e, f, g, h) => this.#write(this.#index.hash(a, b), a, b, c, d, e, f, g, h)),
      )
    const end = at + 1 + data[at]! * LISTED_12.length
    for (let slot = at + 1; slot < end; slot += LISTED_12.length) {
      const user = (data[slot + LISTED_12.user]! | 0) as UserId
      const ordinal = this.#users.add(user)
      const [low, high] = [data[slot + LISTED_12.low]!, data[slot + LISTED_12.high]!]
      const [bodyLow, bodyHigh] = [data[slot + LISTED_12.bodyLow]!, data[slot + LISTED_12.bodyHigh]!]
      const [number, refusal] = [data[slot + LISTED_12.number]!, data[slot + LISTED_12.refusal]!]
      this.#write(this.#index.hash(low, high), low, high, user, ordinal, bodyLow, bodyHigh, number, refusal)
    }
    return end
  }

  #write(
    hash: number,
    low: number,
    high: number,
    user: UserId,
    ordinal: number,
    bodyLow: number,
    bodyHigh: number,
    number: number,
    refusal: number,
  ): void {
    const place = this.#next
    const page = this.#page
    const at = (place & pageMask) * ENTRY
    page[at + LOW] = low
    page[at + HIGH] = high
    page[at + USER] = user
    page[at + ORDINAL] = ordinal
    page[at + BODY_LOW] = bodyLow
    page[at + BODY_HIGH] = bodyHigh
    page[at + NUMBER] = number | 0
    page[at + REFUSAL] = (refusal << refusalShift) | ((number / word) | 0)
    this.#index.add(hash, place)
    this.#count++
    this.#next = after(place)
    if ((this.#next & pageMask) === 0) this.#turn()
  }

  /** Moves to the page of the next place. */
  #turn(): void {
    if (this.#count > capacity - 2 ** (pageBits + 1)) throw new Error('every remembered request has an open order')
    const page = this.#next >>> pageBits
    this.#page = this.#spare.pop() ?? new Int32Array(ENTRY << pageBits)
    if (page === this.#pages.length) this.#pages.push(this.#page)
    else this.#pages[page] = this.#page
  }

  /** The place itself, or `UNKNOWN` when its entry is forgotten: the client id is free again. */
  #remembered(place: RequestPlace): RequestPlace {
    if (place === UNKNOWN || this.#isRemembered(place)) return place
    this.#index.remove(this.#hashAt(place), place)
    this.#pages[place >>> pageBits]![(place & pageMask) * ENTRY + USER] = forgotten
    return UNKNOWN
  }

  #isRemembered(place: RequestPlace): boolean {
    if (this.#users.isLast(this.#word(place, USER) as UserId, this.#word(place, ORDINAL))) return true
    const number = this.number(place)
    return number !== 0 && this.refusal(place) === 0 && this.#isOpen(number)
  }

  #tell(watch: (request: KeptRequest) => void, number: number, refusal: number): void {
    const [idLow, idHigh, bodyLow, bodyHigh] = [this.#idLow, this.#idHigh, this.#bodyLow, this.#bodyHigh]
    watch({ user: this.#user, idLow, idHigh, bodyLow, bodyHigh, number, refusal })
  }

  /** Looks through the oldest entries when enough are forgotten or a sweep is running: see the class. */
  #clean(): void {
    if (this.#sweeps === 0) {
      if (this.#count - this.#users.total < this.#sweepsAt) return
      this.#sweeps = this.#count
    }
    for (let looks = 0; looks < looksAtOnce && this.#sweeps > 0; looks++) this.#lookAtOldest()
    if (this.#sweeps === 0) this.#sweepsAt = this.#count - this.#users.total + Math.max(sweptMin, this.#users.total >> 1)
  }

  #lookAtOldest(): void {
    const place = this.#first
    const page = this.#pages[place >>> pageBits]!
    const at = (place & pageMask) * ENTRY
    this.#sweeps--
    this.#count--
    this.#first = after(place)
    if (page[at + USER]! >= 0) {
      const isKept = this.#isRemembered(place)
      const hash = this.#hashAt(place)
      this.#index.remove(hash, place)
      if (isKept) this.#repeat(hash, page, at, place)
    }
    if ((this.#first & pageMask) === 0) this.#leave(place >>> pageBits)
  }

  /** Writes an entry that was taken out again, as the newest. */
  #repeat(hash: number, page: Int32Array, at: number, place: RequestPlace): void {
    const bodyLow = page[at + BODY_LOW]!
    const bodyHigh = page[at + BODY_HIGH]!
    const number = this.number(place)
    const ordinal = page[at + ORDINAL]!
    this.#write(hash, page[at + LOW]!, page[at + HIGH]!, page[at + USER] as UserId, ordinal, bodyLow, bodyHigh, number, this.refusal(place))
  }

  /** Frees the page for another place. */
  #leave(page: number): void {
    this.#spare.push(this.#pages[page]!)
    this.#pages[page] = nothing
  }

  #hashAt(place: RequestPlace): number {
    return this.#index.hash(this.#word(place, LOW), this.#word(place, HIGH))
  }

  #word(place: RequestPlace, at: number): number {
    return this.#pages[place >>> pageBits]![(place & pageMask) * ENTRY + at]!
  }
}

function after(place: RequestPlace): RequestPlace {
  return ((place + 1) & (capacity - 1)) as RequestPlace
}
