import { formatUnits } from '@candor/core/money/units.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { Context } from '../context.ts'

const worthDigits = 8
/** Index prices are in 1e-8 of a USDT. */
const indexDigits = 8

/** Index price of one whole coin in 1e-8 of a USDT; 0 without a price. */
export function indexPrice({ listing, data }: Parts, { symbol }: Asset): number {
  if (symbol === 'USDT') return 10 ** indexDigits
  const market = listing.marketNamedIfAny(`${symbol}USDT`)
  return (market && data.market(market.market.id)?.index?.price) ?? 0
}

type Parts = Pick<Context, 'listing' | 'data'>

/** Worth of an asset's units in another asset at index prices, in 1e-8 of the other, rounded down; 0 without a price. */
export function worthIn(context: Parts, asset: Asset, units: number, other: Asset): bigint {
  const [price, otherPrice] = [BigInt(indexPrice(context, asset)), BigInt(indexPrice(context, other))]
  if (otherPrice === 0n) return 0n
  return (BigInt(units) * price * 10n ** BigInt(worthDigits)) / (otherPrice * 10n ** BigInt(asset.scale))
}

export const worthText = (worth: bigint): string => formatUnits(worth, worthDigits)
