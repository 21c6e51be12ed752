import { put } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'

/** Numbers that are remembered one by one; older ones all count as taken. */
const keptMax = 4096

/** Numbers that are taken once each, in about rising order, such as those of decisions. */
export class Once {
  /** Every number up to here counts as taken. */
  #floor = 0
  readonly #taken = new Set<number>()

  has(number: number): boolean {
    return number <= this.#floor || this.#taken.has(number)
  }

  add(number: number): void {
    this.#taken.add(number)
    if (this.#taken.size <= keptMax) return
    this.#floor = Math.min(...this.#taken)
    this.#taken.delete(this.#floor)
  }

  dump(into: Records): void {
    put(into, this.#floor)
    put(into, this.#taken.size)
    for (const number of [...this.#taken].sort((a, b) => a - b)) put(into, number)
  }

  /** Reads what `dump` wrote at `start`. Returns the index just after it. */
  restore(data: Float64Array, start: number): number {
    this.#floor = data[start]!
    const end = start + 2 + data[start + 1]!
    for (let at = start + 2; at < end; at++) this.#taken.add(data[at]!)
    return end
  }
}
