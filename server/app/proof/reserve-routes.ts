import { isDay } from '@candor/core/proof/chain/possession.ts'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { answers, nothing, queryInteger } from '../../http/schema.ts'
import type { Context } from '../../live/context.ts'
import { Refused } from '../../refused.ts'
import { anchorsBefore } from '../../store/query/proof/anchors.ts'
import { reserveFile, reservesBefore } from '../../store/query/proof/reserves.ts'
import type { App } from '../app.ts'
import { head, hex, key } from './head-schema.ts'

const tags = ['proof']
const [listDefault, listMax] = [20, 100]
/** A statement may name two thousand addresses. It is written once, and then sent as it was. */
const fileWeight = 20
/** Four years of anchors. */
const anchorsMax = 1_500
/** Anchors that count as one request. */
const anchorsPerRequest = 10
/** Statements that are kept ready. */
const keptMax = 4

const file = z
  .strictObject({
    reserves: z.string().meta({ description: 'The statement, byte by byte.' }),
    signature: hex(64).meta({ description: 'Of the statement, with the key of the head.' }),
    head,
    keys: z.array(key).readonly(),
    liabilities: z.string().meta({ description: 'The statement of liabilities that the head names.' }),
    heads: z.array(head).readonly().meta({ description: 'Earlier heads that signatures of cold addresses name.' }),
    signatures: z
      .array(z.strictObject({ network: z.string(), address: z.string(), head: z.int(), signature: hex(65) }))
      .readonly()
      .meta({ description: 'Of the addresses, as EIP-191 or TRON messages.' }),
  })
  .meta({ id: 'ReserveFile', description: 'A statement of reserves and all that proves it; see docs/spec/reserves.md.' })

const anchor = z
  .strictObject({
    anchor: z.string().meta({ description: 'The signed transaction.' }),
    txid: z.string(),
    network: z.string(),
    block: z
      .strictObject({ number: z.int(), hash: z.string() })
      .nullable()
      .meta({ description: 'The final block that has it; null until there is one.' }),
    head,
    keys: z.array(key).readonly(),
  })
  .meta({ id: 'Anchor', description: 'A head of the journal in a transaction of a chain; see docs/spec/reserves.md.' })

/** What the exchange holds on chains, and the heads that it wrote there. */
export function reserveRoutes(app: App, context: Context): void {
  fileRoutes(app, context)
  app.get(
    '/proof/reserves/list',
    {
      schema: {
        ...{ tags, summary: 'Statements of reserves, newest first' },
        querystring: z.strictObject({
          before: queryInteger(1, Number.MAX_SAFE_INTEGER).exactOptional(),
          limit: queryInteger(1, listMax).exactOptional(),
        }),
        response: answers(z.strictObject({ statements: z.array(z.strictObject({ n: z.int(), at: z.int(), head: z.int() })).readonly() })),
      },
    },
    async ({ query: { before, limit = listDefault } }) => ({ statements: await reservesBefore(context.pool, before, limit) }),
  )

  const day = z.string().refine(isDay).meta({ description: 'Days before this one, such as 2026-11-30.' })
  app.get(
    '/proof/anchors',
    {
      config: { weight: () => listMax / anchorsPerRequest },
      schema: {
        ...{ tags, summary: 'Heads of the journal in transactions of a chain, newest first' },
        querystring: z.strictObject({ before: day.exactOptional(), limit: queryInteger(1, listMax).exactOptional() }),
        response: answers(z.strictObject({ anchors: z.array(anchor).readonly() })),
      },
    },
    async ({ query: { before, limit = listDefault } }) => ({ anchors: await anchorsBefore(context.pool, before, limit) }),
  )

  app.get(
    '/proof/anchors.ndjson',
    {
      config: { weight: () => anchorsMax / anchorsPerRequest },
      schema: {
        ...{ tags, summary: 'The same as lines of JSON, which prove themselves' },
        querystring: z.strictObject({ before: day.exactOptional() }),
        response: answers(z.unknown()),
      },
    },
    async ({ query: { before } }, reply) => {
      const anchors = await anchorsBefore(context.pool, before, anchorsMax)
      reply.header('content-type', 'application/x-ndjson; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="candor-anchors.ndjson"')
      return reply.send(Readable.from(anchors.map((one) => `${JSON.stringify(one)}\n`)))
    },
  )
}

function fileRoutes(app: App, { pool }: Context): void {
  /** Whole files by number: nothing in one ever changes. */
  const kept = new Map<number, Promise<string | undefined>>()
  const written = (n: number): Promise<string | undefined> => {
    const found = kept.get(n) ?? reserveFile(pool, n).then((one) => one && JSON.stringify(one))
    kept.delete(n)
    kept.set(n, found)
    for (const old of [...kept.keys()].slice(0, -keptMax)) kept.delete(old)
    // What is not there yet, or failed, is looked for again.
    void found.then((text) => text ?? kept.delete(n)).catch(() => kept.delete(n))
    return found
  }
  const send = async (n: number | undefined): Promise<string> => {
    const text = n === undefined ? undefined : await written(n)
    if (text === undefined) throw new Refused('NOT_FOUND')
    return text
  }
  const common = { config: { weight: () => fileWeight } } as const
  app.get(
    '/proof/reserves',
    {
      ...common,
      schema: {
        ...{ tags, summary: 'The newest statement of reserves, with all that proves it' },
        querystring: nothing,
        response: answers(file),
      },
    },
    async (_request, reply) => {
      const [newest] = await reservesBefore(pool, undefined, 1)
      const text = await send(newest?.n)
      reply.header('content-type', 'application/json; charset=utf-8')
      reply.header('cache-control', 'public, max-age=60')
      // For the page below /proof that has no origin. The file is public, and the request needs no cookies.
      reply.header('access-control-allow-origin', '*')
      return reply.send(text)
    },
  )
  app.get(
    '/proof/reserves/:n',
    {
      ...common,
      schema: {
        ...{ tags, summary: 'A statement of reserves by its number' },
        params: z.strictObject({ n: queryInteger(1, Number.MAX_SAFE_INTEGER) }),
        querystring: nothing,
        response: answers(file),
      },
    },
    async ({ params: { n } }, reply) => {
      const text = await send(n)
      reply.header('content-type', 'application/json; charset=utf-8')
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      reply.header('content-disposition', `attachment; filename="candor-reserves-${n}.json"`)
      return reply.send(text)
    },
  )
}
