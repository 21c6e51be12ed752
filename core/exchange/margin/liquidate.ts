/**
 * Liquidation of lever accounts, in steps: cancel the account's orders, repay with what is there, then turn what it has
 * into what it owes, as far as its warning level needs, with market orders in the spot books; when nothing is left, the
 * insurance fund repays. Each step is small, and what a command can't do goes on with the next clock tick; what the
 * books can't do waits for the next index tick.
 */
import { mulDivCeil } from '../../money/mul-div.ts'
import { writeMarginLiquidated } from '../../protocol/codec/margin-write.ts'
import { amountToSell, debtValue, unitsWorth } from '../../risk/margin.ts'
import type { State } from '../state.ts'
import { accrue, repay } from './debt.ts'
import { turnHour } from './interest.ts'
import { insure } from './insure.ts'
import { tellPools } from './pool.ts'
import { LIQUIDATION_FEE, insuranceRow, marginRow, move } from './postings.ts'
import { review } from './review.ts'
import { LIQUIDATING, accountKey } from './state.ts'
import type { Account, Debt } from './state.ts'
import { convert, lotsWorth, routeOf } from './convert.ts'
import type { Route } from './convert.ts'
import { dropOrders } from './orders.ts'
import { assetsOf, bordersOf, indexValue, owedOf, valueIn, worth } from './value.ts'
import type { Worth } from './value.ts'

/** Steps of liquidations that one command takes at most. */
export const stepsMax = 16
const million = 1_000_000
/** A step sells this part more than it should need: the book is worse than the index. */
const reservePpm = 10_000

/** Takes the next steps of those that are being liquidated, one of each in turn. */
export function liquidateSome(x: State): void {
  const { steps, accounts } = x.margin
  let taken = 0
  for (const key of steps) {
    if (taken++ >= stepsMax) break
    steps.delete(key)
    const account = accounts.get(key)
    if (account?.state === LIQUIDATING && step(x, account)) steps.add(key)
  }
  tellPools(x)
}

/** After an index tick whoever waits for a better book or price tries again. */
export function retryAll(x: State): void {
  const { margin } = x
  const waiting: Account[] = []
  for (const account of margin.indebted) if (account.state === LIQUIDATING) waiting.push(account)
  for (const { user, market } of margin.sorted(waiting)) margin.steps.add(accountKey(user, market))
}

/** Returns whether another step can follow now. */
function step(x: State, account: Account): boolean {
  const before = worth(x, account)
  if (!before.isGood) return false
  turnHour(x)
  if (dropOrders(x, account)) return true
  payOwn(x, account)
  review(x, account)
  if (account.state !== LIQUIDATING) return false
  const now = worth(x, account)
  const debt = largestDebt(x, account)
  const routes = assetsToGive(x, account).flatMap((give) => routeOf(x, account, give, debt.asset) ?? [])
  for (const route of routes) if (sell(x, account, debt, route, now)) return after(x, account)
  // What is there could be sold, but nobody buys it now.
  if (routes.length > 0) return false
  return insure(x, account, now) && after(x, account)
}

function after(x: State, account: Account): boolean {
  review(x, account)
  return account.state === LIQUIDATING
}

/** Debts are paid with what is available of the same asset. */
function payOwn(x: State, account: Account): void {
  for (const debt of [...account.debts]) {
    accrue(x, account, debt)
    const row = marginRow(x, account.user, account.market, debt.asset)
    const amount = Math.min(x.ledger.available(row), debt.principal + debt.interest)
    if (amount > 0) repay(x, account, debt, amount, 'liquidation', row)
  }
}

/** The debt that weighs most; of equal ones the first asset's. */
function largestDebt(x: State, account: Account): Debt {
  return account.debts.reduce((largest, debt) =>
    debtValue(owedOf(account, debt.asset), indexValue(x, debt.asset)) >
    debtValue(owedOf(account, largest.asset), indexValue(x, largest.asset))
      ? debt
      : largest,
  )
}

/** Assets of the account that it does not owe: USDT, which buys any debt back, then the most valuable first. */
function assetsToGive(x: State, account: Account): number[] {
  const value = (asset: number): number => {
    const worth = valueIn(x, asset, x.ledger.available(marginRow(x, account.user, account.market, asset)))
    return asset === x.usdt && worth > 0 ? Infinity : worth
  }
  return assetsOf(x, account.market)
    .filter((asset) => owedOf(account, asset) === 0 && value(asset) > 0)
    .sort((a, b) => value(b) - value(a) || a - b)
}

/** One order through the book. Returns whether anything was traded. */
function sell(x: State, account: Account, debt: Debt, route: Route, now: Worth): boolean {
  const terms = x.margin.terms!
  const { call, liquidation } = bordersOf(x, account, now.debt)
  const costPpm = Math.min(million / 2, terms.liquidationFeePpm + route.venue.market.terms.takerFeePpm)
  const needed = amountToSell(now.assets, now.debt, call, costPpm)
  const value = Math.min(now.assets, mulDivCeil(needed, million + reservePpm, million))
  const lots = lotsWorth(x, account, route, value, debt, costPpm)
  const trade = convert(x, account, route, lots, Infinity)
  if (trade === undefined) return false
  // On its way through USDT a step pays the fee once, on what repays.
  const fee = trade.asset === debt.asset ? takeFee(x, account, trade.asset, trade.received) : 0
  if (trade.asset === debt.asset) payOwn(x, account)
  const { user, market } = account
  writeMarginLiquidated(x.events, user, market, trade.order, now.level, liquidation, now.assets, now.debt, valueIn(x, trade.asset, fee), 0)
  return true
}

/** The fund's fee on what a step brought in, rounded up, and never more than the account has beyond its debts. */
function takeFee(x: State, account: Account, asset: number, received: number): number {
  const { assets, debt } = worth(x, account)
  const spare = assets <= debt ? 0 : unitsWorth(assets - debt - 1, indexValue(x, asset))
  const fee = Math.min(mulDivCeil(received, x.margin.terms!.liquidationFeePpm, million), spare)
  if (fee > 0) move(x, marginRow(x, account.user, account.market, asset), insuranceRow(x, asset), fee, LIQUIDATION_FEE)
  return fee
}
