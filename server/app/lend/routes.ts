import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireClaim, WireSupply } from '@candor/core/protocol/wire/margin.ts'
import { z } from 'zod'
import { ratePoints } from '../../store/query/lending.ts'
import type { App } from '../app.ts'
import { type Context, execute } from '../../live/context.ts'
import { askedOfEngine } from '../../http/limits.ts'
import { answers, asset, clientId, nothing, queryInteger } from '../../http/schema.ts'
import { wirePool } from '../../live/lending.ts'
import { readAmount } from '../../live/listing.ts'
import { claimOf, claimsOf } from './claims.ts'
import * as schema from './schema.ts'

const tags = ['lend']
const config = { auth: 'session' } as const

/** Lending: the pools that margin accounts borrow from, and users' claims in them. */
export function lendRoutes(app: App, context: Context): void {
  poolRoutes(app, context)
  claimRoutes(app, context)
}

function poolRoutes(app: App, context: Context): void {
  app.get(
    '/lend/pools',
    {
      schema: {
        tags,
        summary: 'Every lending pool: supplied, borrowed, and both rates',
        querystring: nothing,
        response: answers(z.strictObject({ pools: z.array(schema.lendingPool) })),
      },
    },
    async () => ({ pools: (await context.ask.pools()).map((pool) => wirePool(context.listing, pool)) }),
  )

  app.get(
    '/lend/rates',
    {
      schema: {
        tags,
        summary: 'Rate and utilization of a pool by hour, oldest first',
        querystring: z.strictObject({ asset, limit: queryInteger(1, 1_000).exactOptional() }),
        response: answers(z.strictObject({ points: z.array(schema.ratePoint).readonly() })),
      },
    },
    async (request) => {
      const coin = context.listing.assetNamed(request.query.asset)
      // The exchange's clock never runs backwards: after a start it may be ahead of the machine's.
      const now = Math.max(context.now(), context.data.view.at)
      return { points: await ratePoints(context.pool, coin.symbol, now, request.query.limit) }
    },
  )
}

function claimRoutes(app: App, context: Context): void {
  const change = async (type: 'lend.supply' | 'lend.withdraw', user: UserId, body: WireSupply): Promise<WireClaim> => {
    const coin = context.listing.assetNamed(body.asset)
    const amount = readAmount(coin, body.amount, 'amount')
    await execute(context, user, { type, user, clientId: body.clientId, asset: coin.id, amount })
    return claimOf(context, user, coin)
  }

  app.get(
    '/lend/claims',
    {
      config: { ...config, weight: askedOfEngine.light },
      schema: {
        tags,
        summary: 'The user’s claims on lending pools and their earnings',
        querystring: nothing,
        response: answers(z.strictObject({ claims: z.array(schema.claim).readonly() })),
      },
    },
    async (request) => ({ claims: await claimsOf(context, request.session.user as UserId) }),
  )

  app.post(
    '/lend/supply',
    {
      config,
      schema: { tags, summary: 'Lend from spot to the pool', querystring: nothing, body: schema.supply, response: answers(schema.claim) },
    },
    async (request) => change('lend.supply', request.session.user as UserId, request.body),
  )

  app.post(
    '/lend/withdraw',
    {
      config,
      schema: {
        tags,
        summary: 'Withdraw from the pool to spot; the part that the pool can’t pay now is queued',
        querystring: nothing,
        body: schema.supply,
        response: answers(schema.claim),
      },
    },
    async (request) => change('lend.withdraw', request.session.user as UserId, request.body),
  )

  app.delete(
    '/lend/withdraw',
    {
      config,
      schema: {
        tags,
        summary: 'Cancel the queued part of a withdrawal',
        querystring: z.strictObject({ asset, clientId }),
        response: answers(schema.claim),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const coin = context.listing.assetNamed(request.query.asset)
      await execute(context, user, { type: 'lend.cancelWithdraw', user, clientId: request.query.clientId, asset: coin.id })
      return claimOf(context, user, coin)
    },
  )
}
