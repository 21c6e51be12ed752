import type { Millis, Ticks, Units } from '../../../money/brand.ts'
import type { UserId } from '../../../protocol/ids.ts'
import type { Records } from '../../../protocol/codec/records.ts'
import { compareScores, scoreOf } from '../../../risk/perp-rank.ts'
import type { Score } from '../../../risk/perp-rank.ts'

/** Most positions that a queue keeps. */
const keptMax = 1024

type Place = { readonly user: UserId; readonly side: number; readonly position: number; readonly score: Score }

function compare(a: Place, b: Place): number {
  return compareScores(a.score, b.score) || a.position - b.position
}

/**
 * The front of the auto-deleveraging queue on one side of a contract. It is built when needed, one page of users at a time, and
 * kept while in use, so that closing a thousand positions sorts only once.
 */
export class Ranking {
  cursor = 1
  isReady = false
  /** When it was complete, and at which mark. */
  atMs = 0 as Millis
  mark = 0 as Ticks
  /** The first position not used yet. */
  next = 0
  readonly places: Place[] = []
  /** When the queue is full, a position must be better than this last one to get in; the others need no sorting. */
  #worst: Place | undefined = undefined

  add(place: Place): void {
    if (this.#worst !== undefined && compare(place, this.#worst) > 0) return
    this.places.push(place)
    if (this.places.length >= 2 * keptMax) this.sort()
  }

  sort(): void {
    this.places.sort(compare)
    this.places.length = Math.min(this.places.length, keptMax)
    if (this.places.length === keptMax) this.#worst = this.places.at(-1)
  }

  /** Whether positions behind the last may have been left out. */
  get isCut(): boolean {
    return this.places.length === keptMax
  }

  dump(into: Records): void {
    if (!this.isReady) this.sort()
    const { cursor, isReady, atMs, mark, next, places } = this
    const at = into.reserve(6 + 7 * places.length)
    into.data.set([cursor, isReady ? 1 : 0, atMs, mark, next, places.length], at)
    places.forEach(({ user, side, position, score: { profit, cost, value, equity } }, n) =>
      into.data.set([user, side, position, profit, cost, value, equity], at + 6 + 7 * n),
    )
  }

  restore(data: Float64Array, at: number): number {
    this.cursor = data[at]!
    this.isReady = data[at + 1] === 1
    this.atMs = data[at + 2] as Millis
    this.mark = data[at + 3] as Ticks
    this.next = data[at + 4]!
    const end = at + 6 + 7 * data[at + 5]!
    for (let from = at + 6; from < end; from += 7) {
      const score = scoreOf(data[from + 3] as Units, data[from + 4] as Units, data[from + 5] as Units, data[from + 6] as Units)
      this.places.push({ user: data[from] as UserId, side: data[from + 1]!, position: data[from + 2]!, score })
    }
    return end
  }
}
