import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { Refused } from '../../refused.ts'
import { ApiError } from '../errors.ts'

/** Names of the filters of `exchangeInfo`, by the refusal of an order that does not pass them. */
const filters: Partial<Record<Refusal, string>> = {
  PRICE_INVALID: 'PRICE_FILTER',
  TRIGGER_INVALID: 'PRICE_FILTER',
  QUANTITY_INVALID: 'LOT_SIZE',
  QUANTITY_TOO_SMALL: 'LOT_SIZE',
  QUANTITY_TOO_LARGE: 'LOT_SIZE',
  NOTIONAL_TOO_SMALL: 'NOTIONAL',
  NOTIONAL_TOO_LARGE: 'NOTIONAL',
  DISPLAY_INVALID: 'ICEBERG_PARTS',
  TRAIL_INVALID: 'TRAILING_DELTA',
  PRICE_OUTSIDE_BAND: 'PERCENT_PRICE_BY_SIDE',
  TOO_MANY_OPEN_ORDERS: 'MAX_NUM_ORDERS',
}

/** Sentences by which clients recognize why an order was rejected. */
const rejected: Partial<Record<Refusal, string>> = {
  INSUFFICIENT_BALANCE: 'Account has insufficient balance for requested action.',
  CLIENT_ID_REUSED: 'Duplicate order sent.',
  POST_ONLY_WOULD_TAKE: 'Order would immediately match and take.',
  TRIGGER_IMMEDIATE: 'Stop price would trigger immediately.',
  OCO_PRICES_INVALID: 'The relationship of the prices for the orders is not correct.',
  MARKET_HALTED: 'Market is closed.',
  USER_FROZEN: 'This action is disabled on this account.',
}

export const filterFailure = (name: string) => new ApiError(-1013, `Filter failure: ${name}`)
export const unknownOrder = () => new ApiError(-2011, 'Unknown order sent.')
export const noSuchOrder = () => new ApiError(-2013, 'Order does not exist.')
export const noSuchList = () => new ApiError(-2018, 'Order list does not exist.')

/** The error for the core's refusal of a new order. */
export function placeError(refusal: Refusal): Error {
  const filter = filters[refusal]
  if (filter !== undefined) return filterFailure(filter)
  const sentence = rejected[refusal]
  return sentence === undefined ? new Refused(refusal) : new ApiError(-2010, sentence)
}

export function cancelError(refusal: Refusal): Error {
  if (refusal === 'ORDER_UNKNOWN') return unknownOrder()
  if (refusal === 'ORDER_NOT_AMENDABLE') return new ApiError(-2011, 'Order was not canceled due to cancel restrictions.')
  return placeError(refusal)
}

export function amendError(refusal: Refusal): Error {
  if (refusal === 'ORDER_UNKNOWN') return noSuchOrder()
  if (refusal === 'ORDER_NOT_AMENDABLE') return new ApiError(-2038, 'The order cannot be amended to this quantity with its priority kept.')
  if (refusal === 'AMEND_UNCHANGED') return new ApiError(-2038, 'The requested action would change no state; rejecting.')
  if (refusal === 'QUANTITY_INVALID') return new ApiError(-2038, 'The new quantity must be greater than the executed quantity.')
  return placeError(refusal)
}
