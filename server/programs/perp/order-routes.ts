import type { Lots, Millis, Ticks } from '@candor/core/money/brand.ts'
import { countdownMax, type PlacePerp } from '@candor/core/protocol/command/perp.ts'
import { bandHigh, bandLow, checkLots } from '@candor/core/risk/orders.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { OrderId } from '@candor/core/protocol/ids.ts'
import { Refused } from '../../refused.ts'
import type { Context } from '../context.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { ApiError, missing } from '../errors.ts'
import type { ApiUser } from '../key-ring.ts'
import { Names } from '../names.ts'
import type { OrderCounts } from '../order-counts.ts'
import * as param from '../params.ts'
import { type Call, type Route, signedRoute } from '../route.ts'
import { checkTimes } from '../market/trades.ts'
import { notRequired, orderSayings, outsideBand, said, tooSmall } from './errors.ts'
import { cancelAllOf, ordersIn, sleeping, waking } from './lists.ts'
import { askedOrder, checkDate, clientId, decimal, freshId, lotsOf, matchOf, orderParams, placeCommand } from './order-params.ts'
import { priceMatch, priceOf, side as sideParam } from './order-params.ts'
import type { OrderState } from '../../live/orders.ts'
import { type ContractOrder, contractOrder } from './order-view.ts'
import { amend, cancel, find, place, submit } from './orders.ts'

const symbol = param.mandatory(param.symbol)
export const which = { symbol, orderId: param.id, origClientOrderId: clientId }
export const amendParams = {
  ...which,
  side: param.mandatory(sideParam),
  quantity: param.mandatory(decimal),
  price: decimal,
  priceMatch,
}
const path = '/fapi/v1/order'
type AmendValues = param.Values<typeof amendParams>

/** Parts that the routes of Futures orders share. */
export type Desk = { readonly context: Context; readonly names: Names; readonly counts: OrderCounts }

/** Single orders of Futures, and the open ones. */
export function orderRoutes({ context, names, counts }: Desk): readonly Route[] {
  return [
    signedRoute({ method: 'POST', path, scope: 'trade', weight: 1 }, orderParams, async (values, user, call) => {
      const market = names.market(values.symbol)
      const command = placeCommand(market, user.user, askedOrder(values))
      countOrders(counts, user, 1, call)
      return contractOrder(market, await place(context, user, market, command))
    }),
    signedRoute({ method: 'POST', path: `${path}/test`, scope: 'trade', weight: 1 }, orderParams, (values, user, { at }) => {
      const market = names.market(values.symbol)
      const command = placeCommand(market, user.user, askedOrder(values))
      checkDate(command, at)
      checkFilters(context, market, command)
      return {}
    }),
    signedRoute({ method: 'GET', path, scope: 'read', weight: 1 }, which, async (values, user) => {
      const market = names.market(values.symbol)
      return contractOrder(market, await find(context, user.user, market, whichOf(values)))
    }),
    signedRoute({ method: 'PUT', path, scope: 'trade', weight: 1 }, amendParams, async (values, user, call) => {
      const market = names.market(values.symbol)
      const change = amendmentOf(market, values)
      countOrders(counts, user, 1, call)
      return amendedOrder(market, await amend(context, user, market, whichOf(values), change), values)
    }),
    signedRoute({ method: 'DELETE', path, scope: 'trade', weight: 1 }, which, async (values, user) => {
      const market = names.market(values.symbol)
      return contractOrder(market, await cancel(context, user, market, whichOf(values)))
    }),
    ...listRoutes(context, names),
  ]
}

function listRoutes(context: Context, names: Names): readonly Route[] {
  const listParams = { symbol, orderId: param.id, startTime: param.millis, endTime: param.millis, limit: param.limit(500, 1_000) }
  return [
    signedRoute({ method: 'GET', path: '/fapi/v1/openOrder', scope: 'read', weight: 1 }, which, async (values, user) => {
      const market = names.market(values.symbol)
      const order = await find(context, user.user, market, whichOf(values))
      if (order.closeReason !== undefined) throw new ApiError(-2013, 'Order does not exist.')
      return contractOrder(market, order)
    }),
    signedRoute(
      { method: 'GET', path: '/fapi/v1/openOrders', scope: 'read', weight: ({ symbol: name }) => (name === undefined ? 40 : 1) },
      { symbol: param.symbol },
      async ({ symbol: name }, user) => {
        const open = await waking(context, user.user, name === undefined ? undefined : names.market(name))
        return open.map((order) => contractOrder(context.listing.market(order.market), order))
      },
    ),
    signedRoute({ method: 'GET', path: '/fapi/v1/allOrders', scope: 'read', weight: 5 }, listParams, async (values, user) => {
      const market = names.market(values.symbol)
      const { orderId: fromId, startTime: start, endTime: end, limit } = values
      checkTimes(start, end)
      const orders = await ordersIn(context, user.user, market, { fromId: fromId as OrderId | undefined, start, end, limit }, false)
      return orders.map((order) => contractOrder(market, order))
    }),
    signedRoute(
      { method: 'DELETE', path: '/fapi/v1/allOpenOrders', scope: 'trade', weight: 1 },
      { symbol },
      async ({ symbol: name }, user) => {
        const market = names.market(name)
        await cancelAllOf(context, user, market, await waking(context, user.user, market))
        return allCancelled
      },
    ),
    signedRoute(
      { method: 'POST', path: '/fapi/v1/countdownCancelAll', scope: 'trade', weight: 10 },
      { symbol, countdownTime: param.mandatory(param.integer(0, countdownMax)) },
      async ({ symbol: name, countdownTime }, user) => {
        const { id: market } = names.market(name).market
        await submit(context, user, { type: 'perp.countdown', user: user.user, market, duration: countdownTime as Millis })
        return { symbol: name, countdownTime: String(countdownTime) }
      },
    ),
    signedRoute(
      { method: 'DELETE', path: '/fapi/v1/algoOpenOrders', scope: 'trade', weight: 1 },
      { symbol },
      async ({ symbol: name }, user) => {
        const market = names.market(name)
        await cancelAllOf(context, user, market, await sleeping(context, user.user, market))
        return allCancelled
      },
    ),
  ]
}

/** An order just amended. Its `priceMatch` is that of the amend: the one with which it was placed no longer gives its price. */
export function amendedOrder(market: ListedMarket, order: OrderState, { priceMatch: match = 'NONE' }: AmendValues): ContractOrder {
  return { ...contractOrder(market, order), priceMatch: match }
}

const allCancelled = { code: 200, msg: 'The operation of cancel all open order is done.' } as const

export const whichOf = (values: { readonly orderId: number | undefined; readonly origClientOrderId: string | undefined }) => ({
  id: values.orderId,
  clientId: values.origClientOrderId,
})

/** throws  ApiError with the parameter that does not fit the market */
export function amendmentOf(market: ListedMarket, values: AmendValues) {
  const side: Side = values.side === 'BUY' ? 'buy' : 'sell'
  const change = { side, clientId: freshId(), lots: lotsOf(market, values.quantity) }
  const match = matchOf(values.priceMatch)
  if (match === undefined && values.price === undefined) throw missing('price')
  if (match === undefined) return { ...change, price: priceOf(market, values.price as string, 'price') }
  if (values.price !== undefined && Number(values.price) !== 0) throw notRequired('price')
  return { ...change, priceMatch: match }
}

/** throws  ApiError -1015 */
export function countOrders(counts: OrderCounts, user: ApiUser, orders: number, { at, answerHeaders }: Call): void {
  counts.take(user.user, user.class, orders, at, answerHeaders)
}

/** Checks an order against the filters of its market, without placing it. throws  ApiError */
function checkFilters(context: Context, market: ListedMarket, { price, lots, trigger, isReduceOnly, isClosing }: PlacePerp): void {
  const mark = context.data.contracts.mark(market.market.id) ?? 0
  const { terms, quotePerTickLot } = market.market
  if (!isClosing) {
    const wrong = checkLots(terms, quotePerTickLot, (price ?? Math.max(1, mark)) as Ticks, (lots ?? 0) as Lots)
    if (wrong === 'NOTIONAL_TOO_SMALL') {
      if (!isReduceOnly) throw tooSmall(market)
    } else if (wrong !== undefined) throw said(new Refused(wrong), orderSayings)
  }
  const reference = trigger?.kind === 'stop' ? trigger.price : mark
  if (price === undefined || reference === 0) return
  if (price < bandLow(reference as Ticks, terms.bandPpm) || price > bandHigh(reference as Ticks, terms.bandPpm))
    throw outsideBand(price, reference)
}
