import type { OrderSlot } from './order-fields.ts'
import type { OrderId } from '../protocol/ids.ts'
import * as fields from './order-fields.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { F, ID, SLOT } = fields

/** All bits of a place in the table. */
const pairMask = 2 ** 28 - 1
/** Of an old table, pairs that one new order clears: all of it long before the new table is full. */
const clearedAtOnce = 32
const none = new Int32Array(2)

/**
 * Slots of orders by number: an open-addressed table of pairs (low 32 bits of the number, slot + 1), a quarter in use at most,
 * so most questions end at their first pair. A table that has become too small is not copied at once: the next orders each
 * move a few of its pairs into the new one, and what is not found there is looked for in the old.
 */
export class OrderTable {
  #pairs: Int32Array<ArrayBuffer> = new Int32Array(2 * 4096)
  #mask = 4095
  #count = 0
  #old: Int32Array = none
  #oldMask = 0
  /** Of the old table: what was moved last, and how many places are still to be looked at. */
  #oldAt = 0
  #oldLeft = 0
  /** Empty tables of the next sizes, the largest first: their memory is there before it is needed. */
  readonly #next: Int32Array<ArrayBuffer>[] = []

  /** Makes the tables that so many orders will need. */
  reserve(orders: number): void {
    const sizes: number[] = []
    for (let size = (this.#mask + 1) * 2; size <= orders * 8; size *= 2) sizes.push(size)
    this.#next.push(...sizes.reverse().map((size) => new Int32Array(size * 2)))
  }

  /** Slot of an order, −1 when there is none. `f`: the orders' records. */
  find(f: Float64Array, id: OrderId): number {
    const table = this.#pairs
    const mask = this.#mask & pairMask
    const low = id | 0
    for (let at = homeOf(low) & mask; ; at = (at + 1) & mask) {
      const slot = table[at * 2 + 1]!
      if (slot === 0) return this.#oldLeft === 0 ? -1 : this.#findOld(f, id)
      if (table[at * 2] === low && f[((slot - 1) & SLOT) * F + ID] === id) return slot - 1
    }
  }

  /** Leaves in `slots` where the first `count` orders with these low 32 bits of their numbers probably stand. */
  near(lows: Int32Array, slots: Int32Array, count: number): void {
    const table = this.#pairs
    const mask = this.#mask & pairMask
    for (let n = 0; n < count; n++) {
      const entry = table[(homeOf(lows[n]!) & mask) * 2 + 1]!
      slots[n] = entry === 0 ? 0 : entry - 1
    }
  }

  insert(id: OrderId, slot: OrderSlot): void {
    if (++this.#count * 4 > this.#mask) this.#widen()
    if (this.#oldLeft > 0) this.#moveSome()
    put(this.#pairs, this.#mask, id | 0, slot + 1)
  }

  delete(f: Float64Array, id: OrderId): void {
    this.#count--
    if (!remove(this.#pairs, this.#mask & pairMask, f, id) && !remove(this.#old, this.#oldMask, f, id))
      throw new Error(`order ${id} is not in the table`)
  }

  /** All slots, in no order. */
  *slots(): Generator<number> {
    for (const table of [this.#pairs, this.#old]) {
      for (let at = 1; at < table.length; at += 2) if (table[at] !== 0) yield table[at]! - 1
    }
  }

  #findOld(f: Float64Array, id: OrderId): number {
    const table = this.#old
    const low = id | 0
    for (let at = homeOf(low) & this.#oldMask; ; at = (at + 1) & this.#oldMask) {
      const slot = table[at * 2 + 1]!
      if (slot === 0) return -1
      if (table[at * 2] === low && f[((slot - 1) & SLOT) * F + ID] === id) return slot - 1
    }
  }

  #widen(): void {
    this.#old = this.#pairs
    this.#oldMask = this.#mask
    this.#oldLeft = this.#mask + 1
    // Orders that stand without a gap are moved together, so the first place must have a gap before it.
    this.#oldAt = this.#oldMask
    while (this.#old[this.#oldAt * 2 + 1] !== 0) this.#oldAt--
    this.#mask = this.#mask * 2 + 1
    this.#pairs = this.#next.pop() ?? new Int32Array((this.#mask + 1) * 2)
  }

  /** Stops at a gap, so that no order stays in the old table whose home is before that. */
  #moveSome(): void {
    const old = this.#old
    for (let n = 0; this.#oldLeft > 0; n++) {
      this.#oldAt = (this.#oldAt + 1) & this.#oldMask
      this.#oldLeft--
      const entry = old[this.#oldAt * 2 + 1]!
      if (entry === 0 && n >= clearedAtOnce) break
      if (entry === 0) continue
      put(this.#pairs, this.#mask, old[this.#oldAt * 2]!, entry)
      old[this.#oldAt * 2 + 1] = 0
    }
    if (this.#oldLeft === 0) this.#old = none
  }
}

function put(table: Int32Array, mask: number, low: number, entry: number): void {
  let at = homeOf(low) & mask & pairMask
  while (table[at * 2 + 1] !== 0) at = (at + 1) & mask & pairMask
  table[at * 2] = low
  table[at * 2 + 1] = entry
}

/** Closes the gap by moving back what would not be found across it: no tombstones, so no decay. Returns whether it was there. */
function remove(table: Int32Array, mask: number, f: Float64Array, id: OrderId): boolean {
  const low = id | 0
  let gap = homeOf(low) & mask
  while (!(table[gap * 2] === low && f[((table[gap * 2 + 1]! - 1) & SLOT) * F + ID] === id)) {
    if (table[gap * 2 + 1] === 0) return false
    gap = (gap + 1) & mask
  }
  for (let at = (gap + 1) & mask; table[at * 2 + 1] !== 0; at = (at + 1) & mask) {
    const home = homeOf(table[at * 2]!)
    if (((at - home) & mask) < ((at - gap) & mask)) continue
    table[gap * 2] = table[at * 2]!
    table[gap * 2 + 1] = table[at * 2 + 1]!
    gap = at
  }
  table[gap * 2 + 1] = 0
  return true
}

/** Eight numbers in a row share a cache line, because orders that come together often go together. */
function homeOf(low: number): number {
  return ((Math.imul(low >>> 3, 0x9e3779b1) >>> 7) << 3) | (low & 7)
}
