import type { Lots, Millis, Ticks, Units } from '../../money/brand.ts'
import type { ScaledShape } from '../command/algo.ts'
import type { Side } from '../command/order.ts'
import type { PositionSide } from '../command/perp.ts'
import type { ClientId, MarketId, OrderId, Parts, UserId } from '../ids.ts'
import type { Refusal } from '../refusal.ts'

/**
 * Why an order in parts ended. The position in the list is the number on disk: append only.
 *
 * filled         everything was bought or sold
 * done           all parts were placed; a rest is left
 * small          the rest is smaller than the smallest order
 * cancelled      by its user
 * frozen         the account is frozen
 * resting        the customer's own pause
 * no-position    there is nothing left to reduce
 * not-allowed    the account may no longer place such orders
 * halted         the market was halted for longer than a day
 * liquidated     the user's position in the market is being liquidated
 */
export const algoEnds = [
  ...(['filled', 'done', 'small', 'cancelled', 'frozen', 'resting', 'no-position', 'not-allowed', 'halted'] as const),
  'liquidated',
] as const
export type AlgoEnd = (typeof algoEnds)[number]

/** `everyMs`: time between two parts of a TWAP order; 0 for a scaled one. `from`: its worst price (0: none), or the first of a scaled one. */
export type AlgoPlaced = {
  readonly type: 'algo.placed'
  readonly algo: OrderId
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly kind: 'twap' | 'scaled'
  readonly side: Side
  /** Present for Futures. */
  readonly position?: PositionSide
  readonly isReduceOnly: boolean
  readonly lots: Lots
  readonly parts: Parts
  readonly everyMs: Millis
  readonly from: Ticks | 0
  readonly to: Ticks | 0
  readonly shape: ScaledShape
}

/** An order is a part of `algo`; it comes after that order's own events. `nextAtMs`: time of the next part; 0 for none. */
export type AlgoPart = {
  readonly type: 'algo.part'
  readonly algo: OrderId
  readonly order: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly partsLeft: Parts
  readonly nextAtMs: Millis
}

/** A part was refused. Its quantity is spread over the parts that are left. */
export type AlgoMissed = {
  readonly type: 'algo.missed'
  readonly algo: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly refusal: Refusal
  readonly partsLeft: Parts
  readonly nextAtMs: Millis
}

/** `executedLots`, `executedQuote`: of a TWAP order. The orders of a scaled one tell their own; 0 here. */
export type AlgoEnded = {
  readonly type: 'algo.ended'
  readonly algo: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly reason: AlgoEnd
  readonly executedLots: Lots
  readonly executedQuote: Units
}

export type AlgoEvent = AlgoPlaced | AlgoPart | AlgoMissed | AlgoEnded
