import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { WireTape } from '@candor/core/protocol/wire/option.ts'
import { z } from 'zod'
import { venueNames } from '../../feeds/venue/names.ts'
import { Refused } from '../../refused.ts'
import { tapeLine, tapePiece, type TapePiece, type TapeText } from '../../store/query/market/tape.ts'
import { hourMs, tapeHours } from '../../store/query/market/tape-hours.ts'
import type { App } from '../app.ts'
import type { Context } from '../../live/context.ts'
import { indexText } from '../../live/options.ts'
import { compress } from '../../http/compress.ts'
import { answers, queryInteger, queryMillis } from '../../http/schema.ts'
import { headRoutes } from './head-routes.ts'
import { liabilityRoutes } from './liability-routes.ts'
import { HourFiles } from './hour-files.ts'
import { receiptRoutes } from './receipt-routes.ts'
import { reserveRoutes } from './reserve-routes.ts'
import { hour, line, linePiece, piece, tape } from './schema.ts'

const tags = ['proof']
const ticksDefault = 100
const pageMax = 1_000
/** Sixteen minutes of ticks, enough for the longest order of Second. Whole hours are prepared as files in advance. */
const fileMax = 4_000
/** Ticks that count as one request. They cost a few times as much as an ordinary one, because each is unpacked and written. */
const ticksPerRequest = 4
/** The price of one market is read much faster than all quotes are written. */
const lineTicksPerRequest = 10
/** Points of a line; a phone has no more columns. */
const lineMax = 1_000
/** A prepared hour counts as this many requests, whatever its size: it is sent unchanged. */
const hourWeight = 50

export function proofRoutes(app: App, context: Context): void {
  const files = new HourFiles(context.pool)
  for (const add of [lineRoute, headRoutes, receiptRoutes, liabilityRoutes, reserveRoutes]) add(app, context)
  app.get(
    '/proof/tape',
    {
      config: { weight: weightOf(pageMax) },
      schema: {
        tags,
        summary: 'A piece of the public index tape; 100 ticks by default',
        querystring: piece(pageMax),
        response: answers(tape),
      },
    },
    async (request, reply) => {
      const { ticks, ...rest } = await read(context, { ...request.query, limit: request.query.limit ?? ticksDefault })
      reply.header('content-type', 'application/json; charset=utf-8')
      return reply.send(`${JSON.stringify(rest).slice(0, -1)},"ticks":[${ticks.map(({ text }) => text).join()}]}`)
    },
  )

  app.get(
    '/proof/tape.ndjson',
    {
      config: { weight: weightOf(fileMax) },
      schema: {
        tags,
        summary: 'The same as lines of JSON: first the piece without its ticks, then one tick per line; 100 ticks by default',
        querystring: piece(fileMax),
        response: answers(tape),
      },
    },
    async (request, reply) => {
      const wanted = { ...request.query, limit: request.query.limit ?? ticksDefault }
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
      const body = wanted % hourMs === 0 ? await files.find(wanted) : undefined
      if (!body) throw new Refused('NOT_FOUND')
      reply.header('content-type', 'application/gzip')
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      reply.header('content-disposition', `attachment; filename="candor-tape-${wanted}.ndjson.gz"`)
      return reply.send(body)
    },
  )
}

function lineRoute(app: App, context: Context): void {
  app.get(
    '/proof/line',
    {
      onSend: compress,
      config: { weight: weightOf(fileMax, lineTicksPerRequest) },
      schema: {
        tags,
        summary: 'The index of one market along the tape, thinned to at most a thousand points; the newest 100 ticks by default',
        querystring: linePiece(fileMax),
        response: answers(line),
      },
    },
    async (request) => {
      const { symbol, limit = ticksDefault, ...rest } = request.query
      const { market } = context.listing.marketOfKind('spot', symbol)
      const points = await tapeLine(context.pool, market.id, { ...rest, limit })
      const step = Math.ceil(points.length / lineMax)
      const shown = step <= 1 ? points : points.filter((_, n) => n % step === 0 || n === points.length - 1)
      return { points: shown.map(({ at, price, isGood }) => [at, indexText(price), isGood] as const) }
    },
  )
}

/**
 * Weight of a request for a piece, by the count of ticks that it names; a hundred if it names none. The query is decoded as the
 * route decodes it, and a count that is no whole number weighs as the largest.
 */
function weightOf(max: number, perRequest = ticksPerRequest): (request: IncomingMessage) => number {
  return ({ url = '' }) => {
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
    const named = new URLSearchParams(query).getAll('limit').map(Number)
    const limit = named.length === 0 ? ticksDefault : named.reduce((most, one) => (Number.isInteger(one) ? Math.max(most, one) : max), 1)
    return Math.ceil(Math.min(limit, max) / perRequest)
  }
}

type Piece = TapeText & Pick<WireTape, 'venues' | 'markets'>

async function read(context: Context, wanted: TapePiece): Promise<Piece> {
  if (wanted.from !== undefined && wanted.at !== undefined) throw new Refused('FIELD_INVALID', { field: 'at' })
  const markets = context.listing.markets.filter(({ market }) => market.perp === undefined)
  return {
    venues: venueNames,
    markets: markets.map(({ market }) => ({ id: market.id, symbol: market.symbol })),
    ...(await tapePiece(context.pool, wanted)),
  }
}

/** Reads page by page, as fast as the client takes them, up to the tick that the first line names as the newest. */
async function* lines(context: Context, first: Piece, { until, limit }: TapePiece): AsyncGenerator<string> {
  const { ticks, ...beginning } = first
  yield `${JSON.stringify(beginning)}\n`
  let left = Math.min(limit, beginning.head.tick - (ticks[0]?.tick ?? 0) + 1)
  for (let page = ticks; page.length > 0; ) {
    yield page.map((tick) => `${tick.text}\n`).join('')
    left -= page.length
    const from = page.at(-1)!.tick + 1
    if (left <= 0 || page.length < pageMax) return
    page = (await tapePiece(context.pool, { from, until, limit: Math.min(pageMax, left) })).ticks
  }
}
