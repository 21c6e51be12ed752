import { z } from 'zod'
import { orderCounts } from './account.ts'
import { type Descriptions, list } from './describe.ts'
import { cancelledAll, cancelledOrder, order, orderList, ownTrade, placedOrder, preventedMatch, reportedList } from './order-shapes.ts'
import { cancelWords, oldListWords, orderWords, placeCodes } from './order-words.ts'

const group = 'margin'
const debt = {
  sideEffectType: 'Whether the order borrows, and whether it repays from its proceeds.',
  autoRepayAtCancel: 'Whether the unused part of the order’s loan is repaid when the order is cancelled; TRUE by default.',
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
    summary: 'Places two orders of a Margin account, one of which cancels the other.',
    answer: reportedList,
    params: { ...oldListWords, ...debt },
    codes: marginCodes,
    clientId: 'listClientOrderId',
  },
  'DELETE /sapi/v1/margin/order': {
    group,
    name: 'cancelOrder',
    summary: 'Cancels an order of a Margin account; if it is in a list, the whole list.',
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
    params: { orderId: 'Only fills of this order.' },
    codes: [-1127, -1128],
  },
  'GET /sapi/v1/margin/myPreventedMatches': {
    group,
    name: 'preventedMatches',
    summary: 'Matches of orders of a Margin account that self-trade prevention kept from trading, oldest first, at most 500.',
    detail: 'Give the number of one match, or an order for all of its matches.',
    answer: list(preventedMatch),
    params: {
      orderId: 'Matches of this order, as maker or taker.',
      preventedMatchId: 'The match with this number in the market; not together with orderId.',
    },
    codes: [-1128],
  },
  'GET /sapi/v1/margin/rateLimit/order': {
    group,
    name: 'orderCounts',
    summary: 'Number of spot and margin orders that the account has sent in each window.',
    answer: orderCounts,
    params: { isIsolated: 'Ignored: the counts cover all accounts.', symbol: 'Ignored: the counts cover all markets.' },
  },
  'GET /sapi/v1/margin/orderList': {
    group,
    name: 'orderList',
    summary: 'One list of a Margin account.',
    answer: orderList,
    params: { origClientOrderId: 'Your client id for the list.' },
    codes: [-2018],
  },
  'DELETE /sapi/v1/margin/orderList': {
    group,
    name: 'cancelOrderList',
    summary: 'Cancels both orders of a list.',
    answer: reportedList,
    params: { ...cancelWords, listClientOrderId: 'Your client id for the list.' },
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
