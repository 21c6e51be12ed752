import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state.ts'
import * as close from './close.ts'
import * as finding from './find.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { F, ID, SLOT } = fields
const { REF_MARKET, REF_ORDER } = layout
const { cancel } = close
const { findOrder } = finding

/** `spot.cancel`: possible for frozen users and in halted markets too. */
export function cancelOrder(x: State, data: Float64Array, start: number): Refusal | undefined {
  const venue = x.spotVenue(data[start + REF_MARKET]!)
  if (venue === undefined) return 'MARKET_UNKNOWN'
  const slot = findOrder(x, data, start)
  if (slot < 0) return 'ORDER_UNKNOWN'
  const order = data[start + REF_ORDER]!
  x.order = order === 0 ? x.orders.f[(slot & SLOT) * F + ID]! : order
  cancel(x, venue, slot)
  return undefined
}
