import type { Units } from '../../../money/brand.ts'
import type { AssetId, MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import { LOAN_AMOUNT, LOAN_ASSET, LOAN_MARKET } from '../../../protocol/codec/margin.ts'
import { USER } from '../../../protocol/codec/layout.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { afterLoan, isWithinLeverage, mayBorrow } from '../../../risk/margin.ts'
import { poolRoom, userRoom } from '../../../risk/margin-rate.ts'
import { movementsFrom } from '../../../protocol/ids.ts'
import { supplyMax } from '../../../ledger/ledger.ts'
import type { State } from '../../state/state.ts'
import { ceilingOf } from '../../state/ceiling.ts'
import { Account, LIQUIDATING } from '../records/account.ts'
import { borrow } from '../loans/debt.ts'
import { turnHour } from '../loans/interest.ts'
import { poolSums, tellPools } from '../loans/pool.ts'
import { isAccountPriceGood } from '../rules/prices.ts'
import { review } from '../loans/review.ts'
import { assetsOf, thresholdsOf, holding, owedByCustomer, valueIn, wanted } from '../rules/value.ts'

/** `margin.borrow`: from the pool into a margin account. */
export function borrowAsset(x: State, data: Float64Array, start: number): Refusal | undefined {
  const user = data[start + USER] as UserId
  const market = data[start + LOAN_MARKET] as MarketId
  const asset = data[start + LOAN_ASSET] as AssetId
  const amount = data[start + LOAN_AMOUNT] as Units
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (x.isResting(user)) return 'RESTING'
  if (!x.isAsset(asset)) return 'ASSET_UNKNOWN'
  if (!isSpotMarket(x, market)) return 'MARKET_UNKNOWN'
  if (!hasMargin(x, market)) return 'MARKET_WITHOUT_MARGIN'
  if (amount <= 0) return 'AMOUNT_NOT_POSITIVE'
  const refusal = checkUse(x, user) ?? checkBorrow(x, user, market, asset, amount)
  if (refusal !== undefined) return refusal

  x.order = (movementsFrom + x.seq) as OrderId
  turnHour(x)
  const account = x.margin.account(user, market)
  borrow(x, account, asset, amount, 'borrow')
  review(x, account)
  tellPools(x)
  return undefined
}

/** Whether this spot market exists; true for 0, the cross account. */
export function isSpotMarket(x: State, market: MarketId): boolean {
  return market === 0 || x.spotVenue(market) !== undefined
}

/** Whether a market has margin trading: those quoted in USDT; true for 0, the cross account. */
export function hasMargin(x: State, market: MarketId): boolean {
  return market === 0 || x.spotVenue(market)?.quote === x.usdt
}

/** Whether the user may start anything new here. */
export function checkUse(x: State, user: UserId): Refusal | undefined {
  if (!x.isCertified(user)) return 'NOT_CERTIFIED'
  return x.margin.terms?.isOpen === true ? undefined : 'PRODUCT_CLOSED'
}

/** Whether an account may borrow an amount now, given that the product is open. */
export function checkBorrow(x: State, user: UserId, market: MarketId, asset: AssetId, amount: Units): Refusal | undefined {
  const terms = x.margin.terms!
  if (!assetsOf(x, market).includes(asset)) return 'ASSET_NOT_IN_ACCOUNT'
  const account = x.margin.find(user, market) ?? new Account(user, market)
  if (account.state === LIQUIDATING) return 'ACCOUNT_LIQUIDATING'
  const now = wanted(x, account)
  const own = holding(x, account, asset, now)
  if (own.price === 0 || !isAccountPriceGood(x, market, asset)) return 'NO_INDEX_PRICE'
  const pool = x.margin.seen(asset)
  if (market === 0 && now.level < thresholdsOf(x, account, now.debt).open) return 'MARGIN_LEVEL_LOW'
  const sums = poolSums(x, pool)
  const room = poolRoom(terms, sums)
  // Keeps loans plus issued units, and thus every account, below 2^53.
  if (amount > supplyMax - pool.borrowed) return 'POOL_EXHAUSTED'
  if (!mayBorrow(terms, market !== 0, own, sums, amount)) return 'BORROW_LIMIT'
  const after = afterLoan(terms, own, sums, amount)
  if (!isWithinLeverage(after.assets, after.debt, ceilingOf(x, user))) return 'LEVERAGE_CEILING'
  if (amount > room) return 'POOL_EXHAUSTED'
  if (amount > userRoom(terms, sums, owedByCustomer(x, user, asset))) return 'POOL_SHARE_LIMIT'
  return valueIn(x, asset, amount) < terms.loanMin ? 'AMOUNT_TOO_SMALL' : undefined
}
