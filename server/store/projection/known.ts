import type { AssetId, MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks, type Step, stepOf } from '@candor/core/money/price.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import type { Asset, Market } from '@candor/core/protocol/market.ts'
import type { Columns } from './columns.ts'

/**
 * A market, and the conversion of its ticks and lots into decimal text. There is one view per market for good: a market's terms
 * may change, its tick and lot never do.
 */
export class MarketView {
  #market: Market
  readonly base: Asset
  readonly quote: Asset
  readonly #tick: Step
  readonly #lot: Step

  constructor(market: Market, base: Asset, quote: Asset) {
    this.#market = market
    this.base = base
    this.quote = quote
    this.#tick = stepOf(market.tick)
    this.#lot = stepOf(market.lot)
  }

  /** Adds the text of `price` as the next column's value, without making the text. */
  addPrice(rows: Columns, ticks: Ticks): void {
    rows.addFixed(ticks * this.#tick.units, this.#tick.scale)
  }

  /** Adds the text of `quantity` as the next column's value, without making the text. */
  addQuantity(rows: Columns, lots: Lots): void {
    rows.addFixed(lots * this.#lot.units, this.#lot.scale)
  }

  /** Adds the text of `quoteSum` as the next column's value, without making the text. */
  addQuoteSum(rows: Columns, units: Units): void {
    rows.addFixed(units, this.quote.scale)
  }

  get market(): Market {
    return this.#market
  }

  change(market: Market): void {
    this.#market = market
  }

  price(ticks: Ticks): string {
    return formatTicks(ticks, this.market.tick)
  }

  quantity(lots: Lots | bigint): string {
    return formatLots(lots, this.market.lot)
  }

  quoteSum(units: Units | bigint): string {
    return formatFixed(units, this.quote.scale)
  }
}

/** Names for the numbers in events: users, assets and markets. */
export class Known {
  readonly #assets = new Map<AssetId, Asset>()
  readonly #markets = new Map<MarketId, MarketView>()
  readonly #assetsBySymbol = new Map<string, Asset>()
  readonly #marketsBySymbol = new Map<string, MarketView>()
  readonly #quiet = new Set<UserId>()

  addAsset(asset: Asset): void {
    this.#assets.set(asset.id, asset)
    this.#assetsBySymbol.set(asset.symbol, asset)
  }

  /** Adds a newly listed market, or changes a market's terms. */
  addMarket(market: Market): void {
    const known = this.#markets.get(market.id)
    // The same view goes on, with its counters and its running candle.
    if (known !== undefined) return known.change(market)
    const view = new MarketView(market, this.asset(market.base), this.asset(market.quote))
    this.#markets.set(market.id, view)
    this.#marketsBySymbol.set(market.symbol, view)
  }

  asset(id: AssetId): Asset {
    const asset = this.#assets.get(id)
    if (asset === undefined) throw new Error(`Asset ${id} is in an event before it was listed`)
    return asset
  }

  market(id: MarketId): MarketView {
    const market = this.#markets.get(id)
    if (market === undefined) throw new Error(`Market ${id} is in an event before it was listed`)
    return market
  }

  findAsset(id: AssetId): Asset | undefined {
    return this.#assets.get(id)
  }

  findMarket(id: MarketId): MarketView | undefined {
    return this.#markets.get(id)
  }

  assetNamed(symbol: string): Asset | undefined {
    return this.#assetsBySymbol.get(symbol)
  }

  /** See `scaleOf` of the core. */
  scaleOf(symbol: string): number {
    return scaleOf(this.#assets.values(), symbol)
  }

  marketNamed(symbol: string): MarketView | undefined {
    return this.#marketsBySymbol.get(symbol)
  }

  /**
   * Marks a user as quiet, such as makers and benchmarks, who quote far more than they trade: only those of their orders that
   * traded are written, and no holds.
   */
  addQuiet(user: UserId): void {
    this.#quiet.add(user)
  }

  isQuiet(user: UserId): boolean {
    return this.#quiet.has(user)
  }
}
