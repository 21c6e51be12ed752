import type { Ppm } from '@candor/core/money/brand.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { ConvertTerms } from '@candor/core/protocol/command/convert.ts'
import { converted, type Priced, usdtPrice, worth } from '@candor/core/risk/convert.ts'
import { amountText } from '../../live/listing.ts'
import type { Context } from '../context.ts'
import { assetName, walletAsset } from '../funds/values.ts'
import { publicRoute, type Route, signedRoute } from '../route.ts'

const noSpread = 0 as Ppm

/** Coins that can be converted, and the limits of each pair of them. Nothing is listed while conversions are closed. */
export function pairRoutes({ ask, listing }: Context): readonly Route[] {
  return [
    signedRoute({ method: 'GET', path: '/sapi/v1/convert/assetInfo', scope: 'read', weight: 10 }, {}, async () => {
      const terms = await ask.convertTerms()
      return (terms?.isOpen === true ? terms.shelves : []).map((shelf) => {
        const { symbol, scale } = listing.asset(shelf.asset)
        return { asset: symbol, fraction: scale }
      })
    }),

    publicRoute('/sapi/v1/convert/exchangeInfo', 20, { fromAsset: assetName, toAsset: assetName }, async ({ fromAsset, toAsset }) => {
      const from = fromAsset === undefined ? undefined : walletAsset(listing, fromAsset)
      const to = toAsset === undefined ? undefined : walletAsset(listing, toAsset)
      const [terms, inventory] = await Promise.all([ask.convertTerms(), ask.convertInventory()])
      if (terms?.isOpen !== true) return []
      const coins = inventory.flatMap(({ asset: id, price }): readonly Coin[] => {
        if (price === null) return []
        const asset = listing.asset(id)
        return [{ asset, priced: { price, scale: asset.scale } }]
      })
      const usdt = { price: usdtPrice, scale: listing.assetNamed('USDT').scale }
      const [sources, targets] = [from, to].map((one) => coins.filter(({ asset }) => one === undefined || asset.id === one.id))
      return sources!.flatMap((source) =>
        targets!.flatMap((target) => (source.asset.id === target.asset.id ? [] : (limitsOf(source, target, terms, usdt) ?? []))),
      )
    }),
  ]
}

type Coin = { readonly asset: Asset; readonly priced: Priced }

/**
 * The limits of the terms in both coins at the index, rounded so that the exchange takes them: smallest amounts up, largest ones down.
 *
 * returns    undefined when a limit is no safe number of units
 */
function limitsOf(source: Coin, target: Coin, { min, max, spreadPpm }: ConvertTerms, usdt: Priced) {
  const [fromMin, fromMax] = [worth(min, usdt, source.priced), converted(max, usdt, source.priced, noSpread)]
  const [toMin, toMax] = [worth(min, usdt, target.priced), converted(max, usdt, target.priced, spreadPpm)]
  if (fromMin === undefined || fromMax === undefined || toMin === undefined || toMax === undefined) return undefined
  return {
    ...{ fromAsset: source.asset.symbol, toAsset: target.asset.symbol },
    ...{ fromAssetMinAmount: amountText(source.asset, fromMin), fromAssetMaxAmount: amountText(source.asset, fromMax) },
    ...{ toAssetMinAmount: amountText(target.asset, toMin), toAssetMaxAmount: amountText(target.asset, toMax) },
  }
}
