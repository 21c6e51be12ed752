import type { Count, SharedCounts } from '../../counters/counts.ts'

const minuteMs = 60_000

/** Counts by name within the running minute. All counts of another minute are forgotten together, so that none ends sooner than its minute. */
export class MinuteCounts<Name extends string | number> implements SharedCounts {
  readonly kind = 'window'
  readonly keptMs = 2 * minuteMs
  readonly #now: () => number
  #minute = Number.NaN
  /** Of all gateways, and of this one. */
  readonly #counts = new Map<string | number, { all: number; own: number }>()
  #changed: Set<string | number> | undefined

  /** now  wall clock, for what other gateways tell */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Counts one more. Returns how many of this name have come in the minute. */
  next(name: Name, at: number): number {
    this.#moveTo(at)
    const count = this.#of(name)
    count.own++
    this.#changed?.add(name)
    return ++count.all
  }

  watch(isWatched: boolean): void {
    this.#changed = isWatched ? new Set() : undefined
  }

  changed(): readonly Count[] {
    const found = [...(this.#changed ?? [])].map((name): Count => [name, this.#minute, this.#of(name).own])
    this.#changed?.clear()
    return found
  }

  all(): readonly Count[] {
    return [...this.#counts].filter(([, { own }]) => own > 0).map(([name, { own }]): Count => [name, this.#minute, own])
  }

  add(name: string | number, minute: number, more: number): boolean {
    this.#moveTo(this.#now())
    if (minute === this.#minute) this.#of(name).all += more
    return minute <= this.#minute
  }

  #moveTo(at: number): void {
    const minute = Math.floor(at / minuteMs)
    if (minute === this.#minute) return
    this.#counts.clear()
    this.#changed?.clear()
    this.#minute = minute
  }

  #of(name: string | number): { all: number; own: number } {
    let count = this.#counts.get(name)
    if (count === undefined) this.#counts.set(name, (count = { all: 0, own: 0 }))
    return count
  }
}
