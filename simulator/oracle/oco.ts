/** OCO lists: two orders, one of which cancels the other. */
import type { PlaceOco, Trigger } from '@candor/core/protocol/command/spot.ts'
import type { MarketTerms } from '@candor/core/protocol/market.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { accept, hold, newOrder } from './accept.ts'
import { bandOf, isCrowded, isPrice, quantityOf } from './filters.ts'
import { isShut, wouldTake } from './halts.ts'
import { payingAsset } from './matching.ts'
import { baseOf, worth } from './needs.ts'
import { bandHigh, bandLow } from './prices.ts'
import { rememberRequest, requestOf } from './requests.ts'
import { isBarred } from './resting.ts'
import { type Answer, sleep } from './spot.ts'
import type { Order, OracleState } from './state.ts'
import { isOverTurnover, valueOfList } from './turnover.ts'

export function placeOco(state: OracleState, command: PlaceOco): Answer {
  const venue = state.venue(command.market)
  const { user, side, lots, limitPrice = 0, limitTrigger, limitTimeInForce, stopPrice, stopLimit, stopTimeInForce, clientId } = command
  if (state.users[user - 1]?.isFrozen) return 'USER_FROZEN'
  const ids = legIds(state, command)
  if (typeof ids === 'string') return ids
  if (venue === undefined) return 'MARKET_UNKNOWN'
  const { terms } = venue.market
  if (isBarred(state, user, venue, side)) return 'RESTING'
  if (isShut(state, venue)) return 'MARKET_HALTED'
  const isTaking = command.limitPrice === undefined
  if (!isShaped(command)) return 'ORDER_TYPE_INVALID'
  if ((!isTaking && !isPrice(limitPrice)) || (stopLimit !== undefined && !isPrice(stopLimit))) return 'PRICE_INVALID'
  const slipped = (trigger: number): number => slippedFrom(terms, side, trigger)
  const prices = [isTaking ? slipped(limitTrigger ?? 1) : limitPrice, stopLimit ?? slipped(stopPrice)] as const
  const wrong = quantityOf(venue, prices[0], lots) ?? quantityOf(venue, prices[1], lots)
  if (wrong !== undefined) return wrong
  if (!isPrice(stopPrice) || (limitTrigger !== undefined && !isPrice(limitTrigger))) return 'TRIGGER_INVALID'
  const last = venue.lastPrice
  const gainAt = limitTrigger ?? limitPrice
  const [low, high] = side === 'buy' ? [gainAt, stopPrice] : [stopPrice, gainAt]
  if (last !== 0 && !(low < last && last < high)) return 'OCO_PRICES_INVALID'
  const outside = limitTrigger === undefined ? bandOf(state, venue, limitPrice) : undefined
  if (outside !== undefined) return outside
  if (limitTrigger !== undefined && !isTaking && !isNear(terms, limitPrice, limitTrigger)) return 'PRICE_OUTSIDE_BAND'
  if (stopLimit !== undefined && !isNear(terms, stopLimit, stopPrice)) return 'PRICE_OUTSIDE_BAND'
  if (last === 0) return 'NO_REFERENCE_PRICE'
  if (isCrowded(state, venue, user, 2)) return 'TOO_MANY_OPEN_ORDERS'
  const needs = [worth(venue, prices[0], lots), worth(venue, prices[1], lots)] as const
  const need = side === 'sell' ? baseOf(venue, lots) : needs[0] > needs[1] ? needs[0] : needs[1]
  if (state.account(user, 'spot', payingAsset(venue, side)).available < need) return 'INSUFFICIENT_BALANCE'
  if (limitTrigger === undefined && wouldTake(state, venue, side, limitPrice)) return 'POST_ONLY_WOULD_TAKE'
  const mayRest = limitTrigger === undefined || (!isTaking && limitTimeInForce === undefined)
  const rests = mayRest || (stopLimit !== undefined && stopTimeInForce === undefined)
  if (isOverTurnover(state, user, valueOfList(state, venue, needs, rests))) return 'TURNOVER_LIMIT'

  const list = ++state.lastOrder
  const shared = { user, market: command.market, side, lots, selfTrade: command.selfTrade, list }
  const [gains, loses] = side === 'buy' ? (['falls-to', 'rises-to'] as const) : (['rises-to', 'falls-to'] as const)
  const limitNeed = side === 'sell' ? baseOf(venue, lots) : needs[0]
  const limitOrder = newOrder(
    state,
    {
      ...shared,
      clientId: ids.limit,
      orderType: isTaking ? 'market' : 'limit',
      timeInForce: limitTimeInForce ?? 'GTC',
      isPostOnly: limitTrigger === undefined,
      ...(limitTrigger === undefined ? {} : { trigger: { kind: 'stop', price: limitTrigger, direction: gains } as Trigger }),
    },
    {
      price: isTaking ? 0 : limitPrice,
      lots,
      turn: ++state.turns,
      ...(limitTrigger === undefined ? {} : { status: 'pending', sleepingNeed: limitNeed }),
    },
  )
  accept(state, limitOrder)
  const stopOrder = newOrder(
    state,
    {
      ...shared,
      clientId: ids.stop,
      orderType: stopLimit === undefined ? 'market' : 'limit',
      timeInForce: stopLimit === undefined ? 'IOC' : (stopTimeInForce ?? 'GTC'),
      isPostOnly: false,
      trigger: { kind: 'stop', price: stopPrice, direction: loses },
    },
    { price: stopLimit ?? 0, lots, turn: 0, status: 'pending', sleepingNeed: need - limitNeed },
  )
  accept(state, stopOrder)
  if (limitTrigger === undefined) {
    hold(state, venue, limitOrder, limitNeed)
    limitOrder.visible = lots
    state.orders.set(limitOrder.order, limitOrder)
  } else sleep(state, venue, limitOrder)
  sleep(state, venue, stopOrder)
  for (const leg of [limitOrder, stopOrder]) remember(state, leg, clientId)
  return list
}

/** Remembers a leg under its own client id. */
function remember(state: OracleState, { user, clientId, order }: Order, list: string): void {
  if (clientId === '') return
  rememberRequest(state, user, clientId, { body: `leg of ${list}`, order, user: 0, refusal: undefined })
}

/** The worst price of a market order that is triggered at this price. */
function slippedFrom({ slippagePpm }: MarketTerms, side: 'buy' | 'sell', trigger: number): number {
  const from = isPrice(trigger) ? trigger : 1
  return side === 'buy' ? bandHigh(from, slippagePpm) : bandLow(from, slippagePpm)
}

function isNear({ bandPpm }: MarketTerms, price: number, trigger: number): boolean {
  return price >= bandLow(trigger, bandPpm) && price <= bandHigh(trigger, bandPpm)
}

/** Client ids of both legs: the given ones, or the list's with a suffix. */
function legIds(state: OracleState, command: PlaceOco): Refusal | { readonly limit: string; readonly stop: string } {
  const { user, clientId, limitClientId, stopClientId } = command
  const isLong = clientId.length > 30
  for (const [given, ending] of [
    [limitClientId, '-limit'],
    [stopClientId, '-stop'],
  ] as const) {
    if (given === undefined && isLong) return 'CLIENT_ID_INVALID'
    const id = given ?? (clientId === '' ? '' : clientId + ending)
    if (id !== '' && (id === clientId || requestOf(state, user, id) !== undefined)) return 'CLIENT_ID_REUSED'
  }
  const limit = limitClientId ?? (clientId === '' ? '' : `${clientId}-limit`)
  const stop = stopClientId ?? (clientId === '' ? '' : `${clientId}-stop`)
  return limit !== '' && limit === stop ? 'CLIENT_ID_REUSED' : { limit, stop }
}

/** Whether each leg has the fields of its type and no others. */
function isShaped({ limitPrice, limitTrigger, limitTimeInForce, stopLimit, stopTimeInForce }: PlaceOco): boolean {
  const [isTaking, isTimed] = [limitPrice === undefined, limitTimeInForce !== undefined]
  const isLimitShaped = limitTrigger === undefined ? !isTaking && !isTimed : !isTaking || !isTimed
  return isLimitShaped && (stopTimeInForce === undefined || stopLimit !== undefined)
}
