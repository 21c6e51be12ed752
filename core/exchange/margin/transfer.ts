import type { Refusal } from '../../protocol/refusal.ts'
import { mayLeave } from '../../risk/margin.ts'
import type { State } from '../state.ts'
import { checkUse, isLeverMarket } from './borrow.ts'
import { review } from './review.ts'
import { LIQUIDATING } from './state.ts'
import { assetsOf, holding, worth } from './value.ts'

/** Whether an amount of an asset may enter a lever account (market 0: cross). */
export function checkEnter(x: State, user: number, market: number, asset: number): Refusal | undefined {
  if (!isLeverMarket(x, market)) return 'MARKET_UNKNOWN'
  // Who owes may always add, whatever has been closed since.
  const closed = x.margin.find(user, market)?.debts.length ? undefined : checkUse(x, user)
  return closed ?? (assetsOf(x, market).includes(asset) ? undefined : 'ASSET_NOT_IN_ACCOUNT')
}

/** Whether an available amount may leave a lever account: with debts, only above its border, and at good prices. */
export function checkLeave(x: State, user: number, market: number, asset: number, amount: number): Refusal | undefined {
  if (!isLeverMarket(x, market)) return 'MARKET_UNKNOWN'
  const account = x.margin.find(user, market)
  if (account === undefined || account.debts.length === 0) return undefined
  const now = worth(x, account)
  if (!now.isGood) return 'NO_INDEX_PRICE'
  if (account.state === LIQUIDATING) return 'ACCOUNT_LIQUIDATING'
  return mayLeave(x.margin.terms!, market !== 0, holding(x, account, asset, now), amount) ? undefined : 'AMOUNT_BOUND'
}

/** After money entered or left: the account exists, and its level is another. */
export function afterTransfer(x: State, user: number, market: number): void {
  review(x, x.margin.account(user, market))
}
