import type { MarketId, OrderId } from '../../protocol/ids.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as records from '../../protocol/codec/records.ts'
import { cancelStates } from '../../protocol/command/spot.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'
import * as close from './close.ts'
import * as finding from './find.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { EXECUTED_LOTS, F, ID, SLOT } = fields
const { CANCEL_LENGTH, CANCEL_STATE, REF_MARKET, REF_ORDER } = layout
const { lengthOf } = records
const { cancel } = close
const { findOrder } = finding

const UNFILLED = 1 + cancelStates.indexOf('unfilled')

/** `spot.cancel`: also possible for frozen users and in halted markets. */
export function cancelOrder(x: State, data: Float64Array, start: number): Refusal | undefined {
  const venue = x.spotVenue(data[start + REF_MARKET] as MarketId)
  if (venue === undefined) return 'MARKET_UNKNOWN'
  const slot = findOrder(x, data, start)
  if (slot < 0) return 'ORDER_UNKNOWN'
  if (lengthOf(data[start]!) > CANCEL_LENGTH) {
    const isUnfilled = x.orders.f[(slot & SLOT) * F + EXECUTED_LOTS] === 0
    if (isUnfilled !== (data[start + CANCEL_STATE] === UNFILLED)) return 'ORDER_NOT_AMENDABLE'
  }
  const order = data[start + REF_ORDER] as OrderId
  x.order = order === 0 ? (x.orders.f[(slot & SLOT) * F + ID] as OrderId) : order
  cancel(x, venue, slot)
  return undefined
}
