import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { Refused } from '../../refused.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { ApiError } from '../errors.ts'

/** Code and message of refusals for which clients of Futures know their own. */
export type ClientErrors = { readonly [R in Refusal]?: readonly [code: number, msg: string] }

const common: ClientErrors = {
  CLIENT_ID_REUSED: [-2010, 'Duplicate order sent.'],
  MARKET_HALTED: [-4140, 'Invalid symbol status for opening position.'],
  MARGIN_INSUFFICIENT: [-2019, 'Margin is insufficient.'],
  INSUFFICIENT_BALANCE: [-2018, 'Balance is insufficient.'],
  LEVERAGE_TOO_HIGH: [-2027, 'Exceeded the maximum allowable position at current leverage.'],
  NOTIONAL_TOO_LARGE: [-2027, 'Exceeded the maximum allowable position at current leverage.'],
  OPEN_INTEREST_FULL: [-2027, 'Exceeded the maximum allowable position at current leverage.'],
  POSITION_TOO_LARGE: [-2027, 'Exceeded the maximum allowable position at current leverage.'],
  POSITION_SIDE_INVALID: [-4061, "Order's position side does not match user's setting."],
  POSITION_LIQUIDATING: [-2023, 'User in liquidation mode now.'],
}

export const dateSaying = [
  -5040,
  'The goodTillDate timestamp must be greater than the current time plus 600 seconds and smaller than 253402300799000',
] as const

/** For orders, placed or changed. */
export const orderSayings: ClientErrors = {
  ...common,
  ORDER_UNKNOWN: [-2013, 'Order does not exist.'],
  TRIGGER_IMMEDIATE: [-2021, 'Order would immediately trigger.'],
  REDUCE_ONLY_REJECTED: [-2022, 'ReduceOnly Order is rejected.'],
  POSITION_UNKNOWN: [-2022, 'ReduceOnly Order is rejected.'],
  TOO_MANY_OPEN_ORDERS: [-2025, 'Reach max open order limit.'],
  NO_LIQUIDITY: [-2020, 'Unable to fill.'],
  PRICE_LEVEL_MISSING: [-5041, 'No depth matches this BBO order'],
  TIME_OUT_OF_RANGE: dateSaying,
  PRICE_INVALID: [-4002, 'Price greater than max price.'],
  QUANTITY_INVALID: [-4003, 'Quantity less than or equal to zero.'],
  QUANTITY_TOO_SMALL: [-4004, 'Quantity less than min quantity.'],
  QUANTITY_TOO_LARGE: [-4005, 'Quantity greater than max quantity.'],
  TRIGGER_INVALID: [-4007, 'Stop price greater than max price.'],
  TRAIL_INVALID: [-2007, 'Invalid callBack rate.'],
  FOK_NOT_FILLABLE: [
    -5021,
    'Due to the order could not be filled immediately, the FOK order has been rejected. The order will not be recorded in the order history',
  ],
  POST_ONLY_WOULD_TAKE: [
    -5022,
    'Due to the order could not be executed as maker, the Post Only order will be rejected. The order will not be recorded in the order history',
  ],
  ORDER_NOT_AMENDABLE: [-5025, 'Only limit order is supported.'],
  AMEND_UNCHANGED: [-5027, 'No need to modify the order.'],
}

export const cancelSayings: ClientErrors = { ORDER_UNKNOWN: [-2011, 'Unknown order sent.'] }

export const settingSayings: ClientErrors = {
  ...common,
  MODE_UNCHANGED: [-4046, 'No need to change margin type.'],
  MARGIN_INSUFFICIENT: [-2028, 'Leverage is smaller than permitted: insufficient margin balance.'],
  POSITION_UNKNOWN: [-4054, 'Cannot add position margin: position is 0.'],
  MARGIN_NOT_ISOLATED: [-4055, 'Only the margin of isolated positions can be changed.'],
  AMOUNT_BOUND: [-4051, 'Isolated balance insufficient.'],
}

/** The error for an order whose value is below the minimum. */
export function tooSmall({ wire }: ListedMarket): ApiError {
  return new ApiError(-4164, `Order's notional must be no smaller than ${wire.notionalMin} (unless you choose reduce only)`)
}

/** The error for a limit price too far from the mark, which depends on the side of the mark. */
export function outsideBand(price: number, reference: number): ApiError {
  return price > reference
    ? new ApiError(-4016, 'Price is higher than mark price multiplier cap.')
    : new ApiError(-4024, 'Price is lower than mark price multiplier floor.')
}

/** The error that the caller gets; anything that is not a refusal, or is not in `clientErrors`, is returned unchanged. */
export function said(error: unknown, clientErrors: ClientErrors, market?: ListedMarket): unknown {
  if (!(error instanceof Refused)) return error
  if (error.refusal === 'NOTIONAL_TOO_SMALL' && market !== undefined) return tooSmall(market)
  const known = clientErrors[error.refusal]
  return known === undefined ? error : new ApiError(...known)
}

export async function withClientErrors<T>(clientErrors: ClientErrors, run: Promise<T>, market?: ListedMarket): Promise<T> {
  try {
    return await run
  } catch (error) {
    throw said(error, clientErrors, market)
  }
}

export const notRequired = (name: string) => new ApiError(-1106, `Parameter '${name}' sent when not required.`)
export const notSupported = (what: string) => new ApiError(-1020, `This operation is not supported: ${what}.`)
