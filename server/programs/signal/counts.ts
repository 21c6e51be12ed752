const minuteMs = 60_000

/** Counts by name within the running minute. All counts of another minute are forgotten together, so that none ends sooner than its minute. */
export class MinuteCounts<Name> {
  #minute = Number.NaN
  readonly #counts = new Map<Name, number>()

  /** Counts one more. Returns how many of this name have come in the minute. */
  next(name: Name, at: number): number {
    const minute = Math.floor(at / minuteMs)
    if (minute !== this.#minute) {
      this.#counts.clear()
      this.#minute = minute
    }
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    return count
  }
}
