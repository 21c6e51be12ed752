import { ApiError, missing } from '../errors.ts'
import * as param from '../params.ts'
import { orderTypes } from './order-view.ts'

type Param<T> = param.Param<T>

/** A word of a list; any other gets this error code and message. */
function wordOr<const W extends string>(words: readonly W[], code: number, msg: string): Param<W | undefined> {
  return {
    isMandatory: false,
    fallback: undefined,
    shape: { type: 'string', enum: words },
    read(text) {
      if (!(words as readonly string[]).includes(text)) throw new ApiError(code, msg)
      return text as W
    },
  }
}

const decimalPattern = /^([0-9]{1,20})(\.[0-9]{1,20})?$/

/** An amount or price of at least zero, as text: the number of digits is checked where the market is known. */
export const decimal = param.text(decimalPattern)
export const clientIdPattern = /^[.A-Z:/a-z0-9_-]{1,36}$/
export const clientId = param.text(clientIdPattern)
export const side = wordOr(['BUY', 'SELL'], -1117, 'Invalid side.')
export const orderType = wordOr(orderTypes, -1116, 'Invalid orderType.')
export const timeInForce = wordOr(['GTC', 'IOC', 'FOK'], -1115, 'Invalid timeInForce.')
export const responseType = param.word(['ACK', 'RESULT', 'FULL'])
export const selfTradeMode = param.word(['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'])
export const trailingDelta = param.integer(1, 1_000_000)
export const symbol = param.mandatory(param.symbol)

/** Parameters of an order, on every path that places one. */
export const orderParams = {
  symbol,
  side: param.mandatory(side),
  type: param.mandatory(orderType),
  timeInForce,
  quantity: decimal,
  quoteOrderQty: decimal,
  price: decimal,
  newClientOrderId: clientId,
  stopPrice: decimal,
  trailingDelta,
  icebergQty: decimal,
  newOrderRespType: responseType,
  selfTradePreventionMode: selfTradeMode,
} as const
export type OrderValues = param.Values<typeof orderParams>

/** Parameters about a program's strategy, on the paths of the spot account. */
export const strategyParams = {
  strategyId: param.integer(0, Number.MAX_SAFE_INTEGER - 1),
  strategyType: param.integer(1_000_000, Number.MAX_SAFE_INTEGER - 1),
} as const
export type StrategyValues = Partial<param.Values<typeof strategyParams>>

/** Parameters that identify an order, by number or by the client id with which it was placed. */
export const whichParams = { symbol, orderId: param.id, origClientOrderId: clientId } as const
export type Which = Pick<param.Values<typeof whichParams>, 'orderId' | 'origClientOrderId'>

export const cancelParams = {
  ...whichParams,
  newClientOrderId: clientId,
  cancelRestrictions: param.word(['ONLY_NEW', 'ONLY_PARTIALLY_FILLED']),
} as const
export type CancelValues = param.Values<typeof cancelParams>

/** throws  ApiError -1102 when neither is sent */
export function checkWhich({ orderId, origClientOrderId }: Which): void {
  if (orderId === undefined && origClientOrderId === undefined) throw oneOf('origClientOrderId', 'orderId')
}

export const oneOf = (one: string, other: string) =>
  new ApiError(-1102, `Param '${one}' or '${other}' must be sent, but both were empty/null!`)
export const notRequired = (name: string) => new ApiError(-1106, `Parameter '${name}' sent when not required.`)

const dayMs = 86_400_000

/** throws  ApiError -1127 when the times are in the wrong order or more than a day apart */
export function checkDay(start: number | undefined, end: number | undefined): void {
  if (start === undefined || end === undefined) return
  if (start > end) throw new ApiError(-1127, 'Start time is greater than end time.')
  if (end - start > dayMs) throw new ApiError(-1127, 'More than 24 hours between startTime and endTime.')
}

/** throws  ApiError -1102 or -1106 for the first of the names that is missing, or that is not allowed */
export function checkParts(values: Readonly<Record<string, unknown>>, needed: readonly string[], refused: readonly string[]): void {
  for (const name of needed) if (values[name] === undefined) throw missing(name)
  for (const name of refused) if (values[name] !== undefined) throw notRequired(name)
}
