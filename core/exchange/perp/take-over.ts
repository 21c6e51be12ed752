import { writeDeleveraged } from '../../protocol/codec/perp-write.ts'
import { bankruptcyPrice, isBeyondBankruptcy } from '../../risk/perp.ts'
import type { State } from '../state.ts'
import { BY_DELEVERAGE, BY_LIQUIDATION, end, reduce } from './fill.ts'
import { cushionOf, equityOf, insuranceRow } from './money.ts'
import { rankedBy } from './shortage.ts'
import type { Contract, Holding } from './state.ts'

/** Positions that one step closes against at most. */
const partnersMax = 64

/**
 * Closes a position that is worth nothing against the best-ranked ones of the other side: at the mark, when the insurance
 * fund can pay what is missing; else at its bankruptcy price, where nothing is missing, against those who can bear it.
 * Returns the lots closed.
 */
export function takeOver(x: State, holding: Holding): number {
  const { contract } = holding
  const missing = Math.max(0, -equityOf(x, holding))
  const isInsured = x.ledger.available(insuranceRow(x)) >= missing
  const price = isInsured ? contract.mark : bankruptcyPrice(holding.lots, holding.cost, cushionOf(x, holding), contract.q)
  if (price === 0) return 0
  const size = Math.abs(holding.lots)
  let left = size
  let partners = 0
  for (const partner of ranking(x, contract, holding.lots < 0)) {
    if (left === 0 || partners === partnersMax) break
    const { lots, cost } = partner
    // The queue was sorted before other steps of this command closed or turned some of it.
    if (lots === 0 || lots > 0 === holding.lots > 0 || partner.account === holding.account) continue
    if (!isInsured && isBeyondBankruptcy(lots, cost, cushionOf(x, partner), price, contract.q)) continue
    const closed = Math.min(left, Math.abs(lots))
    partners++
    writeDeleveraged(x.events, contract.id, price, closed, holding.user, partner.user, partner.id)
    reduce(x, partner, closed, price * closed * contract.q, false)
    if (partner.lots === 0) end(x, partner, BY_DELEVERAGE)
    reduce(x, holding, closed, price * closed * contract.q, !holding.isCross)
    left -= closed
  }
  if (holding.lots === 0) end(x, holding, BY_LIQUIDATION)
  return size - left
}

/** One side of a contract in the order of the queue, as it was at the first step of the command that needed it. */
function ranking(x: State, contract: Contract, isLong: boolean): readonly Holding[] {
  const key = isLong ? contract.id : -1 - contract.id
  let known = x.perp.rankings.get(key)
  if (known === undefined) {
    known = rankedBy(x, contract, ({ lots }) => lots > 0 === isLong)
    x.perp.rankings.set(key, known)
  }
  return known
}
