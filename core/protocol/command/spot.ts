import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { MarginOrder } from '../event/index.ts'
import type { ClientId, MarketId, UserId } from '../ids.ts'
import type { OrderRef, OrderStrategy, SelfTradeMode, Side, TimeInForce, Trigger } from './order.ts'

export * from './order.ts'

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
  /** Set: fill-or-kill that can't be filled, or a market order that meets an empty book, is accepted and ends at once, unfilled. Without it such an order is refused. */
  readonly expires?: true
  /** Set: the order belongs to a margin account. */
  readonly margin?: MarginOrder
  readonly strategy?: OrderStrategy
}

/**
 * One cancels the other: two orders of one quantity and one hold, on either side of the price. The first leg is a limit order
 * that rests; with a `limitTrigger` it sleeps like the second, and acts as a limit order, or without `limitPrice` as a market
 * order. The second is a stop; `stopLimit` makes it a limit order when it wakes, without it, it is a market order.
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
  readonly limitPrice?: Ticks
  readonly limitTrigger?: Ticks
  /** Only of a leg that sleeps and has a price; without it GTC. */
  readonly limitTimeInForce?: Exclude<TimeInForce, 'GTC'>
  readonly stopPrice: Ticks
  readonly stopLimit?: Ticks
  /** Only with `stopLimit`; without it GTC. */
  readonly stopTimeInForce?: Exclude<TimeInForce, 'GTC'>
  readonly selfTrade: SelfTradeMode
  /** Set: both legs belong to a margin account. */
  readonly margin?: MarginOrder
}

/** `lots` is the new total quantity, fills included. A smaller quantity at the same price keeps its place in the queue. */
export type AmendOrder = OrderRef & {
  readonly type: 'spot.amend'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly lots?: Lots
  readonly price?: Ticks
  /** Set: refused unless the order keeps its place in the queue. */
  readonly keepsPriority?: true
}

/** Numbers stand in journals: new ones go to the end. */
export const cancelStates = ['unfilled', 'partly-filled'] as const
export type CancelState = (typeof cancelStates)[number]

/** Cancelling one leg of an OCO cancels both. */
export type CancelOrder = OrderRef & {
  readonly type: 'spot.cancel'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  /** Set: only while the order is in this state. */
  readonly only?: CancelState
}

/** Numbers stand in journals: new ones go to the end. */
export const cancelScopes = ['spot', 'margin'] as const
export type CancelScope = (typeof cancelScopes)[number]

/**
 * Market 0: in all markets. `only`: orders of the spot account, or of margin accounts; without it those of contracts as
 * well. What one command can't finish goes on with the next clock tick.
 */
export type CancelAll = {
  readonly type: 'spot.cancelAll'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly only?: CancelScope
}
