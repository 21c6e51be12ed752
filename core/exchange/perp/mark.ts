import type { Millis } from '../../money/brand.ts'
import { writePerpMarked } from '../../protocol/codec/perp-write.ts'
import { fundingRate, markPrice } from '../../risk/perp-mark.ts'
import { reach } from '../state/reach.ts'
import type { State } from '../state/state.ts'
import { sampleBook } from './records/premium.ts'
import { bearSome } from './liquidation/bear.ts'
import { beginFunding } from './market/funding.ts'
import { advanceGate } from './market/gate.ts'
import { beginLook, lookSome } from './liquidation/find-ruined.ts'
import { liquidateSome } from './liquidation/liquidate.ts'
import { forgetRankings } from './liquidation/rank.ts'
import { reviewOrders } from './market/review.ts'
import { fillHole } from './positions/shortage.ts'
import type { Contract } from './records/state.ts'
import { retryAll } from './handlers/wake.ts'
import { releaseSome } from './positions/watch.ts'

/** Sets new marks after an `index.tick`, wakes orders, settles due funding, and starts liquidations. */
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
  // Before the checks of positions, because a new position may have taken the place of a closed one.
  releaseSome(x)
  beginLook(x)
  lookSome(x)
  liquidateSome(x)
  bearSome(x)
  retryAll(x)
}

function markContract(x: State, contract: Contract): void {
  const { source, venue, basis, terms } = contract
  basis.forget((x.atMs - terms.basisWindowMs) as Millis)
  if (!source.isIndexGood || source.indexSources < 3 || source.indexPrice === 0) return
  const index = source.indexPrice
  // A book in which nothing can trade is not sampled.
  if (contract.gate.matches) sampleBook(contract, index, x.atMs)
  const { basisWindowMs, markClampPpm } = terms
  const mark = markPrice(index, venue.indexPerTick, basis.sum((x.atMs - basisWindowMs) as Millis, x.atMs), basisWindowMs, markClampPpm)
  if (mark === contract.mark && index === contract.index) return
  if (contract.mark > 0) x.perp.movedBy = Math.max(x.perp.movedBy, Math.ceil((Math.abs(mark - contract.mark) / contract.mark) * 1e9))
  contract.mark = mark
  contract.index = index
  if (venue.indexPrice !== index) venue.setIndex(index, source.indexSources, true)
  const rate = fundingRate(terms, contract.premium.sum, contract.premium.ms)
  writePerpMarked(x.events, contract.id, mark, index, rate, contract.fundingAtMs)
}
