import type { Family } from '../../live/program-names.ts'
import type { Route } from '../route.ts'

/** Names on the WebSocket API of routes that also exist over HTTP. */
const spot: Readonly<Record<string, string>> = {
  ping: 'GET /api/v3/ping',
  time: 'GET /api/v3/time',
  exchangeInfo: 'GET /api/v3/exchangeInfo',
  depth: 'GET /api/v3/depth',
  'trades.recent': 'GET /api/v3/trades',
  'trades.historical': 'GET /api/v3/historicalTrades',
  'trades.aggregate': 'GET /api/v3/aggTrades',
  klines: 'GET /api/v3/klines',
  uiKlines: 'GET /api/v3/uiKlines',
  avgPrice: 'GET /api/v3/avgPrice',
  'ticker.24hr': 'GET /api/v3/ticker/24hr',
  'ticker.tradingDay': 'GET /api/v3/ticker/tradingDay',
  ticker: 'GET /api/v3/ticker',
  'ticker.price': 'GET /api/v3/ticker/price',
  'ticker.book': 'GET /api/v3/ticker/bookTicker',
  'account.status': 'GET /api/v3/account',
  'account.commission': 'GET /api/v3/account/commission',
  'account.rateLimits.orders': 'GET /api/v3/rateLimit/order',
  'order.place': 'POST /api/v3/order',
  'order.test': 'POST /api/v3/order/test',
  'order.status': 'GET /api/v3/order',
  'order.cancel': 'DELETE /api/v3/order',
  'order.cancelReplace': 'POST /api/v3/order/cancelReplace',
  'order.amend.keepPriority': 'PUT /api/v3/order/amend/keepPriority',
  'openOrders.status': 'GET /api/v3/openOrders',
  'openOrders.cancelAll': 'DELETE /api/v3/openOrders',
  'orderList.place': 'POST /api/v3/order/oco',
  'orderList.place.oco': 'POST /api/v3/orderList/oco',
  'orderList.place.oto': 'POST /api/v3/orderList/oto',
  'orderList.place.otoco': 'POST /api/v3/orderList/otoco',
  'orderList.status': 'GET /api/v3/orderList',
  'orderList.cancel': 'DELETE /api/v3/orderList',
  'openOrderLists.status': 'GET /api/v3/openOrderList',
  allOrders: 'GET /api/v3/allOrders',
  allOrderLists: 'GET /api/v3/allOrderList',
  myTrades: 'GET /api/v3/myTrades',
  myPreventedMatches: 'GET /api/v3/myPreventedMatches',
  'userDataStream.start': 'POST /api/v3/userDataStream',
  'userDataStream.ping': 'PUT /api/v3/userDataStream',
  'userDataStream.stop': 'DELETE /api/v3/userDataStream',
}

const futures: Readonly<Record<string, string>> = {
  ping: 'GET /fapi/v1/ping',
  time: 'GET /fapi/v1/time',
  depth: 'GET /fapi/v1/depth',
  'ticker.price': 'GET /fapi/v2/ticker/price',
  'ticker.book': 'GET /fapi/v1/ticker/bookTicker',
  'order.place': 'POST /fapi/v1/order',
  'order.modify': 'PUT /fapi/v1/order',
  'order.cancel': 'DELETE /fapi/v1/order',
  'order.status': 'GET /fapi/v1/order',
  'algoOrder.place': 'POST /fapi/v1/algoOrder',
  'algoOrder.cancel': 'DELETE /fapi/v1/algoOrder',
  'account.balance': 'GET /fapi/v2/balance',
  'v2/account.balance': 'GET /fapi/v3/balance',
  'account.status': 'GET /fapi/v2/account',
  'v2/account.status': 'GET /fapi/v3/account',
  'account.position': 'GET /fapi/v2/positionRisk',
  'v2/account.position': 'GET /fapi/v3/positionRisk',
  'userDataStream.start': 'POST /fapi/v1/listenKey',
  'userDataStream.ping': 'PUT /fapi/v1/listenKey',
  'userDataStream.stop': 'DELETE /fapi/v1/listenKey',
}

export const methodNames: Readonly<Record<Family, Readonly<Record<string, string>>>> = { spot, futures }

/** Routes by their names on the WebSocket API. Those of spot may be called with their version before the name. */
export function methodsOf(routes: readonly Route[], family: Family): ReadonlyMap<string, Route> {
  const byPlace = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
  const methods = new Map<string, Route>()
  for (const [name, place] of Object.entries(methodNames[family])) {
    const route = byPlace.get(place)
    if (!route) continue
    methods.set(name, route)
    if (family === 'spot') methods.set(`v3/${name}`, route)
    else if (!name.includes('/')) methods.set(`v1/${name}`, route)
  }
  return methods
}
