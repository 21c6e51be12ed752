import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import { z } from 'zod'
import { venueNames } from '../../feeds/venue/names.ts'
import { Refused } from '../../refused.ts'
import { insurance } from '../../store/query/market/insurance.ts'
import { liquidationOf } from '../../store/query/liquidation.ts'
import { closedPositions, fundingPayments, fundingRates } from '../../store/query/perp.ts'
import type { App } from '../app.ts'
import type { Context } from '../../live/context.ts'
import { answers, cursor, nothing, orderId, queryInteger, queryMillis, symbol } from '../../http/schema.ts'
import * as schema from './schema.ts'

const tags = ['perp']
const session = { auth: 'session' } as const
const pageQuery = {
  symbol: symbol.exactOptional(),
  before: cursor.exactOptional(),
  limit: queryInteger(1, 200).exactOptional(),
}
const timedQuery = { ...pageQuery, from: queryMillis.exactOptional(), to: queryMillis.exactOptional() }
const pageOf = <T extends z.ZodType>(item: T) => answers(z.strictObject({ items: z.array(item), next: cursor.exactOptional() }))

/** Public prices of Futures, and the history of positions for their owners. */
export function historyRoutes(app: App, context: Context): void {
  publicRoutes(app, context)
  ownRoutes(app, context)
}

function marketOf(context: Context, symbolText: string | undefined): MarketId | undefined {
  return symbolText === undefined ? undefined : context.listing.marketOfKind('perp', symbolText).market.id
}

function publicRoutes(app: App, context: Context): void {
  app.get(
    '/perp/prices',
    {
      schema: {
        tags,
        summary: 'Mark, index and funding of every Futures market',
        querystring: nothing,
        response: answers(z.strictObject({ marks: z.array(schema.mark) })),
      },
    },
    async () => {
      const { listing, data } = context
      const marks = listing.markets.flatMap((market) => data.contracts.wireMark(market, data.view.at) ?? [])
      return { marks }
    },
  )

  app.get(
    '/perp/funding-rates',
    {
      schema: {
        tags,
        summary: 'Settled funding rates, newest first',
        querystring: z.strictObject(pageQuery),
        response: pageOf(schema.fundingRate),
      },
    },
    async (request) => {
      const { symbol: symbolText, ...filter } = request.query
      return fundingRates(context.pool, { ...filter, market: marketOf(context, symbolText) })
    },
  )

  app.get(
    '/perp/insurance',
    { schema: { tags, summary: 'The insurance fund and its history by day', querystring: nothing, response: answers(schema.insurance) } },
    async () => insurance(context.pool, 'USDT'),
  )
}

function ownRoutes(app: App, context: Context): void {
  app.get(
    '/perp/positions/closed',
    {
      config: session,
      schema: {
        tags,
        summary: 'Closed positions, newest first',
        querystring: z.strictObject(timedQuery),
        response: pageOf(schema.closedPosition),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { symbol: symbolText, ...filter } = request.query
      const market = marketOf(context, symbolText)
      await context.freshness.settled(user)
      return closedPositions(context.pool, user, { ...filter, market })
    },
  )

  app.get(
    '/perp/funding',
    {
      config: session,
      schema: {
        tags,
        summary: 'Funding paid and received, newest first',
        querystring: z.strictObject(timedQuery),
        response: pageOf(schema.funding),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { symbol: symbolText, ...filter } = request.query
      const market = marketOf(context, symbolText)
      await context.freshness.settled(user)
      return fundingPayments(context.pool, user, { ...filter, market })
    },
  )

  app.get(
    '/perp/liquidations/:positionId',
    {
      config: session,
      schema: {
        tags,
        summary: 'Everything that decided a liquidation, step by step',
        params: z.strictObject({ positionId: orderId }),
        querystring: nothing,
        response: answers(schema.liquidation),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      await context.freshness.settled(user)
      const found = await liquidationOf(context.pool, user, Number(request.params.positionId) as OrderId, venueNames)
      if (!found) throw new Refused('POSITION_UNKNOWN')
      return found
    },
  )
}
