import type { UserId } from '@candor/core/protocol/ids.ts'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { answers, millis, queryInteger } from '../../http/schema.ts'
import type { Context } from '../../live/context.ts'
import { Refused } from '../../refused.ts'
import { lastHead } from '../../store/query/proof/heads.ts'
import { type ProvedReceipt, ReceiptProofs } from '../../store/query/proof/receipt-proofs.ts'
import { receiptsBefore, receiptsFrom, textOf } from '../../store/query/proof/receipts.ts'
import type { App } from '../app.ts'

const tags = ['proof']
const [listDefault, listMax] = [20, 100]
/** Receipts in one download. */
const fileMax = 1_000
const pageMax = 100
/** Each is read, hashed and given its path. */
const [oneWeight, fileWeight] = [5, 200]

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
const place = () => queryInteger(1, Number.MAX_SAFE_INTEGER)
const listed = z.strictObject({
  seq: z.int().meta({ description: 'Place of the command in the journal.' }),
  at: millis,
  kind: z.string().meta({ description: 'Name of the command or, if it was not the customer’s, of the first event.' }),
  text: z.string().meta({ description: 'What is proved, byte by byte.' }),
  isPublished: z.boolean().meta({ description: 'Whether a signed head covers it.' }),
})
/** In the order in which the line is checked. */
const receipt = z
  .strictObject({
    text: z.string(),
    salt: hex(32),
    index: z.int(),
    path: z.array(hex(32)).readonly(),
    head: z.strictObject({ n: z.int(), text: z.string(), signature: hex(64) }),
    keys: z.array(z.strictObject({ key: z.int(), publicKey: hex(32), signature: hex(64).nullable() })).readonly(),
  })
  .meta({ id: 'Receipt', description: 'Proves itself: docs/spec/proof.md says how.' }) satisfies z.ZodType<ProvedReceipt>

/** A customer's own receipts. */
export function receiptRoutes(app: App, context: Context): void {
  const { pool } = context
  app.get(
    '/proof/receipts',
    {
      config: { auth: 'session' },
      schema: {
        ...{ tags, summary: 'The customer’s receipts, newest first: what each command did to them' },
        querystring: z.strictObject({ before: place().exactOptional(), limit: queryInteger(1, listMax).exactOptional() }),
        response: answers(z.strictObject({ receipts: z.array(listed).readonly() })),
      },
    },
    async ({ session, query: { before, limit = listDefault } }) => {
      const rows = await receiptsBefore(pool, session.user as UserId, before, limit)
      const published = (await lastHead(pool))?.seq ?? 0
      const receipts = rows.map(({ seq, at, lines }) => ({
        ...{ seq, at, kind: lines.split(' ', 2)[1]!, text: textOf({ seq, at, lines, uid: session.uid }), isPublished: seq <= published },
      }))
      return { receipts }
    },
  )

  app.get(
    '/proof/receipts/:seq',
    {
      config: { auth: 'session', weight: () => oneWeight },
      schema: {
        ...{ tags, summary: 'One receipt with its proof, once a signed head covers it' },
        params: z.strictObject({ seq: place() }),
        querystring: z.strictObject({}),
        response: answers(receipt),
      },
    },
    async ({ session, params: { seq } }) => {
      const user = session.user as UserId
      const [known] = await receiptsBefore(pool, user, seq + 1, 1)
      if (known?.seq !== seq) throw new Refused('NOT_FOUND')
      const [row] = await receiptsFrom(pool, user, { from: seq, to: seq, limit: 1 })
      const proved = row === undefined ? undefined : await new ReceiptProofs(pool).prove(row)
      if (proved === undefined) throw new Refused('RECEIPT_LATER')
      return proved
    },
  )

  app.get(
    '/proof/receipts.ndjson',
    {
      config: { auth: 'session', weight: () => fileWeight },
      schema: {
        ...{ tags, summary: 'Receipts with their proofs as lines of JSON, oldest first: at most a thousand that a signed head covers' },
        querystring: z.strictObject({ from: place().exactOptional(), to: place().exactOptional() }),
        response: answers(z.unknown()),
      },
    },
    async ({ session, query: { from = 1, to = Number.MAX_SAFE_INTEGER } }, reply) => {
      reply.header('content-type', 'application/x-ndjson; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="candor-receipts.ndjson"')
      return reply.send(Readable.from(lines(context, session.user as UserId, from, to)))
    },
  )
}

/** Reads page by page, as fast as the client takes them. */
async function* lines({ pool }: Context, user: UserId, first: number, to: number): AsyncGenerator<string> {
  const proofs = new ReceiptProofs(pool)
  for (let [from, left] = [first, fileMax]; left > 0; left -= pageMax) {
    const rows = await receiptsFrom(pool, user, { from, to, limit: Math.min(pageMax, left) })
    let page = ''
    for (const row of rows) {
      const proved = await proofs.prove(row)
      if (proved === undefined) return yield page
      page += `${JSON.stringify(proved)}\n`
    }
    yield page
    if (rows.length < pageMax) return
    from = rows.at(-1)!.seq + 1
  }
}
