/** Orders that waited for the working order of their list, and pairs that take their places. */
import type { CloseReason, Event } from '@candor/core/protocol/event/index.ts'
import { hold } from './accept.ts'
import { sumMax } from './filters.ts'
import { wouldTake } from './halts.ts'
import { close, payingAsset, wouldFill } from './matching.ts'
import { needNow, priceNow } from './need-now.ts'
import { leftOf, restingNeed, siblingOf, worth } from './needs.ts'
import { isBarred } from './resting.ts'
import { actAsLimit } from './spot.ts'
import type { Order, OracleState, Venue } from './state.ts'
import { sleepOrWake, tryMarket, unpark } from './trying.ts'
import { isOverTurnover, valueOf, valueOfList } from './turnover.ts'

/** The turn of a waiting order, or of the first of a waiting pair, after the working order was filled. */
export function enter(state: OracleState, venue: Venue, order: Order): void {
  const { user, side, market } = order
  const pair = siblingOf(state, order)
  const all = pair === undefined ? [order] : [order, pair]
  for (const one of all) {
    one.role = undefined
    one.updatedAt = state.at
    state.events.push({ type: 'order.entered', order: one.order, user, market } as Event)
  }
  const need = all.map((one) => needNow(state, venue, one)).reduce((most, one) => (one > most ? one : most), 0n)
  const end = (reason: CloseReason): void => all.forEach((one) => close(state, one, reason))
  if (isBarred(state, user, venue, side)) return end('resting')
  if (need > sumMax || state.account(user, 'spot', payingAsset(venue, side)).available < need) return end('balance')
  if (pair !== undefined || order.trigger !== undefined) {
    const rests = all.some(({ orderType, timeInForce }) => orderType === 'limit' && timeInForce === 'GTC')
    const values = all.map((one) => worth(venue, priceNow(state, venue, one), leftOf(order)))
    if (isOverTurnover(state, user, valueOfList(state, venue, values, rests), order)) return end('turnover')
  }
  if (pair !== undefined) return enterPair(state, venue, order, pair)
  if (order.trigger !== undefined) {
    order.sleepingNeed = need
    return sleepOrWake(state, venue, order)
  }
  order.status = 'open'
  if (order.orderType === 'limit') actNow(state, venue, order)
  else tryMarket(state, venue, order, need)
}

/** A pair whose hold is available takes its places. The first acts at once if its price is reached. */
export function enterPair(state: OracleState, venue: Venue, first: Order, second: Order): void {
  const [own, others] = [needNow(state, venue, first), needNow(state, venue, second)]
  const more = others > own ? others - own : 0n
  if (first.trigger === undefined && wouldTake(state, venue, first.side, first.price)) {
    first.status = 'open'
    first.isPostOnly = false
    first.isParked = false
    actNow(state, venue, first)
    if (first.executedLots === 0 && !state.orders.has(first.order)) unpark(state, venue, second, own + more)
    else close(state, second, 'oco')
    return
  }
  first.isParked = false
  second.isParked = false
  if (first.trigger === undefined) {
    first.status = 'open'
    first.updatedAt = state.at
    first.visible = first.display === 0 ? first.lots : Math.min(first.display, first.lots)
    first.turn = ++state.turns
    hold(state, venue, first, restingNeed(venue, first))
  } else {
    first.sleepingNeed = own
    sleepOrWake(state, venue, first)
  }
  second.sleepingNeed = more
  sleepOrWake(state, venue, second)
}

/** Lets a limit order act that is not in the book and holds nothing. */
export function actNow(state: OracleState, venue: Venue, order: Order): void {
  const { user, side, selfTrade, price } = order
  state.orders.delete(order.order)
  const lots = leftOf(order)
  if (order.isPostOnly && wouldTake(state, venue, side, price)) return close(state, order, 'post-only')
  if (isOverTurnover(state, user, valueOf(state, venue, order, price, lots), order)) return close(state, order, 'turnover')
  const taker = { order: order.order, user, side, selfTrade, limit: price, lots, budget: undefined, isByAmount: false }
  if (order.timeInForce === 'FOK' && !wouldFill(state, venue, taker)) return close(state, order, 'fok')
  actAsLimit(state, venue, order)
}
