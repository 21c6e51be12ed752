/** A part as an ordinary order of the user, decided by the handler that decides the user's own orders. */
import type { Lots, Ticks } from '../../money/brand.ts'
import { encodeCommand } from '../../protocol/codec/command.ts'
import { positionOfFlags } from '../../protocol/codec/algo/slots.ts'
import { REDUCE_ONLY, SELL } from '../../protocol/codec/layout.ts'
import { Records } from '../../protocol/codec/records.ts'
import type { TimeInForce } from '../../protocol/command/order.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { placePerp } from '../perp/handlers/place.ts'
import { placeOrder } from '../spot/place.ts'
import type { State } from '../state/state.ts'
import type { Algo } from './records/state.ts'

/** Price 0: a market order. */
export type PartOrder = { readonly lots: Lots; readonly price: Ticks | 0; readonly timeInForce: TimeInForce; readonly isPostOnly: boolean }

/** Places an order for the user. Every check of such an order applies. A refusal changes nothing. */
export function placePart(
  x: State,
  { user, market, flags }: Algo,
  { lots, price, timeInForce, isPostOnly }: PartOrder,
): Refusal | undefined {
  const position = positionOfFlags(flags)
  const orderType: 'limit' | 'market' = price === 0 ? 'market' : 'limit'
  const side: 'buy' | 'sell' = (flags & SELL) === 0 ? 'buy' : 'sell'
  const order = {
    ...{ user, clientId: '', market, side, orderType, timeInForce, lots, isPostOnly },
    ...(price === 0 ? {} : { price }),
    selfTrade: 'expire-taker' as const,
  }
  const into = new Records(64)
  const stamp = { seq: x.seq, at: x.atMs, keyId: 0 }
  if (position === undefined) {
    encodeCommand({ type: 'spot.place', ...order }, stamp, into)
    return placeOrder(x, into.data, 0)
  }
  const ofPerp = { position, isReduceOnly: (flags & REDUCE_ONLY) !== 0, isClosing: false, triggerBy: 'last' as const }
  encodeCommand({ type: 'perp.place', ...order, ...ofPerp }, stamp, into)
  return placePerp(x, into.data, 0)
}
