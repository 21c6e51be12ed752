import { consistencyPlaces, pathPlaces, rootOfSubtrees, type Subtree } from '@candor/core/proof/merkle.ts'
import { toHex } from '@candor/core/proof/sha256.ts'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { answers, queryInteger } from '../../http/schema.ts'
import type { Context } from '../../live/context.ts'
import { Refused } from '../../refused.ts'
import { headKeys, headsBefore, headsFrom, lastHead, type SignedHead, treeNodes } from '../../store/query/proof/heads.ts'
import type { App } from '../app.ts'
import { head, hex, key } from './head-schema.ts'

const tags = ['proof']
const [listDefault, listMax] = [20, 100]
/** Lines of one request: a week of heads. */
const fileMax = 10_080
const pageMax = 1_000
/** Twenty lines count as one request. */
const fileWeight = fileMax / 20

const number = () => queryInteger(1, Number.MAX_SAFE_INTEGER)
const hashes = z.array(hex(32)).readonly()

/** Signed heads of the journal, and proofs that one is in the story that a later one tells. */
export function headRoutes(app: App, context: Context): void {
  listRoutes(app, context)
  app.get(
    '/proof/heads/:n/path',
    {
      schema: {
        ...{ tags, summary: 'Path of a head to the root that a later head carries; by default the newest one' },
        params: z.strictObject({ n: number() }),
        querystring: z.strictObject({ in: number().exactOptional() }),
        response: answers(z.strictObject({ n: z.int(), in: z.int(), path: hashes })),
      },
    },
    async ({ params: { n }, query }) => {
      const later = await laterHead(context, n, query.in)
      return { n, in: later, path: await pathOf(context, pathPlaces(n - 1, later - 1)) }
    },
  )

  app.get(
    '/proof/heads/:n/extension',
    {
      schema: {
        ...{ tags, summary: 'Hashes that prove that all heads before this one are the first of those before a later one' },
        params: z.strictObject({ n: number() }),
        querystring: z.strictObject({ in: number().exactOptional() }),
        response: answers(z.strictObject({ n: z.int(), in: z.int(), old: hashes, added: hashes })),
      },
    },
    async ({ params: { n }, query }) => {
      const later = await laterHead(context, n, query.in)
      const places = consistencyPlaces(n - 1, later - 1)
      const nodes = (await treeNodes(context.pool, [...places.old, ...places.added])).map(toHex)
      const { length } = places.old
      return { n, in: later, old: nodes.slice(0, length), added: nodes.slice(length) }
    },
  )
}

function listRoutes(app: App, context: Context): void {
  app.get(
    '/proof/heads',
    {
      schema: {
        ...{ tags, summary: 'Signed heads of the journal, newest first, and the keys that sign them' },
        querystring: z.strictObject({ before: number().exactOptional(), limit: queryInteger(1, listMax).exactOptional() }),
        response: answers(z.strictObject({ keys: z.array(key).readonly(), heads: z.array(head).readonly() })),
      },
    },
    async ({ query: { before, limit = listDefault } }) => {
      const [keys, heads] = await Promise.all([headKeys(context.pool), headsBefore(context.pool, before, limit)])
      return { keys, heads: heads.map(shown) }
    },
  )

  app.get(
    '/proof/heads.ndjson',
    {
      config: { weight: () => fileWeight },
      schema: {
        ...{ tags, summary: 'The same as lines of JSON, oldest first: the keys, then a head on each line, at most a week of them' },
        querystring: z.strictObject({ from: number().exactOptional() }),
        response: answers(z.unknown()),
      },
    },
    async ({ query: { from = 1 } }, reply) => {
      reply.header('content-type', 'application/x-ndjson; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="candor-heads.ndjson"')
      return reply.send(Readable.from(lines(context, from)))
    },
  )
}

async function* lines({ pool }: Context, first: number): AsyncGenerator<string> {
  yield `${JSON.stringify({ keys: await headKeys(pool) })}\n`
  for (let [from, left] = [first, fileMax]; left > 0; left -= pageMax) {
    const page = await headsFrom(pool, from, Math.min(pageMax, left))
    yield page.map((one) => `${JSON.stringify(shown(one))}\n`).join('')
    if (page.length < pageMax) return
    from = page.at(-1)!.n + 1
  }
}

/** throws  Refused NOT_FOUND unless both heads exist and one is later */
async function laterHead({ pool }: Context, n: number, wanted: number | undefined): Promise<number> {
  const newest = (await lastHead(pool))?.n ?? 0
  const later = wanted ?? newest
  if (n >= later || later > newest) throw new Refused('NOT_FOUND')
  return later
}

/** One read for the whole path: anybody may ask, so it takes no more of the database than another request. */
async function pathOf({ pool }: Context, steps: readonly (readonly Subtree[])[]): Promise<readonly string[]> {
  const nodes = await treeNodes(pool, steps.flat())
  let at = 0
  return steps.map(({ length }) => toHex(rootOfSubtrees(nodes.slice(at, (at += length)))))
}

const shown = ({ n, text, signature }: SignedHead): z.infer<typeof head> => ({ n, text, signature })
