import type { PlaceOrder, Side, Trigger } from '@candor/core/protocol/command/spot.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { worth } from './needs.ts'
import { bandHigh, bandLow, indexTicks, reference } from './prices.ts'
import type { OracleState, Venue } from './state.ts'

/** Largest value of an order. */
export const sumMax = 2n ** 52n

export const isPrice = (price: number): boolean => price >= 1 && price <= 2 ** 31 - 1

/** Refuses missing, forbidden and contradictory fields. */
export function shapeOf({ orderType, timeInForce, price, lots, spend, display, isPostOnly }: PlaceOrder): Refusal | undefined {
  const isShaped =
    orderType === 'limit'
      ? price !== undefined &&
        lots !== undefined &&
        spend === undefined &&
        (timeInForce === 'GTC' || (!isPostOnly && display === undefined))
      : (lots === undefined) !== (spend === undefined) &&
        timeInForce !== 'FOK' &&
        price === undefined &&
        display === undefined &&
        !isPostOnly
  return isShaped ? undefined : 'ORDER_TYPE_INVALID'
}

export function quantityOf(venue: Venue, price: number, lots: number): Refusal | undefined {
  const { lotsMin, lotsMax, notionalMin } = venue.market.terms
  if (lots <= 0) return 'QUANTITY_INVALID'
  if (lots < lotsMin) return 'QUANTITY_TOO_SMALL'
  if (lots > lotsMax) return 'QUANTITY_TOO_LARGE'
  const value = worth(venue, price, lots)
  if (value < BigInt(notionalMin)) return 'NOTIONAL_TOO_SMALL'
  return value > sumMax ? 'NOTIONAL_TOO_LARGE' : undefined
}

export function amountOf(venue: Venue, spend: number): Refusal | undefined {
  if (spend <= 0) return 'QUANTITY_INVALID'
  if (spend < venue.market.terms.notionalMin) return 'NOTIONAL_TOO_SMALL'
  return BigInt(spend) > sumMax ? 'NOTIONAL_TOO_LARGE' : undefined
}

/** Most lots that an order by amount can trade: when buying, the limit of the terms; when selling, the lots for it at the worst price. */
export function lotsOf(venue: Venue, side: Side, spend: number, limit: number): number {
  const { lotsMax } = venue.market.terms
  if (side === 'buy' || limit === 0) return lotsMax
  return Math.min(lotsMax, Number(BigInt(spend) / worth(venue, limit, 1)))
}

export function displayOf({ display }: PlaceOrder, lots: number): Refusal | undefined {
  if (display === undefined) return undefined
  return display > 0 && display < lots && display * 100 >= lots ? undefined : 'DISPLAY_INVALID'
}

export function triggerOf({ lastPrice }: Venue, trigger: Trigger): Refusal | undefined {
  if (trigger.kind === 'stop') {
    if (!isPrice(trigger.price)) return 'TRIGGER_INVALID'
    if (lastPrice === 0) return undefined
    const isReached = trigger.direction === 'rises-to' ? lastPrice >= trigger.price : lastPrice <= trigger.price
    return isReached ? 'TRIGGER_IMMEDIATE' : undefined
  }
  if (trigger.activation !== undefined && !isPrice(trigger.activation)) return 'TRIGGER_INVALID'
  return trigger.trailPpm >= 1000 && trigger.trailPpm <= 200_000 ? undefined : 'TRAIL_INVALID'
}

/** Highest possible trigger price of an order: for a rising trailing order, its start plus the trail. */
export function worstTrigger(venue: Venue, trigger: Trigger): number {
  if (trigger.kind === 'stop') return isPrice(trigger.price) ? trigger.price : 1
  const { activation, trailPpm, direction } = trigger
  const start = Math.max(1, activation !== undefined && isPrice(activation) ? activation : venue.lastPrice)
  if (direction === 'falls-to' || trailPpm < 0 || trailPpm > 200_000) return start
  const above = (BigInt(start) * BigInt(1_000_000 + trailPpm) + 999_999n) / 1_000_000n
  return Math.min(2 ** 31 - 1, Number(above))
}

export function bandOf(state: OracleState, venue: Venue, price: number): Refusal | undefined {
  const { bandPpm } = venue.market.terms
  const middles = [reference(venue, state.at), venue.isIndexGood ? indexTicks(venue) : 0].filter((middle) => middle > 0)
  const isInside = (middle: number): boolean => price >= bandLow(middle, bandPpm) && price <= bandHigh(middle, bandPpm)
  const [low, high] = [Math.min(...middles), Math.max(...middles)]
  const isBetween = middles.length === 2 && price >= low && price <= high
  return middles.length === 0 || isBetween || middles.some(isInside) ? undefined : 'PRICE_OUTSIDE_BAND'
}

export function isCrowded(state: OracleState, venue: Venue, user: number, more: number): boolean {
  const own = [...state.orders.values()].filter((order) => order.user === user && order.market === venue.market.id)
  return own.length + more > venue.market.terms.openOrdersMax
}
