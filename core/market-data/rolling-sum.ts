import type { Millis } from '../money/brand.ts'

/**
 * An exact sum over the newest `count` buckets of `bucketMs` each, including the running one, in bounded memory. It covers the
 * time since openOf(at) − (count − 1) × bucketMs: between count − 1 and count buckets.
 */
export class RollingSum {
  readonly #bucketMs: number
  readonly #count: number
  /** Bucket number → its sum; ascending, since time does not run backwards. */
  readonly #buckets = new Map<number, bigint>()
  #total = 0n

  constructor(bucketMs: number, count: number) {
    this.#bucketMs = bucketMs
    this.#count = count
  }

  add(at: Millis, amount: bigint): void {
    const bucket = this.#advance(at)
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0n) + amount)
    this.#total += amount
  }

  total(at: Millis): bigint {
    this.#advance(at)
    return this.#total
  }

  #advance(at: Millis): number {
    const bucket = Math.floor(at / this.#bucketMs)
    for (const [old, amount] of this.#buckets) {
      if (old > bucket - this.#count) break
      this.#buckets.delete(old)
      this.#total -= amount
    }
    return bucket
  }
}
