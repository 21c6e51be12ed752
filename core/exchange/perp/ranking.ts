import type { Records } from '../../protocol/codec/records.ts'
import { compareScores, scoreOf } from '../../risk/perp-rank.ts'
import type { Score } from '../../risk/perp-rank.ts'
import type { State } from '../state.ts'
import { equityOf, profitOf, valueAtMark } from './money.ts'
import type { Contract, Holding } from './state.ts'

/** Positions that a queue keeps, those that one command values and users that it looks at, and how long a queue is good. */
const keptMax = 1024
const valuedMax = 500
const lookedMax = 5000
const goodMs = 1000

type Place = { readonly user: number; readonly side: number; readonly position: number; readonly score: Score }

function compare(a: Place, b: Place): number {
  return compareScores(a.score, b.score) || a.position - b.position
}

/**
 * The first of the queue of auto-deleveraging on one side of a contract. It is made when it is needed, a page of users at a
 * time, and kept while it is used: closing a thousand positions sorts nothing again.
 */
export class Ranking {
  cursor = 1
  isReady = false
  /** When it was ready, and at which mark. */
  atMs = 0
  mark = 0
  /** The first that was not used yet. */
  next = 0
  readonly places: Place[] = []
  /** Of a full queue one that is not better than its last: what comes behind need not be sorted. */
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

  /** Whether there may be others behind the last. */
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
    this.atMs = data[at + 2]!
    this.mark = data[at + 3]!
    this.next = data[at + 4]!
    const end = at + 6 + 7 * data[at + 5]!
    for (let from = at + 6; from < end; from += 7) {
      const score = scoreOf(data[from + 3]!, data[from + 4]!, data[from + 5]!, data[from + 6]!)
      this.places.push({ user: data[from]!, side: data[from + 1]!, position: data[from + 2]!, score })
    }
    return end
  }
}

/**
 * The queue of one side (0 longs, 1 shorts), best first; undefined: it is still being made, and the next command of the
 * clock goes on.
 */
export function rankingOf(x: State, contract: Contract, side: 0 | 1): Ranking | undefined {
  const known = contract.rankings[side]
  const isOld = known !== undefined && known.isReady && known.mark !== contract.mark && x.atMs - known.atMs > goodMs
  const isUsed = known !== undefined && known.isReady && known.next >= known.places.length
  const isFresh = known?.atMs === x.atMs && known.mark === contract.mark
  const ranking = known === undefined || isOld || (isUsed && (known.isCut || !isFresh)) ? new Ranking() : known
  contract.rankings[side] = ranking
  if (!ranking.isReady) scan(x, contract, side, ranking)
  return ranking.isReady ? ranking : undefined
}

/** A queue that is not used any more goes. */
export function forgetRankings(x: State): void {
  for (const { rankings } of x.perp.list) {
    for (const side of [0, 1] as const)
      if (rankings[side]?.isReady === true && x.atMs - rankings[side].atMs > goodMs) rankings[side] = undefined
  }
}

function scan(x: State, contract: Contract, side: 0 | 1, ranking: Ranking): void {
  let looked = lookedMax
  while (ranking.cursor <= x.userCount && x.perp.valued < valuedMax && looked-- > 0) {
    const account = x.perp.knownAccount(ranking.cursor++)
    if (account === undefined) continue
    for (const holding of account.holdings) {
      if (holding.contract !== contract || holding.lots === 0 || holding.lots > 0 !== (side === 0)) continue
      x.perp.valued++
      const score = scoreOf(profitOf(holding), holding.cost, valueAtMark(holding), equityOf(x, holding))
      ranking.add({ user: holding.user, side: holding.side, position: holding.id, score })
    }
  }
  if (ranking.cursor <= x.userCount) return
  ranking.sort()
  ranking.isReady = true
  ranking.atMs = x.atMs
  ranking.mark = contract.mark
}

/** The next in the queue that is still there; undefined: none. It stays the next until it is passed over. */
export function nextOf(x: State, contract: Contract, ranking: Ranking): Holding | undefined {
  for (; ranking.next < ranking.places.length; ranking.next++) {
    const { user, side, position } = ranking.places[ranking.next]!
    const holding = x.perp.knownAccount(user)?.find(contract.id, side)
    if (holding !== undefined && holding.id === position && holding.lots !== 0) return holding
  }
  return undefined
}
