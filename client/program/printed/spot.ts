// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Call, CallOptions, Decimal, Millis } from '../call.ts'
import type { CancelledOrder, Commission, Nothing, Order, OrderList, OrderStatus, OrderType, PlacedOrder, ReportedList } from './shared.ts'

export type AmendedOrder = {
  readonly transactTime: Millis
  readonly executionId: number
  readonly amendedOrder: {
    readonly symbol: string
    readonly orderId: number
    /** Number of its list; −1 for none. */
    readonly orderListId: number
    readonly clientOrderId: string
    readonly price: Decimal
    readonly executedQty: Decimal
    readonly status: OrderStatus
    readonly timeInForce: 'GTC' | 'IOC' | 'FOK'
    readonly type: OrderType
    readonly side: 'BUY' | 'SELL'
    readonly origClientOrderId: string
    readonly qty: Decimal
    readonly preventedQty: Decimal
    readonly quoteOrderQty: Decimal
    readonly cumulativeQuoteQty: Decimal
    /** Time at which it became active; −1 while a stop or an order of a list waits. */
    readonly workingTime: number
    readonly selfTradePreventionMode: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT'
  }
}

export type OrderRefusal = {
  readonly code: number
  readonly msg: string
}

export type ReplacedOrder = {
  readonly cancelResult: 'SUCCESS' | 'FAILURE' | 'NOT_ATTEMPTED'
  readonly newOrderResult: 'SUCCESS' | 'FAILURE' | 'NOT_ATTEMPTED'
  readonly cancelResponse: CancelledOrder | OrderRefusal
  readonly newOrderResponse: PlacedOrder | OrderRefusal | null
}

export type TestedOrder = {
  readonly standardCommissionForOrder: Commission
  readonly taxCommissionForOrder: Commission
}

export type PlaceOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** BUY or SELL. */
  readonly side: 'BUY' | 'SELL'
  /** LIMIT, MARKET, LIMIT_MAKER, STOP_LOSS, STOP_LOSS_LIMIT, TAKE_PROFIT or TAKE_PROFIT_LIMIT. */
  readonly type: 'LIMIT' | 'MARKET' | 'LIMIT_MAKER' | 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT'
  /** How long the order stays open. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  /** Quantity of the base asset. */
  readonly quantity?: string | undefined
  /** Amount of the quote asset to spend or to receive. */
  readonly quoteOrderQty?: string | undefined
  /** Limit price. */
  readonly price?: string | undefined
  /** Your client id for the order; a second request with the same id gets the first outcome. */
  readonly newClientOrderId?: string | undefined
  /** The last price that triggers the order. */
  readonly stopPrice?: string | undefined
  /** Distance of a trailing stop in hundredths of a percent. */
  readonly trailingDelta?: number | undefined
  /** The visible part of the quantity. */
  readonly icebergQty?: string | undefined
  /** Detail of the answer. */
  readonly newOrderRespType?: 'ACK' | 'RESULT' | 'FULL' | undefined
  /** Which order gives way when your own orders would trade with each other. */
  readonly selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT' | undefined
  /** Number of your strategy; only you see it. */
  readonly strategyId?: number | undefined
  /** Its type, at least 1,000,000. */
  readonly strategyType?: number | undefined
}

/**
 * Places an order.
 *
 * LIMIT needs timeInForce, quantity and price; MARKET quantity or quoteOrderQty; LIMIT_MAKER quantity and price; STOP_LOSS and TAKE_PROFIT quantity and stopPrice or trailingDelta, with _LIMIT price and timeInForce as well. The answer is FULL for LIMIT and MARKET and ACK for the others, unless newOrderRespType says otherwise.
 *
 * POST /api/v3/order · weight 1 · a key that may trade
 */
export function placeOrder(call: Call, params: PlaceOrderParams, options?: CallOptions): Promise<PlacedOrder> {
  return call(
    { method: 'POST', path: '/api/v3/order', security: 'signed', clientId: 'newClientOrderId', socket: 'order.place' },
    params,
    options,
  )
}

export type CancelOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** The exchange’s number of the order. */
  readonly orderId?: number | undefined
  /** Your client id for the order. */
  readonly origClientOrderId?: string | undefined
  /** Your client id for the cancel. */
  readonly newClientOrderId?: string | undefined
  /** Cancels the order only if it is new, or only if it is partially filled. */
  readonly cancelRestrictions?: 'ONLY_NEW' | 'ONLY_PARTIALLY_FILLED' | undefined
}

/**
 * Cancels an order; if it is in a list, the whole list.
 *
 * DELETE /api/v3/order · weight 1 · a key that may trade
 */
export function cancelOrder(call: Call, params: CancelOrderParams, options?: CallOptions): Promise<CancelledOrder | ReportedList> {
  return call(
    { method: 'DELETE', path: '/api/v3/order', security: 'signed', clientId: 'newClientOrderId', socket: 'order.cancel' },
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
 * GET /api/v3/order · weight 4 · a key that may read
 */
export function order(call: Call, params: OrderParams, options?: CallOptions): Promise<Order> {
  return call({ method: 'GET', path: '/api/v3/order', security: 'signed', socket: 'order.status' }, params, options)
}

export type TestOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** BUY or SELL. */
  readonly side: 'BUY' | 'SELL'
  /** LIMIT, MARKET, LIMIT_MAKER, STOP_LOSS, STOP_LOSS_LIMIT, TAKE_PROFIT or TAKE_PROFIT_LIMIT. */
  readonly type: 'LIMIT' | 'MARKET' | 'LIMIT_MAKER' | 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT'
  /** How long the order stays open. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  /** Quantity of the base asset. */
  readonly quantity?: string | undefined
  /** Amount of the quote asset to spend or to receive. */
  readonly quoteOrderQty?: string | undefined
  /** Limit price. */
  readonly price?: string | undefined
  /** Your client id for the order; a second request with the same id gets the first outcome. */
  readonly newClientOrderId?: string | undefined
  /** The last price that triggers the order. */
  readonly stopPrice?: string | undefined
  /** Distance of a trailing stop in hundredths of a percent. */
  readonly trailingDelta?: number | undefined
  /** The visible part of the quantity. */
  readonly icebergQty?: string | undefined
  /** Detail of the answer. */
  readonly newOrderRespType?: 'ACK' | 'RESULT' | 'FULL' | undefined
  /** Which order gives way when your own orders would trade with each other. */
  readonly selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT' | undefined
  /** Number of your strategy; only you see it. */
  readonly strategyId?: number | undefined
  /** Its type, at least 1,000,000. */
  readonly strategyType?: number | undefined
  /** Adds the commission rates to the answer. */
  readonly computeCommissionRates?: boolean | undefined
}

/**
 * Checks an order as if it were placed; nothing is placed.
 *
 * POST /api/v3/order/test · weight 1 · a key that may trade
 */
export function testOrder(call: Call, params: TestOrderParams, options?: CallOptions): Promise<Nothing | TestedOrder> {
  return call({ method: 'POST', path: '/api/v3/order/test', security: 'signed', isRepeatable: true, socket: 'order.test' }, params, options)
}

export type CancelOpenOrdersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
}

/**
 * Cancels all orders of a market.
 *
 * DELETE /api/v3/openOrders · weight 1 · a key that may trade
 */
export function cancelOpenOrders(
  call: Call,
  params: CancelOpenOrdersParams,
  options?: CallOptions,
): Promise<readonly (CancelledOrder | ReportedList)[]> {
  return call({ method: 'DELETE', path: '/api/v3/openOrders', security: 'signed', socket: 'openOrders.cancelAll' }, params, options)
}

export type OpenOrdersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Open and conditional orders, of one market or all.
 *
 * GET /api/v3/openOrders · weight 6 with symbol, 80 without · a key that may read
 */
export function openOrders(call: Call, params: OpenOrdersParams = {}, options?: CallOptions): Promise<readonly Order[]> {
  return call({ method: 'GET', path: '/api/v3/openOrders', security: 'signed', socket: 'openOrders.status' }, params, options)
}

export type ReplaceOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** BUY or SELL. */
  readonly side: 'BUY' | 'SELL'
  /** LIMIT, MARKET, LIMIT_MAKER, STOP_LOSS, STOP_LOSS_LIMIT, TAKE_PROFIT or TAKE_PROFIT_LIMIT. */
  readonly type: 'LIMIT' | 'MARKET' | 'LIMIT_MAKER' | 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT'
  /** How long the order stays open. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  /** Quantity of the base asset. */
  readonly quantity?: string | undefined
  /** Amount of the quote asset to spend or to receive. */
  readonly quoteOrderQty?: string | undefined
  /** Limit price. */
  readonly price?: string | undefined
  /** Your client id for the order; a second request with the same id gets the first outcome. */
  readonly newClientOrderId?: string | undefined
  /** The last price that triggers the order. */
  readonly stopPrice?: string | undefined
  /** Distance of a trailing stop in hundredths of a percent. */
  readonly trailingDelta?: number | undefined
  /** The visible part of the quantity. */
  readonly icebergQty?: string | undefined
  /** Detail of the answer. */
  readonly newOrderRespType?: 'ACK' | 'RESULT' | 'FULL' | undefined
  /** Which order gives way when your own orders would trade with each other. */
  readonly selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT' | undefined
  /** Number of your strategy; only you see it. */
  readonly strategyId?: number | undefined
  /** Its type, at least 1,000,000. */
  readonly strategyType?: number | undefined
  /** Whether the new order is placed when the cancel fails. */
  readonly cancelReplaceMode: 'STOP_ON_FAILURE' | 'ALLOW_FAILURE'
  /** The order to cancel. */
  readonly cancelOrderId?: number | undefined
  /** The order to cancel, by its client id. */
  readonly cancelOrigClientOrderId?: string | undefined
  /** Your client id for the cancel. */
  readonly cancelNewClientOrderId?: string | undefined
  /** Cancels the order only if it is new, or only if it is partially filled. */
  readonly cancelRestrictions?: 'ONLY_NEW' | 'ONLY_PARTIALLY_FILLED' | undefined
  /** Whether the old order is still cancelled when too many orders were sent. */
  readonly orderRateLimitExceededMode?: 'DO_NOTHING' | 'CANCEL_ONLY' | undefined
}

/**
 * Cancels an order and places another.
 *
 * If one half fails, the answer is 409 with -2021; if nothing is done, 400 with -2022. `data` has the result of each half.
 *
 * POST /api/v3/order/cancelReplace · weight 1 · a key that may trade
 */
export function replaceOrder(call: Call, params: ReplaceOrderParams, options?: CallOptions): Promise<ReplacedOrder> {
  return call(
    {
      method: 'POST',
      path: '/api/v3/order/cancelReplace',
      security: 'signed',
      clientId: 'newClientOrderId',
      socket: 'order.cancelReplace',
    },
    params,
    options,
  )
}

export type AmendOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** The exchange’s number of the order. */
  readonly orderId?: number | undefined
  /** Your client id for the order. */
  readonly origClientOrderId?: string | undefined
  /** Your client id for the amendment. */
  readonly newClientOrderId?: string | undefined
  /** The new total quantity, smaller than before. */
  readonly newQty: string
}

/**
 * Reduces the quantity of an order; it keeps its place in the queue.
 *
 * PUT /api/v3/order/amend/keepPriority · weight 4 · a key that may trade
 */
export function amendOrder(call: Call, params: AmendOrderParams, options?: CallOptions): Promise<AmendedOrder> {
  return call(
    {
      method: 'PUT',
      path: '/api/v3/order/amend/keepPriority',
      security: 'signed',
      clientId: 'newClientOrderId',
      socket: 'order.amend.keepPriority',
    },
    params,
    options,
  )
}

export type PlaceOcoParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Your client id for the list; a second request with the same id gets the first outcome. */
  readonly listClientOrderId?: string | undefined
  /** BUY or SELL. */
  readonly side: 'BUY' | 'SELL'
  /** Quantity of each order, of the base asset. */
  readonly quantity: string
  /** Type of the order above the price. */
  readonly aboveType: 'LIMIT_MAKER' | 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT'
  /** Your client id for it. */
  readonly aboveClientOrderId?: string | undefined
  /** Its limit price. */
  readonly abovePrice?: string | undefined
  /** The last price that triggers it. */
  readonly aboveStopPrice?: string | undefined
  /** Lets it trail: the distance in hundredths of a percent. With it, aboveStopPrice is where a TAKE_PROFIT begins to trail. */
  readonly aboveTrailingDelta?: number | undefined
  /** Its visible part; for LIMIT_MAKER, or with GTC. */
  readonly aboveIcebergQty?: string | undefined
  /** How long it stays open once triggered; for STOP_LOSS_LIMIT and TAKE_PROFIT_LIMIT. */
  readonly aboveTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  /** Type of the order below the price. */
  readonly belowType: 'LIMIT_MAKER' | 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT'
  /** Your client id for it. */
  readonly belowClientOrderId?: string | undefined
  /** Its limit price. */
  readonly belowPrice?: string | undefined
  /** The last price that triggers it. */
  readonly belowStopPrice?: string | undefined
  /** Lets it trail: the distance in hundredths of a percent. With it, belowStopPrice is where a TAKE_PROFIT begins to trail. */
  readonly belowTrailingDelta?: number | undefined
  /** Its visible part; for LIMIT_MAKER, or with GTC. */
  readonly belowIcebergQty?: string | undefined
  /** How long it stays open once triggered; for STOP_LOSS_LIMIT and TAKE_PROFIT_LIMIT. */
  readonly belowTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  /** Detail of the answer. */
  readonly newOrderRespType?: 'ACK' | 'RESULT' | 'FULL' | undefined
  /** Which order gives way when your own orders would trade with each other. */
  readonly selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT' | undefined
}

/**
 * Places two orders, one of which cancels the other.
 *
 * A sell has LIMIT_MAKER, TAKE_PROFIT or TAKE_PROFIT_LIMIT above and STOP_LOSS or STOP_LOSS_LIMIT below; a buy the other way round.
 *
 * POST /api/v3/orderList/oco · weight 1 · a key that may trade
 */
export function placeOco(call: Call, params: PlaceOcoParams, options?: CallOptions): Promise<ReportedList> {
  return call(
    { method: 'POST', path: '/api/v3/orderList/oco', security: 'signed', clientId: 'listClientOrderId', socket: 'orderList.place.oco' },
    params,
    options,
  )
}

export type PlaceOtoParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Your client id for the list; a second request with the same id gets the first outcome. */
  readonly listClientOrderId?: string | undefined
  /** Detail of the answer. */
  readonly newOrderRespType?: 'ACK' | 'RESULT' | 'FULL' | undefined
  /** Which order gives way when your own orders would trade with each other. */
  readonly selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT' | undefined
  /** LIMIT or LIMIT_MAKER. */
  readonly workingType: 'LIMIT' | 'LIMIT_MAKER'
  /** BUY or SELL. */
  readonly workingSide: 'BUY' | 'SELL'
  /** Your client id for the working order. */
  readonly workingClientOrderId?: string | undefined
  /** Its limit price. */
  readonly workingPrice: string
  /** Its quantity, of the base asset. */
  readonly workingQuantity: string
  /** Its visible part; for LIMIT_MAKER, or with GTC. */
  readonly workingIcebergQty?: string | undefined
  /** How long it stays open; for LIMIT. */
  readonly workingTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  /** BUY or SELL. */
  readonly pendingSide: 'BUY' | 'SELL'
  /** Its quantity, of the base asset. */
  readonly pendingQuantity: string
  /** Type of the waiting order. */
  readonly pendingType: 'LIMIT' | 'MARKET' | 'LIMIT_MAKER' | 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT'
  /** Your client id for the waiting order. */
  readonly pendingClientOrderId?: string | undefined
  /** Its limit price. */
  readonly pendingPrice?: string | undefined
  /** The last price that triggers it. */
  readonly pendingStopPrice?: string | undefined
  /** Lets it trail: the distance in hundredths of a percent. */
  readonly pendingTrailingDelta?: number | undefined
  /** Its visible part; for LIMIT_MAKER, or with GTC. */
  readonly pendingIcebergQty?: string | undefined
  /** How long it stays open. */
  readonly pendingTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
}

/**
 * Places a working order, and another that waits until the first is filled.
 *
 * The waiting order is PENDING_NEW and holds nothing. When the working order is filled completely, it is placed, or ends as EXPIRED if the account can’t pay for it. When the working order ends otherwise, the waiting one ends with it.
 *
 * POST /api/v3/orderList/oto · weight 1 · a key that may trade
 */
export function placeOto(call: Call, params: PlaceOtoParams, options?: CallOptions): Promise<ReportedList> {
  return call(
    { method: 'POST', path: '/api/v3/orderList/oto', security: 'signed', clientId: 'listClientOrderId', socket: 'orderList.place.oto' },
    params,
    options,
  )
}

export type PlaceOtocoParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Your client id for the list; a second request with the same id gets the first outcome. */
  readonly listClientOrderId?: string | undefined
  /** Detail of the answer. */
  readonly newOrderRespType?: 'ACK' | 'RESULT' | 'FULL' | undefined
  /** Which order gives way when your own orders would trade with each other. */
  readonly selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT' | undefined
  /** LIMIT or LIMIT_MAKER. */
  readonly workingType: 'LIMIT' | 'LIMIT_MAKER'
  /** BUY or SELL. */
  readonly workingSide: 'BUY' | 'SELL'
  /** Your client id for the working order. */
  readonly workingClientOrderId?: string | undefined
  /** Its limit price. */
  readonly workingPrice: string
  /** Its quantity, of the base asset. */
  readonly workingQuantity: string
  /** Its visible part; for LIMIT_MAKER, or with GTC. */
  readonly workingIcebergQty?: string | undefined
  /** How long it stays open; for LIMIT. */
  readonly workingTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  /** Side of both waiting orders. */
  readonly pendingSide: 'BUY' | 'SELL'
  /** Quantity of each of them, of the base asset. */
  readonly pendingQuantity: string
  /** Type of the waiting order above the price. */
  readonly pendingAboveType: 'LIMIT_MAKER' | 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT'
  /** Your client id for it. */
  readonly pendingAboveClientOrderId?: string | undefined
  /** Its limit price. */
  readonly pendingAbovePrice?: string | undefined
  /** The last price that triggers it. */
  readonly pendingAboveStopPrice?: string | undefined
  /** Lets it trail: the distance in hundredths of a percent. */
  readonly pendingAboveTrailingDelta?: number | undefined
  /** Its visible part; for LIMIT_MAKER, or with GTC. */
  readonly pendingAboveIcebergQty?: string | undefined
  /** How long it stays open once triggered. */
  readonly pendingAboveTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  /** Type of the waiting order below the price. */
  readonly pendingBelowType: 'LIMIT_MAKER' | 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT'
  /** Your client id for it. */
  readonly pendingBelowClientOrderId?: string | undefined
  /** Its limit price. */
  readonly pendingBelowPrice?: string | undefined
  /** The last price that triggers it. */
  readonly pendingBelowStopPrice?: string | undefined
  /** Lets it trail: the distance in hundredths of a percent. */
  readonly pendingBelowTrailingDelta?: number | undefined
  /** Its visible part; for LIMIT_MAKER, or with GTC. */
  readonly pendingBelowIcebergQty?: string | undefined
  /** How long it stays open once triggered. */
  readonly pendingBelowTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
}

/**
 * Places a working order, and two that wait until it is filled, one of which then cancels the other.
 *
 * The two have the types of orderList/oco.
 *
 * POST /api/v3/orderList/otoco · weight 1 · a key that may trade
 */
export function placeOtoco(call: Call, params: PlaceOtocoParams, options?: CallOptions): Promise<ReportedList> {
  return call(
    { method: 'POST', path: '/api/v3/orderList/otoco', security: 'signed', clientId: 'listClientOrderId', socket: 'orderList.place.otoco' },
    params,
    options,
  )
}

export type PlaceOcoOldParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Your client id for the list; a second request with the same id gets the first outcome. */
  readonly listClientOrderId?: string | undefined
  /** BUY or SELL. */
  readonly side: 'BUY' | 'SELL'
  /** Quantity of each order, of the base asset. */
  readonly quantity: string
  /** Your client id for the limit order. */
  readonly limitClientOrderId?: string | undefined
  /** Price of the limit order. */
  readonly price: string
  /** Your client id for the stop. */
  readonly stopClientOrderId?: string | undefined
  /** The last price that triggers the stop. */
  readonly stopPrice: string
  /** Makes the stop a limit order at this price. */
  readonly stopLimitPrice?: string | undefined
  /** How long that limit order stays open once triggered; GTC by default. */
  readonly stopLimitTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  /** Detail of the answer. */
  readonly newOrderRespType?: 'ACK' | 'RESULT' | 'FULL' | undefined
  /** Which order gives way when your own orders would trade with each other. */
  readonly selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT' | undefined
}

/**
 * The older form of orderList/oco.
 *
 * POST /api/v3/order/oco · weight 1 · a key that may trade
 */
export function placeOcoOld(call: Call, params: PlaceOcoOldParams, options?: CallOptions): Promise<ReportedList> {
  return call(
    { method: 'POST', path: '/api/v3/order/oco', security: 'signed', clientId: 'listClientOrderId', socket: 'orderList.place' },
    params,
    options,
  )
}

export type CancelOrderListParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Number of a list of orders. */
  readonly orderListId?: number | undefined
  /** Your client id for the list. */
  readonly listClientOrderId?: string | undefined
  /** Your client id for the cancel. */
  readonly newClientOrderId?: string | undefined
}

/**
 * Cancels the orders of a list.
 *
 * DELETE /api/v3/orderList · weight 1 · a key that may trade
 */
export function cancelOrderList(call: Call, params: CancelOrderListParams, options?: CallOptions): Promise<ReportedList> {
  return call(
    { method: 'DELETE', path: '/api/v3/orderList', security: 'signed', clientId: 'newClientOrderId', socket: 'orderList.cancel' },
    params,
    options,
  )
}

export type OrderListParams = {
  /** Number of a list of orders. */
  readonly orderListId?: number | undefined
  /** Your client id for the list. */
  readonly origClientOrderId?: string | undefined
}

/**
 * One list, by its number or client id.
 *
 * GET /api/v3/orderList · weight 4 · a key that may read
 */
export function orderList(call: Call, params: OrderListParams = {}, options?: CallOptions): Promise<OrderList> {
  return call({ method: 'GET', path: '/api/v3/orderList', security: 'signed', socket: 'orderList.status' }, params, options)
}

/**
 * Open lists.
 *
 * GET /api/v3/openOrderList · weight 6 · a key that may read
 */
export function openOrderLists(call: Call, options?: CallOptions): Promise<readonly OrderList[]> {
  return call({ method: 'GET', path: '/api/v3/openOrderList', security: 'signed', socket: 'openOrderLists.status' }, {}, options)
}

export type AllOrderListsParams = {
  /** From this number on. */
  readonly fromId?: number | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * Lists, oldest first.
 *
 * GET /api/v3/allOrderList · weight 20 · a key that may read
 */
export function allOrderLists(call: Call, params: AllOrderListsParams = {}, options?: CallOptions): Promise<readonly OrderList[]> {
  return call({ method: 'GET', path: '/api/v3/allOrderList', security: 'signed', socket: 'allOrderLists' }, params, options)
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
 * Orders of a market, open or not, oldest first.
 *
 * GET /api/v3/allOrders · weight 20 · a key that may read
 */
export function allOrders(call: Call, params: AllOrdersParams, options?: CallOptions): Promise<readonly Order[]> {
  return call({ method: 'GET', path: '/api/v3/allOrders', security: 'signed', socket: 'allOrders' }, params, options)
}
