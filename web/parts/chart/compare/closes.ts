/** Closing prices of a market by the opening time of their bars. Only for places in a picture, so they are plain numbers. */
export class Closes {
  #times: number[] = []
  #prices: number[] = []

  get first(): number | undefined {
    return this.#times[0]
  }

  /** Adds bars in any order; of two with the same time the later one counts. */
  put(bars: Iterable<readonly [time: number, close: number]>): void {
    const all = new Map(this.#times.map((time, at) => [time, this.#prices[at] ?? 0]))
    for (const [time, close] of bars) all.set(time, close)
    const sorted = [...all].sort(([a], [b]) => a - b)
    this.#times = sorted.map(([time]) => time)
    this.#prices = sorted.map(([, price]) => price)
  }

  /** The close of the last bar at or before a time; undefined before the first bar. A market that did not trade keeps its price. */
  at(time: number): number | undefined {
    let [from, to] = [0, this.#times.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#times[middle] ?? 0) <= time) from = middle + 1
      else to = middle
    }
    return this.#prices[from - 1]
  }

  /**
   * How many times its price at `since` the market is worth at `time`. A market that began later is measured from its first bar.
   *
   *   close at time ÷ close at since
   */
  ratio(time: number, since: number): number | undefined {
    const [now, before] = [this.at(time), this.at(since) ?? this.#prices[0]]
    return now === undefined || before === undefined || before === 0 ? undefined : now / before
  }
}
