/** Orders of a position: their slots, and those that may open in the order of their prices. */
import type { SideNumber } from '../../../book/codes.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import { withoutSlot, withSlot } from '../../records/slots.ts'
import type { Holding } from './state.ts'

/** Adds an order to a position. */
export function addSlot(holding: Holding, slot: OrderSlot): void {
  holding.slots = withSlot(holding.slots, slot)
}

/** Removes an order that leaves the core from its position. */
export function removeSlot(holding: Holding, slot: OrderSlot): void {
  holding.slots = withoutSlot(holding.slots, slot)
  for (const known of holding.byPrice) {
    const at = known?.indexOf(slot) ?? -1
    if (at >= 0) known!.splice(at, 1)
  }
}

/** Notes that an order of a side enters the book, so that the orders by price must be sorted again. */
export function forgetPrices(holding: Holding, side: SideNumber): void {
  holding.byPrice[side] = undefined
}
