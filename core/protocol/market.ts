import type { Decimal, Lots, Millis, Ppm, Ticks, Units } from '../money/brand.ts'
import type { AssetId, MarketId } from './ids.ts'

export type Asset = {
  readonly id: AssetId
  /** Upper case, 2 to 10 letters or digits. */
  readonly symbol: string
  /** Decimal places of one whole coin: 8 means 100_000_000 units. */
  readonly scale: number
}

/** What an operator can change about a market while it runs. Ppm of the reference price where it says so. */
export type MarketTerms = {
  readonly makerFeePpm: Ppm
  readonly takerFeePpm: Ppm
  /** Smallest price × quantity of an order, in quote units. */
  readonly notionalMin: Units
  readonly lotsMin: Lots
  readonly lotsMax: Lots
  /** How far a limit price may lie from the reference price, either side. */
  readonly bandPpm: Ppm
  /** Where a market order stops eating, from the reference price. */
  readonly slippagePpm: Ppm
  readonly openOrdersMax: number
  readonly isTrading: boolean
}

/**
 * A market counts price in ticks and quantity in lots, chosen so that one tick × one lot is a whole number of quote
 * units: notional = ticks × lots × quotePerTickLot, exact.
 */
export type Market = {
  readonly id: MarketId
  readonly symbol: string
  readonly base: AssetId
  readonly quote: AssetId
  /** One tick in decimal text, e.g. "0.1". */
  readonly tick: Decimal
  /** One lot in decimal text, e.g. "0.00001". */
  readonly lot: Decimal
  /** Base units in one lot. */
  readonly basePerLot: number
  /** Quote units of one lot at one tick. */
  readonly quotePerTickLot: number
  readonly terms: MarketTerms
}

/** One step of the fee schedule: who traded at least `volumeMin` USDT units in 30 days pays these. */
export type FeeTier = {
  readonly volumeMin: Units
  readonly makerPpm: Ppm
  readonly takerPpm: Ppm
}

/** A price level of a book as the public sees it. */
export type Level = { readonly price: Ticks; readonly lots: Lots }

export type Candle = {
  readonly openTime: Millis
  readonly open: Ticks
  readonly high: Ticks
  readonly low: Ticks
  readonly close: Ticks
  readonly lots: Lots
  /** Traded value in quote units. */
  readonly quote: Units
  readonly trades: number
  /** Bars taken from elsewhere before the market's first own trade; never counted as volume. */
  readonly isReference: boolean
}

export const intervals = ['1s', '1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M'] as const
export type Interval = (typeof intervals)[number]
