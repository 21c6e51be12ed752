import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { MarginAccount } from '@candor/core/protocol/port.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { coins, USDT } from './coins.ts'

/** Less than this, in USDT, comes from rounded values. */
const cent = 0.01
/** A margin fund worth less than this, in USDT, can't buy a single lot. */
const lotValue = 1

/** Bad debts and the fund that has to pay them, in USDT at index prices. */
export type Lending = { readonly uncovered: number; readonly fund: number; readonly isPending: boolean }

/**
 * What lenders can still lose. A pool always has its claims in liquid money and debts, so lenders lose exactly what borrowers owe
 * beyond their assets.
 *
 * uncovered   debts of margin accounts beyond their assets
 * fund        value of everything that the margin insurance fund holds
 * isPending   whether an account is in liquidation or has such a debt
 */
export function lendingOf(exchange: Exchange, users: number): Lending {
  let [uncovered, isPending] = [0, false]
  for (let user = 1; user <= users; user++) {
    for (const account of exchange.marginAccounts(user as UserId)) {
      uncovered += missing(account)
      isPending ||= account.state === 'liquidating' || missing(account) > 0
    }
  }
  return { uncovered, fund: fundOf(exchange), isPending }
}

/** Whether a debt is left unpaid although the fund has money. */
export function isLoss({ uncovered, fund }: Lending): boolean {
  return uncovered > cent && fund > lotValue
}

function missing({ assets, debt }: MarginAccount): number {
  return Math.max(0, debt - assets) / 1e6
}

function fundOf(exchange: Exchange): number {
  let value = 0
  for (const { account, available } of exchange.accounts()) {
    if (!('system' in account) || account.system !== 'insurance-margin') continue
    if (account.asset === USDT) value += available / 1e6
    const coin = coins.find(({ asset }) => asset === account.asset)
    if (coin !== undefined) value += ((available / 10 ** coin.scale) * priceOf(exchange, account.asset)) / 1e8
  }
  return value
}

/** Index price of an asset, as every margin account shows it. */
function priceOf(exchange: Exchange, asset: number): number {
  const [cross] = exchange.marginAccounts(1 as UserId)
  return cross?.balances.find((balance) => balance.asset === asset)?.price ?? 0
}
