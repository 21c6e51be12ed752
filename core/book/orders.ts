/**
 * All orders in the core, in flat arrays with a free list: adding or removing an order allocates nothing. An order is named by
 * its slot; `OrderTable` finds the slot for an order number.
 *
 * Fields that most orders lack (display quantity, trigger, OCO sibling) are in a separate `Extra`.
 */

import type { Millis, Ppm, Ticks, Units } from '../money/brand.ts'
import type { OrderSlot } from './order-fields.ts'
import type { MarketId, OrderId, UserId } from '../protocol/ids.ts'
import { ByNumber } from '../protocol/codec/by-number.ts'
import * as memory from '../protocol/codec/memory.ts'
import * as fields from './order-fields.ts'
import { OrderTable } from './order-table.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { C, EXTRA, F, FLAGS, I, ID, MARKET, NEXT, OWNER, SLOT, UPDATED_AT, USER_NEXT, USER_PREV } = fields

const lineOffset = 112
const userMask = 2 ** 29 - 1
/** Orders that fit in memory. A new order is refused before this is reached. */
export const ordersMax = 2 ** 22
const usersMax = 2 ** 23
/** Words of a user: 1 + the slot of the newest order, and how many orders there are. */
const USER_WORDS = 2
const ORDER_COUNT = 1
/**
 * A user with more orders than `manyMin` gets counts per market, and keeps them until only `fewMax` orders are left. Without them,
 * `countIn` would walk through thousands of orders.
 */
const manyMin = 64
const fewMax = 32
const { reservedWords, roomierLength, roomierWords, whereGiven } = memory

export class Extra {
  display = 0
  spend = 0 as Units
  /** Trigger price of a stop, trail in ppm of a trailing one. */
  trigger = 0 as Ticks | Ppm
  activation = 0 as Ticks
  /** Best price since a trailing order became active; 0 while it is not active. */
  peak = 0 as Ticks
  list = 0 as OrderId
  /** Slot of the other leg of an OCO, −1 when it is gone. */
  sibling = -1 as OrderSlot
  /** Units held beyond what the order needs for its place in the book. */
  held = 0 as Units
  /** Lots removed by self-trade prevention. */
  prevented = 0
  /** Number of the last prevented match in which the order lost lots; 0 for none. */
  preventedMatch = 0
  /** 1 + number and type of the program's strategy; 0 when the program gave none. */
  strategy = 0
  strategyType = 0
  /** Time at which the order was triggered, if it is a market order that is tried again; otherwise 0. */
  wokeAtMs = 0 as Millis
  /** A leg of an OCO that was taken out of the book, or out of the sleeping orders, while its triggered sibling may still trade. */
  isParked = false
}

export class Orders {
  /** Two views of the same memory. */
  f = new Float64Array(aligned(1024), lineOffset)
  i = new Int32Array(this.f.buffer, lineOffset)
  c = new Float64Array(1024 * C)
  /** By number; number 0 means none. */
  readonly extras = new ByNumber<Extra>()
  /** Count of numbers used so far, and the freed ones to be reused. */
  #extras = 0
  #freeExtra = 0
  readonly #freeExtras = new ByNumber<number>()
  #used = 0
  #free = -1
  #count = 0
  readonly #table = new OrderTable()
  /** Per user: the first order of the user's list (stored as slot + 1, so that 0 means none) and the number of orders. */
  #users: Int32Array<ArrayBuffer> = new Int32Array(USER_WORDS * 1024)
  /** For a user with many orders: how many are in each market. */
  readonly #inMarkets = new ByNumber<Uint32Array>()

  get count(): number {
    return this.#count
  }

  /** Whether any order has ever had an `Extra`. */
  get hasExtras(): boolean {
    return this.#extras > 0
  }

  /** Takes the memory for as many orders and users as there can ever be. False when the system does not give all of it. */
  reserve(): boolean {
    const isLarge = this.c.length >= ordersMax * C || whereGiven(() => this.#growTo(ordersMax)) === true
    this.#users = reservedWords(this.#users, USER_WORDS * (usersMax + 1))
    const hasTables = whereGiven(() => this.#table.reserve(ordersMax)) === true
    return isLarge && hasTables && this.#users.length >= USER_WORDS * (usersMax + 1)
  }

  /** Takes a slot for an order and links it into its user's list. The caller sets all other fields. */
  add(id: OrderId, user: UserId, market: MarketId): OrderSlot {
    let slot = this.#free
    if (slot >= 0) this.#free = this.i[(slot & SLOT) * I + NEXT]!
    else {
      slot = this.#used++
      if (this.#used * F > this.f.length) this.#grow()
    }
    this.#count++
    this.f[(slot & SLOT) * F + ID] = id
    this.f[(slot & SLOT) * F + MARKET] = market
    const i = this.i
    const at = (slot & SLOT) * I
    i[at + OWNER] = user
    i[at + EXTRA] = 0
    const ut = (user & userMask) * USER_WORDS
    if (ut >= this.#users.length) this.#users = roomierWords(this.#users, ut + USER_WORDS, USER_WORDS * (usersMax + 1))
    const users = this.#users
    const first = users[ut]! - 1
    i[at + USER_NEXT] = first
    i[at + USER_PREV] = -1
    if (first >= 0) i[(first & SLOT) * I + USER_PREV] = slot
    users[ut] = slot + 1
    const count = users[ut + ORDER_COUNT]! + 1
    users[ut + ORDER_COUNT] = count
    if (count > fewMax) this.#countMore(user, market, count)
    this.#table.insert(id, slot as OrderSlot)
    return slot as OrderSlot
  }

  /** Frees the slot. The order must already have left its level. */
  remove(slot: OrderSlot): void {
    const i = this.i
    const at = (slot & SLOT) * I
    const users = this.#users
    const ut = (i[at + OWNER]! & userMask) * USER_WORDS
    const next = i[at + USER_NEXT]!
    const prev = i[at + USER_PREV]!
    if (next >= 0) i[(next & SLOT) * I + USER_PREV] = prev
    if (prev >= 0) i[(prev & SLOT) * I + USER_NEXT] = next
    else users[ut] = next + 1
    const count = users[ut + ORDER_COUNT]!
    users[ut + ORDER_COUNT] = count - 1
    if (count > fewMax) this.#countLess(i[at + OWNER] as UserId, this.f[(slot & SLOT) * F + MARKET] as MarketId, count)
    const extra = i[at + EXTRA]!
    if (extra !== 0) {
      this.extras.set(extra, undefined)
      this.#freeExtras.set(extra, this.#freeExtra)
      this.#freeExtra = extra
    }
    this.#table.delete(this.f, this.f[(slot & SLOT) * F + ID] as OrderId)
    i[at + NEXT] = this.#free
    this.#free = slot
    this.#count--
  }

  /** Reads the memory that the next `count` orders will use, to bring it into the cache. The result has no meaning. */
  reachFree(count: number): number {
    const { c, i } = this
    let read = 0
    let slot = this.#free
    for (let n = 0; n < count && slot >= 0; n++) {
      const at = slot & SLOT
      read ^= c[at * C]! ^ c[at * C + C - 1]!
      slot = i[at * I + NEXT]!
    }
    return read
  }

  /** Slot of an order, −1 if it does not exist. */
  find(id: OrderId): number {
    return this.#table.find(this.f, id)
  }

  /**
   * Looks up the first `count` orders in `lows`, which holds the low 32 bits of their numbers, so that their cache misses overlap.
   * Writes each order's flags to `flags`; where no such order exists, the flags of another one. The result has no meaning.
   */
  reach(lows: Int32Array, flags: Int32Array, count: number): number {
    const { f, i } = this
    this.#table.near(lows, flags, count)
    let read = 0
    for (let n = 0; n < count; n++) {
      const slot = flags[n]! & SLOT
      read ^= f[slot * F + MARKET]! | 0
      flags[n] = i[slot * I + FLAGS]!
    }
    return read
  }

  /** Newest order of a user, −1 for none. `USER_NEXT` leads to the following ones. */
  firstOf(user: UserId): number {
    const at = user * USER_WORDS
    return at < this.#users.length ? this.#users[at]! - 1 : -1
  }

  countOf(user: UserId): number {
    const at = (user & userMask) * USER_WORDS
    return at < this.#users.length ? this.#users[at + ORDER_COUNT]! : 0
  }

  /** Number of a user's orders in one market. */
  countIn(user: UserId, market: MarketId): number {
    const inMarkets = this.#inMarkets.get(user)
    if (inMarkets !== undefined) return market < inMarkets.length ? inMarkets[market]! : 0
    let count = 0
    for (let slot = this.firstOf(user); slot >= 0; slot = this.i[slot * I + USER_NEXT]!) if (this.f[slot * F + MARKET] === market) count++
    return count
  }

  /** The order's `Extra`; made if needed. */
  extra(slot: OrderSlot): Extra {
    const at = (slot & SLOT) * I + EXTRA
    const known = this.extras.get(this.i[at]!)
    if (known !== undefined) return known
    const extra = new Extra()
    const number = this.#freeExtra === 0 ? ++this.#extras : this.#freeExtra
    if (number === this.#freeExtra) this.#freeExtra = this.#freeExtras.get(number)!
    this.extras.set(number, extra)
    this.i[at] = number
    return extra
  }

  /**
   * Below 0 when `a` sleeps with its trigger longer than `b`: since it was placed, entered with its list, or was amended. Never 0 for two
   * orders. Neither may change while it sleeps.
   */
  seniority(a: OrderSlot, b: OrderSlot): number {
    const { c, f } = this
    return c[a * C + UPDATED_AT]! - c[b * C + UPDATED_AT]! || f[a * F + ID]! - f[b * F + ID]!
  }

  /** Slots of all orders, by number. */
  slots(): Int32Array {
    const numbers = new Float64Array(this.#count)
    let count = 0
    for (const slot of this.#table.slots()) numbers[count++] = this.f[slot * F + ID]!
    return Int32Array.from(numbers.sort(), (number) => this.find(number as OrderId))
  }

  #countMore(user: UserId, market: MarketId, count: number): void {
    const inMarkets = this.#inMarkets.get(user)
    if (inMarkets !== undefined && market < inMarkets.length) inMarkets[market]!++
    else if (inMarkets !== undefined || count > manyMin) this.#countAll(user)
  }

  #countAll(user: UserId): void {
    let last = 0
    for (let slot = this.firstOf(user); slot >= 0; slot = this.i[slot * I + USER_NEXT]!) last = Math.max(last, this.f[slot * F + MARKET]!)
    const inMarkets = new Uint32Array(2 ** (32 - Math.clz32(last)))
    for (let slot = this.firstOf(user); slot >= 0; slot = this.i[slot * I + USER_NEXT]!) inMarkets[this.f[slot * F + MARKET]!]!++
    this.#inMarkets.set(user, inMarkets)
  }

  #countLess(user: UserId, market: MarketId, count: number): void {
    const inMarkets = this.#inMarkets.get(user)
    if (inMarkets === undefined) return
    inMarkets[market]!--
    if (count - 1 === fewMax) this.#inMarkets.set(user, undefined)
  }

  /** The unused part of the larger arrays is not backed by memory: see `memory.ts`. */
  #grow(): void {
    const records = this.c.length / C
    if (records === ordersMax) throw new Error('there are more orders than slots')
    const roomier = roomierLength({ length: records, least: 0, max: ordersMax, bytes: F * 8 })
    if (whereGiven(() => this.#growTo(roomier)) !== true) this.#growTo(Math.min(records * 2, ordersMax))
  }

  #growTo(most: number): true {
    const f = new Float64Array(aligned(most), lineOffset)
    const c = new Float64Array(most * C)
    f.set(this.f)
    c.set(this.c)
    this.f = f
    this.i = new Int32Array(f.buffer, lineOffset)
    this.c = c
    return true
  }
}

/** Memory for this many records. Each starts at a cache line, given that large arrays start 16 bytes after the start of one. */
function aligned(records: number): ArrayBuffer {
  return new ArrayBuffer(lineOffset + records * F * 8)
}
