/** Shapes on the wire that orders share, and parts that only orders of one product have. */
import type { Decimal } from '../../money/brand.ts'
import type { BorrowMode } from '../command/margin.ts'
import type { PositionSide, TriggerPrice } from '../command/perp.ts'

/** `margin` of `WirePlaceOrder` and `WireOrder`. */
export type WireMarginOrder = { readonly account: 'margin-cross' | 'margin-isolated'; readonly borrow: BorrowMode }

/** Part of `WireOrder` for orders of contracts. */
export type WirePerpOrder = {
  readonly position: PositionSide
  readonly reduceOnly: boolean
  readonly closing: boolean
  readonly triggerBy: TriggerPrice
  readonly liquidation: boolean
}

export type WireTrigger =
  | { readonly kind: 'stop'; readonly price: Decimal; readonly direction: 'rises-to' | 'falls-to' }
  | {
      readonly kind: 'trailing'
      readonly trailPercent: Decimal
      readonly activation?: Decimal
      readonly direction: 'rises-to' | 'falls-to'
    }
