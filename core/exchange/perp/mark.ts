import { BUY, SELL_SIDE } from '../../book/codes.ts'
import { writePerpMarked } from '../../protocol/codec/perp-write.ts'
import { basisSample, fundingRate, markPrice } from '../../risk/perp-mark.ts'
import type { State } from '../state.ts'
import { samplePremium } from './premium.ts'
import { settleFunding } from './funding.ts'
import { enqueue, liquidateSome } from './liquidate.ts'
import { crossEquity, crossMaintenance } from './money.ts'
import { reach } from './reach.ts'
import { fillHole } from './shortage.ts'
import type { Contract, Holding, PerpAccount } from './state.ts'

/** After every `index.tick`: new marks, what they wake, funding that is due, and who must be liquidated. */
export function onIndex(x: State): void {
  if (x.perp.list.length === 0) return
  for (const contract of x.perp.list) markContract(x, contract)
  settleFunding(x)
  fillHole(x)
  findRuined(x)
  liquidateSome(x)
}

function markContract(x: State, contract: Contract): void {
  const { source, venue, basis, terms } = contract
  basis.forget(x.atMs - terms.basisWindowMs)
  if (!source.isIndexGood || source.indexSources < 3 || source.indexPrice === 0) return
  const index = source.indexPrice
  const bid = venue.book.best(BUY)
  const ask = venue.book.best(SELL_SIDE)
  if (bid !== 0 && ask !== 0) basis.add(x.atMs, basisSample(bid, ask, venue.indexPerTick, index))
  samplePremium(x, contract, index)
  const mark = markPrice(index, venue.indexPerTick, basis.sum, basis.count, terms.markClampPpm)
  if (mark === contract.mark && index === contract.index) return
  const was = contract.mark
  contract.mark = mark
  contract.index = index
  if (venue.indexPrice !== index) venue.setIndex(index, source.indexSources, true)
  const rate = fundingRate(terms, contract.premiumSum, contract.premiumCount)
  writePerpMarked(x.events, contract.id, mark, index, rate, contract.fundingAtMs)
  if (mark !== was && contract.markTriggers.count > 0) reach(x, contract.markTriggers, mark, mark)
}

/** Most positions are compared with the mark that they are liquidated at; accounts with several cross ones are valued. */
function findRuined(x: State): void {
  const found: Holding[] = []
  const accounts: PerpAccount[] = []
  for (const contract of x.perp.list) {
    if (!contract.isGood) continue
    const { levels, mark, positions } = contract
    for (let n = 0; n < positions.length; n++) {
      const level = levels[n]!
      if (level > 0 ? mark > level : level === 0 || mark < -level) continue
      const holding = positions[n]!
      if (!holding.isCross) found.push(holding)
      else if (isCrossRuined(x, holding.account)) accounts.push(holding.account)
    }
  }
  for (const account of x.perp.mixedAccounts) if (isCrossRuined(x, account)) accounts.push(account)
  // The lists are in no order that a restored exchange would have too.
  found.sort((a, b) => a.id - b.id)
  accounts.sort((a, b) => a.user - b.user)
  for (const holding of found) enqueue(x, holding.account, holding)
  for (const account of accounts) enqueue(x, account, undefined)
}

function isCrossRuined(x: State, account: PerpAccount): boolean {
  return crossEquity(x, account) <= crossMaintenance(account)
}
