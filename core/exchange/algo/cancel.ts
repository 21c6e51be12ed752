import { ALGO_NUMBER } from '../../protocol/codec/algo/layout.ts'
import { USER } from '../../protocol/codec/layout.ts'
import { readOrderId, readUserId } from '../../protocol/codec/slots.ts'
import type { Handler } from '../state/handler.ts'
import { endAlgo } from './records/end.ts'
import { cancelOrders } from './place.ts'

/** `algo.cancel`: also possible for frozen users and in halted markets. */
export const cancelAlgo: Handler = (x, data, start) => {
  const algo = x.algo.get(readOrderId(data, start + ALGO_NUMBER))
  if (algo === undefined || algo.user !== readUserId(data, start + USER)) return 'ALGO_UNKNOWN'
  cancelOrders(x, algo)
  endAlgo(x, algo, 'cancelled')
  x.order = algo.number
  return undefined
}
