import type { Lots, Millis } from '../../money/brand.ts'
import type { Records } from '../../protocol/codec/records.ts'

const bucketMs = 30_000
const buckets = 10
/** Ten buckets below this add up to a safe integer. */
const bucketMax = 2 ** 49
/** In the dump: the values of all buckets, then their lots. */
const AVERAGE = { newest: 0, values: 1, lots: 1 + buckets, length: 1 + 2 * buckets } as const

/** Average trade price of the last five minutes, weighted by quantity, in ten buckets of 30 s. */
export class PriceAverage {
  /** Sum of price × lots, then of lots, per bucket. */
  readonly #values = new Float64Array(buckets)
  readonly #lots = new Float64Array(buckets)
  #value = 0
  #weight = 0
  /** Number of the newest bucket since 1970, and the time from which it is no longer the newest. */
  #newest = 0
  #newestUntil = 0

  add(atMs: Millis, value: number, lots: Lots): void {
    this.roll(atMs)
    const at = this.#newest % buckets
    const before = this.#values[at]!
    const weightBefore = this.#lots[at]!
    let sum = before + value
    let weight = weightBefore + lots
    // On overflow, both are reduced in proportion: the average stays, and newer trades weigh more.
    while (sum >= bucketMax || weight >= bucketMax) {
      sum = Math.floor(sum * 0.5)
      weight = Math.max(1, Math.floor(weight * 0.5))
    }
    this.#values[at] = sum
    this.#lots[at] = weight
    this.#value += sum - before
    this.#weight += weight - weightBefore
  }

  /** Forgets trades older than five minutes. Returns whether there were any. */
  roll(atMs: Millis): boolean {
    return atMs >= this.#newestUntil && this.#rollOn(atMs)
  }

  #rollOn(atMs: Millis): boolean {
    const now = Math.floor(atMs / bucketMs)
    this.#newestUntil = (now + 1) * bucketMs
    if (now === this.#newest) return false
    const passed = Math.min(buckets, now - this.#newest)
    for (let i = 0; i < passed; i++) {
      const at = (now - i) % buckets
      this.#value -= this.#values[at]!
      this.#weight -= this.#lots[at]!
      this.#values[at] = 0
      this.#lots[at] = 0
    }
    this.#newest = now
    return true
  }

  /** In whole ticks, rounded down; 0 without trades. */
  price(): number {
    return this.#weight === 0 ? 0 : Math.floor(this.#value / this.#weight)
  }

  /** Lots traded in the running and the previous bucket: the last 30 to 60 seconds. */
  lastMinute(atMs: Millis): number {
    this.roll(atMs)
    return this.#lots[this.#newest % buckets]! + this.#lots[(this.#newest + buckets - 1) % buckets]!
  }

  dump(into: Records): void {
    const at = into.reserve(AVERAGE.length)
    into.data[at + AVERAGE.newest] = this.#newest
    into.data.set(this.#values, at + AVERAGE.values)
    into.data.set(this.#lots, at + AVERAGE.lots)
  }

  restore(data: Float64Array, at: number): number {
    this.#newest = data[at + AVERAGE.newest]!
    for (let i = 0; i < buckets; i++) {
      this.#values[i] = data[at + AVERAGE.values + i]!
      this.#lots[i] = data[at + AVERAGE.lots + i]!
      this.#value += this.#values[i]!
      this.#weight += this.#lots[i]!
    }
    return at + AVERAGE.length
  }
}
