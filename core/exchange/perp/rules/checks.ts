import type { SideNumber } from '../../../book/codes.ts'
import type { UserId } from '../../../protocol/ids.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { isBeyondBankruptcy, leverageAllowed, orderMargin, positionValueMax, tierFor, unrealised } from '../../../risk/perp.ts'
import { bandHigh, bandLow, fee } from '../../../risk/orders.ts'
import type { State } from '../../state/state.ts'
import { ceilingOf } from '../../state/ceiling.ts'
import {
  closable,
  countedProfit,
  crossProfit,
  cushionOf,
  fundingOf,
  openingLimitOf,
  openingValue,
  perpRow,
  sideNeed,
  usableBy,
} from './money.ts'
import { checkInterest } from './interest.ts'
import { isSound } from './sound.ts'
import { BOTH } from '../records/state.ts'
import type { Contract, Holding } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { CLOSING, FOK, HAS_EXITS, HAS_LOTS, HAS_PRICE, MARKET_ORDER, POST_ONLY, REDUCE_ONLY, STOP, TIF_MASK, TRAILING } = layout

/** Fields that an order must have, must not have, or must not combine. */
export function checkShape(flags: OrderFlags): Refusal | undefined {
  const isMarket = (flags & MARKET_ORDER) !== 0
  const isClosing = (flags & CLOSING) !== 0
  if (((flags & HAS_PRICE) !== 0) === isMarket || ((flags & HAS_LOTS) !== 0) === isClosing) return 'ORDER_TYPE_INVALID'
  if (isClosing && (flags & (STOP | TRAILING)) === 0) return 'ORDER_TYPE_INVALID'
  if ((flags & HAS_EXITS) !== 0 && (flags & (CLOSING | REDUCE_ONLY)) !== 0) return 'ORDER_TYPE_INVALID'
  if (isMarket && ((flags & POST_ONLY) !== 0 || (flags & TIF_MASK) === FOK)) return 'ORDER_TYPE_INVALID'
  return (flags & TIF_MASK) !== 0 && (flags & POST_ONLY) !== 0 ? 'ORDER_TYPE_INVALID' : undefined
}

/** Whether a limit price is within the band around the mark. */
export function isInBand(contract: Contract, price: Ticks, from = contract.mark): boolean {
  const { bandPpm } = contract.venue.market.terms
  return price >= bandLow(from, bandPpm) && price <= bandHigh(from, bandPpm)
}

/** One-way accounts have one position, hedged ones a long and a short one. A position in liquidation accepts no orders. */
export function checkPosition(holding: Holding, isHedge: boolean): Refusal | undefined {
  if (isHedge === (holding.side === BOTH)) return 'POSITION_SIDE_INVALID'
  return holding.isLiquidating || (holding.isCross && holding.account.isLiquidating) ? 'POSITION_LIQUIDATING' : undefined
}

/** Whether the user would have too many orders in this market with one more. Sleeping orders count. */
export function hasTooMany(x: State, contract: Contract, user: UserId): boolean {
  let found = 0
  for (const holding of x.perp.knownAccount(user)?.holdings ?? []) if (holding.contract === contract) found += holding.slots.size
  return found >= contract.venue.market.terms.openOrdersMax
}

/** Whether an order would close the position at a loss beyond all the money behind it. */
export function checkBankruptcy(x: State, holding: Holding, side: SideNumber, price: Ticks): Refusal | undefined {
  if (closable(holding, side) === 0) return undefined
  const isBeyond = isBeyondBankruptcy(holding.lots, holding.cost, cushionOf(x, holding), price, holding.contract.q)
  return isBeyond ? 'PRICE_BEYOND_BANKRUPTCY' : undefined
}

/** Whether the lots that an order opens at a price would be liquidated at once at the mark. `lots`: total that its side may trade. */
export function checkOpening(holding: Holding, side: SideNumber, price: Ticks, lots: Lots): Refusal | undefined {
  if (lots <= closable(holding, side)) return undefined
  const limit = openingLimitOf(holding, side)
  return (side === 0 ? price > limit : price < limit) ? 'MARGIN_INSUFFICIENT' : undefined
}

/** Whether an order leaves its account enough at its worst price. `opening`: lots that open. */
function checkSound(x: State, holding: Holding, side: SideNumber, price: Ticks, lots: Lots, opening: Lots): Refusal | undefined {
  return isSound(x, holding, side, lots, opening, price) ? undefined : 'MARGIN_INSUFFICIENT'
}

/** Price at which the opening part of an order is counted: its own; for a sell, the best bid if that is higher. */
function countedPrice(contract: Contract, side: SideNumber, price: Ticks): Ticks {
  return side === 0 ? price : (Math.max(price, contract.venue.book.ladder.bestBid) as Ticks)
}

/**
 * Whether an order that rests with its unfilled part can be paid for and is not too large. `more`: lots that were not in the book
 * before.
 */
export function checkResting(x: State, holding: Holding, side: SideNumber, price: Ticks, lots: Lots, more = lots): Refusal | undefined {
  const counted = countedPrice(holding.contract, side, price)
  const opening = (openingValue(x, holding, side, lots, counted) * holding.contract.q) as Units
  const wrong =
    checkExposure(x, holding, side, opening, Math.min(opening, more * counted * holding.contract.q) as Units) ??
    checkOpening(holding, side, price, (holding.openLots[side]! + lots) as Lots) ??
    checkSound(x, holding, side, price, lots, Math.min(lots, holding.openLots[side]! + lots - closable(holding, side)) as Lots)
  if (wrong !== undefined) return wrong
  const need = sideNeed(x, holding, side, lots, counted) + sideNeed(x, holding, (1 - side) as SideNumber, 0 as Lots, 0 as Ticks)
  const free = Math.max(0, usableBy(x, holding) - lossBeyondMark(holding, side, price, lots))
  return need - holding.ordersMargin > free ? 'MARGIN_INSUFFICIENT' : undefined
}

/** Loss of a cross account from closing at a price, beyond the loss at the mark. An isolated position pays that itself. */
function lossBeyondMark(holding: Holding, side: SideNumber, price: Ticks, lots: Lots): number {
  const { contract } = holding
  if (!holding.isCross) return 0
  return Math.max(0, side === 0 ? price - contract.mark : contract.mark - price) * Math.min(lots, closable(holding, side)) * contract.q
}

/**
 * The check for an order that never rests: only its opening part must be paid, and money released by its closing part counts.
 * `limit`: its worst price.
 */
export function checkImmediate(x: State, holding: Holding, side: SideNumber, limit: Ticks, lots: Lots): Refusal | undefined {
  const { contract } = holding
  const closed = Math.min(lots, closable(holding, side))
  if (closed === lots) return undefined
  const price = countedPrice(contract, side, limit)
  const value = ((lots - closed) * price * contract.q) as Units
  const wrong =
    checkExposure(x, holding, side, (openingValue(x, holding, side, 0 as Lots, 0 as Ticks) * contract.q + value) as Units, value) ??
    checkOpening(holding, side, limit, lots) ??
    checkSound(x, holding, side, limit, lots, (lots - closed) as Lots)
  if (wrong !== undefined) return wrong
  const { takerFeePpm } = contract.venue.market.terms
  const need = orderMargin(value, holding.leverage, takerFeePpm) + fee((closed * price * contract.q) as Units, takerFeePpm)
  const free = closed === 0 ? usableBy(x, holding) : freeAfterClosing(x, holding, limit)
  return need > Math.max(0, free) ? 'MARGIN_INSUFFICIENT' : undefined
}

/** Free balance once the position is closed at a price: its margin plus its profit or loss there. */
function freeAfterClosing(x: State, holding: Holding, price: Ticks): number {
  const { account, contract } = holding
  const freed = holding.margin + unrealised(holding.lots, holding.cost, price, contract.q)
  if (!holding.isCross) return usableBy(x, holding) + Math.max(0, freed)
  return (
    x.ledger.available(perpRow(x, holding.user)) + freed + Math.min(0, crossProfit(account) - countedProfit(holding)) - fundingOf(account)
  )
}

/**
 * Checks that the tier of the position plus a side's orders allows the leverage, and that the caps of the market and the user
 * allow the value.
 */
function checkExposure(x: State, holding: Holding, side: SideNumber, opening: Units, own: Units): Refusal | undefined {
  if (opening === 0) return undefined
  if (own > 0 && holding.leverage > ceilingOf(x, holding.user)) return 'LEVERAGE_CEILING'
  const same = (side === 0 ? holding.lots > 0 : holding.lots < 0) ? holding.cost : 0
  return checkLeverage(holding.contract, (same + opening) as Units, holding.leverage) ?? checkInterest(x, holding, side, opening, own)
}

/** Whether this value may be held at a leverage. */
export function checkLeverage(contract: Contract, value: Units, leverage: number): Refusal | undefined {
  if (value > positionValueMax || tierFor(contract.terms.tiers, value) === undefined) return 'NOTIONAL_TOO_LARGE'
  return leverage > leverageAllowed(contract.terms, value) ? 'LEVERAGE_TOO_HIGH' : undefined
}
