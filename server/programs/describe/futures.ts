import { z } from 'zod'
import { decimal, type Descriptions, empty, flag, id, list, millis, named, object, said, text, words } from './describe.ts'

const group = 'futures'
export const side = words('BUY', 'SELL')
export const positionSide = words('BOTH', 'LONG', 'SHORT')
const contractType = named(
  'ContractOrderType',
  words('LIMIT', 'MARKET', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET'),
)
const workingType = words('CONTRACT_PRICE', 'MARK_PRICE')
const timeInForce = words('GTC', 'IOC', 'FOK', 'GTX', 'GTD')
const priceMatch = words(
  ...(['NONE', 'OPPONENT', 'OPPONENT_5', 'OPPONENT_10', 'OPPONENT_20', 'QUEUE', 'QUEUE_5', 'QUEUE_10', 'QUEUE_20'] as const),
)

export const contractOrder = named(
  'ContractOrder',
  object({
    orderId: id,
    symbol: text,
    status: words('NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH'),
    clientOrderId: text,
    price: decimal,
    avgPrice: decimal,
    origQty: decimal,
    executedQty: decimal,
    cumQty: decimal,
    cumQuote: decimal,
    timeInForce,
    type: said(contractType, 'Its type after it was triggered.'),
    reduceOnly: flag,
    closePosition: flag,
    side,
    positionSide,
    stopPrice: decimal,
    workingType,
    priceMatch,
    priceProtect: z.literal(false),
    origType: said(contractType, 'The type with which it was placed.'),
    selfTradePreventionMode: text,
    goodTillDate: said(millis, '0 for none.'),
    time: millis,
    updateTime: millis,
    activatePrice: decimal.optional(),
    priceRate: said(decimal, 'Percent.').optional(),
  }),
)
const algoOrder = named(
  'AlgoOrder',
  object({
    algoId: id,
    clientAlgoId: text,
    algoType: z.literal('CONDITIONAL'),
    orderType: contractType,
    symbol: text,
    side,
    positionSide,
    timeInForce,
    quantity: decimal,
    algoStatus: words('NEW', 'TRIGGERED', 'FINISHED', 'CANCELED', 'EXPIRED'),
    actualOrderId: said(text, 'Number of the order after its trigger, empty while it waits.'),
    actualPrice: decimal,
    triggerPrice: decimal,
    price: decimal,
    icebergQuantity: z.null(),
    selfTradePreventionMode: text,
    workingType,
    priceMatch,
    closePosition: flag,
    priceProtect: z.literal(false),
    reduceOnly: flag,
    createTime: millis,
    updateTime: millis,
    triggerTime: said(millis, '0 while it waits.'),
    goodTillDate: said(millis, '0 for none.'),
    activatePrice: decimal.optional(),
    callbackRate: said(decimal, 'Percent.').optional(),
  }),
)
const refusal = named('BatchRefusal', object({ code: z.int(), msg: text }))
const each = list(z.union([contractOrder, refusal]))
export const done = named('Done', object({ code: z.literal(200), msg: text }))

const orderWords = {
  type: 'LIMIT, MARKET, STOP, STOP_MARKET, TAKE_PROFIT, TAKE_PROFIT_MARKET or TRAILING_STOP_MARKET.',
  timeInForce: 'How long the order stays open; GTX is post-only, GTD until goodTillDate.',
  callbackRate: 'Distance of a trailing stop in percent.',
  closePosition: 'Closes the whole position when the order is triggered.',
  priceProtect: 'true is refused.',
  priceMatch: 'Takes the price from the book, instead of price: the other side (OPPONENT) or the own one (QUEUE), by level.',
  goodTillDate: 'For GTD: more than 600 seconds ahead; the milliseconds are ignored.',
  newOrderRespType: 'Ignored here: answers are always complete.',
}
const codes = [
  -1013, -1015, -1020, -1106, -1111, -1115, -1116, -1117, -2010, -2019, -2021, -2022, -2027, -4003, -4014, -4164, -5021, -5022, -5037,
  -5038, -5040, -5041,
]
const example = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001', price: '50000' }
const algoWords = { clientalgoid: 'The same as clientAlgoId.' }
const listed = {
  orderIdList: 'Numbers as a list, ten at most.',
  orderidlist: 'The same as orderIdList.',
  origClientOrderIdList: 'Client ids as a list, ten at most.',
  origclientorderidlist: 'The same as origClientOrderIdList.',
}
const batch = { group, answer: each, isRepeatable: false } as const

/** Futures orders. */
export const futuresDescriptions: Descriptions = {
  'POST /fapi/v1/order': {
    group,
    name: 'placeOrder',
    summary: 'Places an order.',
    answer: contractOrder,
    params: {
      ...orderWords,
      stopPrice: 'The price that triggers the order.',
      activationPrice: 'The price from which a trailing stop follows.',
    },
    codes,
    clientId: 'newClientOrderId',
    ccxt: "createOrder('BTC/USDT:USDT', 'limit', 'buy', 0.001, 50000)",
    example,
  },
  'POST /fapi/v1/order/test': {
    group,
    name: 'testOrder',
    summary: 'Checks an order as if it were placed; nothing is placed.',
    answer: empty,
    params: {
      ...orderWords,
      stopPrice: 'The price that triggers the order.',
      activationPrice: 'The price from which a trailing stop follows.',
    },
    codes,
    isRepeatable: true,
    example,
  },
  'GET /fapi/v1/order': {
    group,
    name: 'order',
    summary: 'One order, by its number or client id.',
    answer: contractOrder,
    codes: [-2013],
    ccxt: "fetchOrder(id, 'BTC/USDT:USDT')",
  },
  'PUT /fapi/v1/order': {
    group,
    name: 'amendOrder',
    summary: 'Changes price and quantity of an order; it keeps its number.',
    answer: contractOrder,
    params: { priceMatch: 'Takes the price from the book, instead of price.', side: 'The side of the order.' },
    codes: [-1102, -1111, -1117, -2013, -4003, -4014, -4164, -5022, -5037, -5041],
    isRepeatable: true,
    ccxt: "editOrder(id, 'BTC/USDT:USDT', 'limit', 'buy', 0.002, 50100)",
  },
  'DELETE /fapi/v1/order': {
    group,
    name: 'cancelOrder',
    summary: 'Cancels an order.',
    answer: contractOrder,
    codes: [-2011],
    isRepeatable: false,
    ccxt: "cancelOrder(id, 'BTC/USDT:USDT')",
  },
  'GET /fapi/v1/openOrder': {
    group,
    name: 'openOrder',
    summary: 'One open order.',
    answer: contractOrder,
    codes: [-2013],
    ccxt: "fetchOpenOrder(id, 'BTC/USDT:USDT')",
  },
  'GET /fapi/v1/openOrders': {
    group,
    name: 'openOrders',
    summary: 'Open orders; conditional ones are in openAlgoOrders.',
    answer: list(contractOrder),
    weight: '1 with symbol, 40 without',
    ccxt: "fetchOpenOrders('BTC/USDT:USDT')",
  },
  'GET /fapi/v1/allOrders': {
    group,
    name: 'allOrders',
    summary: 'Orders of a Futures market, open or not, oldest first.',
    answer: list(contractOrder),
    params: { orderId: 'From this order on.' },
    codes: [-1127],
    ccxt: "fetchOrders('BTC/USDT:USDT')",
  },
  'DELETE /fapi/v1/allOpenOrders': {
    group,
    name: 'cancelOpenOrders',
    summary: 'Cancels all open orders of a Futures market; conditional ones keep waiting.',
    answer: done,
    isRepeatable: true,
    ccxt: "cancelAllOrders('BTC/USDT:USDT')",
  },
  'POST /fapi/v1/countdownCancelAll': {
    group,
    name: 'countdownCancelAll',
    summary: 'Cancels all open orders of a Futures market when the time is over, unless it is sent again; conditional ones keep waiting.',
    answer: named('Countdown', object({ symbol: text, countdownTime: said(text, 'Milliseconds.') })),
    params: { countdownTime: 'Milliseconds; 0 stops the countdown.' },
    isRepeatable: true,
  },
  'POST /fapi/v1/batchOrders': {
    ...batch,
    name: 'placeOrders',
    summary: 'Places up to five orders independently; the answer has the error of a refused one in its place.',
    params: { batchOrders: 'A list of objects with the parameters of POST order, newClientOrderId included.' },
    codes,
    ccxt: 'createOrders(orders)',
  },
  'PUT /fapi/v1/batchOrders': {
    ...batch,
    name: 'amendOrders',
    summary: 'Changes up to five orders independently.',
    params: { batchOrders: 'A list of objects with the parameters of PUT order.' },
    codes,
    ccxt: 'editOrders(orders)',
  },
  'DELETE /fapi/v1/batchOrders': {
    ...batch,
    name: 'cancelOrders',
    summary: 'Cancels up to ten orders independently.',
    params: listed,
    ccxt: "cancelOrders(ids, 'BTC/USDT:USDT')",
  },
  'POST /fapi/v1/algoOrder': {
    group,
    name: 'placeAlgoOrder',
    summary: 'Places a conditional order.',
    answer: algoOrder,
    params: { ...orderWords, activatePrice: 'The price from which a trailing stop follows.' },
    codes,
    clientId: 'clientAlgoId',
    ccxt: "createOrder('BTC/USDT:USDT', 'market', 'sell', 0.001, undefined, { stopLossPrice: 45000 })",
    example: { algoType: 'CONDITIONAL', symbol: 'BTCUSDT', side: 'SELL', type: 'STOP_MARKET', quantity: '0.001', triggerPrice: '45000' },
  },
  'GET /fapi/v1/algoOrder': {
    group,
    name: 'algoOrder',
    summary: 'One conditional order.',
    answer: algoOrder,
    params: algoWords,
    codes: [-2013],
  },
  'DELETE /fapi/v1/algoOrder': {
    group,
    name: 'cancelAlgoOrder',
    summary: 'Cancels a conditional order.',
    answer: named('CancelledAlgoOrder', object({ algoId: id, clientAlgoId: text, code: z.literal('200'), msg: text })),
    params: algoWords,
    codes: [-2011],
    isRepeatable: false,
  },
  'GET /fapi/v1/openAlgoOrders': {
    group,
    name: 'openAlgoOrders',
    summary: 'Waiting conditional orders.',
    answer: list(algoOrder),
    weight: '1 with symbol, 40 without',
  },
  'GET /fapi/v1/allAlgoOrders': {
    group,
    name: 'allAlgoOrders',
    summary: 'All conditional orders, oldest first.',
    answer: list(algoOrder),
    params: { algoId: 'From this order on.' },
    codes: [-1127],
  },
  'DELETE /fapi/v1/algoOpenOrders': {
    group,
    name: 'cancelAlgoOrders',
    summary: 'Cancels all waiting conditional orders of a Futures market.',
    answer: done,
    isRepeatable: true,
  },
}
