import { Readable } from 'node:stream'
import type { WireTape } from '@candor/core/protocol/wire/option.ts'
import { venueNames } from '../../../feeds/venue/names.ts'
import { Refused } from '../../../refused.ts'
import { tapePiece, type TapePiece } from '../../../store/query/tape.ts'
import type { App } from '../../app.ts'
import type { Context } from '../../context.ts'
import { answers } from '../../http/schema.ts'
import { piece, tape } from './schema.ts'

const tags = ['proof']
const pageMax = 1_000
/** A day of ticks. */
const fileMax = 345_600

export function proofRoutes(app: App, context: Context): void {
  app.get(
    '/proof/tape',
    { schema: { tags, summary: 'A piece of the public index tape', querystring: piece(pageMax), response: answers(tape) } },
    (request) => read(context, { ...request.query, limit: request.query.limit ?? pageMax }),
  )

  app.get(
    '/proof/tape.ndjson',
    {
      schema: {
        tags,
        summary: 'The same as lines: first the piece without its ticks, then a tick a line',
        querystring: piece(fileMax),
        response: answers(tape),
      },
    },
    async (request, reply) => {
      const wanted = { ...request.query, limit: request.query.limit ?? fileMax }
      const first = await read(context, { ...wanted, limit: Math.min(pageMax, wanted.limit) })
      reply.header('content-type', 'application/x-ndjson; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="candor-tape.ndjson"')
      return reply.send(Readable.from(lines(context, first, wanted)) as never)
    },
  )
}

async function read(context: Context, wanted: TapePiece): Promise<WireTape> {
  if (wanted.from !== undefined && wanted.at !== undefined) throw new Refused('FIELD_INVALID', { field: 'at' })
  const markets = context.listing.markets.filter(({ market }) => market.perp === undefined)
  return {
    venues: venueNames,
    markets: markets.map(({ market }) => ({ id: market.id, symbol: market.symbol })),
    ...(await tapePiece(context.pool, wanted)),
  }
}

/** Page by page, as fast as the reader takes them. */
async function* lines(context: Context, first: WireTape, { until, limit }: TapePiece): AsyncGenerator<string> {
  const { ticks, ...head } = first
  yield `${JSON.stringify(head)}\n`
  let left = limit
  for (let page = ticks; page.length > 0; ) {
    yield page.map((tick) => `${JSON.stringify(tick)}\n`).join('')
    left -= page.length
    const from = page.at(-1)!.tick + 1
    if (left <= 0 || page.length < pageMax) return
    page = (await tapePiece(context.pool, { from, until, limit: Math.min(pageMax, left) })).ticks
  }
}
