// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Call, CallOptions, Decimal, Millis } from '../call.ts'
import type { ContractOrder, ContractOrderType, Done, Nothing } from './shared.ts'

export type AlgoOrder = {
  readonly algoId: number
  readonly clientAlgoId: string
  readonly algoType: 'CONDITIONAL'
  readonly orderType: ContractOrderType
  readonly symbol: string
  readonly side: 'BUY' | 'SELL'
  readonly positionSide: 'BOTH' | 'LONG' | 'SHORT'
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'
  readonly quantity: Decimal
  readonly algoStatus: 'NEW' | 'TRIGGERED' | 'FINISHED' | 'CANCELED' | 'EXPIRED'
  /** Number of the order after its trigger, empty while it waits. */
  readonly actualOrderId: string
  readonly actualPrice: Decimal
  readonly triggerPrice: Decimal
  readonly price: Decimal
  readonly icebergQuantity: null
  readonly selfTradePreventionMode: string
  readonly workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'
  readonly priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'
  readonly closePosition: boolean
  readonly priceProtect: false
  readonly reduceOnly: boolean
  readonly createTime: Millis
  readonly updateTime: Millis
  readonly triggerTime: Millis
  readonly goodTillDate: Millis
  readonly activatePrice?: Decimal
  readonly callbackRate?: Decimal
}

export type BatchRefusal = {
  readonly code: number
  readonly msg: string
}

export type CancelledAlgoOrder = {
  readonly algoId: number
  readonly clientAlgoId: string
  readonly code: '200'
  readonly msg: string
}

export type Countdown = {
  readonly symbol: string
  /** Milliseconds. */
  readonly countdownTime: string
}

export type PlaceOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** BUY or SELL. */
  readonly side: 'BUY' | 'SELL'
  /** LIMIT, MARKET, STOP, STOP_MARKET, TAKE_PROFIT, TAKE_PROFIT_MARKET or TRAILING_STOP_MARKET. */
  readonly type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'
  /** BOTH in one-way mode; LONG or SHORT in hedge mode. Default: BOTH. */
  readonly positionSide?: 'BOTH' | 'LONG' | 'SHORT' | undefined
  /** How long the order stays open; GTX is post-only, GTD until goodTillDate. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD' | undefined
  /** Quantity of the base asset. */
  readonly quantity?: string | undefined
  /** Limit price. */
  readonly price?: string | undefined
  /** Distance of a trailing stop in percent. */
  readonly callbackRate?: string | undefined
  /** The order can only reduce a position. */
  readonly reduceOnly?: boolean | undefined
  /** Closes the whole position when the order is triggered. */
  readonly closePosition?: boolean | undefined
  /** Which price triggers the order. */
  readonly workingType?: 'CONTRACT_PRICE' | 'MARK_PRICE' | undefined
  /** true is refused. */
  readonly priceProtect?: boolean | undefined
  /** Takes the price from the book, instead of price: the other side (OPPONENT) or the own one (QUEUE), by level. */
  readonly priceMatch?:
    | 'NONE'
    | 'OPPONENT'
    | 'OPPONENT_5'
    | 'OPPONENT_10'
    | 'OPPONENT_20'
    | 'QUEUE'
    | 'QUEUE_5'
    | 'QUEUE_10'
    | 'QUEUE_20'
    | undefined
  /** Ignored here: answers are always complete. */
  readonly newOrderRespType?: 'ACK' | 'RESULT' | 'FULL' | undefined
  /** Which order gives way when your own orders would trade with each other. */
  readonly selfTradePreventionMode?: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'NONE' | undefined
  /** For GTD: more than 600 seconds ahead; the milliseconds are ignored. */
  readonly goodTillDate?: number | undefined
  /** The price that triggers the order. */
  readonly stopPrice?: string | undefined
  /** The price from which a trailing stop follows. */
  readonly activationPrice?: string | undefined
  /** Your client id for the order; a second request with the same id gets the first outcome. */
  readonly newClientOrderId?: string | undefined
}

/**
 * Places an order.
 *
 * POST /fapi/v1/order · weight 1 · a key that may trade
 */
export function placeOrder(call: Call, params: PlaceOrderParams, options?: CallOptions): Promise<ContractOrder> {
  return call(
    { method: 'POST', path: '/fapi/v1/order', security: 'signed', clientId: 'newClientOrderId', socket: 'order.place' },
    params,
    options,
  )
}

export type OrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** The exchange’s number of the order. */
  readonly orderId?: number | undefined
  /** Your client id for the order. */
  readonly origClientOrderId?: string | undefined
}

/**
 * One order, by its number or client id.
 *
 * GET /fapi/v1/order · weight 1 · a key that may read
 */
export function order(call: Call, params: OrderParams, options?: CallOptions): Promise<ContractOrder> {
  return call({ method: 'GET', path: '/fapi/v1/order', security: 'signed', socket: 'order.status' }, params, options)
}

export type AmendOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** The exchange’s number of the order. */
  readonly orderId?: number | undefined
  /** Your client id for the order. */
  readonly origClientOrderId?: string | undefined
  /** The side of the order. */
  readonly side: 'BUY' | 'SELL'
  /** Quantity of the base asset. */
  readonly quantity: string
  /** Limit price. */
  readonly price?: string | undefined
  /** Takes the price from the book, instead of price. */
  readonly priceMatch?:
    | 'NONE'
    | 'OPPONENT'
    | 'OPPONENT_5'
    | 'OPPONENT_10'
    | 'OPPONENT_20'
    | 'QUEUE'
    | 'QUEUE_5'
    | 'QUEUE_10'
    | 'QUEUE_20'
    | undefined
}

/**
 * Changes price and quantity of an order; it keeps its number.
 *
 * PUT /fapi/v1/order · weight 1 · a key that may trade
 */
export function amendOrder(call: Call, params: AmendOrderParams, options?: CallOptions): Promise<ContractOrder> {
  return call({ method: 'PUT', path: '/fapi/v1/order', security: 'signed', isRepeatable: true, socket: 'order.modify' }, params, options)
}

export type CancelOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** The exchange’s number of the order. */
  readonly orderId?: number | undefined
  /** Your client id for the order. */
  readonly origClientOrderId?: string | undefined
}

/**
 * Cancels an order.
 *
 * DELETE /fapi/v1/order · weight 1 · a key that may trade
 */
export function cancelOrder(call: Call, params: CancelOrderParams, options?: CallOptions): Promise<ContractOrder> {
  return call({ method: 'DELETE', path: '/fapi/v1/order', security: 'signed', socket: 'order.cancel' }, params, options)
}

export type TestOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** BUY or SELL. */
  readonly side: 'BUY' | 'SELL'
  /** LIMIT, MARKET, STOP, STOP_MARKET, TAKE_PROFIT, TAKE_PROFIT_MARKET or TRAILING_STOP_MARKET. */
  readonly type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'
  /** BOTH in one-way mode; LONG or SHORT in hedge mode. Default: BOTH. */
  readonly positionSide?: 'BOTH' | 'LONG' | 'SHORT' | undefined
  /** How long the order stays open; GTX is post-only, GTD until goodTillDate. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD' | undefined
  /** Quantity of the base asset. */
  readonly quantity?: string | undefined
  /** Limit price. */
  readonly price?: string | undefined
  /** Distance of a trailing stop in percent. */
  readonly callbackRate?: string | undefined
  /** The order can only reduce a position. */
  readonly reduceOnly?: boolean | undefined
  /** Closes the whole position when the order is triggered. */
  readonly closePosition?: boolean | undefined
  /** Which price triggers the order. */
  readonly workingType?: 'CONTRACT_PRICE' | 'MARK_PRICE' | undefined
  /** true is refused. */
  readonly priceProtect?: boolean | undefined
  /** Takes the price from the book, instead of price: the other side (OPPONENT) or the own one (QUEUE), by level. */
  readonly priceMatch?:
    | 'NONE'
    | 'OPPONENT'
    | 'OPPONENT_5'
    | 'OPPONENT_10'
    | 'OPPONENT_20'
    | 'QUEUE'
    | 'QUEUE_5'
    | 'QUEUE_10'
    | 'QUEUE_20'
    | undefined
  /** Ignored here: answers are always complete. */
  readonly newOrderRespType?: 'ACK' | 'RESULT' | 'FULL' | undefined
  /** Which order gives way when your own orders would trade with each other. */
  readonly selfTradePreventionMode?: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'NONE' | undefined
  /** For GTD: more than 600 seconds ahead; the milliseconds are ignored. */
  readonly goodTillDate?: number | undefined
  /** The price that triggers the order. */
  readonly stopPrice?: string | undefined
  /** The price from which a trailing stop follows. */
  readonly activationPrice?: string | undefined
  /** Your client id for the order; a second request with the same id gets the first outcome. */
  readonly newClientOrderId?: string | undefined
}

/**
 * Checks an order as if it were placed; nothing is placed.
 *
 * POST /fapi/v1/order/test · weight 1 · a key that may trade
 */
export function testOrder(call: Call, params: TestOrderParams, options?: CallOptions): Promise<Nothing> {
  return call({ method: 'POST', path: '/fapi/v1/order/test', security: 'signed', isRepeatable: true }, params, options)
}

export type OpenOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** The exchange’s number of the order. */
  readonly orderId?: number | undefined
  /** Your client id for the order. */
  readonly origClientOrderId?: string | undefined
}

/**
 * One open order.
 *
 * GET /fapi/v1/openOrder · weight 1 · a key that may read
 */
export function openOrder(call: Call, params: OpenOrderParams, options?: CallOptions): Promise<ContractOrder> {
  return call({ method: 'GET', path: '/fapi/v1/openOrder', security: 'signed' }, params, options)
}

export type OpenOrdersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Open orders; conditional ones are in openAlgoOrders.
 *
 * GET /fapi/v1/openOrders · weight 1 with symbol, 40 without · a key that may read
 */
export function openOrders(call: Call, params: OpenOrdersParams = {}, options?: CallOptions): Promise<readonly ContractOrder[]> {
  return call({ method: 'GET', path: '/fapi/v1/openOrders', security: 'signed' }, params, options)
}

export type AllOrdersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** From this order on. */
  readonly orderId?: number | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * Orders of a Futures market, open or not, oldest first.
 *
 * GET /fapi/v1/allOrders · weight 5 · a key that may read
 */
export function allOrders(call: Call, params: AllOrdersParams, options?: CallOptions): Promise<readonly ContractOrder[]> {
  return call({ method: 'GET', path: '/fapi/v1/allOrders', security: 'signed' }, params, options)
}

export type CancelOpenOrdersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
}

/**
 * Cancels all open orders of a Futures market; conditional ones keep waiting.
 *
 * DELETE /fapi/v1/allOpenOrders · weight 1 · a key that may trade
 */
export function cancelOpenOrders(call: Call, params: CancelOpenOrdersParams, options?: CallOptions): Promise<Done> {
  return call({ method: 'DELETE', path: '/fapi/v1/allOpenOrders', security: 'signed', isRepeatable: true }, params, options)
}

export type CountdownCancelAllParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Milliseconds; 0 stops the countdown. */
  readonly countdownTime: number
}

/**
 * Cancels all open orders of a Futures market when the time is over, unless it is sent again; conditional ones keep waiting.
 *
 * POST /fapi/v1/countdownCancelAll · weight 10 · a key that may trade
 */
export function countdownCancelAll(call: Call, params: CountdownCancelAllParams, options?: CallOptions): Promise<Countdown> {
  return call({ method: 'POST', path: '/fapi/v1/countdownCancelAll', security: 'signed', isRepeatable: true }, params, options)
}

export type CancelAlgoOrdersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
}

/**
 * Cancels all waiting conditional orders of a Futures market.
 *
 * DELETE /fapi/v1/algoOpenOrders · weight 1 · a key that may trade
 */
export function cancelAlgoOrders(call: Call, params: CancelAlgoOrdersParams, options?: CallOptions): Promise<Done> {
  return call({ method: 'DELETE', path: '/fapi/v1/algoOpenOrders', security: 'signed', isRepeatable: true }, params, options)
}

export type PlaceOrdersParams = {
  /** A list of objects with the parameters of POST order, newClientOrderId included. */
  readonly batchOrders: readonly unknown[]
}

/**
 * Places up to five orders independently; the answer has the error of a refused one in its place.
 *
 * POST /fapi/v1/batchOrders · weight 5 · a key that may trade
 */
export function placeOrders(
  call: Call,
  params: PlaceOrdersParams,
  options?: CallOptions,
): Promise<readonly (ContractOrder | BatchRefusal)[]> {
  return call({ method: 'POST', path: '/fapi/v1/batchOrders', security: 'signed' }, params, options)
}

export type AmendOrdersParams = {
  /** A list of objects with the parameters of PUT order. */
  readonly batchOrders: readonly unknown[]
}

/**
 * Changes up to five orders independently.
 *
 * PUT /fapi/v1/batchOrders · weight 5 · a key that may trade
 */
export function amendOrders(
  call: Call,
  params: AmendOrdersParams,
  options?: CallOptions,
): Promise<readonly (ContractOrder | BatchRefusal)[]> {
  return call({ method: 'PUT', path: '/fapi/v1/batchOrders', security: 'signed' }, params, options)
}

export type CancelOrdersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Numbers as a list, ten at most. */
  readonly orderIdList?: readonly unknown[] | undefined
  /** The same as orderIdList. */
  readonly orderidlist?: readonly unknown[] | undefined
  /** Client ids as a list, ten at most. */
  readonly origClientOrderIdList?: readonly unknown[] | undefined
  /** The same as origClientOrderIdList. */
  readonly origclientorderidlist?: readonly unknown[] | undefined
}

/**
 * Cancels up to ten orders independently.
 *
 * DELETE /fapi/v1/batchOrders · weight 1 · a key that may trade
 */
export function cancelOrders(
  call: Call,
  params: CancelOrdersParams,
  options?: CallOptions,
): Promise<readonly (ContractOrder | BatchRefusal)[]> {
  return call({ method: 'DELETE', path: '/fapi/v1/batchOrders', security: 'signed' }, params, options)
}

export type PlaceAlgoOrderParams = {
  /** CONDITIONAL. */
  readonly algoType: 'CONDITIONAL'
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** BUY or SELL. */
  readonly side: 'BUY' | 'SELL'
  /** LIMIT, MARKET, STOP, STOP_MARKET, TAKE_PROFIT, TAKE_PROFIT_MARKET or TRAILING_STOP_MARKET. */
  readonly type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'
  /** BOTH in one-way mode; LONG or SHORT in hedge mode. Default: BOTH. */
  readonly positionSide?: 'BOTH' | 'LONG' | 'SHORT' | undefined
  /** How long the order stays open; GTX is post-only, GTD until goodTillDate. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD' | undefined
  /** Quantity of the base asset. */
  readonly quantity?: string | undefined
  /** Limit price. */
  readonly price?: string | undefined
  /** Distance of a trailing stop in percent. */
  readonly callbackRate?: string | undefined
  /** The order can only reduce a position. */
  readonly reduceOnly?: boolean | undefined
  /** Closes the whole position when the order is triggered. */
  readonly closePosition?: boolean | undefined
  /** Which price triggers the order. */
  readonly workingType?: 'CONTRACT_PRICE' | 'MARK_PRICE' | undefined
  /** true is refused. */
  readonly priceProtect?: boolean | undefined
  /** Takes the price from the book, instead of price: the other side (OPPONENT) or the own one (QUEUE), by level. */
  readonly priceMatch?:
    | 'NONE'
    | 'OPPONENT'
    | 'OPPONENT_5'
    | 'OPPONENT_10'
    | 'OPPONENT_20'
    | 'QUEUE'
    | 'QUEUE_5'
    | 'QUEUE_10'
    | 'QUEUE_20'
    | undefined
  /** Ignored here: answers are always complete. */
  readonly newOrderRespType?: 'ACK' | 'RESULT' | 'FULL' | undefined
  /** Which order gives way when your own orders would trade with each other. */
  readonly selfTradePreventionMode?: 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'NONE' | undefined
  /** For GTD: more than 600 seconds ahead; the milliseconds are ignored. */
  readonly goodTillDate?: number | undefined
  /** The price that triggers the order. */
  readonly triggerPrice?: string | undefined
  /** The price from which a trailing stop follows. */
  readonly activatePrice?: string | undefined
  /** Your client id for the conditional order. */
  readonly clientAlgoId?: string | undefined
}

/**
 * Places a conditional order.
 *
 * POST /fapi/v1/algoOrder · weight 1 · a key that may trade
 */
export function placeAlgoOrder(call: Call, params: PlaceAlgoOrderParams, options?: CallOptions): Promise<AlgoOrder> {
  return call(
    { method: 'POST', path: '/fapi/v1/algoOrder', security: 'signed', clientId: 'clientAlgoId', socket: 'algoOrder.place' },
    params,
    options,
  )
}

export type AlgoOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** The exchange’s number of the conditional order. */
  readonly algoId?: number | undefined
  /** Your client id for the conditional order. */
  readonly clientAlgoId?: string | undefined
  /** The same as clientAlgoId. */
  readonly clientalgoid?: string | undefined
}

/**
 * One conditional order.
 *
 * GET /fapi/v1/algoOrder · weight 1 · a key that may read
 */
export function algoOrder(call: Call, params: AlgoOrderParams = {}, options?: CallOptions): Promise<AlgoOrder> {
  return call({ method: 'GET', path: '/fapi/v1/algoOrder', security: 'signed' }, params, options)
}

export type CancelAlgoOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** The exchange’s number of the conditional order. */
  readonly algoId?: number | undefined
  /** Your client id for the conditional order. */
  readonly clientAlgoId?: string | undefined
  /** The same as clientAlgoId. */
  readonly clientalgoid?: string | undefined
}

/**
 * Cancels a conditional order.
 *
 * DELETE /fapi/v1/algoOrder · weight 1 · a key that may trade
 */
export function cancelAlgoOrder(call: Call, params: CancelAlgoOrderParams = {}, options?: CallOptions): Promise<CancelledAlgoOrder> {
  return call({ method: 'DELETE', path: '/fapi/v1/algoOrder', security: 'signed', socket: 'algoOrder.cancel' }, params, options)
}

export type OpenAlgoOrdersParams = {
  /** CONDITIONAL. */
  readonly algoType?: 'CONDITIONAL' | undefined
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** The exchange’s number of the conditional order. */
  readonly algoId?: number | undefined
}

/**
 * Waiting conditional orders.
 *
 * GET /fapi/v1/openAlgoOrders · weight 1 with symbol, 40 without · a key that may read
 */
export function openAlgoOrders(call: Call, params: OpenAlgoOrdersParams = {}, options?: CallOptions): Promise<readonly AlgoOrder[]> {
  return call({ method: 'GET', path: '/fapi/v1/openAlgoOrders', security: 'signed' }, params, options)
}

export type AllAlgoOrdersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** From this order on. */
  readonly algoId?: number | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * All conditional orders, oldest first.
 *
 * GET /fapi/v1/allAlgoOrders · weight 5 · a key that may read
 */
export function allAlgoOrders(call: Call, params: AllAlgoOrdersParams, options?: CallOptions): Promise<readonly AlgoOrder[]> {
  return call({ method: 'GET', path: '/fapi/v1/allAlgoOrders', security: 'signed' }, params, options)
}
