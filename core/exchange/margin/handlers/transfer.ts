import type { Units } from '../../../money/brand.ts'
import type { AssetId, MarketId, UserId } from '../../../protocol/ids.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { afterLeaving, isWithinLeverage, mayLeave } from '../../../risk/margin.ts'
import type { State } from '../../state/state.ts'
import { ceilingOf } from '../../state/ceiling.ts'
import { type Account, LIQUIDATING } from '../records/account.ts'
import { checkUse, hasMargin, isSpotMarket } from './borrow.ts'
import { hasPrice, isAccountPriceGood } from '../rules/prices.ts'
import { review } from '../loans/review.ts'
import { marginRow } from '../rules/postings.ts'
import { assetsOf, holding, noteAsset, owedOf, wanted } from '../rules/value.ts'

/** Whether an asset may enter a margin account (market 0: cross). An asset that never had a good price can't be collateral. */
export function checkEnter(x: State, user: UserId, market: MarketId, asset: AssetId, amount: Units): Refusal | undefined {
  if (!isSpotMarket(x, market)) return 'MARKET_UNKNOWN'
  const account = x.margin.find(user, market)
  // An account with debt may always add assets, whatever has been closed since.
  const owes = account !== undefined && account.debts.length > 0
  if (!owes && !hasMargin(x, market)) return 'MARKET_WITHOUT_MARGIN'
  const closed = owes ? undefined : checkUse(x, user)
  if (closed !== undefined) return closed
  if (!assetsOf(x, market).includes(asset) || !hasPrice(x, asset)) return 'ASSET_NOT_IN_ACCOUNT'
  // Otherwise any sum could be sold there without a certificate.
  if (owes && !x.isCertified(user) && asset !== x.usdt && amount > missingOf(x, account, asset)) return 'NOT_CERTIFIED'
  return (account?.takenMs ?? 0) > 0 ? 'ACCOUNT_LIQUIDATING' : undefined
}

/** Units of a debt that the account does not have. */
function missingOf(x: State, account: Account, asset: AssetId): number {
  const row = marginRow(x, account.user, account.market, asset)
  return owedOf(account, asset) - x.ledger.available(row) - x.ledger.held(row)
}

/**
 * Whether an available amount may leave a margin account. With debt, only if the asset's price is good and the good remaining
 * assets keep the level above the threshold.
 */
export function checkLeave(x: State, user: UserId, market: MarketId, asset: AssetId, amount: Units): Refusal | undefined {
  if (!isSpotMarket(x, market)) return 'MARKET_UNKNOWN'
  const account = x.margin.find(user, market)
  if (account === undefined || (account.debts.length === 0 && account.takenMs === 0)) return undefined
  if (!isAccountPriceGood(x, market, asset)) return 'NO_INDEX_PRICE'
  if (account.state === LIQUIDATING) return 'ACCOUNT_LIQUIDATING'
  const now = wanted(x, account)
  const own = holding(x, account, asset, now)
  if (!mayLeave(x.margin.terms!, market !== 0, own, amount)) return 'AMOUNT_BOUND'
  const after = afterLeaving(own, amount)
  return isWithinLeverage(after.assets, after.debt, ceilingOf(x, user)) ? undefined : 'LEVERAGE_CEILING'
}

/** Creates the account if needed and reviews its level, after money entered or left it. */
export function afterTransfer(x: State, user: UserId, market: MarketId, asset: AssetId): void {
  const account = x.margin.account(user, market)
  noteAsset(account, asset)
  review(x, account)
}
