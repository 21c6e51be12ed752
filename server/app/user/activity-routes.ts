import { Readable } from 'node:stream'
import { activityKinds, type WireActivity } from '@candor/core/protocol/wire/activity.ts'
import { z } from 'zod'
import { activityFile } from './activity-file.ts'
import type { ActivityAsker, ActivityReader } from '../../activity/reader.ts'
import { answers, cursor, millis, queryMillis } from '../../http/schema.ts'
import type { Session } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { App } from '../app.ts'

const tags = ['me']
const filter = z.strictObject({
  kind: z.enum(activityKinds).exactOptional(),
  from: queryMillis.exactOptional(),
  to: queryMillis.exactOptional(),
})

const activity = z
  .strictObject({
    ...{ at: millis, kind: z.enum(activityKinds), action: z.string(), device: z.string(), ip: z.string() },
    ...{ session: z.string().nullable(), isCurrent: z.boolean(), key: z.string().nullable() },
    ...{ seq: z.int().nullable(), symbol: z.string().nullable(), order: z.string().nullable() },
  })
  .meta({ id: 'Activity' }) satisfies z.ZodType<WireActivity>

const askerOf = ({ account, user, id }: Session): ActivityAsker => ({ account, user, session: id })

/** The account's activity, with the session or key, network and device of each entry. */
export function activityRoutes(app: App, reader: ActivityReader): void {
  app.get(
    '/activity',
    {
      config: { auth: 'session', weight: () => 5 },
      schema: {
        tags,
        summary: 'What was done in the account, by which session or key, newest first',
        querystring: z.strictObject({ ...filter.shape, before: cursor.exactOptional() }),
        response: answers(z.strictObject({ items: z.array(activity).readonly(), next: z.string().exactOptional() })),
      },
    },
    (request) => reader.page(askerOf(request.session), { ...request.query, limit: 50 }),
  )

  // One file at a time: each reads many pages.
  const busy = new Set<string>()
  app.get(
    '/activity/file',
    {
      config: { auth: 'session', weight: () => 50 },
      schema: {
        tags,
        summary: 'The same as a file, the newest 100,000 entries of the days. If there are more, its last line or element says so',
        querystring: z.strictObject({ ...filter.shape, format: z.enum(['csv', 'json']) }),
        response: answers(z.string().meta({ description: 'The file, as text/csv or application/json.' })),
      },
    },
    (request, reply) => {
      const { format } = request.query
      const { account } = request.session
      if (busy.has(account)) throw new Refused('RATE_LIMITED', { retryAfter: 10 })
      busy.add(account)
      const file = Readable.from(activityFile(reader, askerOf(request.session), request.query), { objectMode: false })
      file.once('close', () => busy.delete(account))
      reply.header('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
      reply.header('content-disposition', `attachment; filename="activity.${format}"`)
      return reply.send(file as unknown as string)
    },
  )
}
