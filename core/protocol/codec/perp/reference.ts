/** Slots by which a command names an order of Futures. */
import type { CancelPerp } from '../../command/perp.ts'
import * as at from '../layout.ts'
import { integer } from '../records.ts'
import { readClientId, readMarketId, readOrderId, readUserId } from '../slots.ts'
import { clientIdSlots, packText, unpackText } from '../text.ts'

export type Reference = Omit<CancelPerp, 'type'>

export function writeReference(command: Reference, data: Float64Array, start: number): void {
  data[start + at.REF_MARKET] = integer(command.market, 'market')
  data[start + at.REF_ORDER] = integer(command.order, 'order')
  packText(command.orderClientId, data, start + at.REF_CLIENT_ID, clientIdSlots)
}

export function readReference(data: Float64Array, start: number): Reference {
  return {
    user: readUserId(data, start + at.USER),
    clientId: readClientId(data, start),
    market: readMarketId(data, start + at.REF_MARKET),
    order: readOrderId(data, start + at.REF_ORDER),
    orderClientId: unpackText(data, start + at.REF_CLIENT_ID, clientIdSlots),
  }
}
