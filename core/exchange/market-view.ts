import type { SideNumber } from '../book/codes.ts'
import { BUY, SELL_SIDE } from '../book/codes.ts'
import type { IndexPrice, Ticks } from '../money/brand.ts'
import type { MarketId } from '../protocol/ids.ts'
import type { Level } from '../protocol/market.ts'
import type { BookView } from '../protocol/port.ts'
import type { Venue } from './records/venue.ts'
import type { State } from './state/state.ts'

/** Both sides of a market, best first. Throws for an unknown market. */
export function viewBook(x: State, market: MarketId): BookView {
  const { book, lastUpdate } = venueOf(x, market)
  const levels = (side: SideNumber): readonly Level[] => book.levels(side, Infinity as Ticks) as unknown as readonly Level[]
  return { market, update: lastUpdate, bids: levels(BUY), asks: levels(SELL_SIDE) }
}

/** Last trade and index price of a market, 0 for none. Throws for an unknown market. */
export function viewPrices(x: State, market: MarketId): { readonly last: number; readonly index: number; readonly isIndexGood: boolean } {
  const { lastPrice, indexPrice, isIndexGood } = venueOf(x, market)
  return { last: lastPrice, index: indexPrice, isIndexGood }
}

/** Index prices of the spot markets whose price is good. */
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
