import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { countAt } from '../../protocol/codec/slots.ts'

/** Numbers that are remembered one by one; older ones all count as taken. */
const keptMax = 4096
const ONCE = layoutOf('floor', 'taken')

/** Things that are carried out once each, such as decisions. Their numbers come in about rising order. */
export class Once<N extends number> {
  /** Every number up to here counts as taken. */
  #floor = 0 as N
  readonly #taken = new Set<N>()

  has(number: N): boolean {
    return this.isOld(number) || this.#taken.has(number)
  }

  /** Whether the number is so old that it counts as taken whether it was or not. */
  isOld(number: N): boolean {
    return number <= this.#floor
  }

  /** Whether the number was certainly taken. */
  isKnown(number: N): boolean {
    return this.#taken.has(number)
  }

  add(number: N): void {
    this.#taken.add(number)
    if (this.#taken.size <= keptMax) return
    this.#floor = Math.min(...this.#taken) as N
    this.#taken.delete(this.#floor)
  }

  dump(into: Records): void {
    putRecord(into, ONCE, { floor: this.#floor, taken: this.#taken.size })
    for (const number of [...this.#taken].sort((a, b) => a - b)) put(into, number)
  }

  /** Reads what `dump` wrote at `start`. Returns the index just after it. */
  restore(data: Float64Array, start: number): number {
    this.#floor = data[start + ONCE.floor] as N
    const first = start + ONCE.length
    const end = first + countAt(data, start + ONCE.taken)
    for (const number of data.subarray(first, end)) this.#taken.add(number as N)
    return end
  }
}
