import type { SideNumber } from '../../../book/codes.ts'
import type { Ticks } from '../../../money/brand.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import { BUY, SELL_SIDE } from '../../../book/codes.ts'
import * as fields from '../../../book/order-fields.ts'
import { isBeyondBankruptcy, leverageAllowed, openingLimit } from '../../../risk/perp.ts'
import { bandHigh, bandLow } from '../../../risk/orders.ts'
import type { State } from '../../state/state.ts'
import { holdingOf } from '../positions/close.ts'
import { flush } from '../positions/flush.ts'
import { closable, cushionOf, openingLimitOf } from '../rules/money.ts'
import type { Contract, Holding } from '../records/state.ts'

const { F, PRICE } = fields

/** Orders of a side that one index tick checks, completing the last level; the next tick continues behind them. */
export const reviewedMax = 500
/** Largest number of levels of a side that one index tick checks. */
const levelsMax = 200

/**
 * Drops orders that became unsound while they rested: the mark moved so far away that the lots they open would be liquidated at
 * once, or a cross account lost so much elsewhere that closing at their price loses more than it has. Only orders at prices that
 * far from the mark are checked, in turn.
 */
export function reviewOrders(x: State): void {
  for (const contract of x.perp.list) {
    if (contract.mark === 0) continue
    for (const side of [BUY, SELL_SIDE] as const) review(x, contract, side)
  }
  flush(x)
}

function review(x: State, contract: Contract, side: 0 | 1): void {
  const { book } = contract.venue
  const nearest = nearestUnsound(contract, side)
  const isFar = (price: Ticks): boolean => price !== 0 && (side === BUY ? price >= nearest : price <= nearest)
  const next = (price: Ticks): number => (side === BUY ? book.ladder.nextBid(price) : book.ladder.nextAsk(price))
  const from = contract.reviewedTo[side] as Ticks
  let price = from === 0 ? book.best(side) : next(from)
  let seen = 0
  for (let n = 0; n < levelsMax && seen < reviewedMax && isFar(price as Ticks); n++) {
    for (const slot of book.queue(price as Ticks)) {
      seen++
      const holding = holdingOf(x, contract, slot as OrderSlot)
      if (isUnsound(x, holding, side, x.orders.f[slot * F + PRICE] as Ticks)) x.perp.touch(holding, false)
    }
    contract.reviewedTo[side] = price
    price = next(price as Ticks)
  }
  if (!isFar(price as Ticks)) contract.reviewedTo[side] = 0
}

/**
 * The price nearest to the mark at which an order of a side can be unsound: where the strictest of all leverages and tiers stops
 * opening, or where closing loses against the mark as much as the smallest maintenance margin leaves.
 */
function nearestUnsound({ terms, mark }: Contract, side: 0 | 1): number {
  const limits = terms.tiers.map(({ valueMax, maintenancePpm }) =>
    openingLimit(side, mark, maintenancePpm, Math.max(1, leverageAllowed(terms, valueMax))),
  )
  const maintenancePpm = terms.tiers[0]!.maintenancePpm
  if (side === BUY) return Math.min(...limits, bandHigh(mark, maintenancePpm)) + 1
  return Math.max(...limits, bandLow(mark, maintenancePpm)) - 1
}

function isUnsound(x: State, holding: Holding, side: SideNumber, price: Ticks): boolean {
  const closing = closable(holding, side)
  if (closing > 0 && isBeyondBankruptcy(holding.lots, holding.cost, cushionOf(x, holding), price, holding.contract.q)) return true
  if (holding.openLots[side]! <= closing) return false
  const limit = openingLimitOf(holding, side)
  return side === BUY ? price > limit : price < limit
}
