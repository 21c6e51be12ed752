import type { Millis, Units } from '../../../money/brand.ts'
import type { UserId } from '../../../protocol/ids.ts'
import { countAt, type Read } from '../../../protocol/codec/slots.ts'
import { layoutOf, putRecord, type Records } from '../../../protocol/codec/records.ts'

const dayMs = 86_400_000
const HEAD = layoutOf('day', 'count')
const SUM = layoutOf('user', 'value')

/** Sums of users on the present UTC day, in USDT units. Those of earlier days are forgotten. */
export class DaySums {
  #day = 0
  #sums = new Map<UserId, Units>()

  /** Sum of the user on the UTC day of this time. Changes nothing in the state. */
  on(user: UserId, atMs: Millis): Units {
    return Math.floor(atMs / dayMs) === this.#day ? (this.#sums.get(user) ?? (0 as Units)) : (0 as Units)
  }

  add(user: UserId, atMs: Millis, value: Units): void {
    const day = Math.floor(atMs / dayMs)
    if (day !== this.#day) {
      this.#day = day
      this.#sums = new Map()
    }
    this.#sums.set(user, ((this.#sums.get(user) ?? 0) + value) as Units)
  }

  /** The day, then the sums by user. */
  dump(into: Records): void {
    putRecord(into, HEAD, { day: this.#day, count: this.#sums.size })
    for (const [user, value] of [...this.#sums].sort((a, b) => a[0] - b[0])) putRecord(into, SUM, { user, value })
  }

  /** Reads what `dump` wrote at `start`. Returns the index just after it. */
  readonly restore: Read<number> = (data, start) => {
    this.#day = data[start + HEAD.day]!
    let at = start + HEAD.length
    for (let left = countAt(data, start + HEAD.count, SUM.length); left > 0; left--, at += SUM.length)
      this.#sums.set(data[at + SUM.user] as UserId, data[at + SUM.value] as Units)
    return at
  }
}
