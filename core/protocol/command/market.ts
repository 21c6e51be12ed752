import type { Decimal, IndexPrice } from '../../money/brand.ts'
import type { AssetId, MarketId } from '../ids.ts'
import type { IndexQuote } from '../event/option.ts'
import type { FeeTier, MarketTerms } from '../market.ts'

export type ListAsset = { readonly type: 'asset.list'; readonly symbol: string; readonly scale: number }

export type ListMarket = {
  readonly type: 'market.list'
  readonly symbol: string
  readonly base: AssetId
  readonly quote: AssetId
  readonly tick: Decimal
  readonly lot: Decimal
  readonly terms: MarketTerms
}

export type SetMarket = { readonly type: 'market.set'; readonly market: MarketId; readonly terms: MarketTerms }

/** Replaces the whole fee schedule. Tiers ascend by volume; the first starts at 0. At most 10. */
export type SetFees = {
  readonly type: 'fees.set'
  /** Tiers of Spot. */
  readonly tiers: readonly FeeTier[]
  /** Tiers of Futures. Absent: they stay as they are. */
  readonly perpTiers?: readonly FeeTier[]
}

/**
 * Outside reference prices for all markets that changed. A tick without prices says that nothing changed; the tape continues.
 * `sources`: how many venues agreed; fewer than 3 means not `isGood`. `quotes`: the venues' prices, whose median is `price`.
 */
export type IndexTick = {
  readonly type: 'index.tick'
  readonly prices: readonly {
    readonly market: MarketId
    readonly price: IndexPrice
    readonly sources: number
    readonly isGood: boolean
    /** By venue number, ascending; at most 8. */
    readonly quotes?: readonly IndexQuote[]
  }[]
}

/** Lets time pass. Sent only when the core says that something is due or left over. */
export type ClockTick = { readonly type: 'clock.tick' }
