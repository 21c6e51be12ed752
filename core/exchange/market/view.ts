import { BUY, SELL_SIDE, type SideNumber } from '../../book/codes.ts'
import type { IndexPrice, Ticks } from '../../money/brand.ts'
import type { MarketId } from '../../protocol/ids.ts'
import type { Level, ListingView } from '../../protocol/market.ts'
import type { BookView } from '../../protocol/port.ts'
import type { Venue } from '../records/venue.ts'
import type { State } from '../state/state.ts'

/** Last trade price (ticks) and last index price (1e-8 of the quote) of a market, 0 for none. */
export type PricesView = { readonly last: number; readonly index: number; readonly isIndexGood: boolean }

export function viewListing(x: State): ListingView {
  const markets = x.venues.flatMap((venue) => (venue === undefined ? [] : [venue.market]))
  return { assets: [...x.assets], markets, fees: x.volumes.tiers, perpFees: x.perpVolumes.tiers }
}

/** Both sides of a market, best first. Throws for an unknown market. */
export function viewBook(x: State, market: MarketId): BookView {
  const venue = venueOf(x, market)
  const levels = (side: SideNumber): readonly Level[] => venue.book.levels(side, Infinity as Ticks) as unknown as readonly Level[]
  return { market, update: venue.lastUpdate, bids: levels(BUY), asks: levels(SELL_SIDE) }
}

/** Prices of a market. Throws for an unknown market. */
export function viewPrices(x: State, market: MarketId): PricesView {
  const venue = venueOf(x, market)
  return { last: venue.lastPrice, index: venue.indexPrice, isIndexGood: venue.isIndexGood }
}

/** Index prices (1e-8 of the quote) of the spot markets whose price is good. */
export function viewGoodPrices(x: State): readonly { readonly market: MarketId; readonly price: IndexPrice }[] {
  return x.spotVenues.flatMap((venue) =>
    venue?.isIndexGood === true ? [{ market: venue.id as MarketId, price: venue.indexPrice as IndexPrice }] : [],
  )
}

function venueOf(x: State, market: MarketId): Venue {
  const venue = x.venue(market)
  if (venue === undefined) throw new Error(`no market ${market}`)
  return venue
}
