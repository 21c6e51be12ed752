import type { UserId } from '../../protocol/ids.ts'
import * as expecting from './expected-fields.ts'
import * as memory from '../../protocol/codec/memory.ts'
import { usersMax } from '../../ledger/blocks.ts'
import type { RequestRoom } from './kept.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { countAt } from '../../protocol/codec/slots.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { reservedWords, roomierWords } = memory
const { EXPECTED, USER } = expecting

// Words per user: number of its next request, and how many of the last ones are remembered. Every request reads both.
const WORDS = 2
const NEXT = 0
const COUNT = 1
// The user's neighbours in its list, in a separate table.
const LINKS = 2
const AFTER = 0
const BEFORE = 1
const userMask = 2 ** 27 - 1

/** How many requests are remembered. */
export type RequestLimits = {
  /** Per user: for all but makers, and for makers. */
  readonly retail: number
  readonly maker: number
  /** For all users together. */
  readonly all: number
  /** The last requests of a user, which stay even when there are too many in total. */
  readonly last: number
}

export const requestLimits: RequestLimits = { retail: 1_000, maker: 20_000, all: 8_000_000, last: 64 }
/** Users that one request looks at when nobody has more than the last ones. */
const looksMax = 64
const lists = 32
/** This many users fit into the nearest cache anyway. */
const nearUsers = 1024

/**
 * Decides how many requests of each user are remembered: a ring per user, and a limit for all together. Beyond that limit, one of
 * the heaviest users loses its oldest request: users with more than their last 64 are in lists by the power of two below their
 * number of requests; the first user of the highest list loses one request and goes to the end of the list.
 */
export class RequestUsers {
  #words: Int32Array<ArrayBuffer> = new Int32Array(WORDS * 1024)
  #links: Int32Array<ArrayBuffer> = new Int32Array(LINKS * 1024)
  readonly #retail: number
  readonly #maker: number
  readonly #all: number
  readonly #last: number
  readonly #isMaker: (user: UserId) => boolean
  /** Per list: its first user + 1, 0 for none. Lists are circular. */
  readonly #first = new Int32Array(lists)
  #total = 0
  /** When no user is in a list: the user who lost a request last. */
  #cursor = 0 as UserId
  #end = 0

  constructor(isMaker: (user: UserId) => boolean, limits: RequestLimits) {
    this.#isMaker = isMaker
    this.#retail = limits.retail
    this.#maker = limits.maker
    this.#all = limits.all
    this.#last = limits.last
  }

  /** Takes the memory for as many users as there can ever be. False when the system does not give it. */
  reserve(): boolean {
    // Every user with words has links, so the words come last: the system may not give the memory for both.
    this.#links = reservedWords(this.#links, (usersMax + 1) * LINKS)
    if (this.#links.length < (usersMax + 1) * LINKS) return false
    this.#words = reservedWords(this.#words, (usersMax + 1) * WORDS)
    return this.#words.length >= (usersMax + 1) * WORDS
  }

  /** Remembered requests, except those kept only for open orders. */
  get total(): number {
    return this.#total
  }

  /** Users below this number may have requests. */
  get end(): number {
    return this.#end
  }

  /** Whether request number `number` is one of its user's last. */
  isLast(user: UserId, number: number): boolean {
    const at = (user & userMask) * WORDS
    const words = this.#words
    return ((number - words[at + NEXT]!) | 0) >= -words[at + COUNT]!
  }

  /** See `RequestRoom`. */
  room(user: UserId): RequestRoom {
    const isCrowded = this.#total * 2 >= this.#all
    const ownRing = this.#isMaker(user) ? this.#maker : this.#retail
    const ring = isCrowded ? this.#last : ownRing
    const at = (user & userMask) * WORDS
    const count = this.#words[at + COUNT] ?? 0
    const [left, ownLeft] = [Math.max(0, ring - count), Math.max(0, ownRing - count)]
    return { ring, left, isCrowded, ownRing, ownLeft, next: this.#words[at + NEXT] ?? 0 }
  }

  /** Prefetches what the first `count` of these expected requests will read. */
  reach(expected: Int32Array, count: number): number {
    const words = this.#words
    let read = 0
    if (this.#end < nearUsers) return read
    for (let n = 0; n < count; n++) {
      const at = (expected[n * EXPECTED + USER]! & userMask) * WORDS
      if (at < words.length) read ^= words[at]!
    }
    return read
  }

  /** Adds a request of a user and returns its number. Other requests may be forgotten for it. */
  add(user: UserId): number {
    const at = (user & userMask) * WORDS
    if (at >= this.#words.length) this.#makeRoom(user)
    const words = this.#words
    const number = words[at + NEXT]!
    words[at + NEXT] = (number + 1) | 0
    const count = words[at + COUNT]! + 1
    if (count > this.#retail && this.#isWhole(user, count)) return number
    words[at + COUNT] = count
    // Users enter and change lists only at these counts.
    if ((count & (count - 1)) === 0 || count === this.#last + 1) this.#counted(user)
    if (++this.#total > this.#all) this.#lose()
    return number
  }

  #counted(user: UserId): void {
    if (user >= this.#end) this.#end = user + 1
    const count = this.#words[(user & userMask) * WORDS + COUNT]!
    this.#move(user, count - 1, count)
  }

  #makeRoom(user: UserId): void {
    const words = roomierWords(this.#words, (user + 1) * WORDS, (usersMax + 1) * WORDS)
    const links = Math.ceil(words.length / WORDS) * LINKS
    if (links > this.#links.length) this.#links = roomierWords(this.#links, links, (usersMax + 1) * LINKS)
    this.#words = words
  }

  /** Whether a user already has as many requests as allowed. */
  #isWhole(user: UserId, count: number): boolean {
    return count > (this.#isMaker(user) ? this.#maker : this.#retail)
  }

  /** Sets a user from a dump: `count` requests, the first of which has number `from`. */
  set(user: UserId, from: number, count: number): void {
    const at = user * WORDS
    if (at >= this.#words.length) this.#makeRoom(user)
    this.#words[at + NEXT] = from + count
    this.#words[at + COUNT] = count
    this.#total += count
    this.#end = Math.max(this.#end, user + 1)
  }

  /** The users in each list, in order, which decides who loses a request next. */
  dump(into: Records): void {
    for (let list = 0; list < lists; list++) {
      const members = this.#members(list)
      const at = into.reserve(members.length + 1)
      into.data[at] = members.length
      into.data.set(members, at + 1)
    }
    into.data[into.reserve(1)] = this.#cursor
  }

  /** Call after all users are set. */
  restore(data: Float64Array, start: number): number {
    let at = start
    const known = new Set<number>()
    for (let list = 0; list < lists; list++) {
      for (let left = countAt(data, at++); left > 0; left--) {
        const user = data[at++] as UserId
        // A user behind themselves would make a list that no search leaves.
        if (known.has(user) || !(user >= 0 && user < this.#end)) throw new Error(`user ${user} is in a list of requests twice`)
        known.add(user)
        this.#append(list, user)
      }
    }
    this.#cursor = data[at] as UserId
    return at + 1
  }

  #lose(): void {
    let list = lists - 1
    while (list >= 0 && this.#first[list] === 0) list--
    if (list >= 0) {
      const user = (this.#first[list]! - 1) as UserId
      this.#first[list] = this.#links[user * LINKS + AFTER]! + 1
      return this.#take(user)
    }
    for (let looks = 0; looks < looksMax; looks++) {
      this.#cursor = (this.#cursor + 1 < this.#end ? this.#cursor + 1 : 0) as UserId
      if (this.#words[this.#cursor * WORDS + COUNT]! > 0) return this.#take(this.#cursor)
    }
  }

  #take(user: UserId): void {
    const count = this.#words[user * WORDS + COUNT]!
    this.#words[user * WORDS + COUNT] = count - 1
    this.#total--
    this.#move(user, count, count - 1)
  }

  /** List of users with this many requests, −1 for none. */
  #listOf(count: number): number {
    return count <= this.#last ? -1 : 31 - Math.clz32(count)
  }

  #move(user: UserId, from: number, to: number): void {
    const old = this.#listOf(from)
    const list = this.#listOf(to)
    if (old === list) return
    if (old >= 0) this.#leave(old, user)
    if (list >= 0) this.#append(list, user)
  }

  #leave(list: number, user: UserId): void {
    const links = this.#links
    const after = links[user * LINKS + AFTER]!
    const before = links[user * LINKS + BEFORE]!
    links[before * LINKS + AFTER] = after
    links[after * LINKS + BEFORE] = before
    if (this.#first[list] === user + 1) this.#first[list] = after === user ? 0 : after + 1
  }

  #append(list: number, user: UserId): void {
    const links = this.#links
    const first = this.#first[list] === 0 ? user : this.#first[list]! - 1
    const last = this.#first[list] === 0 ? user : links[first * LINKS + BEFORE]!
    links[user * LINKS + AFTER] = first
    links[user * LINKS + BEFORE] = last
    links[last * LINKS + AFTER] = user
    links[first * LINKS + BEFORE] = user
    this.#first[list] = first + 1
  }

  #members(list: number): number[] {
    const found: number[] = []
    const first = this.#first[list]! - 1
    if (first < 0) return found
    let user = first
    do {
      found.push(user)
      user = this.#links[user * LINKS + AFTER]!
    } while (user !== first)
    return found
  }
}
