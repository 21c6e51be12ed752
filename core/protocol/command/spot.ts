import type { Lots, Ppm, Ticks, Units } from '../../money/brand.ts'
import type { MarginOrder } from '../event/index.ts'
import type { ClientId, MarketId, OrderId, UserId } from '../ids.ts'

export type Side = 'buy' | 'sell'
export const timesInForce = ['GTC', 'IOC', 'FOK'] as const
export type TimeInForce = (typeof timesInForce)[number]

/** When a user's own two orders meet: who gives way. `none` lets them trade. */
export const selfTradeModes = ['expire-taker', 'expire-maker', 'expire-both', 'none'] as const
export type SelfTradeMode = (typeof selfTradeModes)[number]

/** Which way the last trade price must come to wake an order up. */
export type TriggerDirection = 'rises-to' | 'falls-to'

/**
 * An order sleeps until its trigger: `stop` at a fixed price; `trailing` at a distance behind the best price since
 * it was placed (or since `activation` was reached). A sleeping order is `pending`, holds its money and is not in the book.
 */
export type Trigger =
  | { readonly kind: 'stop'; readonly price: Ticks; readonly direction: TriggerDirection }
  | { readonly kind: 'trailing'; readonly trailPpm: Ppm; readonly activation?: Ticks; readonly direction: TriggerDirection }

/**
 * limit    `price` and `lots`; `isPostOnly` only with GTC; `display` (iceberg) only with GTC, below `lots`
 * market   `lots`, or `spend` (quote units: to spend when buying, to receive at most when selling); always IOC
 */
export type PlaceOrder = {
  readonly type: 'spot.place'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly side: Side
  readonly orderType: 'limit' | 'market'
  readonly timeInForce: TimeInForce
  readonly price?: Ticks
  readonly lots?: Lots
  readonly spend?: Units
  readonly isPostOnly: boolean
  readonly display?: Lots
  readonly trigger?: Trigger
  readonly selfTrade: SelfTradeMode
  /** Set: the order belongs to a lever account. */
  readonly margin?: MarginOrder
}

/**
 * One cancels the other: a resting limit order and a stop on the other side of the price, one quantity, one hold.
 * `stopLimit` makes the stop leg a limit order when it wakes; without it, a market order.
 */
export type PlaceOco = {
  readonly type: 'spot.placeOco'
  readonly user: UserId
  /** Of the list; the legs get it with `-limit` and `-stop` appended when not given (which limits it to 30 characters). */
  readonly clientId: ClientId
  readonly limitClientId?: ClientId
  readonly stopClientId?: ClientId
  readonly market: MarketId
  readonly side: Side
  readonly lots: Lots
  readonly limitPrice: Ticks
  readonly stopPrice: Ticks
  readonly stopLimit?: Ticks
  readonly selfTrade: SelfTradeMode
}

/** An order is named by its number, or (order 0) by the client id it was placed with. */
export type OrderRef = { readonly order: OrderId; readonly orderClientId: ClientId }

/** `lots` is the new total quantity, fills included. A smaller quantity at the same price keeps its place in the queue. */
export type AmendOrder = OrderRef & {
  readonly type: 'spot.amend'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly lots?: Lots
  readonly price?: Ticks
}

/** Cancelling one leg of an OCO cancels both. */
export type CancelOrder = OrderRef & {
  readonly type: 'spot.cancel'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
}

/** Market 0: in all markets. What one command can't finish goes on with the next clock tick. */
export type CancelAll = { readonly type: 'spot.cancelAll'; readonly user: UserId; readonly clientId: ClientId; readonly market: MarketId }
