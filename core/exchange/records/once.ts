import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import type { DecisionNumber } from '../../protocol/ids.ts'

/** Numbers that are remembered one by one; older ones all count as taken. */
const keptMax = 4096
const ONCE = layoutOf('floor', 'taken')

/** Decisions that are carried out once each. Their numbers come in about rising order. */
export class Once {
  /** Every number up to here counts as taken. */
  #floor = 0 as DecisionNumber
  readonly #taken = new Set<DecisionNumber>()

  has(number: DecisionNumber): boolean {
    return number <= this.#floor || this.#taken.has(number)
  }

  add(number: DecisionNumber): void {
    this.#taken.add(number)
    if (this.#taken.size <= keptMax) return
    this.#floor = Math.min(...this.#taken) as DecisionNumber
    this.#taken.delete(this.#floor)
  }

  dump(into: Records): void {
    putRecord(into, ONCE, { floor: this.#floor, taken: this.#taken.size })
    for (const number of [...this.#taken].sort((a, b) => a - b)) put(into, number)
  }

  /** Reads what `dump` wrote at `start`. Returns the index just after it. */
  restore(data: Float64Array, start: number): number {
    this.#floor = data[start + ONCE.floor] as DecisionNumber
    const first = start + ONCE.length
    const end = first + data[start + ONCE.taken]!
    for (const number of data.subarray(first, end)) this.#taken.add(number as DecisionNumber)
    return end
  }
}
