/** Amends of stops that sleep: their trigger, limit price or quantity. */
import type { AmendOrder } from '@candor/core/protocol/command/spot.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { isPrice, lotsOf, quantityOf, sumMax, triggerOf } from './filters.ts'
import { isShut } from './halts.ts'
import { payingAsset } from './matching.ts'
import { needNow } from './need-now.ts'
import { baseOf, needOf, siblingOf, worth } from './needs.ts'
import { bandHigh, bandLow } from './prices.ts'
import { isBarred } from './resting.ts'
import type { Answer } from './spot.ts'
import type { Order, OracleState, Venue } from './state.ts'
import { inUsdt, isOverTurnover, valueOf } from './turnover.ts'

export function amendStop(state: OracleState, venue: Venue, found: Order | undefined, command: AmendOrder, trigger: number): Answer {
  const { user } = command
  // The name of a list means none of its legs here.
  const order = found !== undefined && isNamed(found, command) ? found : undefined
  if (order !== undefined && isBarred(state, user, venue, order.side)) return 'RESTING'
  if (isShut(state, venue)) return 'MARKET_HALTED'
  const sibling = order === undefined ? undefined : siblingOf(state, order)
  const noPrice = order?.orderType === 'market' && command.price !== undefined
  const noLots = command.lots !== undefined && order !== undefined && (sibling !== undefined || order.spend > 0)
  if (command.keepsPriority || noPrice || noLots) return 'ORDER_TYPE_INVALID'
  if (command.price !== undefined && !isPrice(command.price)) return 'PRICE_INVALID'
  if (command.lots !== undefined && command.lots <= 0) return 'QUANTITY_INVALID'
  const sleeps = order !== undefined && isAsleep(state, order)
  if (!sleeps && !isPrice(trigger)) return 'TRIGGER_INVALID'
  if (order === undefined) return 'ORDER_UNKNOWN'
  if (!sleeps || order.trigger === undefined) return 'ORDER_NOT_AMENDABLE'

  const { terms } = venue.market
  const { side, spend } = order
  const price = command.price ?? order.price
  const lots = command.lots ?? order.lots
  const slipped = side === 'buy' ? bandHigh : bandLow
  const limit = order.orderType === 'limit' ? price : slipped(isPrice(trigger) ? trigger : 1, terms.slippagePpm)
  const changed = { ...order.trigger, price: trigger } as Order['trigger'] & { readonly kind: 'stop' }
  const fits =
    sizeOf(venue, order, limit, lots) ??
    triggerOf(venue, changed) ??
    (sibling === undefined || isApart(order, sibling, trigger) ? undefined : 'OCO_PRICES_INVALID')
  if (fits !== undefined) return fits
  const isNear = price >= bandLow(trigger, terms.bandPpm) && price <= bandHigh(trigger, terms.bandPpm)
  if (order.orderType === 'limit' && !isNear) return 'PRICE_OUTSIDE_BAND'
  const ofSpend = side === 'buy' ? BigInt(spend) : baseOf(venue, lotsOf(venue, side, spend, limit))
  const ofLots = side === 'buy' ? worth(venue, limit, lots) : baseOf(venue, lots)
  const own = spend > 0 ? ofSpend : ofLots
  if (own > sumMax) return 'NOTIONAL_TOO_LARGE'
  const needs = needsOf(state, venue, order, sibling, own)
  const balance = state.account(user, 'spot', payingAsset(venue, side))
  if (balance.available + needs.was < needs.first + needs.second) return 'INSUFFICIENT_BALANCE'
  if (price === order.price && lots === order.lots && (order.trigger as typeof changed).price === trigger) return 'AMEND_UNCHANGED'
  const value = spend > 0 ? inUsdt(state, venue, BigInt(spend)) : valueOf(state, venue, order, limit, lots)
  if (isOverTurnover(state, user, value, order)) return 'TURNOVER_LIMIT'

  const { market } = command
  state.events.push({
    ...{ type: 'order.amended', order: order.order, user, market, price, lots, keepsPriority: false, triggerPrice: trigger },
  } as Event)
  const more = needs.first + needs.second - needs.was
  balance.available -= more
  balance.held += more
  order.price = price
  order.lots = lots
  order.trigger = changed
  order.updatedAt = state.at
  const isFirst = sibling === undefined || order.order < sibling.order
  if (isFirst) order.sleepingNeed = needs.first
  if (sibling !== undefined) (isFirst ? sibling : order).sleepingNeed = needs.second
  return order.order
}

function isAsleep(state: OracleState, { order, trigger, status, isParked, role }: Order): boolean {
  const isWaking = state.wakes.some((one) => one.order === order)
  return trigger?.kind === 'stop' && status === 'pending' && !isParked && !isWaking && role !== 'waiting'
}

/** Whether the command means this order and not its list. */
function isNamed(order: Order, command: AmendOrder): boolean {
  return command.order === 0 ? order.clientId === command.orderClientId : order.order === command.order
}

function sizeOf(venue: Venue, { side, spend, display }: Order, limit: number, lots: number): Refusal | undefined {
  const isTooSmall = spend > 0 && lotsOf(venue, side, spend, limit) < venue.market.terms.lotsMin
  if (isTooSmall) return 'QUANTITY_TOO_SMALL'
  const isShown = display === 0 || (display < lots && display * 100 >= lots)
  return (spend > 0 ? undefined : quantityOf(venue, limit, lots)) ?? (isShown ? undefined : 'DISPLAY_INVALID')
}

/** Whether the trigger lies on the same side of the other leg as before. */
function isApart({ trigger }: Order, other: Order, at: number): boolean {
  const place = other.status === 'open' ? other.price : other.trigger?.kind === 'stop' ? other.trigger.price : other.trigger?.activation
  if (place === undefined || place === 0) return true
  return trigger?.direction === 'rises-to' ? at > place : at < place
}

/** Splits the hold of a pair between its legs, given that `order` needs `own`, and returns what both held before. */
function needsOf(
  state: OracleState,
  venue: Venue,
  order: Order,
  sibling: Order | undefined,
  own: bigint,
): Record<'first' | 'second' | 'was', bigint> {
  if (sibling === undefined) return { first: own, second: 0n, was: needOf(venue, order) }
  const was = needOf(venue, order) + needOf(venue, sibling)
  const beyond = (need: bigint, first: bigint): bigint => (need > first ? need - first : 0n)
  if (sibling.order < order.order) {
    const first = needOf(venue, sibling)
    return { first, second: beyond(own, first), was }
  }
  const least = needNow(state, venue, sibling)
  const others = needOf(venue, sibling) > 0n || least > was ? was : least
  return { first: own, second: beyond(others, own), was }
}
