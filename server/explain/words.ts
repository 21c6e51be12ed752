import type { Decimal, IndexPrice, Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { AssetId, MarketId } from '@candor/core/protocol/ids.ts'
import type { Asset, ListingView, Market } from '@candor/core/protocol/market.ts'

const indexDigits = 8

/** Numbers of the core in the text that people read. */
export class Words {
  readonly #listing: ListingView

  constructor(listing: ListingView) {
    this.#listing = listing
  }

  get listing(): ListingView {
    return this.#listing
  }

  market(id: MarketId): Market {
    return this.#listing.markets.find((one) => one.id === id)!
  }

  asset(id: AssetId): Asset {
    return this.#listing.assets.find((one) => one.id === id)!
  }

  sum(units: Units | bigint, asset: AssetId): Decimal {
    return formatUnits(units, this.asset(asset).scale)
  }

  usdt(units: Units): Decimal {
    return formatUnits(units, this.#listing.assets.find(({ symbol }) => symbol === 'USDT')?.scale ?? 0)
  }

  index(price: IndexPrice): Decimal {
    return formatUnits(price, indexDigits)
  }
}

/** Prices and quantities of one market. */
export const priceOf = ({ tick }: Market, ticks: Ticks): Decimal => formatTicks(ticks, tick)
export const quantityOf = ({ lot }: Market, lots: Lots): Decimal => formatLots(lots, lot)
