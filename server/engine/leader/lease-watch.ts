import type { Leadership } from '../../journal/leadership.ts'

/** How long a leader has for its first renewal after the database was away: it has to connect again, too. */
const returnMs = 1_000

/**
 * Decides by this machine's steady clock alone when a lease is over: the same leader with the same count of renewals was seen for long
 * enough. Clocks of several machines are never compared. Times in milliseconds.
 */
export class LeaseWatch {
  readonly #takeOverMs: number
  #seen: Leadership | undefined
  #sinceMs = 0
  #isInterrupted = false

  constructor(takeOverMs: number) {
    this.#takeOverMs = takeOverMs
  }

  /** Takes what was read; `nowMs`: after its answer had arrived. Returns whether the lease is over. */
  sees(now: Leadership, nowMs: number): boolean {
    const isSame = this.#seen?.epoch === now.epoch && this.#seen.renewals === now.renewals
    if (!isSame) this.#sinceMs = nowMs
    else if (this.#isInterrupted) this.#sinceMs = Math.max(this.#sinceMs, nowMs - this.#takeOverMs + returnMs)
    this.#seen = now
    this.#isInterrupted = false
    return nowMs - this.#sinceMs >= this.#takeOverMs
  }

  /** Nothing could be read. */
  interrupted(): void {
    this.#isInterrupted = true
  }
}
