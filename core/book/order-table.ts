import type { OrderSlot } from './order-fields.ts'
import type { OrderId } from '../protocol/ids.ts'
import * as fields from './order-fields.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { F, ID, SLOT } = fields

/** Mask of all bits of a position in the table. After masking, the compiler knows that an index can't overflow. */
const pairMask = 2 ** 28 - 1
/** Positions of the old table that each new order clears, so that the old table is empty long before the new one is full. */
const clearedAtOnce = 32
/** Orders before a table is full: each of them touches memory of the next one. */
const touches = 256
const none = new Int32Array(2)

/**
 * Slots of orders by order number: an open-addressed table of pairs (low 32 bits of the number, slot + 1). At most a quarter is
 * in use, so most searches end at their first pair. A table that has become too small is not copied at once: each following order
 * moves a few of its pairs into the new table, and a search that fails in the new table continues in the old one.
 */
export class OrderTable {
  #pairs: Int32Array<ArrayBuffer> = new Int32Array(2 * 4096)
  #mask = 4095
  #count = 0
  /** Orders that fit before the table prepares to grow. */
  #roomy = (4095 >> 2) - touches
  #old: Int32Array = none
  #oldMask = 0
  /** In the old table: the last cleared position, and the number of positions still to be cleared. */
  #oldAt = 0
  #oldLeft = 0
  /** Empty tables of the next sizes, largest first. Their memory is taken before it is needed. */
  readonly #next: Int32Array<ArrayBuffer>[] = []

  /** Makes the tables that this many orders will need. */
  reserve(orders: number): true {
    const sizes: number[] = []
    for (let size = (this.#mask + 1) * 2; size <= orders * 8; size *= 2) sizes.push(size)
    this.#next.push(...sizes.reverse().map((size) => new Int32Array(size * 2)))
    return true
  }

  /** Slot of an order, −1 if it does not exist. `f`: the orders' records. */
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

  /** Writes to `slots` the probable slots of the first `count` orders, given the low 32 bits of their numbers. */
  near(lows: Int32Array, slots: Int32Array, count: number): void {
    const table = this.#pairs
    const mask = this.#mask & pairMask
    for (let n = 0; n < count; n++) {
      const entry = table[(homeOf(lows[n]!) & mask) * 2 + 1]!
      slots[n] = entry === 0 ? 0 : entry - 1
    }
  }

  insert(id: OrderId, slot: OrderSlot): void {
    if (++this.#count > this.#roomy) this.#prepare()
    if (this.#oldLeft > 0) this.#moveSome()
    put(this.#pairs, this.#mask, id | 0, slot + 1)
  }

  delete(f: Float64Array, id: OrderId): void {
    this.#count--
    if (!remove(this.#pairs, this.#mask & pairMask, f, id) && !remove(this.#old, this.#oldMask, f, id))
      throw new Error(`order ${id} is not in the table`)
  }

  /** All slots, in no particular order. */
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

  /**
   * Widens a table that is a quarter full. Before that, writes to a place of the next table: the system gives large pages at their
   * first use, and takes a millisecond for some, and an order that moves pairs would need several at once.
   */
  #prepare(): void {
    const left = (this.#mask >> 2) - this.#count
    if (left < 0) return this.#widen()
    const next = this.#next.at(-1)
    if (next !== undefined) next[Math.floor((next.length * left) / touches)] = 0
  }

  #widen(): void {
    this.#old = this.#pairs
    this.#oldMask = this.#mask
    this.#oldLeft = this.#mask + 1
    // Pairs without a gap between them are moved together, so the first position must follow a gap.
    this.#oldAt = this.#oldMask
    while (this.#old[this.#oldAt * 2 + 1] !== 0) this.#oldAt--
    this.#mask = this.#mask * 2 + 1
    this.#roomy = (this.#mask >> 2) - touches
    this.#pairs = this.#next.pop() ?? new Int32Array((this.#mask + 1) * 2)
  }

  /** Clears some positions of the old table. Stops only at a gap: a search would not find a pair behind a cleared position. */
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

/**
 * Removes a number and closes the gap by moving back the pairs that would not be found across it. There are no tombstones, so
 * searches do not get slower over time. Returns whether the number was there.
 */
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

/** Slot at which the search for a number begins. Eight consecutive numbers share a cache line: orders often come and go together. */
function homeOf(low: number): number {
  return ((Math.imul(low >>> 3, 0x9e3779b1) >>> 7) << 3) | (low & 7)
}
