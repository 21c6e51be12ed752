import type { Decimal } from '../../../money/brand.ts'
import type { ScaledShape } from '../../command/algo.ts'
import type { Side } from '../../command/order.ts'
import type { PositionSide } from '../../command/perp.ts'
import type { AlgoEnd } from '../../event/algo.ts'
import type { Refusal } from '../../refusal.ts'

/** Parts at equal intervals. `seconds`: the whole duration. `worst`: no part trades at a worse price. */
export type WireTwapPlan = { readonly kind: 'twap'; readonly seconds: number; readonly worst?: Decimal }

/** Limit orders at equal distances between two prices. `shape`: how their quantities change from the first price to the last. */
export type WireScaledPlan = { readonly kind: 'scaled'; readonly from: Decimal; readonly to: Decimal; readonly shape: ScaledShape }

/** POST `/algo/orders`: an order of Spot or Futures that the exchange carries out in parts. */
export type WirePlaceAlgo = {
  /** The same id with the same body gives the same order again. */
  readonly clientId: string
  readonly symbol: string
  readonly side: Side
  /** For Futures, in hedge mode. */
  readonly position?: PositionSide
  readonly reduceOnly?: boolean
  readonly quantity: Decimal
  readonly parts: number
  readonly plan: WireTwapPlan | WireScaledPlan
}

/** An order that the exchange carries out in parts. What it executed is the sum of its parts, each an order with its `algoId`. */
export type WireAlgo = {
  readonly id: string
  readonly clientId: string
  readonly symbol: string
  readonly kind: 'twap' | 'scaled'
  readonly side: Side
  readonly position?: PositionSide
  readonly reduceOnly: boolean
  readonly quantity: Decimal
  readonly parts: number
  /** Seconds between two parts of a TWAP order. */
  readonly every?: number
  readonly worst?: Decimal
  readonly from?: Decimal
  readonly to?: Decimal
  readonly shape?: ScaledShape
  readonly executed: Decimal
  readonly executedQuote: Decimal
  /** Average price of its fills. */
  readonly average?: Decimal
  /** Parts of a TWAP order that are still to come. */
  readonly partsLeft: number
  /** Parts that were refused, and why the last of them was. */
  readonly missed: number
  readonly lastRefusal?: Refusal
  /** Time of the next part. */
  readonly nextAt?: number
  readonly placedAt: number
  readonly endedAt?: number
  /** Why it ended; absent while it runs. */
  readonly end?: AlgoEnd
}

/** A step of an order in parts, on the user's own stream. `end`: it has ended. */
export type AlgoUpdate = {
  readonly e: 'algo'
  readonly E: number
  readonly seq: number
  readonly id: string
  readonly symbol: string
  readonly partsLeft?: number
  readonly missed?: Refusal
  readonly nextAt?: number
  readonly end?: AlgoEnd
}
