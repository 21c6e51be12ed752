import type { MarketId, OrderId } from '../../../protocol/ids.ts'
import * as fields from '../../../book/order-fields.ts'
import { REF_MARKET } from '../../../protocol/codec/layout.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { State } from '../../state/state.ts'
import { drop, reasonNumber } from '../positions/close.ts'
import { findPerpOrder } from './find.ts'
import { flush } from '../positions/flush.ts'

const { F, ID } = fields

const CANCELLED = reasonNumber('cancelled')

/** `perp.cancel`: also possible for frozen users and in halted markets. */
export function cancelPerp(x: State, data: Float64Array, start: number): Refusal | undefined {
  const contract = x.perp.contract(data[start + REF_MARKET] as MarketId)
  if (contract === undefined) return 'MARKET_UNKNOWN'
  const slot = findPerpOrder(x, data, start)
  if (slot < 0) return 'ORDER_UNKNOWN'
  x.order = x.orders.f[slot * F + ID] as OrderId
  drop(x, contract, slot, CANCELLED)
  flush(x)
  return undefined
}
