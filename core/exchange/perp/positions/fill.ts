import type { SideNumber } from '../../../book/codes.ts'
import type { Row } from '../../../ledger/row.ts'
import type { OrderId } from '../../../protocol/ids.ts'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import * as reasons from '../../../ledger/reasons.ts'
import { mulDivCeil } from '../../../money/mul-div.ts'
import { positionEnds } from '../../../protocol/event/perp.ts'
import type { ClosedRecord } from '../../../protocol/codec/perp-write.ts'
import { initialMargin, shareOf } from '../../../risk/perp.ts'
import type { State } from '../../state/state.ts'
import { payBack, settleHolding } from './due.ts'
import { equityOf, insuranceRow, ordersNeed, outsideRow, perpRow } from '../rules/money.ts'
import type { Holding } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { FEE, LIQUIDATION_FEE, REALISED } = reasons

export const BY_ORDER = positionEnds.indexOf('order')
export const BY_LIQUIDATION = positionEnds.indexOf('liquidation')
export const BY_DELEVERAGE = positionEnds.indexOf('deleverage')

/**
 * Applies a trade to a position: buys (side 0) or sells `lots` at a price, closing the opposite part first and opening with the
 * rest. `fee`: the fee due; the result is the part that could be paid. Losses beyond what the account has are left as shortages.
 * A maker's order must already be taken off the sums.
 */
export function fill(
  x: State,
  holding: Holding,
  side: SideNumber,
  price: Ticks,
  lots: Lots,
  fee: Units,
  order: OrderId,
  cause: number,
): Units {
  settleHolding(x, holding)
  const stands = side === 0 ? Math.max(0, -holding.lots) : Math.max(0, holding.lots)
  const closed = Math.min(lots, stands) as Lots
  const value = (price * lots * holding.contract.q) as Units
  x.perp.touch(holding, true)
  let paid = 0
  let asked = fee
  if (closed > 0) {
    const part = shareOf(fee, closed, lots)
    const closedValue = (price * closed * holding.contract.q) as Units
    reduce(x, holding, closed, closedValue, false)
    asked = (fee - part) as Units
    paid = payFee(x, holding, part)
    if (holding.lots === 0) end(x, holding, cause)
    if (closed === lots) return paid as Units
    return (paid + open(x, holding, side, (lots - closed) as Lots, (value - closedValue) as Units, asked, order)) as Units
  }
  return open(x, holding, side, lots, value, asked, order)
}

/**
 * Takes `closed` lots off a position for `value`: realises their profit or loss and releases their margin, unless `isKept` leaves
 * it in the position. The caller ends a position that is gone.
 */
export function reduce(x: State, holding: Holding, closed: Lots, value: Units, isKept: boolean): void {
  settleHolding(x, holding)
  const { ledger } = x
  const row = perpRow(x, holding.user)
  const size = Math.abs(holding.lots)
  const isLong = holding.lots > 0
  const cost = shareOf(holding.cost, closed, size)
  const profit = (isLong ? value - cost : cost - value) as Units
  const freed = (isKept ? 0 : shareOf(holding.margin, closed, size)) as Units
  if (isLong) holding.contract.openLots = (holding.contract.openLots - closed) as Lots
  holding.lots = (holding.lots + (isLong ? -closed : closed)) as Lots
  holding.cost = (holding.cost - cost) as Units
  holding.margin = (holding.margin - freed) as Units
  holding.realised += profit
  holding.closedLots.add(closed)
  holding.closedValue.add(value)
  x.perp.touch(holding, true)
  release(x, row, freed)
  fitOrders(x, holding)
  if (profit > 0) {
    ledger.debitOutside(outsideRow(x), profit, REALISED)
    ledger.credit(row, profit, REALISED)
  } else if (profit < 0) payLoss(x, holding, -profit as Units, freed)
}

/** Pays a loss from the released margin, then from the rest of the position's margin; in cross mode, from everything in the account. */
function payLoss(x: State, holding: Holding, loss: Units, freed: Units): void {
  const { ledger } = x
  const row = perpRow(x, holding.user)
  let left: number = loss
  const spend = (amount: Units): void => {
    if (amount <= 0) return
    ledger.debit(row, amount, REALISED)
    ledger.credit(outsideRow(x), amount, REALISED)
    left -= amount
  }
  spend(Math.min(left, holding.isCross ? ledger.available(row) : freed) as Units)
  if (left > 0) {
    const taken = takeMargin(x, holding, left)
    spend(taken)
  }
  if (left > 0 && holding.isCross) {
    for (const other of [...holding.account.cross].sort((a, b) => a.id - b.id)) if (left > 0) spend(takeMargin(x, other, left))
  }
  if (left > 0) x.perp.shortages.push({ holding, amount: left as Units })
}

/** Frees up to `most` of a position's margin; returns how much. */
export function takeMargin(x: State, holding: Holding, most: number): Units {
  settleHolding(x, holding)
  const taken = Math.min(most, holding.margin) as Units
  if (taken <= 0) return 0 as Units
  holding.margin = (holding.margin - taken) as Units
  release(x, perpRow(x, holding.user), taken)
  x.perp.touch(holding, true)
  return taken
}

function open(x: State, holding: Holding, side: SideNumber, lots: Lots, value: Units, fee: Units, order: OrderId): Units {
  if (holding.lots === 0) begin(x, holding, side === 1, order)
  const { leverage } = holding
  // The margin of the whole cost less that of the previous cost: many small fills need no more than one large one.
  const need = initialMargin((holding.cost + value) as Units, leverage) - initialMargin(holding.cost, leverage)
  if (side === 0) holding.contract.openLots = (holding.contract.openLots + lots) as Lots
  holding.lots = (holding.lots + (side === 0 ? lots : -lots)) as Lots
  holding.cost = (holding.cost + value) as Units
  holding.openedLots.add(lots)
  holding.openedValue.add(value)
  fitOrders(x, holding)
  const row = perpRow(x, holding.user)
  const held = Math.min(need, x.ledger.available(row)) as Units
  if (held > 0) x.ledger.hold(row, held)
  holding.margin = (holding.margin + held) as Units
  x.perp.enlist(holding)
  return payFee(x, holding, fee)
}

function begin(x: State, holding: Holding, isShort: boolean, order: OrderId): void {
  holding.isShort = isShort
  // One order can begin two positions, if the first was closed between its fills: the second gets a new number.
  holding.id = order > holding.lastId ? order : (++x.lastOrder as OrderId)
  holding.lastId = holding.id
  holding.openedAtMs = x.atMs
  holding.round = holding.contract.rounds
  holding.realised = 0
  holding.fees = 0 as Units
  holding.funding = 0
  holding.openedLots.clear()
  holding.openedValue.clear()
  holding.closedLots.clear()
  holding.closedValue.clear()
}

/** Ends a position that is gone: releases its remaining margin. The closed position is emitted at the end of the command. */
export function end(x: State, holding: Holding, cause: number): void {
  takeMargin(x, holding, holding.margin)
  payBack(x, holding)
  // The fund has lost the rest of its advance.
  holding.advance = 0
  holding.hasEnded = true
  x.perp.enlist(holding)
  x.perp.ended.push({ record: snapshot(holding), isShort: holding.isShort, cause })
}

function snapshot(holding: Holding): ClosedRecord {
  const { id, user, market, side, mode, leverage, lots, cost, margin, realised, fees, funding, openedAtMs } = holding
  const { openedLots, openedValue, closedLots, closedValue } = holding
  const now = { id, user, market, side, mode, leverage, lots, cost, margin, realised, fees, funding, openedAtMs }
  const opened = { openedLots: openedLots.total, openedValue: openedValue.total }
  return { ...now, ...opened, closedLots: closedLots.total, closedValue: closedValue.total }
}

/** Charges a trading fee to the available balance, then to the margin, as far as they suffice. Returns the amount paid. */
function payFee(x: State, holding: Holding, fee: Units): Units {
  if (fee <= 0) return 0 as Units
  const { ledger } = x
  const row = perpRow(x, holding.user)
  const missing = fee - ledger.available(row)
  if (missing > 0) takeMargin(x, holding, missing)
  const paid = Math.min(fee, ledger.available(row)) as Units
  if (paid === 0) return 0 as Units
  ledger.debit(row, paid, FEE)
  ledger.credit(ledger.feeRow(x.usdt), paid, FEE)
  holding.fees = (holding.fees + paid) as Units
  return paid
}

/** Charges the insurance fund's part of a liquidated value, rounded up, at most the equity that is left. */
export function payLiquidationFee(x: State, holding: Holding, value: number): void {
  const { ledger } = x
  const row = perpRow(x, holding.user)
  const asked = mulDivCeil(value, holding.contract.terms.liquidationFeePpm, 1_000_000)
  const wanted = Math.min(asked, Math.max(0, equityOf(x, holding)))
  const before = ledger.available(row)
  const own = holding.isCross ? before : 0
  const taken = takeMargin(x, holding, Math.max(0, wanted - own))
  const paid = Math.min(wanted, own + taken) as Units
  if (paid <= 0) return
  ledger.debit(row, paid, LIQUIDATION_FEE)
  ledger.credit(insuranceRow(x), paid, LIQUIDATION_FEE)
  holding.fees = (holding.fees + paid) as Units
  x.perp.liquidationFees = (x.perp.liquidationFees + paid) as Units
}

/** Releases the excess hold of the orders beside a position; `flush` raises a hold that is too small. */
export function fitOrders(x: State, holding: Holding): void {
  const need = ordersNeed(x, holding)
  if (need >= holding.ordersMargin) return
  x.ledger.release(perpRow(x, holding.user), (holding.ordersMargin - need) as Units)
  holding.ordersMargin = need
}

function release(x: State, row: Row, amount: Units): void {
  if (amount > 0) x.ledger.release(row, amount)
}

/** Moves up to `most` from the insurance fund to where profits are paid from; returns the amount. */
export function insure(x: State, most: number): number {
  const { ledger } = x
  const paid = Math.min(most, ledger.available(insuranceRow(x))) as Units
  if (paid <= 0) return 0
  ledger.debit(insuranceRow(x), paid, reasons.INSURANCE)
  ledger.credit(outsideRow(x), paid, reasons.INSURANCE)
  return paid
}
