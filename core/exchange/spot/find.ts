import type { OrderId, UserId } from '../../protocol/ids.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as text from '../../protocol/codec/text.ts'
import * as entry from '../requests/entry.ts'
import type { State } from '../state/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { C, F, I, MARKET, OWNER, SLOT } = fields
const { REF_CLIENT_ID, REF_MARKET, REF_ORDER, USER } = layout
const { clientIdSlots } = text
const { UNKNOWN } = entry

/**
 * Slot of the open order that a cancel or amend names, by number or by the client id it was placed with; the name of a list means
 * one of its legs, unless `meansLegs` is false. −1 when the user has no such order in that market.
 */
export function findOrder(x: State, data: Float64Array, start: number, meansLegs = true): OrderSlot {
  const { orders } = x
  const user = (data[start + USER]! | 0) as UserId
  let number = data[start + REF_ORDER]!
  const isByClientId = number === 0
  if (isByClientId) {
    if (data[start + REF_CLIENT_ID] === 0) return -1 as OrderSlot
    const place = x.requests.find(user, data, start + REF_CLIENT_ID)
    if (place === UNKNOWN || x.requests.refusal(place) !== 0) return -1 as OrderSlot
    number = x.requests.number(place)
  }
  let slot = orders.find(number as OrderId)
  const isList = slot < 0
  if (isList) slot = meansLegs ? x.legOf(number as OrderId) : (-1 as OrderSlot)
  if (slot < 0 || orders.i[(slot & SLOT) * I + OWNER] !== user || orders.f[(slot & SLOT) * F + MARKET] !== data[start + REF_MARKET])
    return -1 as OrderSlot
  if (isByClientId && !isList && !hasClientId(x, slot as OrderSlot, data, start + REF_CLIENT_ID)) return -1 as OrderSlot
  return slot as OrderSlot
}

/**
 * Checks the client id against the one the order was placed with: an amend's own client id leads to the same order, but does not
 * name it.
 */
function hasClientId(x: State, slot: OrderSlot, data: Float64Array, at: number): boolean {
  for (let n = 0; n < clientIdSlots; n++) if (x.orders.c[(slot & SLOT) * C + n] !== data[at + n]) return false
  return true
}
