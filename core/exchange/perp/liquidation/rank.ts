/** The queues of auto-deleveraging, built when they are needed. */
import type { UserId } from '../../../protocol/ids.ts'
import { scoreOf } from '../../../risk/perp-rank.ts'
import type { State } from '../../state/state.ts'
import { equityOf, profitOf, valueAtMark } from '../rules/money.ts'
import { Ranking } from '../records/ranking.ts'
import type { Contract, Holding } from '../records/state.ts'

/** Largest numbers of positions that one command values and of users that it visits, and the time for which a queue stays valid. */
const valuedMax = 500
const lookedMax = 5000
const goodMs = 1000

/**
 * The queue of one side (0 longs, 1 shorts), best first; undefined while it is still being built, which the next clock tick
 * continues.
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

/** Drops queues that are no longer used. */
export function forgetRankings(x: State): void {
  for (const { rankings } of x.perp.list) {
    for (const side of [0, 1] as const)
      if (rankings[side]?.isReady === true && x.atMs - rankings[side].atMs > goodMs) rankings[side] = undefined
  }
}

function scan(x: State, contract: Contract, side: 0 | 1, ranking: Ranking): void {
  let looked = lookedMax
  while (ranking.cursor <= x.userCount && x.perp.valued < valuedMax && looked-- > 0) {
    const account = x.perp.knownAccount(ranking.cursor++ as UserId)
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

/** The next position of the queue that still exists; undefined for none. It stays the next until it is passed over. */
export function nextOf(x: State, contract: Contract, ranking: Ranking): Holding | undefined {
  for (; ranking.next < ranking.places.length; ranking.next++) {
    const { user, side, position } = ranking.places[ranking.next]!
    const holding = x.perp.knownAccount(user)?.find(contract.id, side)
    if (holding !== undefined && holding.id === position && holding.lots !== 0) return holding
  }
  return undefined
}
