import type { OrderSlot } from '../../../book/order-fields.ts'
import type { OrderId, UserId } from '../../../protocol/ids.ts'
import * as fields from '../../../book/order-fields.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import { clientIdSlots } from '../../../protocol/codec/text.ts'
import { UNKNOWN } from '../../requests/entry.ts'
import type { State } from '../../state/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { C, F, I, MARKET, OWNER } = fields
const { REF_CLIENT_ID, REF_MARKET, REF_ORDER, USER } = layout

/** Slot of the user's order in a contract that a cancel or amend names, by number or by client id; −1 for none. */
export function findPerpOrder(x: State, data: Float64Array, start: number): OrderSlot {
  const { orders } = x
  const user = data[start + USER] as UserId
  let number = data[start + REF_ORDER]!
  const isByClientId = number === 0
  if (isByClientId) {
    if (data[start + REF_CLIENT_ID] === 0) return -1 as OrderSlot
    const place = x.requests.find(user, data, start + REF_CLIENT_ID)
    if (place === UNKNOWN || x.requests.refusal(place) !== 0) return -1 as OrderSlot
    number = x.requests.number(place)
  }
  const slot = orders.find(number as OrderId) as OrderSlot
  if (slot < 0 || orders.i[slot * I + OWNER] !== user || orders.f[slot * F + MARKET] !== data[start + REF_MARKET]) return -1 as OrderSlot
  // Checks the client id against the one the order was placed with: an amend's own client id leads to the same order, but does
  // not name it.
  for (let n = 0; isByClientId && n < clientIdSlots; n++) {
    if (orders.c[slot * C + n] !== data[start + REF_CLIENT_ID + n]) return -1 as OrderSlot
  }
  return slot
}
