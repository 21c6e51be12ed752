import type { Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { ChainStanding, WithdrawTermsRow } from '@candor/core/protocol/port.ts'
import { times } from '../../chains/desk/terms.ts'
import { assetNames } from '../../live/asset-names.ts'
import { amountText } from '../../live/listing.ts'
import type { Context } from '../context.ts'
import { spotBalances } from '../funds/balances.ts'
import { worthIn, worthText } from '../funds/worth.ts'
import { type Route, signedRoute } from '../route.ts'
import { addressPages, addressPatterns, type Placed, placesOf, wordOf } from './networks.ts'

const minuteMs = 60_000

/** Every coin with its spot balance and its networks. */
export function coinRoutes(context: Context): readonly Route[] {
  const { listing } = context
  return [
    signedRoute({ method: 'GET', path: '/sapi/v1/capital/config/getall', scope: 'read', weight: 10 }, {}, async (_values, { user }) => {
      const [spot, standing, terms] = await Promise.all([
        spotBalances(context, user),
        context.ask.chainStanding(user),
        context.ask.withdrawTerms(),
      ])
      const traded = new Set(listing.markets.flatMap(({ wire }) => (wire.kind === 'spot' && wire.isTrading ? [wire.base, wire.quote] : [])))
      const leaving = leavingOf(standing)
      return listing.assets.map((asset) => {
        const { available, held } = spot.get(asset.id) ?? { available: 0, held: 0 }
        const withdrawing = leaving.get(asset.id) ?? 0
        const networkList = placesOf(context.chains.config, asset).map((place, i) =>
          networkOf(context, { place, asset, standing, isDefault: i === 0, terms }),
        )
        return {
          ...{ coin: asset.symbol, name: assetNames[asset.symbol] ?? asset.symbol },
          ...{ free: amountText(asset, available as Units), locked: amountText(asset, (held - withdrawing) as Units) },
          ...{ freeze: '0', withdrawing: amountText(asset, withdrawing as Units), ipoing: '0', ipoable: '0', storage: '0' },
          ...{ trading: traded.has(asset.symbol), isLegalMoney: false },
          depositAllEnable: networkList.some(({ depositEnable }) => depositEnable),
          withdrawAllEnable: networkList.some(({ withdrawEnable }) => withdrawEnable),
          networkList,
        }
      })
    }),
  ]
}

/** What withdrawals hold, by asset. */
function leavingOf({ withdrawals }: ChainStanding): ReadonlyMap<AssetId, number> {
  const sums = new Map<AssetId, number>()
  for (const { asset, amount } of withdrawals) sums.set(asset, (sums.get(asset) ?? 0) + amount)
  return sums
}

type Shown = {
  readonly place: Placed
  readonly asset: Asset
  readonly standing: ChainStanding
  readonly isDefault: boolean
  readonly terms: readonly WithdrawTermsRow[]
}

function networkOf(context: Context, { place: { network, token }, asset, standing, isDefault, terms: rows }: Shown) {
  const { kind, confirmations, label, number } = network
  const terms = rows.find((one) => one.asset === asset.id && one.network === number)?.terms
  const { finalBlocks, finalMs, blockMs } = times[kind]
  const minConfirm = confirmations === 0 ? finalBlocks : confirmations
  const text = (units: number): string => formatUnits(units, asset.scale)
  return {
    ...{ network: wordOf(network), coin: asset.symbol, name: label, isDefault, busy: false, sameAddress: false },
    ...{ depositEnable: true, depositDesc: '', depositDust: token.depositMin },
    ...{ withdrawEnable: terms?.isOpen ?? false, withdrawDesc: '', withdrawFee: text(terms?.fee ?? 0), withdrawMin: text(terms?.min ?? 0) },
    ...{ withdrawMax: mostOf(context, asset, standing), withdrawIntegerMultiple: text(1), withdrawInternalMin: '0' },
    ...{ minConfirm, unLockConfirm: Math.max(minConfirm, finalBlocks) },
    estimatedArrivalTime: Math.ceil((confirmations === 0 ? finalMs : confirmations * blockMs) / minuteMs),
    ...{ addressRegex: addressPatterns[kind], memoRegex: '', specialTips: '' },
    ...{ contractAddress: token.contract ?? '', contractAddressUrl: token.contract === undefined ? '' : addressPages(network) },
  }
}

/** The customer's limit of a day in this coin at the index price; 0 without a price. */
function mostOf(context: Context, asset: Asset, { today: { limit } }: ChainStanding): string {
  const usdt = context.listing.assetNamed('USDT')
  return asset.id === usdt.id ? amountText(usdt, limit) : worthText(worthIn(context, usdt, limit, asset))
}
