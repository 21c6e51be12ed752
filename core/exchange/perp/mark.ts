import { writePerpMarked } from '../../protocol/codec/perp-write.ts'
import { fundingRate, markPrice } from '../../risk/perp-mark.ts'
import type { State } from '../state.ts'
import { sampleBook } from './premium.ts'
import { bearSome } from './bear.ts'
import { beginFunding } from './funding.ts'
import { advanceGate } from './gate.ts'
import { canAct, liquidateSome } from './liquidate.ts'
import { forgetRankings } from './ranking.ts'
import { reach } from './reach.ts'
import { reviewOrders } from './review.ts'
import { fillHole } from './shortage.ts'
import type { Contract, Waiting } from './state.ts'
import { retrySome } from './wake.ts'
import { isCrossClose, isRuined, releaseSome, watchSome } from './watch.ts'

/** After every `index.tick`: new marks, what they wake, funding that is due, and who must be liquidated. */
export function onIndex(x: State): void {
  if (x.perp.list.length === 0) return
  x.perp.beginCommand()
  forgetRankings(x)
  for (const contract of x.perp.list) {
    const was = contract.mark
    markContract(x, contract)
    advanceGate(x, contract)
    const { mark, gate, markTriggers } = contract
    if (mark !== was && gate.matches && markTriggers.count > 0) reach(x, contract.id, markTriggers, mark, mark)
  }
  reviewOrders(x)
  beginFunding(x)
  fillHole(x)
  findRuined(x)
  liquidateSome(x)
  bearSome(x)
  retrySome(x)
}

function markContract(x: State, contract: Contract): void {
  const { source, venue, basis, terms } = contract
  basis.forget(x.atMs - terms.basisWindowMs)
  if (!source.isIndexGood || source.indexSources < 3 || source.indexPrice === 0) return
  const index = source.indexPrice
  // A book in which nothing can trade says nothing.
  if (contract.gate.matches) sampleBook(contract, index, x.atMs)
  const { basisWindowMs, markClampPpm } = terms
  const mark = markPrice(index, venue.indexPerTick, basis.sum(x.atMs - basisWindowMs, x.atMs), basisWindowMs, markClampPpm)
  if (mark === contract.mark && index === contract.index) return
  contract.mark = mark
  contract.index = index
  if (venue.indexPrice !== index) venue.setIndex(index, source.indexSources, true)
  const rate = fundingRate(terms, contract.premium.sum, contract.premium.ms)
  writePerpMarked(x.events, contract.id, mark, index, rate, contract.fundingAtMs)
}

/**
 * Most positions are compared with the mark at which they are watched or liquidated; accounts with several cross ones are
 * valued. Who is close is told before anything is done to them.
 */
function findRuined(x: State): void {
  // First: a position may stand where one was that is gone.
  releaseSome(x)
  const found: Waiting[] = []
  for (const contract of x.perp.list) {
    if (!contract.isGood) continue
    const { levels, mark, positions } = contract
    for (let n = 0; n < positions.length; n++) {
      const level = levels[n]!
      if (level > 0 ? mark > level : level === 0 || mark < -level) continue
      const holding = positions[n]!
      found.push({ account: holding.account, holding: holding.isCross ? undefined : holding })
    }
  }
  for (const account of x.perp.mixedAccounts) if (isCrossClose(x, account)) found.push({ account, holding: undefined })
  watchSome(x, found)
  // The lists are in no order that a restored exchange would have too.
  const ruined = found.filter((one) => canAct(one) && isRuined(x, one))
  const position = ({ holding }: Waiting): number => holding?.id ?? Infinity
  ruined.sort((a, b) => position(a) - position(b) || a.account.user - b.account.user)
  for (const { account, holding } of ruined) x.perp.enqueue(account, holding)
}
