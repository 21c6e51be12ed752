import type { Lots, Ticks, Units } from '../../money/brand.ts'
import type { MarginOrder } from '../event/index.ts'
import type { ClientId, MarketId, UserId } from '../ids.ts'
import type { OrderRef, OrderStrategy, SelfTradeMode, Side, TimeInForce, Trigger } from './order.ts'

export * from './order.ts'

/**
 * A spot order. Its fields by kind:
 *
 * limit    `price` and `lots`; `isPostOnly` only with GTC; `display` (iceberg) only with GTC, below `lots`
 * market   `lots`, or `spend` (quote units: to spend when buying, the most to receive when selling); always IOC
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
  /**
   * True: a fill-or-kill order that can't be filled, or a market order that meets an empty book, is accepted and ends at once,
   * unfilled. Without it such an order is refused.
   */
  readonly expires?: true
  /** Set: the order belongs to a margin account. */
  readonly margin?: MarginOrder
  readonly strategy?: OrderStrategy
}

/**
 * One cancels the other: two orders with the same quantity and one hold, on either side of the price. The first leg is a resting
 * limit order. With a `limitTrigger` it sleeps like the second leg, and becomes a limit order when triggered, or a market order
 * without `limitPrice`. The second leg is a stop; when triggered it becomes a limit order with `stopLimit`, otherwise a market
 * order.
 */
export type PlaceOco = {
  readonly type: 'spot.placeOco'
  readonly user: UserId
  /** Client id of the list. Legs without their own get it with `-limit` and `-stop` appended, which limits it to 30 characters. */
  readonly clientId: ClientId
  readonly limitClientId?: ClientId
  readonly stopClientId?: ClientId
  readonly market: MarketId
  readonly side: Side
  readonly lots: Lots
  readonly limitPrice?: Ticks
  readonly limitTrigger?: Ticks
  /** Only for a leg that sleeps and has a price; default GTC. */
  readonly limitTimeInForce?: Exclude<TimeInForce, 'GTC'>
  readonly stopPrice: Ticks
  readonly stopLimit?: Ticks
  /** Only with `stopLimit`; default GTC. */
  readonly stopTimeInForce?: Exclude<TimeInForce, 'GTC'>
  readonly selfTrade: SelfTradeMode
  /** Set: both legs belong to a margin account. */
  readonly margin?: MarginOrder
}

/**
 * `lots` is the new total quantity, including fills. An order with less quantity at the same price keeps its place in the queue.
 * `triggerPrice`: the order is a stop that still sleeps, and this is its trigger from now on, the old one or another. Without it, an
 * order that sleeps is not amended.
 */
export type AmendOrder = OrderRef & {
  readonly type: 'spot.amend'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly lots?: Lots
  readonly price?: Ticks
  readonly triggerPrice?: Ticks
  /** True: refused unless the order keeps its place in the queue. */
  readonly keepsPriority?: true
}

/** States of an order that a cancel may require. The position in the list is the number in journals: append only. */
export const cancelStates = ['unfilled', 'partly-filled'] as const
export type CancelState = (typeof cancelStates)[number]

/** Cancels one order. Cancelling one leg of an OCO cancels both. */
export type CancelOrder = OrderRef & {
  readonly type: 'spot.cancel'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  /** Set: cancel only while the order is in this state. */
  readonly only?: CancelState
}

/** Accounts to which a cancel-all may be limited. The position in the list is the number in journals: append only. */
export const cancelScopes = ['spot', 'margin'] as const
export type CancelScope = (typeof cancelScopes)[number]

/**
 * Market 0: all markets. `only`: orders of the spot account, or of margin accounts; without it Futures orders too. The part that one
 * command can't finish continues with the next clock tick. `endsTwaps`: TWAP orders in these markets end, too.
 */
export type CancelAll = {
  readonly type: 'spot.cancelAll'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly only?: CancelScope
  readonly endsTwaps?: boolean
}
