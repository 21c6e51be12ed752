import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { WireTape } from '@candor/core/protocol/wire/option.ts'
import { z } from 'zod'
import { venueNames } from '../../feeds/venue/names.ts'
import { Refused } from '../../refused.ts'
import { tapePiece, type TapePiece } from '../../store/query/market/tape.ts'
import { hourMs, tapeHour, tapeHours } from '../../store/query/market/tape-hours.ts'
import type { App } from '../app.ts'
import type { Context } from '../../live/context.ts'
import { answers, queryInteger, queryMillis } from '../../http/schema.ts'
import { hour, piece, tape } from './schema.ts'

const tags = ['proof']
const pageMax = 1_000
/** Half an hour of ticks. Whole hours are prepared as files in advance. */
const fileMax = 7_200
/** Ticks that count as one request. */
const ticksPerRequest = 25
/** A prepared hour counts as this many requests, whatever its size: it is read and sent unchanged. */
const hourWeight = 50

export function proofRoutes(app: App, context: Context): void {
  app.get(
    '/proof/tape',
    {
      config: { weight: weightOf(pageMax) },
      schema: { tags, summary: 'A piece of the public index tape', querystring: piece(pageMax), response: answers(tape) },
    },
    (request) => read(context, { ...request.query, limit: request.query.limit ?? pageMax }),
  )

  app.get(
    '/proof/tape.ndjson',
    {
      config: { weight: weightOf(fileMax) },
      schema: {
        tags,
        summary: 'The same as lines of JSON: first the piece without its ticks, then one tick per line; 1,000 ticks by default',
        querystring: piece(fileMax),
        response: answers(tape),
      },
    },
    async (request, reply) => {
      const wanted = { ...request.query, limit: request.query.limit ?? pageMax }
      const first = await read(context, { ...wanted, limit: Math.min(pageMax, wanted.limit) })
      reply.header('content-type', 'application/x-ndjson; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="candor-tape.ndjson"')
      return reply.send(Readable.from(lines(context, first, wanted)))
    },
  )

  app.get(
    '/proof/tape/hours',
    {
      schema: {
        tags,
        summary: 'Hours of the tape that can be downloaded, newest first',
        querystring: z.strictObject({ before: queryMillis.exactOptional(), limit: queryInteger(1, 1_000).exactOptional() }),
        response: answers(z.strictObject({ hours: z.array(hour).readonly() })),
      },
    },
    async (request) => ({ hours: await tapeHours(context.pool, request.query.before, request.query.limit ?? 168) }),
  )

  app.get(
    '/proof/tape/hours/:hour',
    {
      config: { weight: () => hourWeight },
      schema: {
        tags,
        summary: 'One whole hour of the tape: its lines, compressed with gzip',
        params: z.strictObject({ hour: queryMillis }),
        querystring: z.strictObject({}),
        response: answers(tape),
      },
    },
    async (request, reply) => {
      const wanted = request.params.hour
      const body = wanted % hourMs === 0 ? await tapeHour(context.pool, wanted) : undefined
      if (!body) throw new Refused('NOT_FOUND')
      reply.header('content-type', 'application/gzip')
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      reply.header('content-disposition', `attachment; filename="candor-tape-${wanted}.ndjson.gz"`)
      return reply.send(body)
    },
  )
}

/**
 * Weight of a request for a piece, by the count of ticks that it names; a thousand if it names none. The query is decoded as the
 * route decodes it, and a count that is no whole number weighs as the largest.
 */
function weightOf(max: number): (request: IncomingMessage) => number {
  return ({ url = '' }) => {
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
    const named = new URLSearchParams(query).getAll('limit').map(Number)
    const limit = named.length === 0 ? pageMax : named.reduce((most, one) => (Number.isInteger(one) ? Math.max(most, one) : max), 1)
    return Math.ceil(Math.min(limit, max) / ticksPerRequest)
  }
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

/** Reads page by page, as fast as the client takes them. */
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
