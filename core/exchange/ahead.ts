import type { Ticks } from '../money/brand.ts'
import type { MarketId, OrderId, UserId } from '../protocol/ids.ts'
import type { OrderSlot } from '../book/order-fields.ts'
import * as fields from '../book/order-fields.ts'
import * as ladders from '../book/ladder.ts'
import * as layout from '../protocol/codec/layout.ts'
import * as records from '../protocol/codec/records.ts'
import type { State } from './state/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { C, EXECUTED_LOTS, F, FLAGS, I, LEVEL, MARKET, NEXT, OWNER, PREV, SLOT, USER_NEXT, USER_PREV } = fields
const { LEVELS, LOTS, TAIL, ENDS } = ladders
const { PLACE_FLAGS_AT, PLACE_MARKET, PLACE_PRICE, REF_CLIENT_ID, REF_MARKET, REF_ORDER, SELL, USER } = layout
const { SLOTS, lengthOf, opcodeOf } = records
const PLACE = layout.commandCodes['spot.place']
const AMEND = layout.commandCodes['spot.amend']
const CANCEL = layout.commandCodes['spot.cancel']

/**
 * Prefetches what the next commands will need: orders and their neighbours in levels and lists. The reads of one command depend
 * on each other and wait one after another; the same steps of many commands are done together, so their waits overlap. Changes
 * nothing. Small tables fit into the caches, and prefetching would only cost time.
 */
export class Ahead {
  // For the expected new orders: the newest order of their user and the last order of their level. For the expected cancels: the
  // orders they name.
  readonly #neighbours: Int32Array
  readonly #cancels: Int32Array
  readonly #numbers: Float64Array
  readonly #slots: Int32Array
  readonly #lows: Int32Array
  readonly #flags: Int32Array
  #places = 0
  #count = 0

  /** `most`: most commands that one call covers. */
  constructor(most: number) {
    this.#neighbours = new Int32Array(most * 2)
    this.#cancels = new Int32Array(most)
    this.#numbers = new Float64Array(most)
    this.#slots = new Int32Array(most)
    this.#lows = new Int32Array(most)
    this.#flags = new Int32Array(most)
  }

  /** Prefetches for medium-sized tables: only the orders that cancels and amends name by number, and then their contents. */
  glance(x: State, commands: Float64Array, from: number, to: number): number {
    let count = 0
    for (let at = from & SLOTS; at < to; at += lengthOf(commands[at]!)) {
      const code = opcodeOf(commands[at]!)
      if (code !== CANCEL && code !== AMEND) continue
      this.#lows[count] = commands[at + REF_ORDER]! | 0
      this.#cancels[count++] = at
    }
    const read = x.orders.reach(this.#lows, this.#flags, count)
    let rows = 0
    for (let n = 0; n < count; n++) {
      const at = this.#cancels[n]! & SLOTS
      const venue = x.venue((commands[at + REF_MARKET]! | 0) as MarketId)
      if (venue === undefined) continue
      const asset = (this.#flags[n]! & SELL) !== 0 ? venue.base : venue.quote
      this.#slots[rows++] = x.ledger.nearRow((commands[at + USER]! | 0) as UserId, asset)
    }
    return read ^ x.ledger.reach(this.#slots, rows)
  }

  /** Prefetches for the commands in slots `from` to `to`, at most `most` of them. The result has no meaning. */
  look(x: State, commands: Float64Array, from: number, to: number): number {
    let read = this.#begin(x, commands, from, to)
    const numbers = this.#numbers
    for (let n = 0; n < this.#count; n++) {
      const at = this.#cancels[n]!
      const number = commands[at + REF_ORDER]!
      numbers[n] = number === 0 ? x.requests.numberNear((commands[at + USER]! | 0) as UserId, commands, at + REF_CLIENT_ID) : number
    }
    for (let n = 0; n < this.#count; n++) this.#slots[n] = x.orders.find(numbers[n] as OrderId)
    read ^= this.#reachNeighbours(x)
    return read ^ this.#reachOrders(x)
  }

  /** Reads what is found by user, price and client id. */
  #begin(x: State, commands: Float64Array, from: number, to: number): number {
    let read = 0
    this.#places = 0
    this.#count = 0
    for (let at = from & SLOTS; at < to; at += lengthOf(commands[at]!)) {
      const code = opcodeOf(commands[at]!)
      const user = (commands[at + USER]! | 0) as UserId
      if (code === CANCEL) {
        this.#cancels[this.#count++] = at
        read ^= x.orders.countOf(user)
        if (commands[at + REF_ORDER] === 0) read ^= x.requests.reachId(user, commands, at + REF_CLIENT_ID)
      } else if (code === PLACE) {
        const venue = x.venue((commands[at + PLACE_MARKET]! | 0) as MarketId)
        if (venue === undefined) continue
        read ^= x.users[user]! ^ (commands[at + PLACE_FLAGS_AT]! & SELL)
        const { ladder } = venue.book
        const level = ladder.near((commands[at + PLACE_PRICE]! | 0) as Ticks)
        this.#neighbours[this.#places++] = x.orders.firstOf(user)
        this.#neighbours[this.#places++] = level < 0 ? -1 : ladder.ends[level * ENDS + TAIL]! - 1
      }
    }
    return read
  }

  #reachNeighbours({ orders }: State): number {
    const { i } = orders
    let read = orders.reachFree(this.#places >> 1)
    for (let n = 0; n < this.#places; n++) {
      const slot = this.#neighbours[n]!
      if (slot >= 0) read ^= i[(slot & SLOT) * I + NEXT]!
    }
    return read
  }

  /** Reads the cancelled orders, their neighbours, their levels, and the slots that they free. */
  #reachOrders(x: State): number {
    const { c, f, i } = x.orders
    let read = 0
    for (let n = 0; n < this.#count; n++) {
      const slot = this.#slots[n]!
      if (slot < 0) continue
      const at = slot & SLOT
      read ^= f[at * F + EXECUTED_LOTS]! ^ c[at * C]! ^ c[at * C + C - 1]!
    }
    for (let n = 0; n < this.#count; n++) {
      const slot = this.#slots[n]!
      if (slot < 0) continue
      const at = (slot & SLOT) * I
      read ^= neighbour(i, i[at + NEXT] as OrderSlot) ^ neighbour(i, i[at + PREV] as OrderSlot)
      read ^= neighbour(i, i[at + USER_NEXT] as OrderSlot) ^ neighbour(i, i[at + USER_PREV] as OrderSlot)
      const venue = x.venues[f[(slot & SLOT) * F + MARKET]!]!
      read ^= venue.book.ladder.lots[(i[at + LEVEL]! & LEVELS) * LOTS]!
      const asset = (i[at + FLAGS]! & SELL) !== 0 ? venue.base : venue.quote
      read ^= x.ledger.available(x.ledger.nearRow(i[at + OWNER] as UserId, asset))
    }
    return read
  }
}

/** Reads one word of an order; does nothing for no order. */
function neighbour(i: Int32Array, slot: OrderSlot): number {
  return slot < 0 ? 0 : i[(slot & SLOT) * I + NEXT]!
}
