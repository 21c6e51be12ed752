import type { Context } from '../context.ts'
import type { OrderCounts } from '../order-counts.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { ratesOf } from '../rates.ts'
import { commission, spotAccount, spotCommission } from './account.ts'
import { amendParams, amendSpotOrder } from './amend.ts'
import { cancelAllOf, cancelSpotOrder } from './cancel.ts'
import { orderCommand } from './command.ts'
import { type Desk, deskOf } from './desk.ts'
import { allLists, allListsParams, cancelList, cancelListParams, openLists, queryList, whichListParams } from './lists.ts'
import { ocoParams, oldOcoParams, placeSpotOco, readLegs } from './oco.ts'
import { isListed, otocoParams, otoParams, placeListedOco, placeOto, placeOtoco } from './oto.ts'
import { cancelParams, orderParams, strategyParams, symbol, whichParams } from './params.ts'
import { checkFilters, placeSpotOrder } from './place.ts'
import { limitParam, preventedMatches, preventedParams } from './prevented.ts'
import { allOrders, allOrdersParams, myTrades, myTradesParams, openOrders, queryOrder } from './reads.ts'
import { replaceParams, replaceSpotOrder } from './replace.ts'

const root = '/api/v3'
const trade = { scope: 'trade', weight: 1 } as const
const read = { scope: 'read', method: 'GET' } as const
const isTrue = param.word(['true', 'false'])

/** Spot trading: orders, lists of orders, balances and history of an account. */
export function spotRoutes(context: Context, counts: OrderCounts): readonly Route[] {
  const desk = deskOf(context, counts)
  return [...orderRoutes(desk), ...listRoutes(desk), ...readRoutes(desk)]
}

function orderRoutes(desk: Desk): readonly Route[] {
  const { context, names } = desk
  const placeParams = { ...orderParams, ...strategyParams } as const
  const testParams = { ...placeParams, computeCommissionRates: isTrue } as const
  return [
    signedRoute({ ...trade, method: 'POST', path: `${root}/order` }, placeParams, (values, owner, call) =>
      placeSpotOrder(desk, owner, values, call),
    ),
    signedRoute({ ...trade, method: 'POST', path: `${root}/order/test` }, testParams, async (values, owner) => {
      const market = names.market(values.symbol)
      const reference = names.seen(values.symbol).view.ticker(context.now())?.last ?? 0
      checkFilters(market, orderCommand(market, owner.user, values), reference)
      if (values.computeCommissionRates !== 'true') return {}
      const rates = commission(ratesOf(context, market, await context.ask.tier(owner.user)))
      return { standardCommissionForOrder: rates, taxCommissionForOrder: commission({ makerPpm: 0, takerPpm: 0 }) }
    }),
    signedRoute({ ...trade, method: 'DELETE', path: `${root}/order` }, cancelParams, (values, owner) =>
      cancelSpotOrder(desk, owner, values),
    ),
    signedRoute({ ...trade, method: 'DELETE', path: `${root}/openOrders` }, { symbol }, (values, owner) =>
      cancelAllOf(desk, owner, values.symbol, 'spot'),
    ),
    signedRoute({ ...trade, method: 'POST', path: `${root}/order/cancelReplace` }, replaceParams, (values, owner, call) =>
      replaceSpotOrder(desk, owner, values, call),
    ),
    signedRoute({ ...trade, weight: 4, method: 'PUT', path: `${root}/order/amend/keepPriority` }, amendParams, (values, owner) =>
      amendSpotOrder(desk, owner, values),
    ),
  ]
}

function listRoutes(desk: Desk): readonly Route[] {
  return [
    signedRoute({ ...trade, method: 'POST', path: `${root}/orderList/oco` }, ocoParams, (values, owner, call) =>
      isListed(values) ? placeListedOco({ desk, owner, call }, values) : placeSpotOco(desk, owner, readLegs(values), call),
    ),
    signedRoute({ ...trade, method: 'POST', path: `${root}/orderList/oto` }, otoParams, (values, owner, call) =>
      placeOto({ desk, owner, call }, values),
    ),
    signedRoute({ ...trade, method: 'POST', path: `${root}/orderList/otoco` }, otocoParams, (values, owner, call) =>
      placeOtoco({ desk, owner, call }, values),
    ),
    signedRoute({ ...trade, method: 'POST', path: `${root}/order/oco` }, oldOcoParams, (values, owner, call) =>
      placeSpotOco(desk, owner, values, call),
    ),
    signedRoute({ ...trade, method: 'DELETE', path: `${root}/orderList` }, cancelListParams, (values, owner) =>
      cancelList(desk, owner, values),
    ),
    signedRoute({ ...read, weight: 4, path: `${root}/orderList` }, whichListParams, (values, owner) => queryList(desk, owner, values)),
    signedRoute({ ...read, weight: 6, path: `${root}/openOrderList` }, {}, (_values, owner) => openLists(desk, owner)),
    signedRoute({ ...read, weight: 20, path: `${root}/allOrderList` }, allListsParams, (values, owner) => allLists(desk, owner, values)),
  ]
}

function readRoutes(desk: Desk): readonly Route[] {
  const { context, names } = desk
  const openWeight = (values: { readonly symbol: string | undefined }) => (values.symbol === undefined ? 80 : 6)
  const preventedWeight = (values: { readonly preventedMatchId: number | undefined }) => (values.preventedMatchId === undefined ? 20 : 2)
  const tradesWeight = (values: { readonly orderId: number | undefined }) => (values.orderId === undefined ? 20 : 5)
  return [
    signedRoute({ ...read, weight: 4, path: `${root}/order` }, whichParams, (values, owner) => queryOrder(desk, owner, values)),
    signedRoute({ ...read, weight: openWeight, path: `${root}/openOrders` }, { symbol: param.symbol }, (values, owner) =>
      openOrders(desk, owner, values.symbol),
    ),
    signedRoute({ ...read, weight: 20, path: `${root}/allOrders` }, allOrdersParams, (values, owner) => allOrders(desk, owner, values)),
    signedRoute({ ...read, weight: tradesWeight, path: `${root}/myTrades` }, myTradesParams, (values, owner) =>
      myTrades(desk, owner, values),
    ),
    signedRoute(
      { ...read, weight: preventedWeight, path: `${root}/myPreventedMatches` },
      { ...preventedParams, ...limitParam },
      (values, owner) => preventedMatches(desk, owner, values),
    ),
    signedRoute({ ...read, weight: 20, path: `${root}/account` }, { omitZeroBalances: isTrue }, (values, owner) =>
      spotAccount(context, owner, values.omitZeroBalances === 'true'),
    ),
    signedRoute({ ...read, weight: 20, path: `${root}/account/commission` }, { symbol }, (values, owner) =>
      spotCommission(context, owner, names.market(values.symbol)),
    ),
  ]
}
