const keptMax = 4_096
const shownMs = 15 * 60_000

/** How long the orders of the last minutes took from this process to the engine and back, the newest 4,096 of them. */
export class OrderTimes {
  readonly #ms = new Float64Array(keptMax)
  readonly #at = new Float64Array(keptMax).fill(Number.NEGATIVE_INFINITY)
  readonly #clock: () => number
  #next = 0

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  note(ms: number): void {
    this.#ms[this.#next] = ms
    this.#at[this.#next] = this.#clock()
    this.#next = (this.#next + 1) % keptMax
  }

  /** In milliseconds: 99 % of the orders took at most so long. Null when there was none. */
  now(): { readonly orders: number; readonly p99: number | null } {
    const since = this.#clock() - shownMs
    const found = this.#ms.filter((_, place) => this.#at[place]! > since).sort()
    const p99 = found[Math.min(found.length - 1, Math.ceil(found.length * 0.99) - 1)]
    return { orders: found.length, p99: p99 === undefined ? null : Math.round(p99 * 10) / 10 }
  }
}
