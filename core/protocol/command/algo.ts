import type { Lots, Millis, Ticks } from '../../money/brand.ts'
import type { ClientId, MarketId, OrderId, Parts, UserId } from '../ids.ts'
import type { Side } from './order.ts'
import type { PositionSide } from './perp.ts'

/** Kinds of orders that the exchange carries out in parts. The position in the list is the number on disk: append only. */
export const algoKinds = ['twap', 'scaled'] as const
export type AlgoKind = (typeof algoKinds)[number]

/** How the quantities of a scaled order change from its first price to its last one. The position is the number on disk: append only. */
export const scaledShapes = ['flat', 'rising', 'falling'] as const
export type ScaledShape = (typeof scaledShapes)[number]

/** Parts at equal intervals, the first one at once. `worst`: no part trades at a worse price; 0: within a fifth of the market's slippage. */
export type TwapPlan = { readonly kind: 'twap'; readonly durationMs: Millis; readonly worst: Ticks | 0 }

/** Limit orders at equal distances between two prices, all placed at once. None may trade when it is placed. */
export type ScaledPlan = { readonly kind: 'scaled'; readonly from: Ticks; readonly to: Ticks; readonly shape: ScaledShape }

/**
 * An order that the exchange carries out in parts, each an ordinary order of the user. `position`: present for Futures only. No money is
 * held for parts that are not placed yet.
 */
export type PlaceAlgo = {
  readonly type: 'algo.place'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly side: Side
  readonly position?: PositionSide
  readonly isReduceOnly: boolean
  readonly lots: Lots
  readonly parts: Parts
  readonly plan: TwapPlan | ScaledPlan
}

/** Ends an order before its time. Open orders that it placed are cancelled. */
export type CancelAlgo = { readonly type: 'algo.cancel'; readonly user: UserId; readonly clientId: ClientId; readonly algo: OrderId }

export type AlgoCommand = PlaceAlgo | CancelAlgo
