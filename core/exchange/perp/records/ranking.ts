import type { Millis, Ticks, Units } from '../../../money/brand.ts'
import type { OrderId, PositionNumber, UserId } from '../../../protocol/ids.ts'
import { layoutOf, putRecord } from '../../../protocol/codec/records.ts'
import type { Records } from '../../../protocol/codec/records.ts'
import { compareScores, scoreOf } from '../../../risk/perp-rank.ts'
import type { Score } from '../../../risk/perp-rank.ts'
import { countAt } from '../../../protocol/codec/slots.ts'

/** Largest number of positions that a queue keeps. */
const keptMax = 1024

const RANKING = layoutOf('cursor', 'isReady', 'atMs', 'mark', 'next', 'placeCount')
const PLACE = layoutOf('user', 'side', 'position', 'profit', 'cost', 'value', 'equity')

type Place = { readonly user: UserId; readonly side: PositionNumber; readonly position: OrderId; readonly score: Score }

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
  /** Time at which the queue was complete, and the mark at that time. */
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
    putRecord(into, RANKING, { cursor, isReady, atMs, mark, next, placeCount: places.length })
    for (const { user, side, position, score } of places) {
      const { profit, cost, value, equity } = score
      putRecord(into, PLACE, { user, side, position, profit, cost, value, equity })
    }
  }

  restore(data: Float64Array, at: number): number {
    this.cursor = data[at + RANKING.cursor]!
    this.isReady = data[at + RANKING.isReady] === 1
    this.atMs = data[at + RANKING.atMs] as Millis
    this.mark = data[at + RANKING.mark] as Ticks
    this.next = data[at + RANKING.next]!
    const places = at + RANKING.length
    const end = places + PLACE.length * countAt(data, at + RANKING.placeCount, PLACE.length)
    for (let from = places; from < end; from += PLACE.length) this.places.push(placeAt(data, from))
    return end
  }
}

function placeAt(data: Float64Array, at: number): Place {
  return {
    user: data[at + PLACE.user] as UserId,
    side: data[at + PLACE.side] as PositionNumber,
    position: data[at + PLACE.position] as OrderId,
    score: scoreOf(
      data[at + PLACE.profit] as Units,
      data[at + PLACE.cost] as Units,
      data[at + PLACE.value] as Units,
      data[at + PLACE.equity] as Units,
    ),
  }
}
