/** Decides which assets and debts a liquidation can act on now: those with good prices in trading markets. */
import type { AssetId } from '../../../protocol/ids.ts'
import type { State } from '../../state/state.ts'
import type { Account } from '../records/account.ts'
import { isPriceFirm, isVenueFirm } from './prices.ts'
import { assetsIn, unitsOf, valueIn } from './value.ts'

/** Whether an asset of the account can be sold or bought back: its price is good and its market trades. */
export function isActable(x: State, account: Account, asset: AssetId): boolean {
  if (!isPriceFirm(x, asset)) return false
  if (account.market === 0 && asset === x.usdt) return true
  const venue = account.market === 0 ? x.usdtVenues[asset] : x.venue(account.market)
  return venue !== undefined && isVenueFirm(x, venue)
}

/**
 * Whether a step can do something for the account: a debt can be bought back and more than a trifle can be given for it, or no more
 * than a trifle waits. Otherwise the only risk is in assets and debts without a good price or market, and the account waits.
 */
export function canAct(x: State, account: Account): boolean {
  if (account.market !== 0) return assetsIn(x, account).every((asset) => isActable(x, account, asset as AssetId))
  if (!account.debts.some(({ asset }) => isActable(x, account, asset))) return false
  const trifle = x.margin.terms!.loanMin
  return waitingValue(x, account) <= trifle || actableValue(x, account) > trifle
}

/** Whether more than a trifle of the account waits for its price or market. */
export function isWaiting(x: State, account: Account): boolean {
  return waitingValue(x, account) > x.margin.terms!.loanMin
}

function waitingValue(x: State, account: Account): number {
  return valueWhere(x, account, (asset) => !isActable(x, account, asset))
}

function actableValue(x: State, account: Account): number {
  return valueWhere(x, account, (asset) => isActable(x, account, asset))
}

function valueWhere(x: State, account: Account, isMeant: (asset: AssetId) => boolean): number {
  let value = 0
  for (const asset of assetsIn(x, account)) {
    const units = unitsOf(x, account, asset as AssetId)
    if (units > 0 && isMeant(asset as AssetId)) value += valueIn(x, asset as AssetId, units)
  }
  return value
}
