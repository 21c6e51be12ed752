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

/** One step of a contract's risk: up to this value (quote units) at least `initialPpm` of it as margin, liquidated below `maintenancePpm`. */
export type RiskTier = { readonly valueMax: Units; readonly initialPpm: Ppm; readonly maintenancePpm: Ppm }

/**
 * What a market may do now: all of it; nothing because its price is not good, or since that has lasted only what reduces;
 * nothing because it is halted; and on the way back first only cancels, then all but liquidations.
 */
export const marketPhases = ['open', 'bad', 'reducing', 'halted', 'resuming', 'no-liquidations'] as const
export type MarketPhase = (typeof marketPhases)[number]

/** What makes a market a perpetual contract. */
export type PerpTerms = {
  /** Spot market whose index price it follows. */
  readonly index: MarketId
  readonly leverageMax: number
  /** Ascending by value; what is above the last may not be opened. At most 8. */
  readonly tiers: readonly RiskTier[]
  readonly fundingHours: number
  /** Interest part of the funding rate per period, how far the premium may stretch it, and the cap: all in 1e-9 of the value. */
  readonly fundingInterest: number
  readonly fundingStretch: number
  readonly fundingCap: number
  /** Value for which the impact bid and ask are taken, in quote units. */
  readonly impactValue: Units
  /** How far the mark may lie from the index. */
  readonly markClampPpm: Ppm
  readonly basisWindowMs: number
  /** Of the liquidated value, to the insurance fund. */
  readonly liquidationFeePpm: Ppm
  /** Part of the position that one step of a liquidation closes. */
  readonly liquidationStepPpm: Ppm
  /** Value at the mark, in quote units, above which all long positions together may not be raised. */
  readonly openInterestMax: Units
  /** Part of `openInterestMax` that the positions and opening orders of one user may be worth. */
  readonly userInterestPpm: Ppm
  /** Part of the value of an inventory that the insurance fund counts as its possible loss. */
  readonly carryPpm: Ppm
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
  /** Set: a perpetual contract. Absent: a spot market. */
  readonly perp?: PerpTerms
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
  /** Of both, what takers bought. */
  readonly takerLots: Lots
  readonly takerQuote: Units
  readonly trades: number
  /** Bars taken from elsewhere before the market's first own trade; never counted as volume. */
  readonly isReference: boolean
}

export const intervals = ['1s', '1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M'] as const
export type Interval = (typeof intervals)[number]
