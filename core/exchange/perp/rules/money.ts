import type { SideNumber } from '../../../book/codes.ts'
import type { Row } from '../../../ledger/row.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { Lots, Ppm, Ticks, Units } from '../../../money/brand.ts'
import type { KindNumber, PositionNumber, UserId } from '../../../protocol/ids.ts'
import * as fields from '../../../book/order-fields.ts'
import { accountKinds } from '../../../protocol/account.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import { fundingPayment } from '../../../risk/perp-mark.ts'
import {
  initialMargin,
  maintenanceMargin,
  openingLimit,
  orderMargin,
  positionValue,
  tierOfPosition,
  unrealised,
  watchPpm,
} from '../../../risk/perp.ts'
import type { State } from '../../state/state.ts'
import type { Holding, PerpAccount } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { F, FLAGS, I, ID, LEFT, PRICE, VISIBLE } = fields
const { POSITION_MASK, POSITION_SHIFT, REDUCE_ONLY, SELL } = layout

const PERP = accountKinds.indexOf('perp') as KindNumber

/** Row of a user's Futures account, or the shared empty row before the first transfer into it. All contracts are settled in USDT. */
export function perpRow(x: State, user: UserId): Row {
  return x.ledger.find(user, PERP, x.usdt)
}

export function outsideRow(x: State): Row {
  return x.ledger.systemRow('outside:perp', x.usdt)
}

export function insuranceRow(x: State): Row {
  return x.ledger.systemRow('insurance', x.usdt)
}

/** Profit (+) or loss (−) of a position at the mark. */
export function profitOf(holding: Holding): Units {
  return unrealised(holding.lots, holding.cost, holding.contract.mark, holding.contract.q)
}

export function valueAtMark(holding: Holding): Units {
  return positionValue(holding.lots, holding.contract.mark, holding.contract.q)
}

/** Updates a position's maintenance rates to those of the tier of its cost. */
export function fitTier(holding: Holding): void {
  fitRates(holding, tierOfPosition(holding.contract.terms.tiers, holding.cost).maintenancePpm)
}

/** Updates a position's maintenance rates to a known rate. */
export function fitRates(holding: Holding, maintenancePpm: Ppm): void {
  holding.maintenancePpm = maintenancePpm
  holding.watchedPpm = watchPpm(maintenancePpm)
}

export function maintenanceOf(holding: Holding): Units {
  return maintenanceMargin(valueAtMark(holding), holding.maintenancePpm)
}

/** Profit and loss of all cross positions, counted as for the customer's own actions. */
export function crossProfit(account: PerpAccount): number {
  let sum = 0
  for (const holding of account.cross) sum += countedProfit(holding)
  return sum
}

/** Profit (+) or loss (−) of a position at the mark. While the mark's index is not good, a profit counts as 0 and a loss in full. */
export function countedProfit(holding: Holding): number {
  const profit = profitOf(holding)
  return profit > 0 && !holding.contract.isGood ? 0 : profit
}

/** Equity of a cross account: available balance, margins of its cross positions, and their profit and loss. */
export function crossEquity(x: State, account: PerpAccount): Units {
  let sum: number = x.ledger.available(perpRow(x, account.user))
  for (const holding of account.cross) sum += holding.margin + profitOf(holding)
  return sum as Units
}

export function crossMaintenance(account: PerpAccount): Units {
  let sum = 0
  for (const holding of account.cross) sum += maintenanceOf(holding)
  return sum as Units
}

/** Money behind a position that its losses can use up: its margin, or everything in a cross account except its own profit. */
export function cushionOf(x: State, holding: Holding): Units {
  return holding.isCross ? ((crossEquity(x, holding.account) - (holding.lots === 0 ? 0 : profitOf(holding))) as Units) : holding.margin
}

/** Equity of a position at the mark: with its margin, or that of its cross account. */
export function equityOf(x: State, holding: Holding): Units {
  return holding.isCross ? crossEquity(x, holding.account) : ((holding.margin + profitOf(holding)) as Units)
}

/** Unsettled part of the running round that a position receives (+) or pays (−). */
export function fundingPart({ contract, lots, round }: Holding): Units {
  const running = contract.round
  if (running === undefined || lots === 0 || round === contract.rounds) return 0 as Units
  return fundingPayment(lots, positionValue(lots, running.mark, contract.q), running.rate)
}

/** Unpaid funding of a user's positions in running rounds, plus the fund's advances for them. */
export function fundingOf(account: PerpAccount): number {
  let sum = 0
  for (const holding of account.holdings) sum += holding.advance + Math.max(0, -fundingPart(holding))
  return sum
}

/** Free balance for orders and transfers: the available balance, less losses of cross positions and unpaid funding. */
export function freeOf(x: State, user: UserId): number {
  const available = x.ledger.available(perpRow(x, user))
  const account = x.perp.knownAccount(user)
  return account === undefined ? available : Math.max(0, available + Math.min(0, crossProfit(account)) - fundingOf(account))
}

/**
 * The part of the free balance that may leave the account, so that every cross position keeps its initial margin at the mark. 0 while
 * one of the user's contracts can't be liquidated: its mark stands still because the index is not good, so losses are unknown, or
 * it is halted or has just resumed.
 */
export function transferableOf(x: State, user: UserId): number {
  const account = x.perp.knownAccount(user)
  let lack = 0
  for (const holding of account?.cross ?? []) {
    if (!holding.contract.gate.liquidates) return 0
    lack += Math.max(0, initialMargin(valueAtMark(holding), holding.leverage) - holding.margin)
  }
  return Math.max(0, freeOf(x, user) - lack)
}

/** Free balance for a position. An isolated position takes money away from cross positions, like a transfer. */
export function usableBy(x: State, holding: Holding): number {
  return holding.isCross ? freeOf(x, holding.user) : transferableOf(x, holding.user)
}

/** Worst price at which a side may open or enlarge a position: see `openingLimit`. */
export function openingLimitOf(holding: Holding, side: SideNumber): number {
  const { contract, leverage } = holding
  const same = (side === 0 ? holding.lots > 0 : holding.lots < 0) ? holding.cost : 0
  const tier = tierOfPosition(contract.terms.tiers, (same + holding.openValue[side]! * contract.q) as Units)
  return openingLimit(side === 0 ? 0 : 1, contract.mark, tier.maintenancePpm, leverage)
}

/** Lots of this side that would first close an opposite position. */
export function closable(holding: Holding, side: SideNumber): Lots {
  return Math.max(0, side === 0 ? -holding.lots : holding.lots) as Lots
}

/**
 * Units that the orders of a position need at a leverage: resting orders for the lots that they would open, sleeping orders that may
 * open for all their lots.
 */
export function ordersNeed(x: State, holding: Holding, leverage = holding.leverage): number {
  const asleep = holding.sleepingValue === 0 ? 0 : sleepingNeed(holding, 0, leverage)
  if (holding.openLots[0] === 0 && holding.openLots[1] === 0) return asleep
  return sideNeed(x, holding, 0, 0 as Lots, 0 as Ticks, leverage) + sideNeed(x, holding, 1, 0 as Lots, 0 as Ticks, leverage) + asleep
}

/** Units that the sleeping orders need, with `value` (tick × lot) more. */
export function sleepingNeed(holding: Holding, value: number, leverage = holding.leverage): number {
  const { contract, sleepingValue } = holding
  return orderMargin(((sleepingValue + value) * contract.q) as Units, leverage, contract.venue.market.terms.takerFeePpm)
}

/** Units that the orders of one side need, with `lots` at `price` more. */
export function sideNeed(x: State, holding: Holding, side: SideNumber, lots: Lots, price: Ticks, leverage = holding.leverage): number {
  const { contract } = holding
  const value = (openingValue(x, holding, side, lots, price) * contract.q) as Units
  return orderMargin(value, leverage, contract.venue.market.terms.takerFeePpm)
}

/**
 * Value (tick × lot) that the orders of one side would open. Among orders that could close a part first, the cheapest are
 * assumed to close: whatever the order of trades, the rest never needs more.
 */
export function openingValue(x: State, holding: Holding, side: SideNumber, lots: Lots, price: Ticks): number {
  const value = holding.openValue[side]! + lots * price
  const all = holding.openLots[side]! + lots
  const closing = closable(holding, side)
  if (closing === 0) return value
  if (closing >= all) return 0
  return value - cheapest(x, holding, side, closing, lots, price)
}

function cheapest(x: State, holding: Holding, side: SideNumber, wanted: Lots, lots: Lots, price: Ticks): number {
  const { f } = x.orders
  let left: number = wanted
  let isCounted = lots === 0
  let value = 0
  const take = (size: Lots, at: Ticks): void => {
    const taken = Math.min(left, size)
    value += taken * at
    left -= taken
  }
  for (const slot of openingByPrice(x, holding, side)) {
    const at = f[slot * F + PRICE] as Ticks
    if (!isCounted && price <= at) {
      take(lots, price)
      isCounted = true
    }
    if (left === 0) return value
    // An order that is neither asleep nor in the book, because it is just acting, shows nothing.
    if (f[slot * F + VISIBLE]! > 0) take(f[slot * F + LEFT] as Lots, at)
  }
  if (!isCounted) take(lots, price)
  return value
}

/** Slots of a position's orders on one side that may open, the cheapest first. Kept, because each dropped order asks for them. */
function openingByPrice(x: State, holding: Holding, side: SideNumber): readonly number[] {
  const known = holding.byPrice[side]
  if (known !== undefined) return known
  const { f, i } = x.orders
  // Unlike `ordersOf`, the order among equal prices does not matter.
  const slots = [...holding.slots].filter((slot) => (i[slot * I + FLAGS]! & (SELL | REDUCE_ONLY)) === side)
  slots.sort((a, b) => f[a * F + PRICE]! - f[b * F + PRICE]!)
  holding.byPrice[side] = slots
  return slots
}

/** Slots of a position's orders in the book on one side, newest first. */
export function ordersOf(x: State, holding: Holding, side: SideNumber): number[] {
  const { f, i } = x.orders
  // An order that is neither asleep nor in the book, because it is just acting, shows nothing.
  return allOrdersOf(x, holding).filter((slot) => f[slot * F + VISIBLE]! > 0 && (i[slot * I + FLAGS]! & SELL) === side)
}

/** Slots of all orders of a position, including sleeping ones, newest first. */
export function allOrdersOf(x: State, holding: Holding): number[] {
  const { f } = x.orders
  // Their order in memory differs after a restore; their numbers do not.
  return [...holding.slots].sort((a, b) => f[b * F + ID]! - f[a * F + ID]!)
}

/** The position that an order belongs to, as a number in `positionSides`. */
export function sideOfFlags(flags: OrderFlags): PositionNumber {
  return (((flags & POSITION_MASK) >>> POSITION_SHIFT) - 1) as PositionNumber
}
