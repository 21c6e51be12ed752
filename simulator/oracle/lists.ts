/** Lists of orders that wait for a working one, and pairs of any legs. */
import type { ListedOrder, PlaceList } from '@candor/core/protocol/command/order-list.ts'
import type { PlaceOrder } from '@candor/core/protocol/command/spot.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { accept, newOrder } from './accept.ts'
import { actNow, enterPair } from './entering.ts'
import { bandOf, displayOf, isCrowded, isPrice, quantityOf, shapeOf, sumMax, triggerOf, worstTrigger } from './filters.ts'
import { isShut, wouldTake } from './halts.ts'
import { payingAsset } from './matching.ts'
import { baseOf, worth } from './needs.ts'
import { bandHigh, bandLow } from './prices.ts'
import { rememberRequest, requestOf } from './requests.ts'
import { isBarred } from './resting.ts'
import type { Answer } from './spot.ts'
import type { Order, OracleState, Venue } from './state.ts'
import { isOverTurnover, valueOfList } from './turnover.ts'

/** Distances of the orders' numbers from that of the list. */
const distances = { oco: [1, 2], oto: [3, 4], otoco: [5, 6, 7] }

export function placeList(state: OracleState, command: PlaceList): Answer {
  const venue = state.venue(command.market)
  const { user, working, legs } = command
  if (state.users[user - 1]?.isFrozen) return 'USER_FROZEN'
  const all = working === undefined ? [...legs] : [working, ...legs]
  if (hasUsedId(state, command, all)) return 'CLIENT_ID_REUSED'
  if (venue === undefined) return 'MARKET_UNKNOWN'
  if (all.some(({ side }) => isBarred(state, user, venue, side))) return 'RESTING'
  if (isShut(state, venue)) return 'MARKET_HALTED'
  const last = venue.lastPrice
  const from = Math.max(1, working === undefined ? last : (working.price ?? 0))
  const [profit, loss] = legs as readonly [ListedOrder, ListedOrder | undefined]
  if (working === undefined && loss === undefined) return 'ORDER_TYPE_INVALID'
  const wrong =
    (working === undefined ? undefined : wrongWorking(state, venue, working)) ??
    wrongLeg(state, venue, profit, from) ??
    (loss === undefined ? undefined : (wrongLeg(state, venue, loss, from) ?? wrongPair(profit, loss, working === undefined ? last : 0)))
  if (wrong !== undefined) return wrong
  if (last === 0 && (working === undefined || legs.some(({ trigger }) => trigger?.kind === 'trailing'))) return 'NO_REFERENCE_PRICE'
  if (isCrowded(state, venue, user, all.length)) return 'TOO_MANY_OPEN_ORDERS'
  const worths = all.map((order) => worth(venue, limitOf(venue, order, from), order.lots))
  const needs = all.map(({ side, lots }, n) => (side === 'sell' ? baseOf(venue, lots) : (worths[n] as bigint)))
  const need = working === undefined ? larger(needs) : (needs[0] as bigint)
  const [{ side, trigger, isPostOnly, price = 0 }] = all as [ListedOrder]
  if (need > sumMax) return 'NOTIONAL_TOO_LARGE'
  if (state.account(user, 'spot', payingAsset(venue, side)).available < need) return 'INSUFFICIENT_BALANCE'
  if (isPostOnly && trigger === undefined && wouldTake(state, venue, side, price)) return 'POST_ONLY_WOULD_TAKE'
  const values = all.map((order, n) => valueOfList(state, venue, [worths[n] as bigint], rests(order)))
  const value = working === undefined ? larger(values) : (values[0] as bigint) + larger(values.slice(1))
  if (isOverTurnover(state, user, value)) return 'TURNOVER_LIMIT'

  const list = state.lastOrder + 1
  const steps = distances[working === undefined ? 'oco' : loss === undefined ? 'oto' : 'otoco']
  const orders = all.map((one, n) => {
    state.lastOrder = list + (steps[n] as number) - 1
    return stored(state, command, one, list, working === undefined ? undefined : n === 0 ? 'working' : 'waiting')
  })
  const [first, second] = orders as [Order, Order]
  if (working === undefined) enterPair(state, venue, first, second)
  else {
    first.status = 'open'
    first.isParked = false
    actNow(state, venue, first)
  }
  return list
}

function stored(state: OracleState, command: PlaceList, asked: ListedOrder, list: number, role: Order['role']): Order {
  const { user, market, selfTrade } = command
  const { price = 0, lots } = asked
  const order = newOrder(state, { ...asked, user, market, selfTrade, list }, { price, lots, turn: 0, status: 'pending' })
  accept(state, order)
  order.role = role
  order.isParked = true
  state.orders.set(order.order, order)
  if (asked.clientId !== '') {
    rememberRequest(state, user, asked.clientId, { body: `part of ${list}`, order: order.order, user: 0, refusal: undefined })
  }
  return order
}

function wrongWorking(state: OracleState, venue: Venue, order: ListedOrder): Refusal | undefined {
  const { price = 0, lots } = order
  if (order.trigger !== undefined || order.orderType !== 'limit') return 'ORDER_TYPE_INVALID'
  return (
    shapeOf(order as PlaceOrder & ListedOrder) ??
    (isPrice(price) ? undefined : 'PRICE_INVALID') ??
    quantityOf(venue, price, lots) ??
    displayOf(order as PlaceOrder & ListedOrder, lots) ??
    bandOf(state, venue, price)
  )
}

function wrongLeg(state: OracleState, venue: Venue, order: ListedOrder, from: number): Refusal | undefined {
  const { orderType, price = 0, lots, trigger } = order
  const isLimit = orderType === 'limit'
  const wrong =
    shapeOf(order as PlaceOrder & ListedOrder) ??
    (!isLimit || isPrice(price) ? undefined : 'PRICE_INVALID') ??
    quantityOf(venue, limitOf(venue, order, from), lots) ??
    displayOf(order as PlaceOrder & ListedOrder, lots) ??
    // Without a last price no trigger counts as reached: a leg may wait for the price to come back.
    (trigger === undefined ? undefined : triggerOf({ ...venue, lastPrice: 0 }, trigger))
  if (wrong !== undefined || !isLimit) return wrong
  const { bandPpm } = venue.market.terms
  const middle = trigger === undefined ? from : worstTrigger({ ...venue, lastPrice: from }, trigger)
  const isNear = price >= bandLow(middle, bandPpm) && price <= bandHigh(middle, bandPpm)
  return isNear || (trigger === undefined && bandOf(state, venue, price) === undefined) ? undefined : 'PRICE_OUTSIDE_BAND'
}

/** Whether the two are a pair: one takes a profit, the other is a stop or trails, on either side of the price. */
function wrongPair(profit: ListedOrder, loss: ListedOrder, last: number): Refusal | undefined {
  const { side } = profit
  const [gains, loses] = side === 'buy' ? (['falls-to', 'rises-to'] as const) : (['rises-to', 'falls-to'] as const)
  // A trailing order follows the price and triggers when it comes back: to the side of a loss.
  const goes = ({ trigger }: ListedOrder, stop: string): boolean => trigger?.direction === (trigger?.kind === 'stop' ? stop : loses)
  const isProfit = profit.trigger === undefined ? profit.isPostOnly : goes(profit, gains)
  const isLoss = loss.trigger !== undefined && goes(loss, loses)
  if (!isProfit || !isLoss || loss.side !== side || loss.lots !== profit.lots) return 'ORDER_TYPE_INVALID'
  const at = ({ trigger, price }: ListedOrder): number | undefined =>
    trigger === undefined ? price : trigger.kind === 'stop' ? trigger.price : trigger.activation
  const line = [at(profit), last === 0 ? undefined : last, at(loss)].filter((price) => price !== undefined && price !== 0) as number[]
  const isOrdered = line.every((price, n) => n === 0 || (side === 'buy' ? line[n - 1]! < price : line[n - 1]! > price))
  return isOrdered ? undefined : 'OCO_PRICES_INVALID'
}

/** The worst price at which an order could trade, as far as it is known when the list is placed. */
function limitOf(venue: Venue, { orderType, price, side, trigger }: ListedOrder, from: number): number {
  if (orderType === 'limit') return price ?? 0
  const at = trigger === undefined ? from : worstTrigger({ ...venue, lastPrice: from }, trigger)
  return side === 'buy' ? bandHigh(at, venue.market.terms.slippagePpm) : bandLow(at, venue.market.terms.slippagePpm)
}

function rests({ orderType, timeInForce }: ListedOrder): boolean {
  return orderType === 'limit' && timeInForce === 'GTC'
}

function larger(values: readonly bigint[]): bigint {
  return values.reduce((most, value) => (value > most ? value : most))
}

function hasUsedId(state: OracleState, { user, clientId }: PlaceList, orders: readonly ListedOrder[]): boolean {
  const ids = orders.map((order) => order.clientId).filter((id) => id !== '')
  return new Set([...ids, clientId]).size <= ids.length || ids.some((id) => requestOf(state, user, id) !== undefined)
}
