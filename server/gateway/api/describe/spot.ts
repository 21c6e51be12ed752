import { z } from 'zod'
import { type Descriptions, empty, list, named, object } from './describe.ts'
import { amended, cancelledAll, cancelledOrder, commission, order, orderList, placedOrder, replaced, reportedList } from './spot-shapes.ts'

const group = 'spot'
const example = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001', price: '50000' }
export const placeCodes = [-1013, -1015, -1020, -1106, -1111, -1115, -1116, -1117, -2010]
/** What orders of spot and of lever accounts say alike. */
export const orderWords = {
  type: 'LIMIT, MARKET, LIMIT_MAKER, STOP_LOSS, STOP_LOSS_LIMIT, TAKE_PROFIT or TAKE_PROFIT_LIMIT.',
} as const
export const cancelWords = { newClientOrderId: 'Your own name of the cancel.' } as const
export const listWords = {
  aboveType: 'Type of the order above the price.',
  aboveClientOrderId: 'Your own name of it.',
  abovePrice: 'Its limit.',
  aboveStopPrice: 'The last price that sets it off.',
  aboveTimeInForce: 'How long it stands.',
  belowType: 'Type of the order below the price.',
  belowClientOrderId: 'Your own name of it.',
  belowPrice: 'Its limit.',
  belowStopPrice: 'The last price that sets it off.',
  belowTimeInForce: 'How long it stands.',
  quantity: 'Of both orders, of the base asset.',
} as const
export const oldListWords = {
  quantity: 'Of both orders, of the base asset.',
  price: 'Of the limit order.',
  limitClientOrderId: 'Your own name of the limit order.',
  stopClientOrderId: 'Your own name of the stop.',
  stopPrice: 'The last price that sets the stop off.',
  stopLimitPrice: 'Makes the stop a limit order at this price.',
  stopLimitTimeInForce: 'GTC with stopLimitPrice.',
} as const

/** Orders of the spot account and lists of them. */
export const spotDescriptions: Descriptions = {
  'POST /api/v3/order': {
    group,
    name: 'placeOrder',
    summary: 'Places an order.',
    detail:
      'LIMIT needs timeInForce, quantity and price; MARKET quantity or quoteOrderQty; LIMIT_MAKER quantity and price; STOP_LOSS and TAKE_PROFIT quantity and stopPrice or trailingDelta, with _LIMIT price and timeInForce as well. The answer is FULL for LIMIT and MARKET and ACK for the others, unless newOrderRespType says otherwise.',
    answer: placedOrder,
    params: orderWords,
    codes: placeCodes,
    clientId: 'newClientOrderId',
    ccxt: "createOrder('BTC/USDT', 'limit', 'buy', 0.001, 50000)",
    example,
  },
  'POST /api/v3/order/test': {
    group,
    name: 'testOrder',
    summary: 'Checks an order as if it were placed; nothing is placed.',
    answer: z.union([empty, named('TestedOrder', object({ standardCommissionForOrder: commission, taxCommissionForOrder: commission }))]),
    params: { ...orderWords, computeCommissionRates: 'Answer with what it would cost.' },
    codes: placeCodes,
    isRepeatable: true,
    example,
  },
  'GET /api/v3/order': {
    group,
    name: 'order',
    summary: 'One order, by its number or your name of it.',
    answer: order,
    codes: [-2013],
    ccxt: "fetchOrder(id, 'BTC/USDT')",
  },
  'DELETE /api/v3/order': {
    group,
    name: 'cancelOrder',
    summary: 'Cancels an order; of a list, the list.',
    answer: z.union([cancelledOrder, reportedList]),
    params: cancelWords,
    codes: [-2011],
    clientId: 'newClientOrderId',
    ccxt: "cancelOrder(id, 'BTC/USDT')",
  },
  'GET /api/v3/openOrders': {
    group,
    name: 'openOrders',
    summary: 'Orders that wait or stand in the book, of one market or all.',
    answer: list(order),
    weight: '6 with symbol, 80 without',
    ccxt: "fetchOpenOrders('BTC/USDT')",
  },
  'DELETE /api/v3/openOrders': {
    group,
    name: 'cancelOpenOrders',
    summary: 'Cancels all orders of a market.',
    answer: cancelledAll,
    codes: [-2011],
    isRepeatable: false,
    ccxt: "cancelAllOrders('BTC/USDT')",
  },
  'GET /api/v3/allOrders': {
    group,
    name: 'allOrders',
    summary: 'Orders of a market, open or not, oldest first.',
    answer: list(order),
    params: { orderId: 'From this order on.' },
    codes: [-1127],
    ccxt: "fetchOrders('BTC/USDT')",
  },
  'POST /api/v3/order/cancelReplace': {
    group,
    name: 'replaceOrder',
    summary: 'Cancels an order and places another.',
    detail: 'Half done is 409 with -2021, not done 400 with -2022; both carry what became of either half as `data`.',
    answer: replaced,
    params: {
      ...orderWords,
      cancelReplaceMode: 'Whether the new order is placed when the cancel fails.',
      cancelOrderId: 'The order to cancel.',
      cancelOrigClientOrderId: 'The order to cancel, by your name of it.',
      cancelNewClientOrderId: 'Your own name of the cancel.',
      orderRateLimitExceededMode: 'What happens when there were too many orders.',
    },
    codes: [...placeCodes, -2021, -2022],
    clientId: 'newClientOrderId',
    ccxt: "editOrder(id, 'BTC/USDT', 'limit', 'buy', 0.001, 50100)",
  },
  'PUT /api/v3/order/amend/keepPriority': {
    group,
    name: 'amendOrder',
    summary: 'Makes an order smaller; it keeps its place in the queue.',
    answer: amended,
    params: { newQty: 'The whole quantity, smaller than it is.', newClientOrderId: 'Your own name of the amendment.' },
    codes: [-1111, -2013, -2038],
    clientId: 'newClientOrderId',
  },
  'POST /api/v3/orderList/oco': {
    group,
    name: 'placeOco',
    summary: 'Places two orders of which one cancels the other.',
    detail: 'Sold: LIMIT_MAKER above, STOP_LOSS or STOP_LOSS_LIMIT below; bought the other way.',
    answer: reportedList,
    params: listWords,
    codes: placeCodes,
    clientId: 'listClientOrderId',
  },
  'POST /api/v3/order/oco': {
    group,
    name: 'placeOcoOld',
    summary: 'The same as orderList/oco by older names.',
    answer: reportedList,
    params: oldListWords,
    codes: placeCodes,
    clientId: 'listClientOrderId',
  },
  'GET /api/v3/orderList': {
    group,
    name: 'orderList',
    summary: 'One list, by its number or your name of it.',
    answer: orderList,
    params: { origClientOrderId: 'Your own name of the list.' },
    codes: [-2018],
  },
  'DELETE /api/v3/orderList': {
    group,
    name: 'cancelOrderList',
    summary: 'Cancels both orders of a list.',
    answer: reportedList,
    params: { ...cancelWords, listClientOrderId: 'Your own name of the list.' },
    codes: [-2011],
    clientId: 'newClientOrderId',
  },
  'GET /api/v3/openOrderList': { group, name: 'openOrderLists', summary: 'Lists of which an order still waits.', answer: list(orderList) },
  'GET /api/v3/allOrderList': {
    group,
    name: 'allOrderLists',
    summary: 'Lists, oldest first.',
    answer: list(orderList),
    codes: [-1127, -1128],
  },
}
