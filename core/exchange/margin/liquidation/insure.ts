import type { Lots, Ppm, Units } from '../../../money/brand.ts'
import type { AssetId, OrderId } from '../../../protocol/ids.ts'
import { mulDivCeil } from '../../../money/mul-div.ts'
import { writeMarginLiquidated } from '../../../protocol/codec/margin-write.ts'
import { worstPrice } from '../../../risk/orders.ts'
import type { State } from '../../state/state.ts'
import type { Account, Debt } from '../records/account.ts'
import { isActable } from '../rules/acting.ts'
import { convert, indexTicks } from './convert.ts'
import { repay } from '../loans/debt.ts'
import { INSURANCE, insuranceRow, marginRow, move, openMarginRow } from '../rules/postings.ts'
import { indexDistancePpm } from './take-over.ts'
import { assetsIn, assetsOf, thresholdsOf, noteAsset, owedOf, valueIn } from '../rules/value.ts'
import type { Worth } from '../rules/value.ts'

/**
 * Settles an account with nothing left to sell: remainders too small for a lot go to the insurance fund, and the fund repays the
 * debts, from its own balance of the asset or by buying the asset with its USDT. A rest that it can't repay bears no interest.
 * Returns whether the fund paid anything, also when that is worth less than a unit of USDT and is not reported.
 */
export function insure(x: State, account: Account, now: Worth): boolean {
  const { user, market } = account
  giveUp(x, account)
  let insured = 0
  let hasPaid = false
  for (const debt of [...account.debts]) {
    const owed = owedOf(account, debt.asset)
    insured += fromFund(x, account, debt) + buyBack(x, account, debt)
    if (owedOf(account, debt.asset) < owed) hasPaid = true
  }
  if (insured === 0) return hasPaid
  const { level: levelPpm, assets, debt } = now
  const { liquidation: liquidationPpm } = thresholdsOf(x, account, debt)
  const [order, fee] = [0 as OrderId, 0 as Units]
  writeMarginLiquidated(x.events, { user, market, order, levelPpm, liquidationPpm, assets, debt, fee, insured: insured as Units })
  return true
}

/** Moves the remaining assets of the account to the insurance fund. */
export function giveUp(x: State, account: Account): void {
  const { user, market } = account
  for (const asset of assetsIn(x, account)) {
    const row = marginRow(x, user, market, asset as AssetId)
    const left = x.ledger.available(row)
    if (left > 0) move(x, row, insuranceRow(x, asset as AssetId), left, INSURANCE)
  }
}

/** Repays from the fund's balance. Returns the value paid, in USDT units. */
function fromFund(x: State, account: Account, debt: Debt): number {
  const row = insuranceRow(x, debt.asset)
  const amount = Math.min(x.ledger.available(row), debt.principal + debt.interest) as Units
  if (amount > 0) repay(x, account, debt, amount, 'insurance', row)
  return valueIn(x, debt.asset, amount)
}

/** Buys the rest of the debt with the fund's USDT close to the index, in whole lots. Any remainder goes back to the fund. */
function buyBack(x: State, account: Account, debt: Debt): number {
  const owed = owedOf(account, debt.asset)
  const venue = x.usdtVenues[debt.asset]
  const { user, market } = account
  if (owed === 0 || venue === undefined || !isActable(x, account, debt.asset) || !assetsOf(x, market).includes(x.usdt)) return 0
  const fund = insuranceRow(x, x.usdt)
  const usdt = openMarginRow(x, user, market, x.usdt)
  const reference = indexTicks(x, venue)
  const slippagePpm = Math.min(indexDistancePpm, venue.market.terms.slippagePpm) as Ppm
  const worst = worstPrice('buy', reference, slippagePpm) * venue.quotePerTickLot
  const fee = 1_000_000 - venue.market.terms.takerFeePpm
  const lots = Math.min(venue.market.terms.lotsMax, Math.ceil(mulDivCeil(owed, 1_000_000, fee) / venue.basePerLot) + 1) as Lots
  const budget = Math.min(x.ledger.available(fund), lots * worst) as Units
  if (budget < worst) return 0
  noteAsset(account, x.usdt)
  move(x, fund, usdt, budget, INSURANCE)
  const trade = convert(x, account, { venue, side: 0, reference }, lots, budget, slippagePpm)
  const rest = x.ledger.available(usdt)
  move(x, usdt, fund, rest, INSURANCE)
  if (trade === undefined) return 0
  const row = marginRow(x, user, market, debt.asset)
  repay(x, account, debt, Math.min(trade.received, owed) as Units, 'insurance', row)
  const spare = x.ledger.available(row)
  if (spare > 0) move(x, row, insuranceRow(x, debt.asset), spare, INSURANCE)
  return Math.max(0, budget - rest - valueIn(x, debt.asset, spare))
}
