import type { Records } from '../../protocol/codec/records.ts'

/** The distances of the book from the index over the last seconds, and their sum. */
export class Basis {
  readonly #times: number[] = []
  readonly #samples: number[] = []
  #first = 0
  sum = 0

  get count(): number {
    return this.#times.length - this.#first
  }

  add(atMs: number, sample: number): void {
    this.#times.push(atMs)
    this.#samples.push(sample)
    this.sum += sample
  }

  /** Forgets samples from before `sinceMs`. */
  forget(sinceMs: number): void {
    while (this.#first < this.#times.length && this.#times[this.#first]! < sinceMs) this.sum -= this.#samples[this.#first++]!
    if (this.#first > 256) {
      this.#times.splice(0, this.#first)
      this.#samples.splice(0, this.#first)
      this.#first = 0
    }
  }

  dump(into: Records): void {
    const at = into.reserve(1 + 2 * this.count)
    into.data[at] = this.count
    for (let n = 0; n < this.count; n++) {
      into.data[at + 1 + 2 * n] = this.#times[this.#first + n]!
      into.data[at + 2 + 2 * n] = this.#samples[this.#first + n]!
    }
  }

  restore(data: Float64Array, at: number): number {
    for (let n = 0; n < data[at]!; n++) this.add(data[at + 1 + 2 * n]!, data[at + 2 + 2 * n]!)
    return at + 1 + 2 * data[at]!
  }
}
