import type { Units } from '../../../money/brand.ts'
import type { AssetId, MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import { LOAN_AMOUNT, LOAN_ASSET, LOAN_MARKET } from '../../../protocol/codec/margin.ts'
import { USER } from '../../../protocol/codec/layout.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { movementsFrom } from '../../../protocol/ids.ts'
import type { State } from '../../state/state.ts'
import { isSpotMarket } from './borrow.ts'
import { accrue, repay } from '../loans/debt.ts'
import { turnHour } from '../loans/interest.ts'
import { tellPools } from '../loans/pool.ts'
import { marginRow } from '../rules/postings.ts'
import { review } from '../loans/review.ts'

/** `margin.repay`: interest first. An amount beyond the debt stays in the account. Possible for every account with debt. */
export function repayAsset(x: State, data: Float64Array, start: number): Refusal | undefined {
  const user = data[start + USER] as UserId
  const market = data[start + LOAN_MARKET] as MarketId
  const asset = data[start + LOAN_ASSET] as AssetId
  const amount = data[start + LOAN_AMOUNT]!
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  if (!isSpotMarket(x, market)) return 'MARKET_UNKNOWN'
  if (amount < 0) return 'AMOUNT_NOT_POSITIVE'
  const account = x.margin.find(user, market)
  const debt = account?.debt(asset)
  if (account === undefined || debt === undefined) return 'NOTHING_OWED'
  if (account.takenMs > 0) return 'ACCOUNT_LIQUIDATING'
  const row = marginRow(x, user, market, asset)
  const available = x.ledger.available(row)
  if (available === 0 || available < Math.min(amount, debt.principal + debt.interest)) return 'INSUFFICIENT_BALANCE'

  x.order = (movementsFrom + x.seq) as OrderId
  turnHour(x)
  accrue(x, account, debt)
  const owed = debt.principal + debt.interest
  repay(x, account, debt, Math.min(amount === 0 ? owed : amount, owed, available) as Units, 'repay', row)
  review(x, account)
  tellPools(x)
  return undefined
}
