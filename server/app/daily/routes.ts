import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireStatement } from '@candor/core/protocol/wire/days/daily.ts'
import { z } from 'zod'
import { askedOfEngine } from '../../http/limits.ts'
import { answers } from '../../http/schema.ts'
import { type Context, dayStart } from '../../live/context.ts'
import { Refused } from '../../refused.ts'
import { statementFacts } from '../../store/query/daily/facts.ts'
import type { App } from '../app.ts'
import { monthProfit } from './profit.ts'
import * as schema from './schema.ts'
import { statementCsv } from './statement-csv.ts'
import { statementPdf } from './statement-pdf.ts'
import { statementOf } from './statement.ts'

const tags = ['daily']
const config = { auth: 'session' } as const

/** A customer's days: profit by account, and the statement of each. */
export function dailyRoutes(app: App, context: Context): void {
  app.get(
    '/daily/profit',
    {
      config: { ...config, weight: askedOfEngine.heavy },
      schema: {
        ...{ tags, summary: 'Profit of each day of a month by UTC, in all and by account; of this month without one' },
        ...{ querystring: z.strictObject({ month: schema.month.exactOptional() }), response: answers(schema.dailyProfit) },
      },
    },
    (request) => {
      const { month = new Date(context.now()).toISOString().slice(0, 7) } = request.query
      return monthProfit(context, request.session.user as UserId, month)
    },
  )

  app.get(
    '/daily/statement',
    {
      config: { ...config, weight: () => 10 },
      schema: {
        ...{ tags, summary: 'Opening balances, movements and closing balances of a day by UTC, by account and coin' },
        ...{ querystring: z.strictObject({ day: schema.day }), response: answers(schema.statement) },
      },
    },
    (request) => statementFor(context, request.session.user as UserId, request.query.day),
  )

  app.get(
    '/daily/statement/file',
    {
      // Making a file takes this process some tens of milliseconds, in which it serves nobody else.
      config: { ...config, weight: () => 40 },
      schema: {
        ...{ tags, summary: 'The same as a file' },
        querystring: z.strictObject({ day: schema.day, format: z.enum(['csv', 'pdf']), lang: schema.language.exactOptional() }),
        response: answers(z.string().meta({ description: 'The file, as text/csv or application/pdf, the latter in the language.' })),
      },
    },
    async (request, reply) => {
      const { user, uid } = request.session
      const { day, format, lang = 'en' } = request.query
      const statement = await statementFor(context, user as UserId, day)
      reply.header('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/pdf')
      reply.header('content-disposition', `attachment; filename="candor-${day}.${format}"`)
      const file = format === 'csv' ? statementCsv(statement) : statementPdf(statement, uid, lang, context.now())
      return reply.send(file as string)
    },
  )
}

/** throws  Refused FIELD_INVALID for a day that has not begun */
async function statementFor(context: Context, user: UserId, day: string): Promise<WireStatement> {
  const [start, today] = [Date.parse(day), dayStart(context.now())]
  if (start > today) throw new Refused('FIELD_INVALID', { field: 'day' })
  await context.freshness.settled(user)
  return statementOf(day, await statementFacts(context.pool, user, start, today))
}
