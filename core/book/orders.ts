/**
 * All orders that are in the core, in flat arrays with a free list: nothing is allocated when one comes or goes. An
 * order is named by its slot; an open-addressed table finds the slot of a number.
 *
 * What most orders lack (a display quantity, a trigger, a sibling) stands in an `Extra` beside.
 */

import * as fields from './order-fields.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { C, EXTRA, F, I, ID, NEXT, OWNER, SLOT, USER_NEXT, USER_PREV } = fields

const lineOffset = 112
/** All bits of a place in the table, as `SLOT` of slots; and of a user's number. */
const pairMask = 2 ** 28 - 1
const userMask = 2 ** 29 - 1

export class Extra {
  display = 0
  spend = 0
  /** Trigger price of a stop, trail in ppm of a trailing one. */
  trigger = 0
  activation = 0
  /** Best price since a trailing order became active; 0 while it is not. */
  peak = 0
  list = 0
  /** Slot of the other leg of an OCO, −1 when it is gone. */
  sibling = -1
  /** Units held beyond what its place in the book needs. */
  held = 0
  /** Lots that left it to prevent a trade with its owner's other orders. */
  prevented = 0
  /** 1 + number and type of its program's strategy, 0 for what was not told. */
  strategy = 0
  strategyType = 0
}

export class Orders {
  /** Two views of the same records. */
  f = new Float64Array(aligned(1024), lineOffset)
  i = new Int32Array(this.f.buffer, lineOffset)
  c = new Float64Array(1024 * C)
  readonly extras: (Extra | undefined)[] = [undefined]
  readonly #freeExtras: number[] = []
  #used = 0
  #free = -1
  #count = 0
  // Pairs of (low 32 bits of the number, slot + 1), a quarter in use at most: most questions end at their first pair.
  #table = new Int32Array(2 * 4096)
  #mask = 4095
  /** Per user: first order of the user's list (−1 is stored as 0: slot + 1) and how many there are. */
  #users = new Int32Array(2 * 1024)

  get count(): number {
    return this.#count
  }

  /** A slot for an order, linked into its user's list. All its other fields are the caller's to set. */
  add(id: number, user: number): number {
    let slot = this.#free
    if (slot >= 0) this.#free = this.i[(slot & SLOT) * I + NEXT]!
    else {
      slot = this.#used++
      if (this.#used * F > this.f.length) this.#grow()
    }
    this.#count++
    this.f[(slot & SLOT) * F + ID] = id
    const i = this.i
    const at = (slot & SLOT) * I
    i[at + OWNER] = user
    i[at + EXTRA] = 0
    const ut = (user & userMask) * 2
    if (ut >= this.#users.length) this.#users = wider(this.#users, ut + 2)
    const users = this.#users
    const first = users[ut]! - 1
    i[at + USER_NEXT] = first
    i[at + USER_PREV] = -1
    if (first >= 0) i[(first & SLOT) * I + USER_PREV] = slot
    users[ut] = slot + 1
    users[ut + 1] = users[ut + 1]! + 1
    this.#insert(id, slot)
    return slot
  }

  /** Gives the slot back. The order is in no level any more. */
  remove(slot: number): void {
    const i = this.i
    const at = (slot & SLOT) * I
    const users = this.#users
    const ut = (i[at + OWNER]! & userMask) * 2
    const next = i[at + USER_NEXT]!
    const prev = i[at + USER_PREV]!
    if (next >= 0) i[(next & SLOT) * I + USER_PREV] = prev
    if (prev >= 0) i[(prev & SLOT) * I + USER_NEXT] = next
    else users[ut] = next + 1
    users[ut + 1] = users[ut + 1]! - 1
    const extra = i[at + EXTRA]!
    if (extra !== 0) {
      this.extras[extra] = undefined
      this.#freeExtras.push(extra)
    }
    this.#delete(this.f[(slot & SLOT) * F + ID]!)
    i[at + NEXT] = this.#free
    this.#free = slot
    this.#count--
  }

  /** Slot of an order, −1 when there is none. */
  find(id: number): number {
    const table = this.#table
    const low = id | 0
    for (let at = this.#home(low); ; at = (at + 1) & this.#mask & pairMask) {
      const slot = table[at * 2 + 1]!
      if (slot === 0) return -1
      if (table[at * 2] === low && this.f[((slot - 1) & SLOT) * F + ID] === id) return slot - 1
    }
  }

  /** Newest order of a user, −1 when there is none; the next ones by `USER_NEXT`. */
  firstOf(user: number): number {
    return user * 2 < this.#users.length ? this.#users[user * 2]! - 1 : -1
  }

  countOf(user: number): number {
    const at = (user & userMask) * 2
    return at < this.#users.length ? this.#users[at + 1]! : 0
  }

  /** The order's rarer half, made when it has none. */
  extra(slot: number): Extra {
    const at = (slot & SLOT) * I + EXTRA
    const known = this.extras[this.i[at]!]
    if (known !== undefined) return known
    const extra = new Extra()
    const number = this.#freeExtras.pop() ?? this.extras.length
    this.extras[number] = extra
    this.i[at] = number
    return extra
  }

  /** Slots of all orders, by number. */
  slots(): number[] {
    const found: number[] = []
    for (let at = 1; at < this.#table.length; at += 2) if (this.#table[at] !== 0) found.push(this.#table[at]! - 1)
    return found.sort((a, b) => this.f[a * F + ID]! - this.f[b * F + ID]!)
  }

  /** Eight numbers in a row share a cache line, because orders that come together often go together. */
  #home(low: number): number {
    return (((Math.imul(low >>> 3, 0x9e3779b1) >>> 7) << 3) | (low & 7)) & this.#mask & pairMask
  }

  #insert(id: number, slot: number): void {
    if (this.#count * 4 > this.#mask) this.#rehash()
    const table = this.#table
    const low = id | 0
    let at = this.#home(low)
    while (table[at * 2 + 1] !== 0) at = (at + 1) & this.#mask & pairMask
    table[at * 2] = low
    table[at * 2 + 1] = slot + 1
  }

  /** Closes the gap by moving back what would not be found across it: no tombstones, so no decay. */
  #delete(id: number): void {
    const table = this.#table
    const mask = this.#mask & pairMask
    const low = id | 0
    let gap = this.#home(low)
    while (!(table[gap * 2] === low && this.f[((table[gap * 2 + 1]! - 1) & SLOT) * F + ID] === id)) {
      if (table[gap * 2 + 1] === 0) throw new Error(`order ${id} is not in the table`)
      gap = (gap + 1) & mask
    }
    for (let at = (gap + 1) & mask; table[at * 2 + 1] !== 0; at = (at + 1) & mask) {
      const home = this.#home(table[at * 2]!)
      if (((at - home) & mask) < ((at - gap) & mask)) continue
      table[gap * 2] = table[at * 2]!
      table[gap * 2 + 1] = table[at * 2 + 1]!
      gap = at
    }
    table[gap * 2 + 1] = 0
  }

  #rehash(): void {
    const old = this.#table
    this.#mask = this.#mask * 2 + 1
    this.#table = new Int32Array((this.#mask + 1) * 2)
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] === 0) continue
      let to = this.#home(old[at]!)
      while (this.#table[to * 2 + 1] !== 0) to = (to + 1) & this.#mask
      this.#table[to * 2] = old[at]!
      this.#table[to * 2 + 1] = old[at + 1]!
    }
  }

  #grow(): void {
    if (this.#used > SLOT) throw new Error('there are more orders than slots')
    const f = new Float64Array(aligned((this.f.length / F) * 2), lineOffset)
    f.set(this.f)
    this.f = f
    this.i = new Int32Array(f.buffer, lineOffset)
    const c = new Float64Array(this.c.length * 2)
    c.set(this.c)
    this.c = c
  }
}

/** Memory for so many records, each at the start of a cache line where large arrays start 16 bytes after the start of one. */
function aligned(records: number): ArrayBuffer {
  return new ArrayBuffer(lineOffset + records * F * 8)
}

function wider(old: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(Math.max(least, old.length * 2))
  grown.set(old)
  return grown
}
