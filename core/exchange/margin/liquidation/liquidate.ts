/**
 * Liquidation of margin accounts, in steps. The account's orders are cancelled, and debts are repaid with the same assets. Then
 * other assets are converted into the owed ones, until the account is back at its warning level, by market orders in the spot books
 * at prices that the account's own money covers. When its own money no longer covers a trade, the insurance fund takes the account
 * over and trades close to the index; when nothing is left, the fund repays.
 *
 * Each step is small. Work beyond the limit of a command continues with the next clock tick. Amounts that the books can't take wait
 * for the next index tick, and assets without a good price, or in a halted market, wait for that.
 */
import type { Ppm, Units } from '../../../money/brand.ts'
import type { AssetId } from '../../../protocol/ids.ts'
import { mulDivCeil } from '../../../money/mul-div.ts'
import { writeMarginLiquidated } from '../../../protocol/codec/margin-write.ts'
import { amountToSell, debtValue, unitsWorth } from '../../../risk/margin.ts'
import { liquidationSlippage } from '../../../risk/margin-order.ts'
import type { State } from '../../state/state.ts'
import { LIQUIDATING } from '../records/account.ts'
import type { Account, Debt } from '../records/account.ts'
import { canAct, isActable, isWaiting } from '../rules/acting.ts'
import { accrue, repay } from '../loans/debt.ts'
import { turnHour } from '../loans/interest.ts'
import { giveUp, insure } from './insure.ts'
import { tellPools } from '../loans/pool.ts'
import { LIQUIDATION_FEE, insuranceRow, marginRow, move } from '../rules/postings.ts'
import { review } from '../loans/review.ts'
import { convert, lotsWorth, routeOf } from './convert.ts'
import type { Route } from './convert.ts'
import { dropOrders } from '../rules/orders.ts'
import { isPatient, release, takeOver, takenSlippage, workOff } from './take-over.ts'
import { assetsIn, thresholdsOf, indexValue, owedOf, valueIn, worth } from '../rules/value.ts'
import type { Worth } from '../rules/value.ts'

/** Largest number of liquidation steps that one command takes. */
export const stepsMax = 16
const million = 1_000_000
/** A step sells this much more than should be needed, because the book's prices are worse than the index. */
const reservePpm = 10_000

/** Takes the next steps of accounts in liquidation, one of each in turn. */
export function liquidateSome(x: State): void {
  const { steps, accounts } = x.margin
  for (let taken = 0; taken < stepsMax; taken++) {
    const key = steps.take()
    if (key === undefined) break
    const account = accounts.get(key)
    if (account?.state === LIQUIDATING && step(x, account)) steps.add(key)
  }
  tellPools(x)
}

/** Takes one step. Returns whether another can follow now. */
function step(x: State, account: Account): boolean {
  if (!canAct(x, account)) return false
  turnHour(x)
  if (dropOrders(x, account)) return true
  payOwn(x, account)
  if (!after(x, account)) return false
  const now = worth(x, account)
  const debt = largestDebt(x, account)
  // The remaining debts wait for their prices or markets. Until then nothing is sold or given up for them.
  if (debt === undefined) return false
  const routes = assetsToGive(x, account).flatMap((give) => routeOf(x, account, give as AssetId, debt.asset) ?? [])
  for (const route of routes) {
    if (!sell(x, account, debt, route, now)) continue
    // While the fund is patient it sells one portion per index tick.
    return after(x, account) && !isPatient(x, account)
  }
  // There is something to sell, but no buyer now.
  const [first] = routes
  const isBehind = first !== undefined && account.takenMs === 0 && liquidationSlippage(now.level, costOf(x, first)) < 0
  if (isBehind) takeOver(x, account, now)
  if (first !== undefined) return isBehind
  if (isWaiting(x, account)) return false
  return insure(x, account, now) && after(x, account)
}

/** Returns whether the account is still in liquidation. The rest of an account taken over belongs to the fund. */
function after(x: State, account: Account): boolean {
  if (account.takenMs > 0 && account.debts.length === 0) {
    giveUp(x, account)
    release(x, account)
  }
  review(x, account)
  return account.state === LIQUIDATING
}

/** Repays debts with available balances of the same assets. */
function payOwn(x: State, account: Account): void {
  for (const debt of [...account.debts]) {
    accrue(x, account, debt)
    const row = marginRow(x, account.user, account.market, debt.asset)
    const amount = Math.min(x.ledger.available(row), debt.principal + debt.interest) as Units
    if (amount > 0) repay(x, account, debt, amount, 'liquidation', row)
  }
}

/** The most valuable debt that can be acted on; of equal ones, that of the lowest asset number. */
function largestDebt(x: State, account: Account): Debt | undefined {
  let largest: Debt | undefined
  let most = 0
  for (const debt of account.debts) {
    const value = debtValue(owedOf(account, debt.asset), indexValue(x, debt.asset))
    if (value <= most || !isActable(x, account, debt.asset)) continue
    largest = debt
    most = value
  }
  return largest
}

/**
 * Assets of the account that can be acted on: USDT, which buys back any debt, then the most valuable first. Nothing is available
 * of an asset that is owed: it has repaid before.
 */
function assetsToGive(x: State, account: Account): number[] {
  const value = (asset: AssetId): number =>
    asset === x.usdt ? Infinity : valueIn(x, asset, x.ledger.available(marginRow(x, account.user, account.market, asset)))
  return assetsIn(x, account)
    .filter((asset) => isActable(x, account, asset as AssetId))
    .sort((a, b) => value(b as AssetId) - value(a as AssetId) || a - b)
}

/** Places one order. Returns whether anything was traded. */
function sell(x: State, account: Account, debt: Debt, route: Route, now: Worth): boolean {
  const { call, liquidation } = thresholdsOf(x, account, now.debt)
  const costPpm = costOf(x, route)
  // An account taken over by the fund is sold completely.
  const needed = account.takenMs > 0 ? now.assets : amountToSell(now.assets, now.debt, call, costPpm)
  const value = Math.min(now.assets, mulDivCeil(needed, million + reservePpm, million)) as Units
  const lots = lotsWorth(x, account, route, value, costPpm)
  const trade = convert(x, account, route, workOff(x, account, route, lots), Infinity, slippage(x, account, now, costPpm))
  if (trade === undefined) return false
  // When a step goes through USDT, the fee is charged once, on the amount that repays.
  const fee = (trade.asset === debt.asset ? takeFee(x, account, trade.asset, trade.received) : 0) as Units
  if (trade.asset === debt.asset) payOwn(x, account)
  const { user, market } = account
  const before = { levelPpm: now.level, liquidationPpm: liquidation, assets: now.assets, debt: now.debt }
  const sums = { fee: valueIn(x, trade.asset, fee), insured: 0 as Units }
  writeMarginLiquidated(x.events, { user, market, order: trade.order, ...before, ...sums })
  return true
}

/** Cost of a step as a part of the traded amount, in ppm. */
function costOf(x: State, { venue }: Route): Ppm {
  return Math.min(million / 2, x.margin.terms!.liquidationFeePpm + venue.market.terms.takerFeePpm) as Ppm
}

/**
 * Largest distance from the index at which a step may trade, in ppm: as far as the account's own money covers. When it covers
 * nothing, the fund bears the loss: the step trades at the index, or close to it after a take-over.
 */
function slippage(x: State, account: Account, now: Worth, costPpm: Ppm): Ppm {
  return account.takenMs > 0 ? takenSlippage(x, account) : (Math.max(0, liquidationSlippage(now.level, costPpm)) as Ppm)
}

/** The fund's fee on the proceeds of a step, rounded up, at most the account's value beyond its debts. */
function takeFee(x: State, account: Account, asset: AssetId, received: Units): number {
  const { assets, debt } = worth(x, account)
  const spare = assets <= debt ? 0 : unitsWorth((assets - debt - 1) as Units, indexValue(x, asset))
  const fee = Math.min(mulDivCeil(received, x.margin.terms!.liquidationFeePpm, million), spare) as Units
  if (fee > 0) move(x, marginRow(x, account.user, account.market, asset), insuranceRow(x, asset), fee, LIQUIDATION_FEE)
  return fee
}
