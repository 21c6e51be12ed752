import { close, endSibling, payingAsset, wouldFill } from './matching.ts'
import { needOf, siblingOf } from './needs.ts'
import { worst } from './prices.ts'
import { actAsLimit, actAsMarket, wouldTake } from './spot.ts'
import type { Order, OracleState, Venue } from './state.ts'

/** Orders that one command wakes at most. */
const wakesMax = 32

/** Those that wait to wake act, as many as one command may, one of each market in turn. */
export function wakeSome(state: OracleState): void {
  for (let woken = 0; woken < wakesMax; woken++) {
    state.wakes = state.wakes.filter((order) => state.orders.get(order.order) === order)
    const markets = [...new Set(state.wakes.map(({ market }) => market))].sort((a, b) => a - b)
    const market = markets.find((id) => id > state.turnOf) ?? markets[0]
    if (market === undefined) return
    state.turnOf = market
    const order = state.wakes.find((one) => one.market === market) as Order
    state.wakes.splice(state.wakes.indexOf(order), 1)
    wake(state, state.venue(market) as Venue, order)
  }
}

function wake(state: OracleState, venue: Venue, order: Order): void {
  const { user, side } = order
  state.events.push({ type: 'order.triggered', order: order.order, user, market: order.market } as never)
  const sibling = siblingOf(state, order)
  const own = needOf(venue, order)
  // It goes on with what both legs held.
  const held = own + (sibling === undefined ? 0n : needOf(venue, sibling))
  endSibling(state, venue, order)
  const balance = state.account(user, 'spot', payingAsset(venue, side))
  balance.held -= own
  balance.available += own
  state.orders.delete(order.order)
  order.updatedAt = state.at
  if (!venue.market.terms.isTrading) return close(state, order, 'halted')
  if (order.orderType === 'market') return actWoken(state, venue, order, held)
  if (order.isPostOnly && wouldTake(state, venue, side, order.price)) return close(state, order, 'post-only')
  const taker = { order: order.order, user, side, selfTrade: order.selfTrade, limit: order.price, lots: order.lots, budget: undefined }
  if (order.timeInForce === 'FOK' && !wouldFill(state, venue, taker)) return close(state, order, 'fok')
  actAsLimit(state, venue, order)
}

/** A woken market order spends no more than it held. */
function actWoken(state: OracleState, venue: Venue, order: Order, held: bigint): void {
  const limit = worst(venue, order.side, state.at)
  const { spend, side } = order
  const { lotsMax } = venue.market.terms
  const lots = spend === 0 ? order.lots : side === 'buy' ? lotsMax : Number(held / BigInt(venue.market.basePerLot))
  const budget = side === 'buy' ? held : spend === 0 ? undefined : BigInt(spend)
  actAsMarket(state, venue, order, limit, lots, budget)
}
