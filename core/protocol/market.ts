import type { Decimal, Lots, Millis, Ppm, Ticks, Units } from '../money/brand.ts'
import type { AssetId, MarketId } from './ids.ts'

export type Asset = {
  readonly id: AssetId
  /** Upper case, 2 to 10 letters or digits. */
  readonly symbol: string
  /** Decimal places of one whole coin: 8 means 100_000_000 units. */
  readonly scale: number
}

/** Terms of a market that an operator can change while it runs. Bands and slippage are in ppm of the reference price. */
export type MarketTerms = {
  readonly makerFeePpm: Ppm
  readonly takerFeePpm: Ppm
  /** Smallest price × quantity of an order, in quote units. */
  readonly notionalMin: Units
  readonly lotsMin: Lots
  readonly lotsMax: Lots
  /** Largest distance of a limit price from the reference price, on either side. */
  readonly bandPpm: Ppm
  /** Largest distance from the reference price at which a market order may trade. */
  readonly slippagePpm: Ppm
  readonly openOrdersMax: number
  readonly isTrading: boolean
}

/**
 * One risk tier of a perpetual contract: for values up to `valueMax` (quote units), margin must be at least `initialPpm` at opening,
 * and positions are liquidated below `maintenancePpm`.
 */
export type RiskTier = { readonly valueMax: Units; readonly initialPpm: Ppm; readonly maintenancePpm: Ppm }

/**
 * Phases of a market. open: everything is possible. bad: nothing matches, because the price is not good. reducing: only orders that
 * reduce match, because the price has not been good for long. halted: nothing matches. resuming: after an outage or a halt, only
 * cancels and resting orders are possible. no-liquidations: after that, everything but liquidations.
 */
export const marketPhases = ['open', 'bad', 'reducing', 'halted', 'resuming', 'no-liquidations'] as const
export type MarketPhase = (typeof marketPhases)[number]

/** Terms that make a market a perpetual contract. */
export type PerpTerms = {
  /** Spot market whose index price the contract follows. */
  readonly index: MarketId
  readonly leverageMax: number
  /** Ascending by value, at most 8. A value above the last tier can't be opened. */
  readonly tiers: readonly RiskTier[]
  readonly fundingHours: number
  /** Interest part of a period's funding rate; the most by which it pulls the rate off the premium; the cap. In 1e-9 of the value. */
  readonly fundingInterest: number
  readonly fundingStretch: number
  readonly fundingCap: number
  /** Value for which the impact bid and ask are computed, in quote units. */
  readonly impactValue: Units
  /** Largest distance of the mark from the index. */
  readonly markClampPpm: Ppm
  readonly basisWindowMs: number
  /** Part of the liquidated value that goes to the insurance fund. */
  readonly liquidationFeePpm: Ppm
  /** Part of the position that one step of a liquidation closes. */
  readonly liquidationStepPpm: Ppm
  /** Highest value at the mark, in quote units, to which orders may raise all long positions together. */
  readonly openInterestMax: Units
  /** Part of `openInterestMax` that one user's positions and opening orders may be worth. */
  readonly userInterestPpm: Ppm
  /** Part of an inventory's value that the insurance fund counts as its possible loss. */
  readonly carryPpm: Ppm
}

/**
 * Prices are counted in ticks and quantities in lots. One tick × one lot is a whole number of quote units, so notional = ticks ×
 * lots × quotePerTickLot is exact.
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
  /** Present for a perpetual contract, absent for a spot market. */
  readonly perp?: PerpTerms
}

/** One tier of the fee schedule: the rates of users who traded at least `volumeMin` USDT units in 30 days. */
export type FeeTier = {
  readonly volumeMin: Units
  readonly makerPpm: Ppm
  readonly takerPpm: Ppm
}

/** A price level of a book as shown to the public. */
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
  /** The part of the lots that takers bought. */
  readonly takerLots: Lots
  readonly takerQuote: Units
  readonly trades: number
  /** A candle from another source, from before the market's first own trade. It never counts as volume. */
  readonly isReference: boolean
}

export const intervals = ['1s', '1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M'] as const
export type Interval = (typeof intervals)[number]

/** Assets, markets, and the fee tiers of Spot and of Futures. */
export type ListingView = {
  readonly assets: readonly Asset[]
  readonly markets: readonly Market[]
  readonly fees: readonly FeeTier[]
  readonly perpFees: readonly FeeTier[]
}

/** Thirty-day volume in USDT units, and the tier: what the volume gives, or a firm has by its terms. */
export type UserTier = { readonly volume: Units; readonly tier: number }

/** The user's tier in Spot, and in Futures. */
export type UserTiers = UserTier & { readonly perp: UserTier }
