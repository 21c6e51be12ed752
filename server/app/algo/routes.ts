import type { PlaceAlgo, ScaledPlan, TwapPlan } from '@candor/core/protocol/command/algo.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type { OrderId, Parts, UserId } from '@candor/core/protocol/ids.ts'
import type { WireAlgo, WirePlaceAlgo } from '@candor/core/protocol/wire/algo/algo.ts'
import { answers, nothing } from '../../http/schema.ts'
import { type Context, execute } from '../../live/context.ts'
import { type ListedMarket, readPrice, readQuantity } from '../../live/listing.ts'
import { Refused } from '../../refused.ts'
import { algoById, algoHistory, runningAlgos } from '../../store/query/algo/orders.ts'
import type { App } from '../app.ts'
import * as schema from './schema.ts'

const tags = ['algo']
const config = { auth: 'session' } as const
/** One request can place thirty orders, or have five hundred placed over time. */
const placing = () => 10
/** The sums of each order are those of its parts: ten running ones have 5,000, a page of ended ones up to 50,000. */
const reading = { running: () => 4, ended: () => 20 } as const

/** TWAP and scaled orders of Spot and Futures. */
export function algoRoutes(app: App, context: Context): void {
  placeRoutes(app, context)
  readRoutes(app, context)
}

function placeRoutes(app: App, context: Context): void {
  app.post(
    '/algo/orders',
    {
      config: { ...config, weight: placing },
      schema: {
        ...{ tags, summary: 'Place a TWAP or scaled order, which the exchange carries out in parts', querystring: nothing },
        ...{ body: schema.placeAlgo, response: answers(schema.algo) },
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { order } = await execute(context, user, placeCommand(context, user, request.body))
      return algoNow(context, user, order)
    },
  )

  app.delete(
    '/algo/orders/:id',
    {
      config,
      schema: {
        ...{ tags, summary: 'End a TWAP or scaled order, and cancel its open orders', querystring: nothing },
        ...{ params: schema.byId, response: answers(schema.algo) },
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const algo = Number(request.params.id) as OrderId
      await execute(context, user, { type: 'algo.cancel', user, clientId: '', algo })
      return algoNow(context, user, algo)
    },
  )
}

function readRoutes(app: App, context: Context): void {
  app.get(
    '/algo/orders',
    {
      config: { ...config, weight: reading.running },
      schema: {
        ...{ tags, summary: 'Running TWAP and scaled orders, newest first', querystring: nothing },
        response: answers(schema.running),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      await context.freshness.settled(user)
      return { orders: await runningAlgos(context.pool, user) }
    },
  )

  app.get(
    '/algo/orders/history',
    {
      config: { ...config, weight: reading.ended },
      schema: {
        ...{ tags, summary: 'TWAP and scaled orders that have ended, latest placed first' },
        ...{ querystring: schema.page, response: answers(schema.ended) },
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      await context.freshness.settled(user)
      return algoHistory(context.pool, user, request.query)
    },
  )

  app.get(
    '/algo/orders/:id',
    {
      config,
      schema: {
        ...{ tags, summary: 'One TWAP or scaled order, and what its parts have executed', querystring: nothing },
        ...{ params: schema.byId, response: answers(schema.algo) },
      },
    },
    (request) => algoNow(context, request.session.user as UserId, Number(request.params.id) as OrderId),
  )
}

/** throws  Refused ALGO_UNKNOWN when the user has no such order; STATUS_UNKNOWN while the tables can't tell */
async function algoNow(context: Context, user: UserId, id: OrderId): Promise<WireAlgo> {
  await context.freshness.written(user)
  const found = await algoById(context.pool, user, id)
  if (found === undefined) throw new Refused('ALGO_UNKNOWN')
  return found
}

/** The app's order as a command for the core. throws  Refused with the field that does not fit the market */
function placeCommand({ listing }: Pick<Context, 'listing'>, user: UserId, body: WirePlaceAlgo): PlaceAlgo {
  const market = listing.marketNamed(body.symbol)
  const isPerp = market.market.perp !== undefined
  if (!isPerp && (body.position !== undefined || body.reduceOnly !== undefined))
    throw new Refused('ORDER_TYPE_INVALID', { field: body.position === undefined ? 'reduceOnly' : 'position' })
  return {
    type: 'algo.place',
    user,
    clientId: body.clientId,
    market: market.market.id,
    side: body.side,
    ...(isPerp ? { position: body.position ?? 'both' } : {}),
    isReduceOnly: body.reduceOnly ?? false,
    lots: readQuantity(market, body.quantity, 'quantity'),
    parts: body.parts as Parts,
    plan: planOf(market, body.plan),
  }
}

function planOf(market: ListedMarket, plan: WirePlaceAlgo['plan']): TwapPlan | ScaledPlan {
  if (plan.kind === 'scaled') {
    const { from, to, shape } = plan
    return { kind: 'scaled', from: readPrice(market, from, 'plan.from'), to: readPrice(market, to, 'plan.to'), shape }
  }
  const worst = plan.worst === undefined ? 0 : readPrice(market, plan.worst, 'plan.worst')
  return { kind: 'twap', durationMs: (plan.seconds * 1000) as Millis, worst }
}
