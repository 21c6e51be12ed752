import type { ConversionState, WireConversion } from '@candor/core/protocol/wire/convert.ts'
import { type ClientErrors, insufficient } from '../funds/values.ts'

/** Codes and messages that clients know for refused quotes and acceptances. */
export const clientErrors: ClientErrors = {
  ASSET_UNKNOWN: [-1108, 'Invalid asset.'],
  INSUFFICIENT_BALANCE: [-2010, insufficient],
  CONVERT_LIMIT: [-2010, 'The conversions of the UTC day would exceed the limit.'],
}

/** States by the words that programs know. A conversion that ended without one has failed and moved nothing. */
export const orderStatuses: Readonly<Record<ConversionState, 'PROCESS' | 'SUCCESS' | 'FAIL'>> = {
  accepted: 'PROCESS',
  filled: 'SUCCESS',
  moved: 'FAIL',
  'no-index': 'FAIL',
}

/** An accepted quote. The order has the quote's number. */
export function orderOf({ id, state, from, to, give, get, rate, inverse, acceptedAt }: WireConversion) {
  return {
    ...{ orderId: Number(id), orderStatus: orderStatuses[state], fromAsset: from, fromAmount: give, toAsset: to, toAmount: get },
    ...{ ratio: rate, inverseRatio: inverse, createTime: acceptedAt },
  }
}
