/** Parts of an order on the wire that only orders of one product have. */
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
