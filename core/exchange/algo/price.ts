/** Prices at which the parts of a TWAP order may trade. */
import { EXPIRE_TAKER, type SideNumber } from '../../book/codes.ts'
import type { Lots, Ppm, Ticks } from '../../money/brand.ts'
import { SELL } from '../../protocol/codec/layout.ts'
import { worstPrice } from '../../risk/orders.ts'
import { protectionPrice } from '../perp/rules/sound.ts'
import type { State } from '../state/state.ts'
import type { Venue } from '../records/venue.ts'
import type { Algo } from './records/state.ts'

/**
 * Nobody looks at a part when it comes, and everybody who saw the ones before knows when that is. So without a worst price of the user's,
 * parts trade within this share of the market's slippage.
 */
const slippageShare = 5

/** Worst price of a market order with this slippage now; 0 when the market has no price to go by. */
export function protectionOf(x: State, venue: Venue, side: SideNumber, slippagePpm = venue.market.terms.slippagePpm): Ticks {
  const contract = venue.isSpot ? undefined : x.perp.contract(venue.id)
  if (contract !== undefined) return contract.mark === 0 ? (0 as Ticks) : protectionPrice(x, contract, side, slippagePpm)
  const reference = venue.protection(x.atMs)
  return reference === 0 ? reference : worstPrice(side as 0 | 1, reference, slippagePpm)
}

/**
 * Price of the order for a part: 0 for a market order, where the user named no worst price and the book fills the part near the index
 * price. A limit where it fills less there.
 */
export function priceOfPart(x: State, venue: Venue, algo: Algo, lots: Lots): Ticks | 0 {
  if (algo.from !== 0) return limitOf(x, venue, algo)
  const side = (algo.flags & SELL) as SideNumber
  const { book } = venue
  const near = nearOf(x, venue, side)
  const isEmpty = book.best((1 - side) as SideNumber) === 0
  return isEmpty || book.canFill(side, near, lots, algo.user, EXPIRE_TAKER) ? 0 : near
}

/**
 * Worst price of a part whose user named none; 0 when the market has no price to go by. Without a good index, both the average of trades
 * and the last index price, in Futures the last mark, bind it: the average alone moves with the trades of others.
 */
function nearOf(x: State, venue: Venue, side: SideNumber): Ticks {
  const slippagePpm = Math.floor(venue.market.terms.slippagePpm / slippageShare) as Ppm
  const near = protectionOf(x, venue, side, slippagePpm)
  const last = lastPriceOf(x, venue)
  if (near === 0 || last === 0) return near
  const bound = worstPrice(side as 0 | 1, last, slippagePpm)
  return side === 0 ? (Math.min(near, bound) as Ticks) : (Math.max(near, bound) as Ticks)
}

/** The last index price or mark of a market whose index is not good, in ticks; 0 where it is good, or was never there. */
function lastPriceOf(x: State, venue: Venue): Ticks {
  const contract = venue.isSpot ? undefined : x.perp.contract(venue.id)
  if (contract !== undefined) return contract.isGood ? (0 as Ticks) : contract.mark
  return (venue.isIndexGood ? 0 : Math.floor(venue.indexPrice / venue.indexPerTick)) as Ticks
}

/** The tighter of the user's worst price and the market's protection: never worse than a market order. 0: a market order. */
export function limitOf(x: State, venue: Venue, algo: Algo): Ticks {
  if (algo.from === 0) return 0 as Ticks
  const side = (algo.flags & SELL) as SideNumber
  const protection = protectionOf(x, venue, side)
  if (protection === 0) return algo.from
  return side === 0 ? (Math.min(algo.from, protection) as Ticks) : (Math.max(algo.from, protection) as Ticks)
}

/** The lowest price at which the next part could be valued when its size is checked; 0 for none. */
export function valuedAt(x: State, venue: Venue, algo: Algo): Ticks {
  const limit = limitOf(x, venue, algo)
  const bottom = protectionOf(x, venue, 1 as SideNumber)
  return limit === 0 || (bottom > 0 && bottom < limit) ? bottom : limit
}
