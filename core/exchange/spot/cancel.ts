import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import { lengthOf } from '../../protocol/codec/records.ts'
import { cancelStates } from '../../protocol/command/spot.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state.ts'
import { cancel } from './close.ts'
import { findOrder } from './find.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { EXECUTED_LOTS, F, ID } = fields
const { CANCEL_LENGTH, CANCEL_STATE, REF_MARKET, REF_ORDER } = layout

const UNFILLED = 1 + cancelStates.indexOf('unfilled')

/** `spot.cancel`: possible for frozen users and in halted markets too. */
export function cancelOrder(x: State, data: Float64Array, start: number): Refusal | undefined {
  const venue = x.spotVenue(data[start + REF_MARKET]!)
  if (venue === undefined) return 'MARKET_UNKNOWN'
  const slot = findOrder(x, data, start)
  if (slot < 0) return 'ORDER_UNKNOWN'
  if (lengthOf(data[start]!) > CANCEL_LENGTH) {
    const isUnfilled = x.orders.f[slot * F + EXECUTED_LOTS] === 0
    if (isUnfilled !== (data[start + CANCEL_STATE] === UNFILLED)) return 'ORDER_NOT_AMENDABLE'
  }
  const order = data[start + REF_ORDER]!
  x.order = order === 0 ? x.orders.f[slot * F + ID]! : order
  cancel(x, venue, slot)
  return undefined
}
