/**
 * What the running command changed in the ledger: one touch per account and reason. A row remembers where its first
 * touch stands; that is trusted only when the touch there names the row back, so nothing is ever cleared.
 */
export class Touches {
  static readonly row = 0
  static readonly reason = 1
  static readonly delta = 2
  static readonly heldDelta = 3
  /** Where the row's first touch stands, and its next one (−1: none). */
  static readonly first = 4
  static readonly next = 5
  /** In the first touch only: the row's balances before the command, moved on by the flush. */
  static readonly available = 6
  static readonly held = 7
  static readonly size = 8

  t = new Float64Array(64 * 8)
  length = 0

  /** Whether the touch at `at` is this row's first one in the running command. */
  isFirstOf(at: number, row: number): boolean {
    return at < this.length && this.t[at] === row
  }

  /** First touch of a row; returns where it stands. */
  start(row: number, reason: number, delta: number, heldDelta: number, available: number, held: number): number {
    const at = this.#append(row, reason, delta, heldDelta)
    const t = this.t
    t[at + 4] = at
    t[at + 6] = available
    t[at + 7] = held
    return at
  }

  /** Another change of a row that was touched already: joins the touch with the same reason. */
  add(first: number, row: number, reason: number, delta: number, heldDelta: number): void {
    let at = first
    const t = this.t
    for (;;) {
      if (t[at + 1] === reason) {
        t[at + 2] = t[at + 2]! + delta
        t[at + 3] = t[at + 3]! + heldDelta
        return
      }
      const next = t[at + 5]!
      if (next < 0) break
      at = next
    }
    const added = this.#append(row, reason, delta, heldDelta)
    this.t[added + 4] = first
    this.t[at + 5] = added
  }

  #append(row: number, reason: number, delta: number, heldDelta: number): number {
    const at = this.length
    if (at + 8 > this.t.length) {
      const grown = new Float64Array(this.t.length * 2)
      grown.set(this.t)
      this.t = grown
    }
    this.length = at + 8
    const t = this.t
    t[at] = row
    t[at + 1] = reason
    t[at + 2] = delta
    t[at + 3] = heldDelta
    t[at + 5] = -1
    return at
  }
}
