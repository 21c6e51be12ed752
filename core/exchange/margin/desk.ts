/** Serves spot orders of margin accounts: their rows, checks, loans, and the consequences of fills. */
import type { SideNumber } from '../../book/codes.ts'
import type { Row } from '../../ledger/row.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { AssetId, MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import * as fields from '../../book/order-fields.ts'
import { BORROW_MASK, BORROW_SHIFT, CROSS_MARGIN, HAS_SPEND, ISOLATED_MARGIN, REPAYS_AT_END, SELL } from '../../protocol/codec/layout.ts'
import { borrowModes } from '../../protocol/command/margin.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { unitsWorth } from '../../risk/margin.ts'
import { checkOrder, protection } from '../../risk/margin-order.ts'
import { bandHigh, bandLow, worstPrice } from '../../risk/orders.ts'
import type { Amended, MarginDesk } from '../state/desks.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import { Account, LIQUIDATING } from './records/account.ts'
import { checkBorrow, checkUse, hasMargin } from './handlers/borrow.ts'
import { indexTicks } from './liquidation/convert.ts'
import { accrue, borrow, repay } from './loans/debt.ts'
import { turnHour } from './loans/interest.ts'
import { forgetOrder, noteOrder, reduces } from './rules/orders.ts'
import { tellPools } from './loans/pool.ts'
import { marginRow, openMarginRow } from './rules/postings.ts'
import { isPriceGood } from './rules/prices.ts'
import { review } from './loans/review.ts'
import { accountValue, assetsOf, indexValue, noteAsset, orderAsset, owedOf } from './rules/value.ts'

const REPAY = borrowModes.indexOf('repay')
const BORROW = borrowModes.indexOf('borrow')
const BOTH = borrowModes.indexOf('both')
const noSlot = -1 as OrderSlot

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { EXECUTED, EXECUTED_LOTS, EXTRA, F, FLAGS, I, ID, OWNER } = fields

export const marginDesk: MarginDesk = { row, check, checkAmend, fund, placed: noteOrder, limit, mayAct, reduces, received, ended, finish }

function marketOf(venue: Venue, flags: OrderFlags): MarketId {
  return (flags & CROSS_MARGIN) !== 0 ? (0 as MarketId) : venue.id
}

function modeOf(flags: OrderFlags): number {
  return (flags & BORROW_MASK) >>> BORROW_SHIFT
}

/** Asset that an order gives. */
function paid(venue: Venue, flags: OrderFlags): AssetId {
  return (flags & SELL) !== 0 ? venue.base : venue.quote
}

function row(x: State, venue: Venue, user: UserId, flags: OrderFlags, asset: AssetId): Row {
  return openMarginRow(x, user, marketOf(venue, flags), asset)
}

/** Asset that an order brings in. */
function gained(venue: Venue, flags: OrderFlags): AssetId {
  return (flags & SELL) !== 0 ? venue.quote : venue.base
}

function check(x: State, venue: Venue, user: UserId, flags: OrderFlags, need: Units, price: Ticks, lots: Lots): Refusal | undefined {
  const account = flags & (CROSS_MARGIN | ISOLATED_MARGIN)
  if (account !== CROSS_MARGIN && account !== ISOLATED_MARGIN) return 'ORDER_TYPE_INVALID'
  const market = marketOf(venue, flags)
  const asset = paid(venue, flags)
  const known = x.margin.find(user, market)
  const owes = known !== undefined && known.debts.length > 0
  // An account with debt can still be closed after margin trading of its market ended.
  if (!hasMargin(x, venue.id) && !(owes && market !== 0)) return 'MARKET_WITHOUT_MARGIN'
  const lack = lackOf(x, user, market, asset, need)
  const borrows = lack > 0 && isBorrowing(flags)
  if (lack > 0 && !borrows) return 'INSUFFICIENT_BALANCE'
  // An account with debt may always trade what it has, but without a certificate only to reduce.
  const isFree = !borrows && owes && (x.isCertified(user) || onlyReduces(x, venue, known, flags, lots, noSlot))
  const closed = isFree ? undefined : checkUse(x, user)
  if (closed !== undefined) return closed
  const assets = assetsOf(x, market)
  if (!assets.includes(venue.base) || !assets.includes(venue.quote)) return 'ASSET_NOT_IN_ACCOUNT'
  if (known?.state === LIQUIDATING) return 'ACCOUNT_LIQUIDATING'
  const loan = (borrows ? raised(x, asset, lack) : 0) as Units
  const refusal = borrows ? checkBorrow(x, user, market, asset, loan) : undefined
  // A sleeping order is judged when it wakes.
  if (refusal !== undefined || price === 0) return refusal
  return judge(x, venue, known ?? new Account(user, market), flags)(price, lots, loan)
}

/**
 * Whether an order repays, or sells a coin that the account does not owe. An order by an amount is sure to move no quantity. `slot`: see
 * `MarginDesk.reduces`.
 */
function onlyReduces(x: State, venue: Venue, account: Account, flags: OrderFlags, lots: Lots, slot: OrderSlot): boolean {
  if ((flags & SELL) !== 0 && owedOf(account, venue.base) > 0) return false
  return reduces(x, venue, account.user, flags, (flags & HAS_SPEND) === 0 ? lots : (0 as Lots), slot)
}

function checkAmend(x: State, venue: Venue, slot: OrderSlot, { more, price, lots, isSmaller }: Amended): Refusal | undefined {
  const { i } = x.orders
  const user = i[slot * I + OWNER] as UserId
  const flags = i[slot * I + FLAGS] as OrderFlags
  const market = marketOf(venue, flags)
  const asset = paid(venue, flags)
  const account = x.margin.find(user, market) ?? new Account(user, market)
  const isFree = isSmaller || x.isCertified(user) || (account.debts.length > 0 && onlyReduces(x, venue, account, flags, lots, slot))
  if (!isFree) return 'NOT_CERTIFIED'
  const lack = lackOf(x, user, market, asset, more)
  if (lack > 0 && !isBorrowing(flags)) return 'INSUFFICIENT_BALANCE'
  const closed = lack > 0 ? checkUse(x, user) : undefined
  if (closed !== undefined) return closed
  if (account.state === LIQUIDATING) return 'ACCOUNT_LIQUIDATING'
  const loan = (lack > 0 ? raised(x, asset, lack) : 0) as Units
  const refusal = lack > 0 ? checkBorrow(x, user, market, asset, loan) : undefined
  // A sleeping order is judged when it wakes.
  return refusal ?? (price === 0 ? undefined : judge(x, venue, account, flags)(price, lots, loan))
}

/** Units of `need` that the account does not have available. */
function lackOf(x: State, user: UserId, market: MarketId, asset: AssetId, need: Units): Units {
  return Math.max(0, need - x.ledger.available(marginRow(x, user, market, asset))) as Units
}

/** A loan for an order is raised to the smallest loan. */
function raised(x: State, asset: AssetId, lack: Units): Units {
  const value = indexValue(x, asset)
  return value.price === 0 ? lack : (Math.max(lack, unitsWorth(x.margin.terms!.loanMin, value)) as Units)
}

type Judge = (price: Ticks, lots: Lots, borrowed: Units) => Refusal | undefined

/** Judges an order of the account, for any price. An account without debt whose order borrows nothing is free. */
function judge(x: State, venue: Venue, account: Account, flags: OrderFlags): Judge {
  const isSell = (flags & SELL) !== 0
  const owes = account.debts.length > 0
  const give = orderAsset(x, account, paid(venue, flags))
  const get = orderAsset(x, account, gained(venue, flags))
  const now = accountValue(x, account)
  return (price, lots, borrowed) => {
    if (!owes && borrowed === 0) return undefined
    const [base, quote] = [(lots * venue.basePerLot) as Units, (price * lots * venue.quotePerTickLot) as Units]
    const fill = { give: isSell ? base : quote, get: isSell ? quote : base, borrowed }
    return checkOrder(x.margin.terms!, account.market !== 0, now, give, get, fill)
  }
}

function isBorrowing(flags: OrderFlags): boolean {
  const mode = modeOf(flags)
  return mode === BORROW || mode === BOTH
}

function fund(x: State, venue: Venue, user: UserId, flags: OrderFlags, need: Units, order: OrderId): void {
  const market = marketOf(venue, flags)
  const asset = paid(venue, flags)
  const account = x.margin.account(user, market)
  account.calmUntil = 0
  const lack = lackOf(x, user, market, asset, need)
  if (lack === 0) {
    if (x.margin.loans.has(loanOf(x, order))) remember(x, venue, order, need, 0 as Units, 0 as Units)
    return
  }
  const loan = raised(x, asset, lack)
  turnHour(x)
  const debt = account.debt(asset)
  // Interest charged on older debt is not a cost of this loan.
  if (debt !== undefined) accrue(x, account, debt)
  const before = owedOf(account, asset)
  borrow(x, account, asset, loan, 'auto-borrow')
  // The unneeded part is repaid with its first interest; a loan that was raised to the smallest one stays until the order ends.
  const owed = owedOf(account, asset) - before
  if ((flags & REPAYS_AT_END) !== 0) remember(x, venue, order, need, loan, (owed - loan) as Units)
  const repays = loan > lack ? 0 : owed
  x.margin.changes.push({ account, asset, repays, order: (flags & REPAYS_AT_END) === 0 ? (0 as OrderId) : loanOf(x, order) })
}

/** Number under which the loan of an order is remembered: that of its list, also while one of two orders is left. */
function loanOf({ orders }: State, order: OrderId): OrderId {
  const slot = orders.find(order)
  const list = slot < 0 ? 0 : (orders.extras.get(orders.i[slot * I + EXTRA]!)?.list ?? 0)
  return list === 0 ? order : list
}

/** An amended order may already have a loan and have spent part of it: its present need is in addition to that. */
function remember(x: State, venue: Venue, order: OrderId, need: Units, lent: Units, fee: Units): void {
  const slot = x.orders.find(order) as OrderSlot
  const spent = slot < 0 ? 0 : spentBy(x, venue, slot)
  const number = loanOf(x, order)
  const known = x.margin.loans.get(number) ?? { own: 0 as Units, lent: 0 as Units, fee: 0 as Units, spent: 0 as Units }
  const loan = { ...known, lent: (known.lent + lent) as Units, fee: (known.fee + fee) as Units }
  loan.own = Math.max(0, spent + need - loan.lent) as Units
  x.margin.loans.set(number, loan)
}

/** Units that an order has paid for its fills. */
function spentBy(x: State, venue: Venue, slot: OrderSlot): number {
  const { f, i } = x.orders
  const isSell = (i[slot * I + FLAGS]! & SELL) !== 0
  return isSell ? f[slot * F + EXECUTED_LOTS]! * venue.basePerLot : f[slot * F + EXECUTED]! * venue.quotePerTickLot
}

function ended(x: State, venue: Venue, slot: OrderSlot): void {
  const { f, i } = x.orders
  const flags = i[slot * I + FLAGS] as OrderFlags
  forgetOrder(x, slot)
  if ((flags & REPAYS_AT_END) === 0) return
  const order = loanOf(x, f[slot * F + ID] as OrderId)
  const loan = x.margin.loans.get(order)
  if (loan === undefined) return
  loan.spent += spentBy(x, venue, slot)
  const account = x.margin.account(i[slot * I + OWNER] as UserId, marketOf(venue, flags))
  x.margin.changes.push({ account, asset: paid(venue, flags), repays: 0, order })
}

/** Unused part of an ended order's loan, to be repaid once; for a list, when both legs have ended. */
function unused(x: State, order: OrderId): Units {
  const loan = x.margin.loans.get(order)
  if (loan === undefined || isAlive(x, order)) return 0 as Units
  x.margin.loans.delete(order)
  const used = Math.max(0, loan.spent - loan.own)
  return used === 0 ? ((loan.lent + loan.fee) as Units) : (Math.max(0, loan.lent - used) as Units)
}

function isAlive(x: State, order: OrderId): boolean {
  return x.orders.find(order) >= 0 || x.legOf(order) >= 0
}

/** Notes that a part of an order's loan was repaid, its interest first. */
function lower(x: State, order: OrderId, amount: Units): void {
  const loan = x.margin.loans.get(order)
  if (loan === undefined) return
  const fee = Math.min(loan.fee, amount)
  loan.fee = (loan.fee - fee) as Units
  loan.lent = (loan.lent - (amount - fee)) as Units
}

/**
 * Worst price of a market order: at most the market's slippage from a good index, and no further than the last price at which a
 * fill leaves the account healthy enough. 0: no price does, and the order may trade nothing now.
 */
function limit(x: State, venue: Venue, side: SideNumber, user: UserId, flags: OrderFlags, lots: Lots, spend: Units, worst: Ticks): Ticks {
  const index = indexTicks(x, venue)
  const { slippagePpm } = venue.market.terms
  const isGood = isPriceGood(x, venue.base) && isPriceGood(x, venue.quote)
  const own = isGood ? worstPrice(side === 0 ? 0 : 1, index, slippagePpm) : worst
  const last = side === 0 ? (Math.min(worst, own) as Ticks) : (Math.max(worst, own) as Ticks)
  const market = marketOf(venue, flags)
  const account = x.margin.find(user, market) ?? new Account(user, market)
  if (account.state === LIQUIDATING) return 0 as Ticks
  const asset = paid(venue, flags)
  const permit = judge(x, venue, account, flags)
  const borrows = isBorrowing(flags)
  const isAllowed = (price: Ticks): boolean => {
    const perLot = side === 0 ? price * venue.quotePerTickLot : venue.basePerLot
    const whole = spend === 0 ? lots : (Math.min(lots, lotsOfSpend(venue, side, spend, price)) as Lots)
    const lack = (borrows ? lackOf(x, user, market, asset, (spend > 0 && side === 0 ? spend : whole * perLot) as Units) : 0) as Units
    return permit(price, whole, lack === 0 ? (0 as Units) : raised(x, asset, lack)) === undefined
  }
  // The best price of the search: better than the index by as much as the worst price may be worse.
  const best = side === 0 ? (Math.min(last, bandLow(index, slippagePpm)) as Ticks) : (Math.max(last, bandHigh(index, slippagePpm)) as Ticks)
  return protection(best, last, isAllowed)
}

/** Lots that an amount of the quote moves at a price. */
function lotsOfSpend(venue: Venue, side: SideNumber, spend: Units, price: Ticks): number {
  const perLot = price * venue.quotePerTickLot
  return side === 0 ? Math.floor(spend / perLot) : Math.ceil(spend / perLot)
}

/** Whether a waking limit order may still trade at its price. */
function mayAct(x: State, venue: Venue, user: UserId, flags: OrderFlags, price: Ticks, lots: Lots): boolean {
  const account = x.margin.find(user, marketOf(venue, flags))
  if (account === undefined) return true
  return account.state !== LIQUIDATING && judge(x, venue, account, flags)(price, lots, 0 as Units) === undefined
}

function received(x: State, venue: Venue, user: UserId, flags: OrderFlags, asset: AssetId, amount: Units): void {
  const mode = modeOf(flags)
  const account = x.margin.account(user, marketOf(venue, flags))
  noteAsset(account, asset)
  x.margin.changes.push({ account, asset, repays: mode === REPAY || mode === BOTH ? amount : 0, order: 0 as OrderId })
}

/**
 * Repays debts with the proceeds of orders that repay, and the unneeded or unused parts of orders' loans; then reviews the
 * accounts.
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
    const amount = Math.min(most, x.ledger.available(own), debt.principal + debt.interest) as Units
    if (amount > 0) repay(x, account, debt, amount, 'auto-repay', own)
    if (order > 0) lower(x, order, amount)
  }
  for (const { order } of changes) if (order > 0 && !isAlive(x, order)) x.margin.loans.delete(order)
  const accounts = new Set(changes.map(({ account }) => account))
  changes.length = 0
  for (const account of accounts) review(x, account)
  tellPools(x)
}
