import * as text from '../protocol/codec/text.ts'
import type { Records } from '../protocol/codec/records.ts'
import * as records from '../protocol/codec/records.ts'
import * as entry from './request-entry.ts'
import { RequestIndex } from './request-index.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { clientIdSlots } = text
const { ENTRY, HIGH, LOW, NEXT, USER, pageBits, placeBits } = entry
const { SLOTS } = records

/** Outcome that `find` and `meet` give for a request that never came. */
export const UNKNOWN = entry.UNKNOWN

/** Requests with a client id that are remembered after their orders are gone. */
export const requestsMax = 4_000_000

// Of an entry, besides what the index reads: the body's hash, and 53 bits of number with 11 bits of refusal above them.
const BODY_LOW = 4
const BODY_HIGH = 5
const NUMBER = 6
const REFUSAL = 7
const refusalShift = 21
const numberMask = 2 ** refusalShift - 1
const word = 2 ** 32

const pageMask = 2 ** pageBits - 1
/** Of a dumped request: two words of the id's hash, two of the body's, user, refusal, number. */
const dumpSlots = 7
/** Of the oldest requests, those that one new request looks at: bounds its time where many in a row have open orders. */
const looksMax = 8
/** Requests that are expected at a time: their buckets stay in the nearest cache until they come. */
const expectedAtOnce = 32
export const expectedMax = expectedAtOnce

/** Odd, without a pattern. */
const spread = 0x2c1b3c6d
const chainLow = 0x297a2d39
const chainHigh = 0x85ebca6b
const bucketSpread = 0xc2b2ae35

/**
 * What became of the requests that carried a client id: the last 4 million, and those whose orders are still open. A
 * repeat is answered from here. Held are the user's number and 64 bits of hash of the id, 64 bits of hash of the body,
 * and the outcome.
 *
 * The whole user number is compared, so no user can disturb another. The two halves of a hash are chains of different
 * products over the bits of the slots; two requests of one user are taken for one when both agree. For requests that were
 * not made to collide that has a chance of 2^-64, so a new id meets a wrong one among 2^22 with 2^-42, and is then refused,
 * unless the body's hash agrees as well. Who searches for two that collide has found two requests of their own that count
 * as one.
 */
export class Requests {
  readonly #pages: Int32Array[] = [new Int32Array(ENTRY << pageBits)]
  readonly #index: RequestIndex
  /** Oldest and count of the ring that the entries are, place of the next, and the page that it is on. */
  #first = 0
  #count = 0
  #next = 0
  #page = this.#pages[0]!
  /** Of the ids that `expect` named: where they stand, and their hashes; how many there are, and how many `meet` has met. */
  readonly #expectedAt = new Int32Array(expectedAtOnce)
  readonly #expectedLow = new Int32Array(expectedAtOnce)
  readonly #expectedHigh = new Int32Array(expectedAtOnce)
  #expected = 0
  #met = 0
  readonly #capacity: number
  readonly #max: number
  readonly #isOpen: (number: number) => boolean
  /** The slots that were looked at last, and the same memory as words. */
  #data: Float64Array = new Float64Array(0)
  #words: Int32Array = new Int32Array(0)
  // What was hashed last, and what `meet` was asked for.
  #low = 0
  #high = 0
  #user = 0
  #idLow = 0
  #idHigh = 0
  #bodyLow = 0
  #bodyHigh = 0

  /** `isOpen`: whether an order or list of this number is still in the core. `max`: 2^22 less a thirty-second at most. */
  constructor(isOpen: (number: number) => boolean, max = requestsMax) {
    this.#isOpen = isOpen
    this.#max = max
    this.#index = new RequestIndex(this.#pages, max)
    this.#capacity = 2 ** Math.ceil(Math.log2(max + max / 32))
    if (this.#capacity > 2 ** placeBits) throw new Error(`${max} requests are more than there are places`)
  }

  /** Forgets what was expected: other requests will come. */
  expectNone(): void {
    this.#expected = 0
    this.#met = 0
  }

  /** `meet` will be asked for the client id at `idAt` of the same slots, after those named since `expectNone`. At most 32. */
  expect(user: number, data: Float64Array, idAt: number): void {
    const n = this.#expected
    if (n === expectedAtOnce) return
    this.#hashId(user, data, idAt)
    this.#expectedAt[n] = idAt
    this.#expectedLow[n] = this.#low
    this.#expectedHigh[n] = this.#high
    this.#expected = n + 1
  }

  /** Reads what the expected requests will read, all at once: they would each wait for the memory. Returns nothing of use. */
  reach(): number {
    return this.#index.reach(this.#expectedLow, this.#expected)
  }

  /**
   * Place of the first request with the client id at `idAt`, `UNKNOWN` when it is the first, which `keep` then remembers.
   * The body is slots `from` to `to`.
   */
  meet(user: number, data: Float64Array, idAt: number, code: number, from: number, to: number): number {
    const n = this.#met
    if (n < this.#expected && this.#expectedAt[n] === idAt && data === this.#data) {
      this.#low = this.#expectedLow[n]!
      this.#high = this.#expectedHigh[n]!
      this.#met = n + 1
    } else this.#hashId(user, data, idAt)
    const low = this.#low
    const high = this.#high
    const place = this.#index.find(low, high, user | 0)
    this.#hashBody(code, from, to)
    this.#user = user | 0
    this.#idLow = low
    this.#idHigh = high
    this.#bodyLow = this.#low
    this.#bodyHigh = this.#high
    return place
  }

  /** Whether the request at `place` had the same body as the one that `meet` was asked for last. */
  isSame(place: number): boolean {
    const page = this.#pages[place >>> pageBits]!
    const at = (place & pageMask) * ENTRY
    return page[at + BODY_LOW] === this.#bodyLow && page[at + BODY_HIGH] === this.#bodyHigh
  }

  /** Remembers the outcome of the request that `meet` was asked for last and did not know. `number`: its order or user. */
  keep(number: number, refusal: number): void {
    this.#append(this.#idLow, this.#idHigh, this.#user, this.#bodyLow, this.#bodyHigh, number, refusal)
  }

  /** Place of the request with the client id that stands at `at`, `UNKNOWN` when there is none. Leaves what `meet` met. */
  find(user: number, data: Float64Array, at: number): number {
    this.#hashId(user, data, at)
    return this.#index.find(this.#low, this.#high, user | 0)
  }

  /** Remembers a request that `find` did not know. Leaves what `meet` met. */
  add(user: number, data: Float64Array, idAt: number, code: number, from: number, to: number, number: number, refusal: number): void {
    this.#hashId(user, data, idAt)
    const low = this.#low
    const high = this.#high
    this.#hashBody(code, from, to)
    this.#append(low, high, user | 0, this.#low, this.#high, number, refusal)
  }

  /** Order (or, for an opened user, the user's number) of the first outcome. */
  number(place: number): number {
    const page = this.#pages[place >>> pageBits]!
    const at = (place & pageMask) * ENTRY
    return (page[at + REFUSAL]! & numberMask) * word + (page[at + NUMBER]! >>> 0)
  }

  refusal(place: number): number {
    return this.#word(place, REFUSAL) >>> refusalShift
  }

  /** Oldest first, as a list would remember them: where they stand is not in the dump. */
  dump(into: Records): void {
    const at = into.reserve(1 + this.#count * dumpSlots)
    const { data } = into
    data[at] = this.#count
    for (let n = 0, slot = at + 1; n < this.#count; n++, slot += dumpSlots) {
      const place = this.#placeOf(n)
      data[slot] = this.#word(place, LOW)
      data[slot + 1] = this.#word(place, HIGH)
      data[slot + 2] = this.#word(place, BODY_LOW)
      data[slot + 3] = this.#word(place, BODY_HIGH)
      data[slot + 4] = this.#word(place, USER) >>> 0
      data[slot + 5] = this.refusal(place)
      data[slot + 6] = this.number(place)
    }
  }

  restore(data: Float64Array, at: number): number {
    const end = at + 1 + data[at]! * dumpSlots
    for (let slot = at + 1; slot < end; slot += dumpSlots) {
      const user = data[slot + 4]! | 0
      this.#write(data[slot]!, data[slot + 1]!, user, data[slot + 2]!, data[slot + 3]!, data[slot + 6]!, data[slot + 5]!)
    }
    return end
  }

  #append(low: number, high: number, user: number, bodyLow: number, bodyHigh: number, number: number, refusal: number): void {
    if (this.#count >= this.#max) this.#forget()
    this.#write(low, high, user, bodyLow, bodyHigh, number, refusal)
  }

  #write(low: number, high: number, user: number, bodyLow: number, bodyHigh: number, number: number, refusal: number): void {
    const place = this.#next
    const page = this.#page
    const at = (place & pageMask) * ENTRY
    page[at + LOW] = low
    page[at + HIGH] = high
    page[at + USER] = user
    page[at + NEXT] = 0
    page[at + BODY_LOW] = bodyLow
    page[at + BODY_HIGH] = bodyHigh
    page[at + NUMBER] = number | 0
    page[at + REFUSAL] = (refusal << refusalShift) | ((number / word) | 0)
    this.#index.add(low, high, place)
    this.#count++
    this.#next = (place + 1) & (this.#capacity - 1)
    if ((this.#next & pageMask) === 0) this.#turn()
  }

  /** To the page of the next place, which is made when the ring comes there for the first time. */
  #turn(): void {
    const page = this.#next >>> pageBits
    if (page === this.#pages.length) this.#pages.push(new Int32Array(ENTRY << pageBits))
    this.#page = this.#pages[page]!
  }

  /**
   * Makes room: forgets the oldest requests whose orders are gone. An open order's request becomes the newest. Where many
   * such follow each other, the next requests look on, and so long more are remembered than need be.
   */
  #forget(): void {
    const isFull = this.#count === this.#capacity
    for (let looks = 0; this.#count >= this.#max && looks < (isFull ? this.#capacity : looksMax); looks++) {
      const oldest = this.#first
      const number = this.number(oldest)
      const isKept = number !== 0 && this.refusal(oldest) === 0 && this.#isOpen(number)
      this.#index.remove(this.#word(oldest, LOW), oldest)
      this.#first = (oldest + 1) & (this.#capacity - 1)
      this.#count--
      if (isKept) this.#repeat(oldest, number)
    }
    if (this.#count === this.#capacity) throw new Error('every remembered request has an open order')
  }

  /** Writes an entry that was taken out once more, as the newest. */
  #repeat(place: number, number: number): void {
    const user = this.#word(place, USER)
    const bodyLow = this.#word(place, BODY_LOW)
    this.#write(this.#word(place, LOW), this.#word(place, HIGH), user, bodyLow, this.#word(place, BODY_HIGH), number, 0)
  }

  #placeOf(n: number): number {
    return (this.#first + n) & (this.#capacity - 1)
  }

  #word(place: number, at: number): number {
    return this.#pages[place >>> pageBits]![(place & pageMask) * ENTRY + at]!
  }

  /** The slots of the commands that come now, as words. */
  #look(data: Float64Array): void {
    this.#data = data
    this.#words = new Int32Array(data.buffer, data.byteOffset, data.length * 2)
  }

  #hashId(user: number, data: Float64Array, at: number): void {
    if (data !== this.#data) this.#look(data)
    const words = this.#words
    const start = (at & SLOTS) * 2
    const end = start + clientIdSlots * 2
    let low = Math.imul(user, spread)
    let high = user | 0
    for (let i = start; i < end; i += 2) {
      const even = words[i]!
      const odd = words[i + 1]!
      if ((even | odd) === 0) break
      low = (Math.imul(((low << 13) | (low >>> 19)) ^ even, chainLow) + odd) | 0
      high = (Math.imul(((high << 11) | (high >>> 21)) ^ odd, chainHigh) + even) | 0
    }
    // Spreads all bits over all others: they say in which bucket an entry is.
    low = Math.imul(low ^ (low >>> 15) ^ (high >>> 17), bucketSpread)
    high = Math.imul(high ^ (high >>> 15), spread)
    this.#low = low ^ (low >>> 14)
    this.#high = high ^ (high >>> 16)
  }

  #hashBody(code: number, from: number, to: number): void {
    const data = this.#data
    const words = this.#words
    const start = from & SLOTS
    let last = to & SLOTS
    // Most orders lack what stands at the end. Of one code, what is left says the same as the whole.
    while (last > start && data[last - 1] === 0) last--
    const end = last * 2
    let low = code
    let high = code
    for (let i = start * 2; i < end; i += 2) {
      const even = words[i]!
      const odd = words[i + 1]!
      low = (Math.imul(((low << 13) | (low >>> 19)) ^ even, chainLow) + odd) | 0
      high = (Math.imul(((high << 11) | (high >>> 21)) ^ odd, chainHigh) + even) | 0
    }
    this.#low = low
    this.#high = high
  }
}
