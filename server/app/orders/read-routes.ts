import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import { orderStatuses } from '@candor/core/protocol/wire/spot.ts'
import { z } from 'zod'
import { fills, type MarketKind, orderHistory } from '../../store/query/orders.ts'
import type { App } from '../app.ts'
import type { Context } from '../../live/context.ts'
import { answers, cursor, nothing, orderId, queryInteger, queryMillis, side, symbol } from '../../http/schema.ts'
import { wireOpenOrder } from '../../live/order-texts.ts'
import { orderNow } from './answers.ts'
import { fill, order } from './schema.ts'

const limit = queryInteger(1, 200).exactOptional()
const orderParams = z.strictObject({ id: orderId })

/** Open orders, history, one order and fills, below `/<kind>`, for markets of that kind. */
export function readRoutes(app: App, context: Context, kind: MarketKind): void {
  openRoute(app, context, kind)
  historyRoute(app, context, kind)
  orderRoute(app, context, kind)
  fillRoute(app, context, kind)
}

/** throws  Refused MARKET_UNKNOWN when the market is of another kind */
function marketOf({ listing }: Context, kind: MarketKind, symbolText: string | undefined): MarketId | undefined {
  return symbolText === undefined ? undefined : listing.marketOfKind(kind, symbolText).market.id
}

function openRoute(app: App, context: Context, kind: MarketKind): void {
  const tags = [kind]
  app.get(
    `/${kind}/orders/open`,
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Open and pending orders, newest first',
        querystring: z.strictObject({ symbol: symbol.exactOptional() }),
        response: answers(z.strictObject({ orders: z.array(order) })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const open = await context.ask.openOrders(user, marketOf(context, kind, request.query.symbol))
      const own = open.filter(({ market }) => context.listing.kindOf(market) === kind)
      return { orders: own.toSorted((a, b) => b.order - a.order).map((one) => wireOpenOrder(context.listing, one)) }
    },
  )
}

function historyRoute(app: App, context: Context, kind: MarketKind): void {
  const tags = [kind]
  app.get(
    `/${kind}/orders/history`,
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Closed orders, newest first',
        querystring: z.strictObject({
          symbol: symbol.exactOptional(),
          side: side.exactOptional(),
          status: z.enum(orderStatuses).exactOptional(),
          from: queryMillis.exactOptional(),
          to: queryMillis.exactOptional(),
          before: cursor.exactOptional(),
          limit,
        }),
        response: answers(z.strictObject({ items: z.array(order), next: cursor.exactOptional() })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { symbol: symbolText, ...filter } = request.query
      const market = marketOf(context, kind, symbolText)
      await context.freshness.settled(user)
      return orderHistory(context.pool, user, { ...filter, kind, market })
    },
  )
}

function orderRoute(app: App, context: Context, kind: MarketKind): void {
  const tags = [kind]
  app.get(
    `/${kind}/orders/:id`,
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'One order with its fills',
        params: orderParams,
        querystring: nothing,
        response: answers(z.strictObject({ order, fills: z.array(fill) })),
      },
    },
    async (request) => orderNow(context, request.session.user as UserId, Number(request.params.id) as OrderId, 0),
  )
}

function fillRoute(app: App, context: Context, kind: MarketKind): void {
  const tags = [kind]
  app.get(
    `/${kind}/fills`,
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'The user’s own fills, newest first',
        querystring: z.strictObject({
          symbol: symbol.exactOptional(),
          orderId: orderId.exactOptional(),
          from: queryMillis.exactOptional(),
          to: queryMillis.exactOptional(),
          before: cursor.exactOptional(),
          limit,
        }),
        response: answers(z.strictObject({ items: z.array(fill), next: cursor.exactOptional() })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { symbol: symbolText, orderId: orderText, ...filter } = request.query
      const market = marketOf(context, kind, symbolText)
      const orderNumber = orderText === undefined ? undefined : (Number(orderText) as OrderId)
      await context.freshness.settled(user)
      return fills(context.pool, user, { ...filter, kind, market, order: orderNumber })
    },
  )
}
