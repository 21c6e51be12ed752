/**
 * Shares a thread between work that may wait and everything else: the former may run this long in one turn of the event loop;
 * the rest waits for the next turn, first come, first served, after whatever else has arrived.
 */
export class Turns {
  readonly #budgetMs: number
  readonly #nextTurn: (begin: () => void) => void
  readonly #now: () => number
  readonly #waiting: (() => void)[] = []
  #leftMs: number
  #isCalled = false

  /** `nextTurn` calls back in the next turn of the event loop; `now` in milliseconds. */
  constructor(budgetMs: number, nextTurn: (begin: () => void) => void = setImmediate, now = () => performance.now()) {
    this.#budgetMs = budgetMs
    this.#now = now
    this.#nextTurn = nextTurn
    this.#leftMs = budgetMs
  }

  /** Runs it now, or when its turn comes. */
  async run<T>(work: () => T): Promise<T> {
    if (this.#waiting.length > 0 || this.#leftMs <= 0) await this.#turn()
    const began = this.#now()
    try {
      return work()
    } finally {
      this.#leftMs -= this.#now() - began
      if (this.#leftMs > 0) this.#waiting.shift()?.()
      this.#call()
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#call()
    })
  }

  #call(): void {
    if (this.#isCalled) return
    this.#isCalled = true
    this.#nextTurn(() => {
      this.#isCalled = false
      this.#leftMs = this.#budgetMs
      this.#waiting.shift()?.()
    })
  }
}
