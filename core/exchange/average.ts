import type { Records } from '../protocol/codec/records.ts'

const bucketMs = 30_000
const buckets = 10
/** Ten buckets below this sum up to a safe integer. */
const bucketMax = 2 ** 49

/** Average trade price of the last five minutes, weighted by quantity, in ten buckets of 30 s. */
export class PriceAverage {
  /** Sum of price × lots, then of lots, per bucket. */
  readonly #values = new Float64Array(buckets)
  readonly #lots = new Float64Array(buckets)
  /** Number of the newest bucket since 1970. */
  #newest = 0

  add(atMs: number, value: number, lots: number): void {
    this.roll(atMs)
    const at = this.#newest % buckets
    let sum = this.#values[at]! + value
    let weight = this.#lots[at]! + lots
    // More than fits: both lose the same share, so the average stays and newer trades weigh more.
    while (sum >= bucketMax || weight >= bucketMax) {
      sum = Math.floor(sum * 0.5)
      weight = Math.max(1, Math.floor(weight * 0.5))
    }
    this.#values[at] = sum
    this.#lots[at] = weight
  }

  /** Forgets what is older than five minutes. Returns whether anything was. */
  roll(atMs: number): boolean {
    const now = Math.floor(atMs / bucketMs)
    if (now === this.#newest) return false
    const passed = Math.min(buckets, now - this.#newest)
    for (let i = 0; i < passed; i++) {
      this.#values[(now - i) % buckets] = 0
      this.#lots[(now - i) % buckets] = 0
    }
    this.#newest = now
    return true
  }

  /** In whole ticks, rounded down; 0 without trades. */
  price(): number {
    let value = 0
    let lots = 0
    for (let i = 0; i < buckets; i++) {
      value += this.#values[i]!
      lots += this.#lots[i]!
    }
    return lots === 0 ? 0 : Math.floor(value / lots)
  }

  dump(into: Records): void {
    const at = into.reserve(1 + 2 * buckets)
    into.data[at] = this.#newest
    for (let i = 0; i < buckets; i++) {
      into.data[at + 1 + i] = this.#values[i]!
      into.data[at + 1 + buckets + i] = this.#lots[i]!
    }
  }

  restore(data: Float64Array, at: number): number {
    this.#newest = data[at]!
    for (let i = 0; i < buckets; i++) {
      this.#values[i] = data[at + 1 + i]!
      this.#lots[i] = data[at + 1 + buckets + i]!
    }
    return at + 1 + 2 * buckets
  }
}
