import type { OrderId } from '@candor/core/protocol/ids.ts'
import { refusedHere } from '../auth.ts'
import { ApiError } from '../errors.ts'
import * as param from '../params.ts'
import { type Route, signedRoute } from '../route.ts'
import { checkTimes } from '../market/trades.ts'
import { ordersIn, sleeping } from './lists.ts'
import { algoParams, askedAlgo, clientId, placeCommand } from './order-params.ts'
import { countOrders, type Desk } from './order-routes.ts'
import { algoOrder, isAlgo } from './order-view.ts'
import { cancel, find, place } from './orders.ts'
import type { OrderState } from '../../live/orders.ts'
import type { ListedMarket } from '../../live/listing.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'

const path = '/fapi/v1/algoOrder'
const algoType = param.word(['CONDITIONAL'])
const one = { symbol: param.symbol, algoId: param.id, clientAlgoId: clientId, clientalgoid: clientId }
type One = param.Values<typeof one>

/** Orders that wait for a price. Each has the same number before and after its trigger. */
export function algoRoutes({ context, names, counts }: Desk): readonly Route[] {
  /** throws  ApiError -1102 or -2013 */
  const meant = async (user: UserId, values: One): Promise<readonly [ListedMarket, OrderState]> => {
    const ref = { id: values.algoId, clientId: values.clientAlgoId ?? values.clientalgoid }
    if (ref.id === undefined && ref.clientId === undefined) {
      throw new ApiError(-1102, "Param 'algoId' or 'clientAlgoId' must be sent, but both were empty/null!")
    }
    const order = await find(context, user, values.symbol === undefined ? undefined : names.market(values.symbol), ref)
    if (isAlgo(order)) return [context.listing.market(order.market), order]
    throw new ApiError(-2013, 'Order does not exist.')
  }
  return [
    signedRoute({ method: 'POST', path, scope: 'trade', weight: 1 }, algoParams, async (values, user, call) => {
      const market = names.market(values.symbol)
      const command = placeCommand(market, user.user, askedAlgo(values))
      countOrders(counts, user, 1, call)
      return algoOrder(market, await place(context, user, market, command))
    }),
    signedRoute({ method: 'GET', path, scope: 'read', weight: 1 }, one, async (values, user) =>
      algoOrder(...(await meant(user.user, values))),
    ),
    signedRoute({ method: 'DELETE', path, scope: 'trade', weight: 1 }, one, async (values, user) => {
      const [market, order] = await meant(user.user, values).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== -2013) throw error
        throw refusedHere(context, user, 'futures', new ApiError(-2011, 'Unknown order sent.'))
      })
      const ended = await cancel(context, user, market, { id: order.order, clientId: undefined })
      return { algoId: ended.order, clientAlgoId: ended.clientId, code: '200', msg: 'success' }
    }),
    signedRoute(
      { method: 'GET', path: '/fapi/v1/openAlgoOrders', scope: 'read', weight: ({ symbol }) => (symbol === undefined ? 40 : 1) },
      { algoType, symbol: param.symbol, algoId: param.id },
      async ({ symbol, algoId }, user) => {
        const orders = await sleeping(context, user.user, symbol === undefined ? undefined : names.market(symbol))
        return orders
          .filter(({ order }) => algoId === undefined || order === algoId)
          .map((order) => algoOrder(context.listing.market(order.market), order))
      },
    ),
    signedRoute(
      { method: 'GET', path: '/fapi/v1/allAlgoOrders', scope: 'read', weight: 5 },
      {
        symbol: param.mandatory(param.symbol),
        algoId: param.id,
        startTime: param.millis,
        endTime: param.millis,
        limit: param.limit(500, 1_000),
      },
      async ({ symbol, algoId, startTime: start, endTime: end, limit }, user) => {
        const market = names.market(symbol)
        checkTimes(start, end)
        const orders = await ordersIn(context, user.user, market, { fromId: algoId as OrderId | undefined, start, end, limit }, true)
        return orders.map((order) => algoOrder(market, order))
      },
    ),
  ]
}
