/** Works out what an order needs when it enters the book. */
import { worstTrigger } from './filters.ts'
import { baseOf, leftOf, worth } from './needs.ts'
import { bandHigh, bandLow, worst } from './prices.ts'
import type { Order, OracleState, Venue } from './state.ts'

export function needNow(state: OracleState, venue: Venue, order: Order): bigint {
  return order.side === 'sell' ? baseOf(venue, leftOf(order)) : worth(venue, priceNow(state, venue, order), leftOf(order))
}

/** The worst price at which the order could trade, as of now. */
export function priceNow(state: OracleState, venue: Venue, { orderType, price, side, trigger }: Order): number {
  if (orderType === 'limit') return price
  const { slippagePpm } = venue.market.terms
  const slipped = (from: number): number => (side === 'buy' ? bandHigh(from, slippagePpm) : bandLow(from, slippagePpm))
  return trigger === undefined ? worst(venue, side, state.at) || slipped(1) : slipped(worstTrigger(venue, trigger))
}
