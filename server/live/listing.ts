import type { Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks, parseLots, parseTicks } from '@candor/core/money/price.ts'
import { formatUnits, fractionDigits, parseUnits } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { AssetId, MarketId } from '@candor/core/protocol/ids.ts'
import type { Asset, FeeTier, Market, PerpTerms } from '@candor/core/protocol/market.ts'
import type { Ask } from '@candor/core/protocol/port.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WirePerpTerms } from '@candor/core/protocol/wire/perp.ts'
import { Refused } from '../refused.ts'

/** A market with everything that parsing and printing its numbers needs. */
export type ListedMarket = {
  readonly market: Market
  readonly base: Asset
  readonly quote: Asset
  readonly wire: WireMarket
}

/** The current assets, markets and fees. */
export class Listing {
  readonly #assets = new Map<AssetId, Asset>()
  readonly #assetsBySymbol = new Map<string, Asset>()
  readonly #markets = new Map<MarketId, ListedMarket>()
  readonly #marketsBySymbol = new Map<string, ListedMarket>()
  #fees: readonly FeeTier[] = []
  #perpFees: readonly FeeTier[] = []
  #isMarginOpen = false

  async load(ask: Ask): Promise<void> {
    const [{ assets, markets, fees, perpFees }, margin] = await Promise.all([ask.listing(), ask.marginTerms()])
    this.#isMarginOpen = margin?.isOpen === true
    for (const asset of assets) this.#setAsset(asset)
    for (const market of markets) this.#setMarket(market)
    this.#fees = fees
    this.#perpFees = perpFees
  }

  apply(event: Event): void {
    if (event.type === 'asset.listed') this.#setAsset(event.asset)
    else if (event.type === 'market.listed' || event.type === 'market.changed') this.#setMarket(event.market)
    else if (event.type === 'fees.changed') {
      this.#fees = event.tiers
      this.#perpFees = event.perpTiers
    } else if (event.type === 'margin.terms' && event.terms.isOpen !== this.#isMarginOpen) {
      this.#isMarginOpen = event.terms.isOpen
      for (const { market } of this.markets) this.#setMarket(market)
    }
  }

  get assets(): readonly Asset[] {
    return [...this.#assets.values()]
  }

  get markets(): readonly ListedMarket[] {
    return [...this.#markets.values()]
  }

  /** Fee tiers of Futures; empty: every account pays the rates of the market. */
  get perpFees(): readonly FeeTier[] {
    return this.#perpFees
  }

  get fees(): readonly FeeTier[] {
    return this.#fees
  }

  asset(id: AssetId): Asset {
    const asset = this.#assets.get(id)
    if (!asset) throw new Error(`asset ${id} is not listed`)
    return asset
  }

  market(id: MarketId): ListedMarket {
    const market = this.#markets.get(id)
    if (!market) throw new Error(`market ${id} is not listed`)
    return market
  }

  marketIfAny(id: number): ListedMarket | undefined {
    return this.#markets.get(id as MarketId)
  }

  /** throws  Refused ASSET_UNKNOWN */
  assetNamed(symbol: string, field = 'asset'): Asset {
    const asset = this.#assetsBySymbol.get(symbol)
    if (!asset) throw new Refused('ASSET_UNKNOWN', { field })
    return asset
  }

  /** throws  Refused MARKET_UNKNOWN */
  marketNamed(symbol: string, field = 'symbol'): ListedMarket {
    const market = this.#marketsBySymbol.get(symbol)
    if (!market) throw new Refused('MARKET_UNKNOWN', { field })
    return market
  }

  /**
   * A market of one product: spot markets and Futures share the symbols but not the commands.
   *
   * throws  Refused MARKET_UNKNOWN
   */
  marketOfKind(kind: WireMarket['kind'], symbol: string, field = 'symbol'): ListedMarket {
    const market = this.marketNamed(symbol, field)
    if (market.wire.kind !== kind) throw new Refused('MARKET_UNKNOWN', { field })
    return market
  }

  kindOf(id: MarketId): WireMarket['kind'] {
    return this.market(id).wire.kind
  }

  marketNamedIfAny(symbol: string): ListedMarket | undefined {
    return this.#marketsBySymbol.get(symbol)
  }

  #setAsset(asset: Asset): void {
    this.#assets.set(asset.id, asset)
    this.#assetsBySymbol.set(asset.symbol, asset)
  }

  #setMarket(market: Market): void {
    const index = market.perp && this.market(market.perp.index).market.symbol
    const listed = listedMarket(market, this.asset(market.base), this.asset(market.quote), index, this.#isMarginOpen)
    this.#markets.set(market.id, listed)
    this.#marketsBySymbol.set(market.symbol, listed)
  }
}

/** `indexSymbol`: for Futures, the spot market of the index. */
function listedMarket(market: Market, base: Asset, quote: Asset, indexSymbol: string | undefined, isMarginOpen: boolean): ListedMarket {
  const { terms, perp } = market
  const isSpotInUsdt = perp === undefined && quote.symbol === 'USDT'
  const wire: WireMarket = {
    id: market.id,
    symbol: market.symbol,
    base: base.symbol,
    quote: quote.symbol,
    tick: market.tick,
    lot: market.lot,
    priceDigits: fractionDigits(market.tick),
    quantityDigits: fractionDigits(market.lot),
    notionalMin: amountText(quote, terms.notionalMin),
    quantityMin: formatLots(terms.lotsMin, market.lot),
    quantityMax: formatLots(terms.lotsMax, market.lot),
    bandPpm: terms.bandPpm,
    slippagePpm: terms.slippagePpm,
    openOrdersMax: terms.openOrdersMax,
    makerFeePpm: terms.makerFeePpm,
    takerFeePpm: terms.takerFeePpm,
    isTrading: terms.isTrading,
    kind: perp === undefined ? 'spot' : 'perp',
    ...(perp === undefined ? {} : { perp: wirePerpTerms(perp, quote, indexSymbol as string) }),
    hasMargin: isSpotInUsdt && isMarginOpen,
    hasOption: isSpotInUsdt,
  }
  return { market, base, quote, wire }
}

function wirePerpTerms(perp: PerpTerms, quote: Asset, indexSymbol: string): WirePerpTerms {
  const { leverageMax, tiers, fundingHours, liquidationFeePpm, liquidationStepPpm, markClampPpm, openInterestMax, userInterestPpm } = perp
  return {
    indexSymbol,
    leverageMax,
    tiers: tiers.map((tier) => ({ ...tier, valueMax: amountText(quote, tier.valueMax) })),
    fundingHours,
    liquidationFeePpm,
    liquidationStepPpm,
    markClampPpm,
    openInterestMax: amountText(quote, openInterestMax),
    userInterestPpm,
  }
}

export function priceText({ market }: ListedMarket, ticks: Ticks | 0): string {
  return formatTicks(ticks, market.tick)
}

export function quantityText({ market }: ListedMarket, lots: Lots | bigint): string {
  return formatLots(lots, market.lot)
}

export function amountText(asset: Asset, units: Units | bigint): string {
  return formatUnits(units, asset.scale)
}

/** throws  Refused TOO_MANY_DIGITS or PRICE_INVALID with the field's name */
export function readPrice({ market }: ListedMarket, text: string, field: string): Ticks {
  const ticks = parseTicks(text, market.tick)
  if (ticks === undefined) throw new Refused(hasDigitsBeyond(text, market.tick) ? 'TOO_MANY_DIGITS' : 'PRICE_INVALID', { field })
  return ticks
}

/** throws  Refused TOO_MANY_DIGITS or QUANTITY_INVALID with the field's name */
export function readQuantity({ market }: ListedMarket, text: string, field: string): Lots {
  const lots = parseLots(text, market.lot)
  if (!lots) throw new Refused(hasDigitsBeyond(text, market.lot) ? 'TOO_MANY_DIGITS' : 'QUANTITY_INVALID', { field })
  return lots
}

/** throws  Refused TOO_MANY_DIGITS, AMOUNT_TOO_LARGE or AMOUNT_NOT_POSITIVE with the field's name */
export function readAmount(asset: Asset, text: string, field: string): Units {
  if (fractionDigits(text) > asset.scale) throw new Refused('TOO_MANY_DIGITS', { field })
  const units = parseUnits(text, asset.scale)
  if (units === undefined) throw new Refused('AMOUNT_TOO_LARGE', { field })
  if (units <= 0) throw new Refused('AMOUNT_NOT_POSITIVE', { field })
  return units
}

function hasDigitsBeyond(text: string, step: string): boolean {
  return fractionDigits(text.replace(/0+$/, '')) > fractionDigits(step)
}
