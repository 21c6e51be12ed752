import type { PresaleNumber, UserId } from '@candor/core/protocol/ids.ts'
import { z } from 'zod'
import { answers, nothing } from '../../http/schema.ts'
import { type Context, execute } from '../../live/context.ts'
import { readAmount } from '../../live/listing.ts'
import { wirePresale, wirePresaleDetail, wireSchedule, wireSubscription } from '../../live/presale/presales.ts'
import { Refused } from '../../refused.ts'
import { detailsOf, type PresaleRow, presalesOf, publicPaperOf, subscriptionsOf } from '../../store/query/presale.ts'
import type { App } from '../app.ts'
import * as schema from './schema.ts'

const tags = ['presale']
const config = { auth: 'session' } as const
/** A whitepaper has some megabytes. */
const paperWeight = 10
const forEver = 'public, max-age=31536000, immutable'

/** Presales of new tokens. */
export function presaleRoutes(app: App, context: Context): void {
  publicRoutes(app, context)
  fileRoutes(app, context)
  ownRoutes(app, context)
  subscribeRoute(app, context)
}

function publicRoutes(app: App, context: Context): void {
  app.get(
    '/presales',
    {
      schema: {
        ...{ tags, summary: 'All presales, the one that begins last first', querystring: schema.inLang },
        response: answers(schema.presales),
      },
    },
    async ({ query }) => {
      const rows = await presalesOf(context.pool)
      return { presales: rows.map((row) => wirePresale(context.listing, row, query.lang, context.now())) }
    },
  )

  app.get(
    '/presales/:number',
    {
      schema: {
        ...{ tags, summary: 'One presale: texts in one language, terms, and the schedule of releases' },
        ...{ params: schema.byNumber, querystring: schema.inLang, response: answers(schema.presaleDetail) },
      },
    },
    async ({ params, query }) => wirePresaleDetail(context.listing, await presaleNamed(context, params.number), query.lang, context.now()),
  )
}

/** Files that never change: their hashes are their names. */
function fileRoutes(app: App, context: Context): void {
  app.get(
    '/presales/papers/:hash',
    {
      config: { weight: () => paperWeight },
      schema: {
        ...{ tags, summary: 'A whitepaper as a file, by its SHA-256', params: schema.byHash, querystring: nothing },
        response: answers(z.string().meta({ description: 'The file, as application/pdf.' })),
      },
    },
    async ({ params: { hash } }, reply) => {
      const bytes = await publicPaperOf(context.pool, hash)
      if (bytes === undefined) throw new Refused('NOT_FOUND')
      reply.header('content-type', 'application/pdf').header('cache-control', forEver)
      reply.header('content-disposition', `attachment; filename="whitepaper-${hash.slice(0, 12)}.pdf"`)
      return reply.send(bytes)
    },
  )

  app.get(
    '/presales/texts/:hash',
    {
      schema: {
        ...{ tags, summary: 'The texts of a presale in all languages, exactly as they were hashed', params: schema.byHash },
        ...{ querystring: nothing, response: answers(z.string().meta({ description: 'The text whose SHA-256 the terms name, as JSON.' })) },
      },
    },
    async ({ params: { hash } }, reply) => {
      const text = await detailsOf(context.pool, hash)
      if (text === undefined) throw new Refused('NOT_FOUND')
      reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', forEver)
      reply.header('content-disposition', `attachment; filename="presale-${hash.slice(0, 12)}.json"`)
      return reply.send(Buffer.from(text))
    },
  )
}

function ownRoutes(app: App, context: Context): void {
  app.get(
    '/presales/subscriptions',
    {
      config,
      schema: {
        ...{ tags, summary: 'The customer’s subscriptions, newest first', querystring: schema.inLang },
        response: answers(schema.subscriptions),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      await context.freshness.settled(user)
      const rows = await subscriptionsOf(context.pool, user)
      const { lang } = request.query
      return {
        subscriptions: rows.map((row) => ({
          ...wireSubscription(context.listing, row, context.now()),
          title: wirePresale(context.listing, row, lang, context.now()).title,
        })),
      }
    },
  )

  app.get(
    '/presales/:number/subscription',
    {
      config,
      schema: {
        ...{ tags, summary: 'The customer’s subscription to one presale, and the days on which its tokens become free' },
        ...{ params: schema.byNumber, querystring: nothing, response: answers(schema.schedule) },
      },
    },
    async (request) =>
      wireSchedule(context.listing, await ownOf(context, request.session.user as UserId, request.params.number), context.now()),
  )
}

function subscribeRoute(app: App, context: Context): void {
  app.post(
    '/presales/:number/subscriptions',
    {
      config,
      schema: {
        ...{ tags, summary: 'Subscribe to a presale; the sum leaves the spot account until its end', params: schema.byNumber },
        ...{ querystring: nothing, body: schema.subscribe, response: answers(schema.subscription, 201) },
      },
    },
    async (request, reply) => {
      const user = request.session.user as UserId
      const { clientId, amount } = request.body
      const { number } = request.params
      const { terms } = await presaleNamed(context, number)
      const sum = readAmount(context.listing.asset(terms.pay), amount, 'amount')
      await execute(context, user, { type: 'presale.subscribe', user, clientId, presale: number as PresaleNumber, amount: sum }, 'amount')
      return reply.code(201).send(wireSubscription(context.listing, await ownOf(context, user, number), context.now()))
    },
  )
}

/** throws  Refused PRESALE_UNKNOWN */
async function presaleNamed({ pool }: Context, number: number): Promise<PresaleRow> {
  const [row] = await presalesOf(pool, number as PresaleNumber)
  if (row === undefined) throw new Refused('PRESALE_UNKNOWN')
  return row
}

/** throws  Refused NOT_FOUND when the customer has not subscribed to it; STATUS_UNKNOWN while the tables can't tell */
async function ownOf(context: Context, user: UserId, number: number) {
  await context.freshness.written(user)
  const [row] = await subscriptionsOf(context.pool, user, number as PresaleNumber)
  if (row === undefined) throw new Refused('NOT_FOUND')
  return row
}
