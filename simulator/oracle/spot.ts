import type { CloseReason, Event } from '@candor/core/protocol/event/index.ts'
import type { AmendOrder, CancelAll, CancelOrder, OrderRef, PlaceOrder, Trigger } from '@candor/core/protocol/command/spot.ts'
import type { RestUser } from '@candor/core/protocol/command/user.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { accept, hold, newOrder } from './accept.ts'
import { amendStop } from './amend-stop.ts'
import { amountOf, bandOf, displayOf, isCrowded, isPrice, lotsOf, quantityOf, shapeOf, sumMax, triggerOf, worstTrigger } from './filters.ts'
import { isQuote, isShut, wouldTake } from './halts.ts'
import { close, endSibling, leaveBook, type Met, other, payingAsset, take, wouldFill } from './matching.ts'
import { baseOf, leftOf, needOf, restingNeed, siblingOf, worth } from './needs.ts'
import { bandHigh, bandLow, worst } from './prices.ts'
import { isBarred, spendsUsdt } from './resting.ts'
import { requestOf } from './requests.ts'
import type { Order, OracleState, SweepScope, Venue } from './state.ts'
import { inUsdt, isCapped, isOverTurnover, valueOf } from './turnover.ts'

/** A refusal, or the number of the command's order. */
export type Answer = Refusal | number

export function place(state: OracleState, command: PlaceOrder): Answer {
  const venue = state.venue(command.market)
  if (state.users[command.user - 1]?.isFrozen) return 'USER_FROZEN'
  if (venue === undefined) return 'MARKET_UNKNOWN'
  if (isBarred(state, command.user, venue, command.side)) return 'RESTING'
  if (isShut(state, venue) && !isQuote(state, venue, command)) return 'MARKET_HALTED'
  if (command.trigger !== undefined) return placeSleeping(state, venue, command, command.trigger)
  return command.orderType === 'limit' ? placeLimit(state, venue, command) : placeMarket(state, venue, command)
}

function placeLimit(state: OracleState, venue: Venue, command: PlaceOrder): Answer {
  const { user, side, timeInForce, selfTrade } = command
  const [price, lots] = [command.price ?? 0, command.lots ?? 0]
  const wrong =
    shapeOf(command) ??
    (isPrice(price) ? undefined : 'PRICE_INVALID') ??
    quantityOf(venue, price, lots) ??
    displayOf(command, lots) ??
    bandOf(state, venue, price)
  if (wrong !== undefined) return wrong
  if (timeInForce === 'GTC' && isCrowded(state, venue, user, 1)) return 'TOO_MANY_OPEN_ORDERS'
  const order = newOrder(state, command, { price, lots, turn: 0 })
  if (state.account(user, 'spot', payingAsset(venue, side)).available < restingNeed(venue, order)) return 'INSUFFICIENT_BALANCE'
  if (command.isPostOnly && wouldTake(state, venue, side, price)) return 'POST_ONLY_WOULD_TAKE'
  const taker = { order: order.order, user, side, selfTrade, limit: price, lots, budget: undefined, isByAmount: false }
  if (timeInForce === 'FOK' && !wouldFill(state, venue, taker)) {
    if (!command.expires) return 'FOK_NOT_FILLABLE'
    accept(state, order)
    close(state, order, 'fok')
    return order.order
  }
  if (isOverTurnover(state, user, valueOf(state, venue, command, price, lots))) return 'TURNOVER_LIMIT'
  accept(state, order)
  actAsLimit(state, venue, order)
  return order.order
}

/** Trades a limit order; its rest then rests in the book or is closed. The money is available, not held. */
export function actAsLimit(state: OracleState, venue: Venue, order: Order): void {
  const { order: number, user, side, selfTrade, price } = order
  order.updatedAt = state.at
  if (isOverTurnover(state, user, valueOf(state, venue, order, price, leftOf(order)), order)) return close(state, order, 'turnover')
  const met = take(state, venue, {
    order: number,
    user,
    side,
    selfTrade,
    limit: price,
    lots: leftOf(order),
    budget: undefined,
    isByAmount: false,
  })
  order.executedLots += met.lots
  order.executedQuote += met.value
  order.preventedLots += met.preventedLots
  if (met.preventedLots > 0) order.preventedMatch = venue.lastPrevented
  if (met.left === 0) return close(state, order, order.preventedLots > 0 ? 'self-trade' : 'filled')
  if (met.isSelfStopped) return close(state, order, 'self-trade')
  if (order.timeInForce !== 'GTC') return close(state, order, 'ioc')
  order.status = 'open'
  order.visible = order.display === 0 ? met.left : Math.min(order.display, met.left)
  order.turn = ++state.turns
  hold(state, venue, order, restingNeed(venue, order))
  state.orders.set(number, order)
}

function placeMarket(state: OracleState, venue: Venue, command: PlaceOrder): Answer {
  const { terms } = venue.market
  const { user, side, spend } = command
  const wrongShape = shapeOf(command) ?? (spend === undefined ? undefined : amountOf(venue, spend))
  if (wrongShape !== undefined) return wrongShape
  const limit = worst(venue, side, state.at)
  const lots = spend === undefined ? (command.lots ?? 0) : lotsOf(venue, side, spend, limit)
  const wrong =
    spend === undefined ? quantityOf(venue, limit === 0 ? 1 : limit, lots) : lots < terms.lotsMin ? 'QUANTITY_TOO_SMALL' : undefined
  if (wrong !== undefined && !(wrong === 'NOTIONAL_TOO_SMALL' && limit === 0)) return wrong
  if (limit === 0) return 'NO_REFERENCE_PRICE'
  const need = side === 'sell' ? baseOf(venue, lots) : spend === undefined ? worth(venue, limit, lots) : BigInt(spend)
  if (state.account(user, 'spot', payingAsset(venue, side)).available < need) return 'INSUFFICIENT_BALANCE'
  const isEmpty = state.queue(venue.market.id, other(side)).length === 0
  if (isEmpty && !command.expires) return 'NO_LIQUIDITY'
  const value = spend === undefined ? valueOf(state, venue, command, limit, lots) : inUsdt(state, venue, BigInt(spend))
  if (isOverTurnover(state, user, value)) return 'TURNOVER_LIMIT'
  const order = newOrder(state, command, { price: 0, lots: spend === undefined ? lots : 0, turn: 0 })
  accept(state, order)
  if (isEmpty) close(state, order, 'ioc')
  else actAsMarket(state, venue, order, limit, lots, spend === undefined ? undefined : BigInt(spend))
  return order.order
}

/** Trades a market order up to its worst price and closes it. The money is available, not held. */
function actAsMarket(state: OracleState, venue: Venue, order: Order, limit: number, lots: number, budget: bigint | undefined): void {
  const { order: number, user, side, selfTrade } = order
  const met = take(state, venue, { order: number, user, side, selfTrade, limit, lots, budget, isByAmount: order.spend > 0 })
  order.executedLots = met.lots
  order.executedQuote = met.value
  closeMarket(state, venue, order, met)
}

/** Closes a market order with the reason that follows from its result. */
export function closeMarket(state: OracleState, venue: Venue, order: Order, met: Met): void {
  const { side } = order
  const isAmountDone = order.spend > 0 && met.isBudgetSpent
  const isEmpty = state.queue(venue.market.id, other(side)).length === 0
  if (met.preventedLots > 0 && (met.left === 0 || met.isBudgetSpent)) close(state, order, 'self-trade')
  else if (met.left === 0) close(state, order, 'filled')
  else if (met.isSelfStopped) close(state, order, 'self-trade')
  else if (isAmountDone) close(state, order, order.executedLots > 0 ? 'filled' : 'ioc')
  else if (met.isBudgetSpent) close(state, order, 'balance')
  else close(state, order, isEmpty ? 'ioc' : 'slippage')
}

function placeSleeping(state: OracleState, venue: Venue, command: PlaceOrder, trigger: Trigger): Answer {
  const { terms } = venue.market
  const { user, side, spend } = command
  const isLimit = command.orderType === 'limit'
  const [price, lots] = [isLimit ? (command.price ?? 0) : 0, command.lots ?? 0]
  const wakesAt = worstTrigger(venue, trigger)
  const slip = terms.slippagePpm
  const limit = isLimit ? price : side === 'buy' ? bandHigh(wakesAt, slip) : bandLow(wakesAt, slip)
  const tooFew = (least: number): Refusal | undefined => (least < terms.lotsMin ? 'QUANTITY_TOO_SMALL' : undefined)
  const wrong =
    shapeOf(command) ??
    (!isLimit || isPrice(price) ? undefined : 'PRICE_INVALID') ??
    (spend === undefined ? quantityOf(venue, limit, lots) : (amountOf(venue, spend) ?? tooFew(lotsOf(venue, side, spend, limit)))) ??
    displayOf(command, lots) ??
    triggerOf(venue, trigger)
  if (wrong !== undefined) return wrong
  if (isLimit && (price < bandLow(wakesAt, terms.bandPpm) || price > bandHigh(wakesAt, terms.bandPpm))) return 'PRICE_OUTSIDE_BAND'
  if (trigger.kind === 'trailing' && venue.lastPrice === 0) return 'NO_REFERENCE_PRICE'
  if (isCrowded(state, venue, user, 1)) return 'TOO_MANY_OPEN_ORDERS'
  const needLots = spend === undefined ? lots : lotsOf(venue, side, spend, limit)
  const need = side === 'sell' ? baseOf(venue, needLots) : spend === undefined ? worth(venue, limit, lots) : BigInt(spend)
  if (need > sumMax) return 'NOTIONAL_TOO_LARGE'
  if (state.account(user, 'spot', payingAsset(venue, side)).available < need) return 'INSUFFICIENT_BALANCE'
  const value = spend === undefined ? valueOf(state, venue, command, limit, lots) : inUsdt(state, venue, BigInt(spend))
  if (isOverTurnover(state, user, value)) return 'TURNOVER_LIMIT'
  const order = newOrder(state, command, { price, lots: spend === undefined ? lots : 0, turn: 0, status: 'pending', sleepingNeed: need })
  accept(state, order)
  sleep(state, venue, order)
  return order.order
}

/** Adds a conditional order. A trailing one without activation price, or past it already, starts at the last price. */
export function sleep(state: OracleState, venue: Venue, order: Order): void {
  const { trigger } = order
  if (trigger?.kind === 'trailing' && order.peak === 0) {
    const isBeyond =
      trigger.activation !== undefined &&
      (trigger.direction === 'falls-to' ? venue.lastPrice >= trigger.activation : venue.lastPrice <= trigger.activation)
    if (trigger.activation === undefined || isBeyond) order.peak = venue.lastPrice
  }
  hold(state, venue, order, needOf(venue, order))
  state.orders.set(order.order, order)
}

export function amend(state: OracleState, command: AmendOrder): Answer {
  const venue = state.venue(command.market)
  const { user } = command
  if (state.users[user - 1]?.isFrozen) return 'USER_FROZEN'
  if (venue === undefined) return 'MARKET_UNKNOWN'
  const order = find(state, command)
  if (command.triggerPrice !== undefined) return amendStop(state, venue, order, command, command.triggerPrice)
  const isSmaller = order !== undefined && (command.price ?? order.price) === order.price && (command.lots ?? order.lots) < order.lots
  if (order !== undefined && !isSmaller && isBarred(state, user, venue, order.side)) return 'RESTING'
  if (isShut(state, venue)) return 'MARKET_HALTED'
  if (command.price !== undefined && !isPrice(command.price)) return 'PRICE_INVALID'
  if (command.lots !== undefined && command.lots <= 0) return 'QUANTITY_INVALID'
  if (order === undefined) return 'ORDER_UNKNOWN'
  if (order.status === 'pending' || order.orderType === 'market' || siblingOf(state, order) !== undefined) return 'ORDER_NOT_AMENDABLE'
  const price = command.price ?? order.price
  const lots = command.lots ?? order.lots
  const left = lots - order.executedLots - order.preventedLots
  const wrong = left <= 0 ? 'QUANTITY_INVALID' : quantityOf(venue, price, lots)
  if (wrong !== undefined) return wrong
  if (order.display > 0 && order.display * 100 < lots) return 'DISPLAY_INVALID'
  const outside = price === order.price ? undefined : bandOf(state, venue, price)
  if (outside !== undefined) return outside
  const balance = state.account(user, 'spot', payingAsset(venue, order.side))
  const held = restingNeed(venue, order)
  if (balance.available + held < restingNeed(venue, order, price, left)) return 'INSUFFICIENT_BALANCE'
  if (order.isPostOnly && wouldTake(state, venue, order.side, price)) return 'POST_ONLY_WOULD_TAKE'
  if (price === order.price && lots === order.lots) return 'AMEND_UNCHANGED'
  const keepsPriority = price === order.price && lots < order.lots
  if (command.keepsPriority && !keepsPriority) return 'ORDER_NOT_AMENDABLE'
  if (!keepsPriority && isOverTurnover(state, user, valueOf(state, venue, order, price, left), order)) return 'TURNOVER_LIMIT'

  state.events.push({ type: 'order.amended', order: order.order, user, market: command.market, price, lots, keepsPriority } as Event)
  balance.held -= held
  balance.available += held
  order.price = price
  order.lots = lots
  order.updatedAt = state.at
  if (keepsPriority) {
    order.visible = Math.min(order.visible, left)
    hold(state, venue, order, restingNeed(venue, order))
    return order.order
  }
  state.orders.delete(order.order)
  actAsLimit(state, venue, order)
  return order.order
}

export function cancel(state: OracleState, command: CancelOrder): Answer {
  const venue = state.venue(command.market)
  if (venue === undefined) return 'MARKET_UNKNOWN'
  const order = find(state, command)
  if (order === undefined) return 'ORDER_UNKNOWN'
  if (command.only !== undefined && (command.only === 'unfilled') !== (order.executedLots === 0)) return 'ORDER_NOT_AMENDABLE'
  cancelOne(state, venue, order)
  return command.order === 0 ? order.order : command.order
}

export function cancelOne(state: OracleState, venue: Venue, order: Order, reason: CloseReason = 'cancelled'): void {
  const working = order.role && [...state.orders.values()].find((one) => one.list === order.list && one.role === 'working')
  if (working) return leaveBook(state, venue, working, reason)
  endSibling(state, venue, order)
  leaveBook(state, venue, order, reason)
}

/** Most orders that one command cancels. */
const cancelsMax = 200

export function cancelAll(state: OracleState, command: CancelAll): Answer {
  if (command.market !== 0 && state.venue(command.market) === undefined) return 'MARKET_UNKNOWN'
  return beginSweep(state, command.user, command.market, 'all')
}

export function rest(state: OracleState, { user, until }: RestUser): number {
  const known = state.users[user - 1]!
  if (until <= state.at || until <= known.restUntil) return 0
  known.restUntil = until
  state.events.push({ type: 'user.rested', user, until } as Event)
  return beginSweep(state, user, 0, 'risk')
}

/** A user has lost the certificate or the mark of the house: the oldest orders go until the turnover limit holds. */
export function capTurnover(state: OracleState, user: number): number {
  return isCapped(state, user) ? beginSweep(state, user, 0, 'turnover') : 0
}

function beginSweep(state: OracleState, user: number, market: number, only: SweepScope): number {
  state.sweeps.push({ user, market, upTo: state.lastOrder, only })
  sweep(state, state.sweeps.length - 1)
  return 0
}

const sweepReasons = { all: 'cancelled', risk: 'resting', turnover: 'turnover' } as const

/** Continues one of the long cancellations, and removes it from the list when it is finished. */
export function sweep(state: OracleState, at: number): void {
  const { user, market, upTo, only } = state.sweeps[at] as (typeof state.sweeps)[number]
  const meant = [...state.orders.values()]
    .filter((order) => order.user === user && (market === 0 || order.market === market) && order.order <= upTo)
    .filter((order) => only !== 'risk' || spendsUsdt(state, state.venue(order.market) as Venue, order.side))
    .sort((a, b) => a.order - b.order)
  let isDone = meant.length <= cancelsMax
  for (const order of meant.slice(0, cancelsMax)) {
    if (only === 'turnover' && !isOverTurnover(state, user, 0n)) {
      isDone = true
      break
    }
    if (state.orders.has(order.order)) cancelOne(state, state.venue(order.market) as Venue, order, sweepReasons[only])
  }
  if (isDone) state.sweeps.splice(at, 1)
}

/** The order that a cancel or amend names by number or client id. The id of a list names one of its legs. */
function find(state: OracleState, { user, market, order, orderClientId }: OrderRef & { user: number; market: number }): Order | undefined {
  const own = [...state.orders.values()].filter((one) => one.user === user && one.market === market).sort((a, b) => a.order - b.order)
  if (order !== 0) return own.find((one) => one.order === order) ?? own.find((one) => one.list === order)
  if (orderClientId === '') return undefined
  const request = requestOf(state, user, orderClientId)
  if (request === undefined || request.refusal !== undefined) return undefined
  return own.find((one) => one.order === request.order && one.clientId === orderClientId) ?? own.find((one) => one.list === request.order)
}
