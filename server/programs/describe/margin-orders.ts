import { z } from 'zod'
import { orderCounts } from './account.ts'
import { type Descriptions, list } from './describe.ts'
import { cancelledAll, cancelledOrder, order, orderList, ownTrade, placedOrder, reportedList } from './order-shapes.ts'
import { cancelWords, oldListWords, orderWords, placeCodes } from './order-words.ts'

const group = 'margin'
const debt = {
  sideEffectType: 'What the order borrows, and what it repays from what it gains.',
  autoRepayAtCancel: 'Whether what was borrowed for the order and not used is repaid when it is cancelled; without it TRUE.',
}
const marginCodes = [...placeCodes, -3006, -3021, -3023, -3045]

/** Orders of margin accounts. */
export const marginOrders: Descriptions = {
  'POST /sapi/v1/margin/order': {
    group,
    name: 'placeOrder',
    summary: 'Places an order of a Margin account.',
    answer: placedOrder,
    params: { ...orderWords, ...debt },
    codes: marginCodes,
    clientId: 'newClientOrderId',
    ccxt: "createOrder('BTC/USDT', 'limit', 'buy', 0.001, 50000, { marginMode: 'cross' })",
    example: { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001', price: '50000' },
  },
  'POST /sapi/v1/margin/order/oco': {
    group,
    name: 'placeOco',
    summary: 'Places two orders of a Margin account of which one cancels the other.',
    answer: reportedList,
    params: { ...oldListWords, ...debt },
    codes: marginCodes,
    clientId: 'listClientOrderId',
  },
  'DELETE /sapi/v1/margin/order': {
    group,
    name: 'cancelOrder',
    summary: 'Cancels an order of a Margin account; of a list, the list.',
    answer: z.union([cancelledOrder, reportedList]),
    params: cancelWords,
    codes: [-2011],
    clientId: 'newClientOrderId',
  },
  'DELETE /sapi/v1/margin/openOrders': {
    group,
    name: 'cancelOpenOrders',
    summary: 'Cancels all orders of a Margin account in a market.',
    answer: cancelledAll,
    codes: [-2011],
    isRepeatable: false,
  },
  'GET /sapi/v1/margin/order': { group, name: 'order', summary: 'One order of a Margin account.', answer: order, codes: [-2013] },
  'GET /sapi/v1/margin/openOrders': {
    group,
    name: 'openOrders',
    summary: 'Open and conditional orders of a Margin account.',
    answer: list(order),
  },
  'GET /sapi/v1/margin/allOrders': {
    group,
    name: 'allOrders',
    summary: 'Orders of a Margin account in a market, open or not, oldest first.',
    answer: list(order),
    params: { orderId: 'From this order on.' },
    codes: [-1127],
  },
  'GET /sapi/v1/margin/myTrades': {
    group,
    name: 'ownTrades',
    summary: 'Fills of a Margin account in a market, oldest first.',
    answer: list(ownTrade),
    params: { orderId: 'Only those of this order.' },
    codes: [-1127, -1128],
  },
  'GET /sapi/v1/margin/rateLimit/order': {
    group,
    name: 'orderCounts',
    summary: 'How many spot and margin orders the account has sent in both windows.',
    answer: orderCounts,
    params: { isIsolated: 'Counts are of all of them.', symbol: 'Counts are of all markets.' },
  },
  'GET /sapi/v1/margin/orderList': {
    group,
    name: 'orderList',
    summary: 'One list of a Margin account.',
    answer: orderList,
    params: { origClientOrderId: 'Your own name of the list.' },
    codes: [-2018],
  },
  'DELETE /sapi/v1/margin/orderList': {
    group,
    name: 'cancelOrderList',
    summary: 'Cancels both orders of a list.',
    answer: reportedList,
    params: { ...cancelWords, listClientOrderId: 'Your own name of the list.' },
    codes: [-2011],
    clientId: 'newClientOrderId',
  },
  'GET /sapi/v1/margin/openOrderList': {
    group,
    name: 'openOrderLists',
    summary: 'Open lists of a Margin account.',
    answer: list(orderList),
  },
  'GET /sapi/v1/margin/allOrderList': {
    group,
    name: 'allOrderLists',
    summary: 'Lists of a Margin account, oldest first.',
    answer: list(orderList),
    codes: [-1127, -1128],
  },
}
