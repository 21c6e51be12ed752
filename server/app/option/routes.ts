import type { Millis, Units } from '@candor/core/money/brand.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import { optionResults } from '@candor/core/protocol/event/option.ts'
import type { WireOptionFigures } from '@candor/core/protocol/wire/option.ts'
import { z } from 'zod'
import { Refused } from '../../refused.ts'
import { optionFigures as readFigures, optionHistory } from '../../store/query/option.ts'
import type { App } from '../app.ts'
import { type Context, execute } from '../../live/context.ts'
import { askedOfEngine } from '../../http/limits.ts'
import { answers, cursor, nothing, orderId, queryInteger, queryMillis, symbol } from '../../http/schema.ts'
import { readAmount } from '../../live/listing.ts'
import { wireOption } from '../../live/options.ts'
import { answerMe, answerOpened, answerTerms, openCommand, optionNow, payingAsset } from './answers.ts'
import type { Factors } from '../../identity/factors/factors.ts'
import { isKnown, knowledgeQuestions } from './knowledge.ts'
import * as schema from './schema.ts'

const tags = ['option']
const figuresOfMs = 30 * 86_400_000
const figuresKeptMs = 30_000
const hourMs = 3_600_000

export function optionRoutes(app: App, context: Context, factors: Pick<Factors, 'require'>): void {
  publicRoutes(app, context)
  ownRoutes(app, context, factors)
  orderRoutes(app, context)
}

function publicRoutes(app: App, context: Context): void {
  app.get(
    '/option/terms',
    {
      schema: {
        tags,
        summary: 'Durations with their profit rates, stake limits and paused markets',
        querystring: nothing,
        response: answers(schema.optionTerms),
      },
    },
    () => answerTerms(context),
  )

  let figures: { readonly at: number; readonly read: Promise<WireOptionFigures> } | undefined
  app.get(
    '/option/figures',
    {
      schema: {
        tags,
        summary: 'Results of all customers in the last 30 days',
        querystring: nothing,
        response: answers(schema.optionFigures),
      },
    },
    () => {
      const now = context.now()
      if (figures === undefined || now - figures.at >= figuresKeptMs) {
        const read = readFigures(context.pool, now - figuresOfMs)
        figures = { at: now, read }
        read.catch(() => {
          figures = undefined
        })
      }
      return figures.read
    },
  )

  app.get(
    '/option/knowledge',
    {
      schema: {
        tags,
        summary: 'The questions to answer before the first order, by number',
        querystring: nothing,
        response: answers(schema.knowledge),
      },
    },
    async () => knowledgeQuestions,
  )
}

function ownRoutes(app: App, context: Context, factors: Pick<Factors, 'require'>): void {
  app.post(
    '/option/knowledge',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Answer the questions; if every answer is correct, the customer is admitted',
        querystring: nothing,
        body: schema.knowledgeAnswers,
        response: answers(schema.optionMe),
      },
    },
    async (request) => {
      if (!isKnown(request.body)) throw new Refused('KNOWLEDGE_WRONG', { field: 'answers' })
      const user = request.session.user as UserId
      await execute(context, user, { type: 'option.admit', user })
      return answerMe(context, user)
    },
  )

  app.get(
    '/option/me',
    {
      config: { auth: 'session', weight: askedOfEngine.light },
      schema: { tags, summary: 'The customer’s admission, limits and results', querystring: nothing, response: answers(schema.optionMe) },
    },
    (request) => answerMe(context, request.session.user as UserId),
  )

  app.post(
    '/option/limits',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Set the customer’s own loss limit, or take a break after a proof',
        querystring: nothing,
        body: schema.optionLimits,
        response: answers(schema.optionMe),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      const { lossMax, coolOffHours } = request.body
      if (coolOffHours !== undefined) await factors.require(request.session, 'rest-begin')
      const limit = lossMax === null ? 0 : readAmount(payingAsset(context), lossMax, 'lossMax')
      const until = coolOffHours === undefined ? 0 : context.now() + coolOffHours * hourMs
      await execute(context, user, { type: 'option.setLimits', user, lossMax: limit as Units, coolOffUntil: until as Millis })
      return answerMe(context, user)
    },
  )
}

function orderRoutes(app: App, context: Context): void {
  app.post(
    '/option/orders',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Open an order: up or down',
        querystring: nothing,
        body: schema.openOption,
        response: answers(schema.optionOpened),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      return answerOpened(context, user, await execute(context, user, openCommand(context, user, request.body)))
    },
  )

  app.get(
    '/option/orders/open',
    {
      config: { auth: 'session', weight: askedOfEngine.light },
      schema: {
        tags,
        summary: 'Unsettled orders, newest first',
        querystring: nothing,
        response: answers(z.strictObject({ orders: z.array(schema.option) })),
      },
    },
    async (request) => {
      const open = await context.ask.openOptions(request.session.user as UserId)
      return { orders: open.toReversed().map((order) => wireOption(context.listing, order)) }
    },
  )

  app.get(
    '/option/orders/history',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'Settled orders, newest first',
        querystring: z.strictObject({
          symbol: symbol.exactOptional(),
          result: z.enum(optionResults).exactOptional(),
          from: queryMillis.exactOptional(),
          to: queryMillis.exactOptional(),
          before: cursor.exactOptional(),
          limit: queryInteger(1, 200).exactOptional(),
        }),
        response: answers(z.strictObject({ items: z.array(schema.option), next: cursor.exactOptional() })),
      },
    },
    async (request) => {
      const user = request.session.user as UserId
      if (request.query.symbol !== undefined) context.listing.marketNamed(request.query.symbol)
      await context.freshness.settled(user)
      return optionHistory(context.pool, user, request.query)
    },
  )

  app.get(
    '/option/orders/:id',
    {
      config: { auth: 'session' },
      schema: {
        tags,
        summary: 'One order with every price that decides it',
        params: z.strictObject({ id: orderId }),
        querystring: nothing,
        response: answers(schema.option),
      },
    },
    (request) => optionNow(context, request.session.user as UserId, Number(request.params.id) as OrderId, 0),
  )
}
