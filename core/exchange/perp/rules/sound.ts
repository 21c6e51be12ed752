import type { SideNumber } from '../../../book/codes.ts'
import type { Lots, Ppm, Ticks, Units } from '../../../money/brand.ts'
import { fee, bandHigh, bandLow, worstPrice } from '../../../risk/orders.ts'
import { indexTicks } from '../../../risk/perp-mark.ts'
import { initialMargin, limitWithin, maintenanceMargin, openingPpm, positionValue, tierOfPosition } from '../../../risk/perp.ts'
import type { State } from '../../state/state.ts'
import { closable, countedProfit, perpRow, valueAtMark } from './money.ts'
import type { Contract, Holding } from '../records/state.ts'

/**
 * Worst price for market orders, triggered stops and liquidations, in ticks: the market's slippage from the index. Without a good
 * index: from the five-minute average of trades, within the band around the last good mark. `slippagePpm`: another slippage.
 */
export function protectionPrice(
  x: State,
  contract: Contract,
  side: SideNumber,
  slippagePpm: Ppm = contract.venue.market.terms.slippagePpm,
): Ticks {
  const { venue, mark } = contract
  const { bandPpm } = venue.market.terms
  if (contract.isGood) return worstPrice(side as 0 | 1, indexTicks(contract.index, venue.indexPerTick), slippagePpm)
  const worst = worstPrice(side as 0 | 1, venue.reference(x.atMs), slippagePpm)
  return Math.max(bandLow(mark, bandPpm), Math.min(bandHigh(mark, bandPpm), worst)) as Ticks
}

/**
 * Largest loss of an order against the mark, in units: its account's equity above the maintenance margin and cushion of all its
 * positions after the fill, less the taker's fee. Infinity where the order's margin alone decides: it only reduces, or opens an
 * isolated position.
 *
 * lots      of the order; `opening` of them open or enlarge
 * price     worst price of the order
 */
export function roomOf(x: State, holding: Holding, side: SideNumber, lots: Lots, opening: Lots, price: Ticks): number {
  const { contract, leverage } = holding
  const { mark, q } = contract
  const isTurning = closable(holding, side) > 0
  if (opening <= 0 || (!holding.isCross && (isTurning || holding.lots === 0))) return Infinity
  const value = opening * price * q
  const cost = (isTurning ? value : holding.cost + value) as Units
  const size = (opening + (isTurning ? 0 : Math.abs(holding.lots))) as Lots
  const ppm = openingPpm(tierOfPosition(contract.terms.tiers, cost).maintenancePpm, leverage)
  const need = maintenanceMargin(positionValue(size, mark, q), ppm)
  if (!holding.isCross) {
    // At the lower of both prices the lots bring the least margin.
    const added = (holding.cost + opening * Math.min(price, mark) * q) as Units
    return holding.margin + countedProfit(holding) + initialMargin(added, leverage) - initialMargin(holding.cost, leverage) - need
  }
  let room = x.ledger.available(perpRow(x, holding.user)) - need - fee((lots * price * q) as Units, contract.venue.market.terms.takerFeePpm)
  for (const one of holding.account.cross) {
    room += one.margin + countedProfit(one)
    if (one !== holding) room -= maintenanceMargin(valueAtMark(one), openingPpm(one.maintenancePpm, one.leverage))
  }
  return room
}

/** Whether an order that opens leaves its account maintenance margin and cushion at its worst price. */
export function isSound(x: State, holding: Holding, side: SideNumber, lots: Lots, opening: Lots, price: Ticks): boolean {
  const { mark, q } = holding.contract
  const loss = Math.max(0, side === 0 ? price - mark : mark - price) * lots * q
  return loss <= roomOf(x, holding, side, lots, opening, price)
}

/** Moves the limit of a market order to the last price that leaves its account maintenance margin and cushion. */
export function soundLimit(x: State, holding: Holding, side: SideNumber, lots: Lots, limit: Ticks): Ticks {
  const { mark, q } = holding.contract
  const room = roomOf(x, holding, side, lots, (lots - closable(holding, side)) as Lots, limit)
  return room === Infinity ? limit : limitWithin(side as 0 | 1, limit, mark, lots, q, room)
}
