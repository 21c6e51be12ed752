import { type Lang, langs } from '@candor/core/protocol/locales.ts'
import type { WireAnnouncements } from '@candor/core/protocol/wire/news/announcements.ts'
import { publicKinds, type WireChanges } from '@candor/core/protocol/wire/changes.ts'
import { z } from 'zod'
import type { Announcements } from '../../announcements/announcements.ts'
import { answers, decimalOut, millis, queryInteger } from '../../http/schema.ts'
import { type Changes, changesPage } from '../../operations/changes.ts'
import type { App } from '../app.ts'

const value = z.union([z.string(), z.number(), z.boolean()])
const listed = z.union([value, z.array(z.record(z.string(), value)).readonly()])

export const changePage = z
  .strictObject({
    changes: z
      .array(
        z.strictObject({
          number: z.int(),
          kind: z.enum(publicKinds),
          subject: z.string().meta({ description: 'The market, the region (`*`: all others), or empty.' }),
          assets: z.array(z.string()).readonly().meta({ description: 'Base and quote asset of the market.' }),
          differences: z
            .array(z.strictObject({ name: z.string(), before: listed.nullable(), after: listed }))
            .readonly()
            .meta({ description: 'Values that changed. `before` is null for a new market.' }),
          paid: decimalOut.exactOptional().meta({ description: 'USDT that the exchange paid into the house fund of Second.' }),
          at: millis,
          seq: z.int().exactOptional().meta({ description: 'Position of the command in the journal.' }),
        }),
      )
      .readonly(),
    next: z.int().exactOptional(),
  })
  .meta({ id: 'Changes' }) satisfies z.ZodType<WireChanges>

export const announcementPage = z
  .strictObject({
    announcements: z.array(z.strictObject({ number: z.int(), title: z.string(), text: z.string(), at: millis, until: millis })).readonly(),
    next: z.int().exactOptional(),
  })
  .meta({ id: 'Announcements' }) satisfies z.ZodType<WireAnnouncements>

const page = { before: queryInteger(1, Number.MAX_SAFE_INTEGER).exactOptional(), limit: queryInteger(1, changesPage).exactOptional() }
const lang = z.enum(langs as readonly [Lang, ...Lang[]])
const tags = ['news']

/** Public news: changes of terms, and announcements. */
export function newsRoutes(app: App, changes: Changes, announcements: Announcements): void {
  app.get(
    '/changes',
    {
      schema: {
        ...{ tags, summary: 'Changes of terms that the exchange carried out, newest first' },
        ...{ querystring: z.strictObject(page), response: answers(changePage) },
      },
    },
    ({ query }) => changes.page(query.before, query.limit),
  )

  app.get(
    '/announcements',
    {
      schema: {
        ...{ tags, summary: 'Announcements in one language, newest first' },
        ...{ querystring: z.strictObject({ lang, ...page }), response: answers(announcementPage) },
      },
    },
    ({ query }) => announcements.shown(query.lang, query),
  )
}
