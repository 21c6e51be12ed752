import type { QuoteNumber, UserId } from '@candor/core/protocol/ids.ts'
import type { WireQuote, WireQuoteRequest } from '@candor/core/protocol/wire/convert.ts'
import { askedOfEngine } from '../../http/limits.ts'
import { answers, nothing } from '../../http/schema.ts'
import { type Context, execute } from '../../live/context.ts'
import { conversionNamed, convertTermsOf, quoteFor, wireConversion, wireQuote } from '../../live/convert/conversions.ts'
import { amountText, readAmount } from '../../live/listing.ts'
import { Refused } from '../../refused.ts'
import { conversionsOf } from '../../store/query/convert.ts'
import type { App } from '../app.ts'
import * as schema from './schema.ts'
import { z } from 'zod'

const tags = ['convert']
const config = { auth: 'session' } as const

/** Conversions at a firm quote. */
export function convertRoutes(app: App, context: Context): void {
  readRoutes(app, context)
  quoteRoutes(app, context)
}

function readRoutes(app: App, context: Context): void {
  app.get(
    '/convert/terms',
    {
      config: { weight: askedOfEngine.light },
      schema: {
        ...{ tags, summary: 'Whether coins can be converted, the limits, and the coins with their index prices', querystring: nothing },
        response: answers(schema.convertTerms),
      },
    },
    () => convertTermsOf(context),
  )

  app.get(
    '/convert/standing',
    {
      config: { ...config, weight: askedOfEngine.light },
      schema: {
        ...{ tags, summary: 'The customer’s limit of the day, and the open quote', querystring: nothing },
        response: answers(schema.convertStanding),
      },
    },
    async (request) => {
      const [{ today, quote }, terms] = await Promise.all([
        context.ask.convertStanding(request.session.user as UserId),
        context.ask.convertTerms(),
      ])
      const usdt = context.listing.assetNamed('USDT')
      return {
        ...{ limit: amountText(usdt, today.limit), used: amountText(usdt, today.used) },
        open: quote === null || terms === null ? null : wireQuote(context.listing, quote, terms),
      }
    },
  )

  app.get(
    '/convert/conversions',
    {
      config,
      schema: {
        ...{ tags, summary: 'The customer’s conversions, newest first' },
        ...{ querystring: schema.conversionPage, response: answers(schema.conversions) },
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      await context.freshness.settled(user)
      return conversionsOf(context.pool, user, request.query, (row) => wireConversion(context.listing, row))
    },
  )

  app.get(
    '/convert/conversions/:id',
    {
      config,
      schema: {
        ...{ tags, summary: 'One conversion: whether it waits for the index, was carried out, or ended', querystring: nothing },
        ...{ params: z.strictObject({ id: schema.quoteId }), response: answers(schema.conversion) },
      },
    },
    (request) => conversionNamed(context, request.session.user as UserId, request.params.id),
  )
}

function quoteRoutes(app: App, context: Context): void {
  app.post(
    '/convert/quotes',
    {
      config: { ...config, weight: askedOfEngine.light },
      schema: {
        ...{ tags, summary: 'Ask for a firm quote, which replaces the open one; moves nothing', querystring: nothing },
        ...{ body: schema.quoteRequest, response: answers(schema.quote, 201) },
      },
    },
    async (request, reply) => reply.code(201).send(await quoted(context, request.session.user as UserId, request.body)),
  )

  app.post(
    '/convert/quotes/:id/accept',
    {
      config,
      schema: {
        ...{ tags, summary: 'Accept the open quote; the next index price after its delay decides', querystring: nothing },
        ...{ params: z.strictObject({ id: schema.quoteId }), body: nothing, response: answers(schema.conversion) },
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      await execute(context, user, { type: 'convert.accept', user, quote: Number(request.params.id) as QuoteNumber })
      return conversionNamed(context, user, request.params.id)
    },
  )
}

async function quoted(context: Context, user: UserId, { clientId, from, to, give, get }: WireQuoteRequest): Promise<WireQuote> {
  const [source, target] = [context.listing.assetNamed(from, 'from'), context.listing.assetNamed(to, 'to')]
  if ((give === undefined) === (get === undefined))
    throw new Refused(give === undefined ? 'FIELD_MISSING' : 'FIELD_INVALID', { field: 'give' })
  const amount = get === undefined ? readAmount(source, give!, 'give') : readAmount(target, get, 'get')
  return quoteFor(context, { user, clientId, from: source.id, to: target.id, amount, isGet: get !== undefined })
}
