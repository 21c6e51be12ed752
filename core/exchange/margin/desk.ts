/** What spot orders of lever accounts need: their rows, what they may do, the loans they take, and what follows from fills. */
import * as fields from '../../book/order-fields.ts'
import { BORROW_MASK, BORROW_SHIFT, CROSS_MARGIN, ISOLATED_MARGIN, REPAYS_AT_END, SELL } from '../../protocol/codec/layout.ts'
import { borrowModes } from '../../protocol/command/margin.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { addValues, debtValue, levelPpm, orderLoss } from '../../risk/margin.ts'
import { worstPrice } from '../../risk/orders.ts'
import type { LeverDesk } from '../orders/desks.ts'
import type { State } from '../state.ts'
import type { Venue } from '../venue.ts'
import { checkBorrow, checkUse, isLeverMarket } from './borrow.ts'
import { indexTicks } from './convert.ts'
import { accrue, borrow, repay } from './debt.ts'
import { turnHour } from './interest.ts'
import { tellPools } from './pool.ts'
import { marginRow } from './postings.ts'
import { review } from './review.ts'
import { Account, LIQUIDATING } from './state.ts'
import { assetsOf, bordersOf, indexValue, isPriceGood, owedOf, valueIn, worth } from './value.ts'

const REPAY = borrowModes.indexOf('repay')
const BORROW = borrowModes.indexOf('borrow')
const BOTH = borrowModes.indexOf('both')

/** An order within this part of the index price may be placed however low the level is: so everybody can close. */
const nearPpm = 10_000
const million = 1_000_000

// Copies, because the compiler knows a module's own constants, not imported ones.
const { EXECUTED, EXECUTED_LOTS, EXTRA, F, FLAGS, I, ID, OWNER } = fields

export const leverDesk: LeverDesk = { row, check, checkAmend, fund, limit, received, ended, finish }

function marketOf(venue: Venue, flags: number): number {
  return (flags & CROSS_MARGIN) !== 0 ? 0 : venue.id
}

function modeOf(flags: number): number {
  return (flags & BORROW_MASK) >>> BORROW_SHIFT
}

/** Asset that an order pays with. */
function paid(venue: Venue, flags: number): number {
  return (flags & SELL) !== 0 ? venue.base : venue.quote
}

function row(x: State, venue: Venue, user: number, flags: number, asset: number): number {
  return marginRow(x, user, marketOf(venue, flags), asset)
}

function check(x: State, venue: Venue, user: number, flags: number, need: number, price: number, lots: number): Refusal | undefined {
  const account = flags & (CROSS_MARGIN | ISOLATED_MARGIN)
  if (account !== CROSS_MARGIN && account !== ISOLATED_MARGIN) return 'ORDER_TYPE_INVALID'
  const market = marketOf(venue, flags)
  const asset = paid(venue, flags)
  const lack = need - x.ledger.available(marginRow(x, user, market, asset))
  const borrows = lack > 0 && isBorrowing(flags)
  if (lack > 0 && !borrows) return 'INSUFFICIENT_BALANCE'
  const known = x.margin.find(user, market)
  // Who owes may always trade what he has.
  const closed = borrows || known === undefined || known.debts.length === 0 ? checkUse(x, user) : undefined
  if (closed !== undefined) return closed
  if (!isLeverMarket(x, venue.id)) return 'MARKET_UNKNOWN'
  const assets = assetsOf(x, market)
  if (!assets.includes(venue.base) || !assets.includes(venue.quote)) return 'ASSET_NOT_IN_ACCOUNT'
  if (known?.state === LIQUIDATING) return 'ACCOUNT_LIQUIDATING'
  const refusal = borrows ? checkBorrow(x, user, market, asset, lack) : undefined
  return refusal ?? checkLoss(x, venue, known ?? new Account(user, market), flags, borrows ? lack : 0, price, lots)
}

function checkAmend(x: State, venue: Venue, user: number, flags: number, more: number, price: number, lots: number): Refusal | undefined {
  const market = marketOf(venue, flags)
  const asset = paid(venue, flags)
  const account = x.margin.find(user, market) ?? new Account(user, market)
  const lack = Math.max(0, more - x.ledger.available(marginRow(x, user, market, asset)))
  if (lack > 0 && !isBorrowing(flags)) return 'INSUFFICIENT_BALANCE'
  const closed = lack > 0 ? checkUse(x, user) : undefined
  if (closed !== undefined) return closed
  if (account.state === LIQUIDATING) return 'ACCOUNT_LIQUIDATING'
  const refusal = lack > 0 ? checkBorrow(x, user, market, asset, lack) : undefined
  return refusal ?? checkLoss(x, venue, account, flags, lack, price, lots)
}

function isBorrowing(flags: number): boolean {
  const mode = modeOf(flags)
  return mode === BORROW || mode === BOTH
}

/**
 * An account that owes may not throw its assets away: what the order could lose against the index leaves it above its
 * liquidation border, or is next to nothing.
 */
function checkLoss(
  x: State,
  venue: Venue,
  account: Account,
  flags: number,
  lack: number,
  price: number,
  lots: number,
): Refusal | undefined {
  if (account.debts.length === 0 && lack === 0) return undefined
  const now = worth(x, account)
  if (!now.isGood || !isPriceGood(x, venue.base) || !isPriceGood(x, venue.quote)) return 'NO_INDEX_PRICE'
  // One that takes what the market gives stays near the index by its limit.
  if (price === 0) return undefined
  const [base, quote] = [lots * venue.basePerLot, price * lots * venue.quotePerTickLot]
  const loss = orderLoss((flags & SELL) !== 0, base, indexValue(x, venue.base), quote, indexValue(x, venue.quote))
  const most = (flags & SELL) !== 0 ? valueIn(x, venue.base, base) : valueIn(x, venue.quote, quote)
  if (loss * million <= most * nearPpm) return undefined
  const asset = paid(venue, flags)
  const debt = addValues(now.debt, debtValue(lack, indexValue(x, asset)))
  const assets = Math.max(0, addValues(now.assets, valueIn(x, asset, lack)) - loss)
  return levelPpm(assets, debt) <= bordersOf(x, account, debt).liquidation ? 'MARGIN_LEVEL_LOW' : undefined
}

function fund(x: State, venue: Venue, user: number, flags: number, need: number, order: number): void {
  const market = marketOf(venue, flags)
  const asset = paid(venue, flags)
  const account = x.margin.account(user, market)
  account.calmUntil = 0
  const lack = need - x.ledger.available(marginRow(x, user, market, asset))
  if (lack <= 0) {
    if (x.margin.loans.has(order)) remember(x, venue, order, need, 0, 0)
    return
  }
  turnHour(x)
  const debt = account.debt(asset)
  // What an older debt is charged is no part of what this loan costs.
  if (debt !== undefined) accrue(x, account, debt)
  const before = owedOf(account, asset)
  borrow(x, account, asset, lack, 'auto-borrow')
  // What is not needed goes back, its first interest included.
  const owed = owedOf(account, asset) - before
  if ((flags & REPAYS_AT_END) !== 0) remember(x, venue, order, need, lack, owed - lack)
  x.margin.changes.push({ account, asset, repays: owed, order: (flags & REPAYS_AT_END) === 0 ? 0 : order })
}

/** An order that is amended may have a loan already, and have spent some of it: what it needs now is needed beyond that. */
function remember(x: State, venue: Venue, order: number, need: number, lent: number, fee: number): void {
  const slot = x.orders.find(order)
  const spent = slot < 0 ? 0 : spentBy(x, venue, slot)
  const known = x.margin.loans.get(order) ?? { own: 0, lent: 0, fee: 0, spent: 0 }
  const loan = { ...known, lent: known.lent + lent, fee: known.fee + fee }
  loan.own = Math.max(0, spent + need - loan.lent)
  x.margin.loans.set(order, loan)
}

/** Units that an order has paid for what it traded. */
function spentBy(x: State, venue: Venue, slot: number): number {
  const { f, i } = x.orders
  const isSell = (i[slot * I + FLAGS]! & SELL) !== 0
  return isSell ? f[slot * F + EXECUTED_LOTS]! * venue.basePerLot : f[slot * F + EXECUTED]! * venue.quotePerTickLot
}

function ended(x: State, venue: Venue, slot: number): void {
  const { f, i, extras } = x.orders
  const flags = i[slot * I + FLAGS]!
  if ((flags & REPAYS_AT_END) === 0) return
  const list = extras[i[slot * I + EXTRA]!]?.list ?? 0
  const order = list === 0 ? f[slot * F + ID]! : list
  const loan = x.margin.loans.get(order)
  if (loan === undefined) return
  loan.spent += spentBy(x, venue, slot)
  const account = x.margin.account(i[slot * I + OWNER]!, marketOf(venue, flags))
  x.margin.changes.push({ account, asset: paid(venue, flags), repays: 0, order })
}

/** What goes back of the loan of an order that has ended, once; of a list's, when both legs have. */
function unused(x: State, order: number): number {
  const loan = x.margin.loans.get(order)
  if (loan === undefined || isAlive(x, order)) return 0
  x.margin.loans.delete(order)
  const used = Math.max(0, loan.spent - loan.own)
  return used === 0 ? loan.lent + loan.fee : Math.max(0, loan.lent - used)
}

function isAlive(x: State, order: number): boolean {
  return x.orders.find(order) >= 0 || x.legOf(order) >= 0
}

/** A part of an order's loan went back: its interest first. */
function lower(x: State, order: number, amount: number): void {
  const loan = x.margin.loans.get(order)
  if (loan === undefined) return
  const fee = Math.min(loan.fee, amount)
  loan.fee -= fee
  loan.lent -= amount - fee
}

function limit(x: State, venue: Venue, side: number, worst: number): number {
  if (!isPriceGood(x, venue.base) || !isPriceGood(x, venue.quote)) return worst
  const own = worstPrice(side === 0 ? 0 : 1, indexTicks(x, venue), venue.market.terms.slippagePpm)
  return side === 0 ? Math.min(worst, own) : Math.max(worst, own)
}

function received(x: State, venue: Venue, user: number, flags: number, asset: number, amount: number): void {
  const mode = modeOf(flags)
  const account = x.margin.account(user, marketOf(venue, flags))
  x.margin.changes.push({ account, asset, repays: mode === REPAY || mode === BOTH ? amount : 0, order: 0 })
}

/**
 * Repays what orders brought in to repay, and what was borrowed for them and not needed, or not used when they ended; then sees
 * where the accounts stand.
 */
function finish(x: State): void {
  const { changes } = x.margin
  for (const { account, asset, repays, order } of changes) {
    const most = repays === 0 && order > 0 ? unused(x, order) : repays
    const debt = most > 0 ? account.debt(asset) : undefined
    if (debt === undefined) continue
    turnHour(x)
    accrue(x, account, debt)
    const own = marginRow(x, account.user, account.market, asset)
    const amount = Math.min(most, x.ledger.available(own), debt.principal + debt.interest)
    if (amount > 0) repay(x, account, debt, amount, 'auto-repay', own)
    if (order > 0) lower(x, order, amount)
  }
  for (const { order } of changes) if (order > 0 && !isAlive(x, order)) x.margin.loans.delete(order)
  const accounts = new Set(changes.map(({ account }) => account))
  changes.length = 0
  for (const account of accounts) review(x, account)
  tellPools(x)
}
