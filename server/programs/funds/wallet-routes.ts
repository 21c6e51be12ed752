import type { Units } from '@candor/core/money/brand.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { Balance } from '@candor/core/protocol/port.ts'
import type { Context } from '../context.ts'
import { amountText } from '../../live/listing.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { spotBalances } from './balances.ts'
import { assetName, walletAsset } from './values.ts'
import { worthIn, worthText } from './worth.ts'

const nothing = { available: 0, held: 0 } as const

/** Balances of accounts by coin, and their worth. */
export function walletRoutes(context: Context): readonly Route[] {
  const { listing } = context
  const flag = param.word(['true', 'false'])

  return [
    // There is no separate account for funding.
    signedRoute(
      { method: 'POST', path: '/sapi/v1/asset/get-funding-asset', scope: 'read', weight: 1 },
      { asset: assetName, needBtcValuation: flag },
      ({ asset }) => {
        if (asset !== undefined) walletAsset(listing, asset)
        return []
      },
    ),

    signedRoute(
      { method: 'POST', path: '/sapi/v3/asset/getUserAsset', scope: 'read', weight: 5 },
      { asset: assetName, needBtcValuation: flag },
      async ({ asset: name, needBtcValuation }, { user }) => {
        const only = name === undefined ? undefined : walletAsset(listing, name)
        const spot = await spotBalances(context, user)
        return listing.assets.flatMap((asset) => {
          const { available, held } = spot.get(asset.id) ?? nothing
          if ((only !== undefined && only.id !== asset.id) || (available === 0 && held === 0)) return []
          const btcValuation =
            needBtcValuation === 'true' ? worthText(worthIn(context, asset, available + held, listing.assetNamed('BTC'))) : '0'
          return [
            {
              ...{ asset: asset.symbol, free: amountText(asset, available as Units), locked: amountText(asset, held as Units) },
              ...{ freeze: '0', withdrawing: '0', ipoable: '0', btcValuation },
            },
          ]
        })
      },
    ),

    signedRoute(
      { method: 'GET', path: '/sapi/v1/asset/wallet/balance', scope: 'read', weight: 60 },
      { quoteAsset: param.withDefault(assetName, 'BTC') },
      async ({ quoteAsset }, { user }) => {
        const quote = walletAsset(listing, quoteAsset)
        const balances = await context.ask.balances(user)
        return wallets.map(([walletName, kind]) => ({ activate: true, balance: sumText(context, balances, kind, quote), walletName }))
      },
    ),
  ]
}

const wallets: readonly (readonly [name: string, kind: AccountKind])[] = [
  ['Spot', 'spot'],
  ['Cross Margin', 'margin-cross'],
  ['Isolated Margin', 'margin-isolated'],
  ['USDⓈ-M Futures', 'perp'],
  ['Options', 'option'],
  ['Earn', 'lend'],
]

/** Sum of all accounts of a kind, debts not subtracted. Each asset is rounded down. */
function sumText(context: Context, balances: readonly Balance[], kind: AccountKind, quote: Asset): string {
  const sums = new Map<AssetId, number>()
  for (const { account, available, held } of balances) {
    if ('user' in account && account.kind === kind) sums.set(account.asset, (sums.get(account.asset) ?? 0) + available + held)
  }
  let total = 0n
  for (const [asset, units] of sums) total += worthIn(context, context.listing.asset(asset), units, quote)
  return worthText(total)
}
