/** Shapes on the wire that all orders share, and parts for orders of one product only. */
import type { Decimal } from '../../money/brand.ts'
import type { BorrowMode } from '../command/margin.ts'
import type { PositionSide, PriceMatch, TriggerPrice } from '../command/perp.ts'

/** `margin` of `WirePlaceOrder` and `WireOrder`. */
export type WireMarginOrder = { readonly account: 'margin-cross' | 'margin-isolated'; readonly borrow: BorrowMode }

/** Part of `WireOrder` for Futures orders. */
export type WirePerpOrder = {
  readonly position: PositionSide
  readonly reduceOnly: boolean
  readonly closing: boolean
  readonly triggerBy: TriggerPrice
  readonly liquidation: boolean
  /** Exits for the position that the order's fills open or enlarge. An exit order placed for it has its id as `listId`. */
  readonly exits?: WireExits
  /** Time at which the order expires, in milliseconds. */
  readonly goodTill?: number
  /** The order was placed without a price: it takes it from the book. */
  readonly priceMatch?: PriceMatch
}

/** Price at which a position is closed by a market order, and which price must reach it. */
export type WireExit = { readonly price: Decimal; readonly by: TriggerPrice }

/** At least one is present. */
export type WireExits = { readonly takeProfit?: WireExit; readonly stopLoss?: WireExit }

export type WireTrigger =
  | { readonly kind: 'stop'; readonly price: Decimal; readonly direction: 'rises-to' | 'falls-to' }
  | {
      readonly kind: 'trailing'
      readonly trailPercent: Decimal
      readonly activation?: Decimal
      readonly direction: 'rises-to' | 'falls-to'
    }

/**
 * A change of an open order. `triggerPrice`: of a stop that still sleeps, the trigger from now on; an order that sleeps is not amended
 * without it.
 */
export type WireAmend = {
  readonly clientId: string
  readonly symbol: string
  readonly quantity?: Decimal
  readonly price?: Decimal
  readonly triggerPrice?: Decimal
}
