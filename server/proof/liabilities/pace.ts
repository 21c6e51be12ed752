import { setTimeout as sleep } from 'node:timers/promises'

/** Time for each balance: about three times the work on two cores of a virtual machine. */
const balanceMs = 0.025
/** Time for all balances together: a statement of any size is made within its period. */
const allMs = 75_000
/** Delays up to this are made up for, because timers are no more exact. Longer ones are not: the work would then come in one piece. */
const lateMs = 5
/** Shorter pauses are not worth a timer. */
const pauseMinMs = 1

/**
 * Spreads the hashing of balances evenly over time, in pieces of a millisecond. A process of the lowest priority that never rests costs those
 * who trade a fifth of their orders: it occupies the processor on which the others would be woken, and Linux lets it keep that for a slice.
 */
export class Pace {
  readonly #balanceMs: number
  readonly #now: () => number
  readonly #sleep: (ms: number) => Promise<void>
  #freeAt: number

  /** `balances`: of all trees. `now`, `wait`: test only. */
  constructor(balances: number, now = () => performance.now(), wait: (ms: number) => Promise<void> = sleep) {
    this.#balanceMs = Math.min(balanceMs, allMs / balances)
    this.#now = now
    this.#sleep = wait
    this.#freeAt = now()
  }

  /** After the leaves of so many balances, which need be no whole number. Resolves when the next ones may be hashed. */
  async rest(balances: number): Promise<void> {
    const now = this.#now()
    this.#freeAt = Math.max(this.#freeAt, now - lateMs) + balances * this.#balanceMs
    const pause = this.#freeAt - now
    if (pause >= pauseMinMs) await this.#sleep(pause)
  }
}
