/**
 * What the running command changed in the ledger: one touch per account and reason. Touches of one account form a
 * chain; a small table finds its first. Both stay in the nearest cache, because every command starts with them empty.
 */
export class Touches {
  // Per touch in `i`: its row, its reason, the next touch of the row (−1: none), place of the row in the table (−1: not
  // the row's first touch).
  static readonly row = 0
  static readonly reason = 1
  static readonly next = 2
  static readonly place = 3
  static readonly size = 4
  // Per touch in `d`: changes of what is available and of what is held.
  static readonly delta = 0
  static readonly heldDelta = 1

  i = new Int32Array(64 * 4)
  d = new Float64Array(64 * 2)
  length = 0
  /** Open addressing: number of a row's first touch + 1. */
  #table = new Int32Array(256)

  add(row: number, reason: number, delta: number, heldDelta: number): void {
    const table = this.#table
    const mask = table.length - 1
    const i = this.i
    let place = (row >>> 1) & mask
    for (;;) {
      const known = table[place]! - 1
      if (known < 0) break
      if (i[known * 4] === row) return this.#join(known, row, reason, delta, heldDelta)
      place = (place + 1) & mask
    }
    table[place] = this.length + 1
    this.#append(row, reason, delta, heldDelta, place)
  }

  clear(): void {
    const { i } = this
    const table = this.#table
    for (let n = 0; n < this.length; n++) {
      const place = i[n * 4 + 3]!
      if (place >= 0) table[place] = 0
    }
    this.length = 0
  }

  /** Another change of a row that was touched already: joins the touch with the same reason. */
  #join(first: number, row: number, reason: number, delta: number, heldDelta: number): void {
    const { i, d } = this
    let n = first
    for (;;) {
      if (i[n * 4 + 1] === reason) {
        d[n * 2] = d[n * 2]! + delta
        d[n * 2 + 1] = d[n * 2 + 1]! + heldDelta
        return
      }
      const next = i[n * 4 + 2]!
      if (next < 0) break
      n = next
    }
    i[n * 4 + 2] = this.length
    this.#append(row, reason, delta, heldDelta, -1)
  }

  #append(row: number, reason: number, delta: number, heldDelta: number, place: number): void {
    const n = this.length
    this.length = n + 1
    const { i, d } = this
    i[n * 4] = row
    i[n * 4 + 1] = reason
    i[n * 4 + 2] = -1
    i[n * 4 + 3] = place
    d[n * 2] = delta
    d[n * 2 + 1] = heldDelta
    if ((n + 1) * 4 === i.length) this.#grow()
  }

  #grow(): void {
    const i = new Int32Array(this.i.length * 2)
    i.set(this.i)
    this.i = i
    const d = new Float64Array(this.d.length * 2)
    d.set(this.d)
    this.d = d
    // At most a quarter of the table is in use.
    const table = new Int32Array(i.length)
    for (let n = 0; n < this.length; n++) {
      if (i[n * 4 + 3]! < 0) continue
      let place = (i[n * 4]! >>> 1) & (table.length - 1)
      while (table[place] !== 0) place = (place + 1) & (table.length - 1)
      table[place] = n + 1
      i[n * 4 + 3] = place
    }
    this.#table = table
  }
}
