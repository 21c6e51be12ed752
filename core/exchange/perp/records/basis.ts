import type { Millis, Ppm, Units } from '../../../money/brand.ts'
import { layoutOf, put, putRecord } from '../../../protocol/codec/records.ts'
import type { Records } from '../../../protocol/codec/records.ts'
import { mulDivFloor } from '../../../money/mul-div.ts'
import { sampleHoldMs } from '../../../risk/perp-mark.ts'
import { countAt } from '../../../protocol/codec/slots.ts'

// A basis in a dump: the number of its samples, then the samples.
const SAMPLE = layoutOf('atMs', 'sample')

/** Distance of the book's middle from the index over the last seconds: samples in 1e-9 of the index, each valid until the next. */
export class Basis {
  readonly #times: number[] = []
  readonly #samples: number[] = []

  add(atMs: Millis, sample: number): void {
    if (this.#times.at(-1) === atMs) this.#samples[this.#samples.length - 1] = sample
    else {
      this.#times.push(atMs)
      this.#samples.push(sample)
    }
  }

  /** Sum of samples × the milliseconds that each was valid between `sinceMs` and now. */
  sum(sinceMs: Millis, nowMs: Millis): Units {
    let sum = 0
    for (let n = 0; n < this.#times.length; n++) {
      const from = this.#times[n]!
      const to = Math.min(this.#times[n + 1] ?? nowMs, from + sampleHoldMs)
      if (to > sinceMs) sum += this.#samples[n]! * (to - Math.max(from, sinceMs))
    }
    return sum as Units
  }

  /** Forgets samples that ended before `sinceMs`. */
  forget(sinceMs: Millis): void {
    let first = 0
    while (first < this.#times.length && Math.min(this.#times[first + 1] ?? Infinity, this.#times[first]! + sampleHoldMs) < sinceMs) first++
    if (first === 0) return
    this.#times.splice(0, first)
    this.#samples.splice(0, first)
  }

  dump(into: Records): void {
    const count = this.#times.length
    put(into, count)
    for (let n = 0; n < count; n++) putRecord(into, SAMPLE, { atMs: this.#times[n]!, sample: this.#samples[n]! })
  }

  restore(data: Float64Array, start: number): number {
    let at = start
    for (let left = countAt(data, at++, SAMPLE.length); left > 0; left--, at += SAMPLE.length) {
      this.add(data[at + SAMPLE.atMs] as Millis, data[at + SAMPLE.sample]!)
    }
    return at
  }

  /** Version 12 stored twice the distance of the book's middle from the index, in index units. */
  restore12(data: Float64Array, start: number, index: number, clampPpm: Ppm): number {
    const clamp = clampPpm * 1000
    let at = start
    for (let left = countAt(data, at++, SAMPLE.length); left > 0; left--, at += SAMPLE.length) {
      const sample = index === 0 ? 0 : mulDivFloor(data[at + SAMPLE.sample]!, 500_000_000, index)
      this.add(data[at + SAMPLE.atMs] as Millis, Math.max(-clamp, Math.min(clamp, sample)))
    }
    return at
  }
}
