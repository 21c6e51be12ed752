import type { PlaceOrder, Side } from '@candor/core/protocol/command/spot.ts'
import { meets, other } from './matching.ts'
import type { OracleState, Venue } from './state.ts'

/** Whether the market is halted or in the wait after a halt. */
export function isShut(state: OracleState, venue: Venue): boolean {
  return venue.opensAt === undefined || state.at < venue.opensAt
}

/** Whether the order is a quote: after a halt, orders that would not trade may rest before the market opens. */
export function isQuote(state: OracleState, venue: Venue, { side, orderType, timeInForce, price, trigger }: PlaceOrder): boolean {
  if (!venue.market.terms.isTrading || orderType !== 'limit' || timeInForce !== 'GTC' || trigger !== undefined) return false
  return !wouldTake(state, venue, side, price ?? 0)
}

export function wouldTake(state: OracleState, venue: Venue, side: Side, price: number): boolean {
  const best = state.queue(venue.market.id, other(side))[0]
  return best !== undefined && meets(side, price, best.price)
}
