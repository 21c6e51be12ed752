/** Time per turn of the event loop: a question about thousands of orders takes longer than a hundred commands. */
export const questionsMs = 2

/**
 * Shares a thread between deferrable work and everything else. In one turn of the event loop, deferrable work may run for
 * `budgetMs`. The rest waits for the next turn, first come, first served, after everything else that has arrived.
 */
export class Turns {
  readonly #budgetMs: number
  readonly #nextTurn: (begin: () => void) => void
  readonly #now: () => number
  readonly #waiting: (() => void)[] = []
  #leftMs: number
  #isScheduled = false

  /** `nextTurn` calls back in the next turn of the event loop; `now` in milliseconds. */
  constructor(budgetMs: number, nextTurn: (begin: () => void) => void = setImmediate, now = () => performance.now()) {
    this.#budgetMs = budgetMs
    this.#now = now
    this.#nextTurn = nextTurn
    this.#leftMs = budgetMs
  }

  /** Runs the work now, or when its turn comes. */
  async run<T>(work: () => T): Promise<T> {
    if (this.#waiting.length > 0 || this.#leftMs <= 0) await this.#turn()
    const began = this.#now()
    try {
      return work()
    } finally {
      this.#leftMs -= this.#now() - began
      if (this.#leftMs > 0) this.#waiting.shift()?.()
      this.#schedule()
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#nextTurn(() => {
      this.#isScheduled = false
      this.#leftMs = this.#budgetMs
      this.#waiting.shift()?.()
    })
  }
}
