import { BUY, SELL_SIDE } from '../../book/codes.ts'
import { writePerpMarked } from '../../protocol/codec/perp-write.ts'
import { leverageAllowed, openingLimit } from '../../risk/perp.ts'
import { fundingRate, markPrice } from '../../risk/perp-mark.ts'
import type { State } from '../state.ts'
import { holdingOf } from './close.ts'
import { flush } from './flush.ts'
import { sampleBook } from './premium.ts'
import { beginFunding } from './funding.ts'
import { advanceGate } from './gate.ts'
import { canAct, liquidateSome } from './liquidate.ts'
import { reach } from './reach.ts'
import { fillHole } from './shortage.ts'
import type { Contract, Waiting } from './state.ts'
import { retrySome } from './wake.ts'
import { isCrossClose, isRuined, releaseSome, watchSome } from './watch.ts'

/** Levels of a side that one index tick reviews at most. */
const reviewedMax = 200

/** After every `index.tick`: new marks, what they wake, funding that is due, and who must be liquidated. */
export function onIndex(x: State): void {
  if (x.perp.list.length === 0) return
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

/** Orders that the mark left so far behind that what they open would be liquidated at once go: the tightest limit finds them. */
function reviewOrders(x: State): void {
  for (const contract of x.perp.list) {
    const { book } = contract.venue
    if (contract.mark === 0) continue
    for (const side of [BUY, SELL_SIDE] as const) {
      const limit = tightestLimit(contract, side)
      let price = book.best(side)
      for (let n = 0; n < reviewedMax && price !== 0 && (side === BUY ? price > limit : price < limit); n++) {
        for (const slot of book.queue(price)) x.perp.touch(holdingOf(x, contract, slot), false)
        price = side === BUY ? book.ladder.nextBid(price) : book.ladder.nextAsk(price)
      }
    }
  }
  flush(x)
}

/** Of all leverages and tiers. */
function tightestLimit({ terms, mark }: Contract, side: 0 | 1): number {
  const limits = terms.tiers.map(({ valueMax, maintenancePpm }) =>
    openingLimit(side, mark, maintenancePpm, Math.max(1, leverageAllowed(terms, valueMax))),
  )
  return side === BUY ? Math.min(...limits) : Math.max(...limits)
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
