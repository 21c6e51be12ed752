/**
 * Prices at which margin accounts are valued: the last good index price of each asset in USDT, and whether it is still good.
 * After a price was not good for 3 s or more, it allows no new risk for 5 s after its return and no liquidation for 10 s.
 */
import type { AssetId, MarketId } from '../../../protocol/ids.ts'
import type { State } from '../../state/state.ts'
import type { Venue } from '../../records/venue.ts'
import { Outage, Price } from '../records/outage.ts'
import { MOVED_ALL } from '../records/state.ts'

/** Units of `MarginState.moved` that make the whole. */
const movedUnit = 1_000_000_000

/**
 * After an index tick: takes over the good prices. Returns how far a level can have fallen as a result, in 1e-9, rounded up: 2m ÷
 * (1 − m), where m is the largest relative move of a price; the whole when a price is new or moved by 0.3 or more.
 */
export function takePrices(x: State): number {
  const { prices } = x.margin
  let furthest = 0
  for (const { id } of x.assets) {
    const venue = x.usdtVenues[id]
    if (venue === undefined || venue.indexPrice === 0) continue
    const known = prices[id]
    if (!venue.isIndexGood) {
      known?.outage.begin(x.atMs)
      continue
    }
    const price = known ?? (prices[id] = new Price())
    price.outage.end(x.atMs)
    if (price.last === venue.indexPrice) continue
    const part = price.last === 0 ? 1 : Math.abs(venue.indexPrice / price.last - 1)
    if (part > furthest) furthest = part
    price.last = venue.indexPrice
  }
  if (furthest >= 0.3) return MOVED_ALL
  return Math.ceil(((2 * furthest) / (1 - furthest)) * movedUnit)
}

/** Whether an asset ever had a good price in USDT: only such an asset can be lent or be in a margin account. */
export function hasPrice(x: State, asset: AssetId): boolean {
  return asset === x.usdt || (x.margin.prices[asset]?.last ?? 0) > 0
}

/** Whether risk may be taken on at an asset's price. */
export function isPriceGood(x: State, asset: AssetId): boolean {
  return asset === x.usdt || x.margin.prices[asset]?.outage.opens(x.atMs) === true
}

/** Whether an account may borrow or give an asset at its price. In an isolated account both assets need a good price. */
export function isAccountPriceGood(x: State, market: MarketId, asset: AssetId): boolean {
  const venue = x.venue(market)
  return isPriceGood(x, asset) && (venue === undefined || (isPriceGood(x, venue.base) && isPriceGood(x, venue.quote)))
}

/** Whether liquidations may rely on an asset's price. */
export function isPriceFirm(x: State, asset: AssetId): boolean {
  return asset === x.usdt || x.margin.prices[asset]?.outage.liquidates(x.atMs) === true
}

/** Whether liquidations may trade in a market now: it is not halted and was not a moment ago. */
export function isVenueFirm(x: State, venue: Venue): boolean {
  return venue.market.terms.isTrading && (x.margin.halts.get(venue.id)?.liquidates(x.atMs) ?? true)
}

/** Notes the time at which a market was halted or resumed. Call it when the market's terms changed. */
export function noteHalt(x: State, venue: Venue): void {
  const { halts } = x.margin
  const known = halts.get(venue.id)
  if (venue.market.terms.isTrading) return known?.end(x.atMs)
  const outage = known ?? new Outage()
  outage.begin(x.atMs)
  halts.set(venue.id, outage)
}
