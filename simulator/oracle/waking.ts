import type { Event } from '@candor/core/protocol/event/index.ts'
import { actNow, enter } from './entering.ts'
import { close, payingAsset } from './matching.ts'
import { needOf, siblingOf } from './needs.ts'
import { endResting } from './resting.ts'
import type { Order, OracleState, Venue } from './state.ts'
import { tryMarket, tryNext, unpark } from './trying.ts'

/** Most orders that one command triggers. */
const wakesMax = 32

/** Executes triggered orders and retries working ones, in turns, up to the limit of one command. */
export function wakeSome(state: OracleState): void {
  let acted = 0
  while (acted < wakesMax) {
    const before = acted
    if (wakeNext(state)) acted++
    if (tryNext(state)) acted++
    if (acted === before) return
  }
}

/** Executes the first triggered order of the next open market. Returns whether there was one. */
function wakeNext(state: OracleState): boolean {
  state.wakes = state.wakes.filter((order) => state.orders.get(order.order) === order)
  const isOpen = (id: number): boolean => {
    const { opensAt } = state.venue(id) as Venue
    return opensAt !== undefined && state.at >= opensAt
  }
  const markets = [...new Set(state.wakes.map(({ market }) => market))].filter(isOpen).sort((a, b) => a - b)
  const market = markets.find((id) => id > state.turnOf) ?? markets[0]
  if (market === undefined) return false
  state.turnOf = market
  const order = state.wakes.find((one) => one.market === market) as Order
  state.wakes.splice(state.wakes.indexOf(order), 1)
  wake(state, state.venue(market) as Venue, order)
  return true
}

function wake(state: OracleState, venue: Venue, order: Order): void {
  if (order.role === 'waiting') return enter(state, venue, order)
  const { user, side } = order
  state.events.push({ type: 'order.triggered', order: order.order, user, market: order.market } as Event)
  const sibling = siblingOf(state, order)
  // The order continues with the holds of both legs.
  const held = needOf(venue, order) + (sibling === undefined ? 0n : needOf(venue, sibling))
  const balance = state.account(user, 'spot', payingAsset(venue, side))
  balance.held -= held
  balance.available += held
  if (sibling !== undefined) sibling.isParked = true
  state.wakes = state.wakes.filter((one) => one !== sibling)
  order.updatedAt = state.at
  order.status = 'open'
  if (endResting(state, venue, order)) return
  if (order.orderType === 'market') return tryMarket(state, venue, order, held)
  actNow(state, venue, order)
  if (sibling === undefined) return
  if (order.executedLots === 0 && !state.orders.has(order.order)) unpark(state, venue, sibling, held)
  else close(state, sibling, 'oco')
}
