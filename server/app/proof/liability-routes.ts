import { treeKinds } from '@candor/core/proof/liabilities.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { z } from 'zod'
import { answers, nothing, queryInteger } from '../../http/schema.ts'
import type { Context } from '../../live/context.ts'
import { ownProof } from '../../proof/liabilities/own-proof.ts'
import { Refused } from '../../refused.ts'
import { headNaming } from '../../store/query/proof/heads.ts'
import { statementOf, statementsBefore } from '../../store/query/proof/statements.ts'
import type { App } from '../app.ts'
import { head, hex, key } from './head-schema.ts'

const tags = ['proof']
const [listDefault, listMax] = [20, 100]
/** A path of twenty steps takes several hundred hashes, and a customer has some dozen leaves. */
const proofWeight = 10

const statement = z.strictObject({
  n: z.int(),
  text: z.string().meta({ description: 'The statement, byte by byte; a head carries its SHA-256.' }),
})
const sum = z.int().nonnegative().meta({ description: 'In the smallest unit of the asset.' })
const leaf = z.strictObject({
  split: z.int(),
  index: z.int(),
  nonce: hex(16),
  amount: sum,
  path: z.array(z.strictObject({ sum, hash: hex(32) })).readonly(),
})
const tree = z.strictObject({ asset: z.string(), kind: z.enum(treeKinds), leaves: z.array(leaf).readonly() })
const proof = z
  .strictObject({ uid: z.string(), statement: z.string(), head, keys: z.array(key).readonly(), trees: z.array(tree).readonly() })
  .meta({ id: 'LiabilityProof', description: 'Own leaves in the newest statement of liabilities; see docs/spec/proof.md.' })

/** Statements of liabilities, and each customer's own leaves in the newest one. */
export function liabilityRoutes(app: App, context: Context): void {
  const { pool } = context
  app.get(
    '/proof/liabilities',
    {
      config: { auth: 'session', weight: () => proofWeight },
      schema: {
        ...{ tags, summary: 'Own leaves in the newest statement of liabilities, with the signed head that names it' },
        querystring: nothing,
        response: answers(proof),
      },
    },
    async (request, reply) => {
      const found = await ownProof(pool, request.session.user as UserId)
      if (found === undefined) throw new Refused('NOT_FOUND')
      reply.header('content-type', 'application/json; charset=utf-8')
      // Its bytes are part of the format.
      return reply.send(JSON.stringify(found))
    },
  )

  app.get(
    '/proof/statements',
    {
      schema: {
        ...{ tags, summary: 'Statements of liabilities, newest first' },
        querystring: z.strictObject({
          before: queryInteger(1, Number.MAX_SAFE_INTEGER).exactOptional(),
          limit: queryInteger(1, listMax).exactOptional(),
        }),
        response: answers(z.strictObject({ statements: z.array(statement).readonly() })),
      },
    },
    async ({ query: { before, limit = listDefault } }) => ({
      statements: (await statementsBefore(pool, before, limit)).map(({ n, text }) => ({ n, text })),
    }),
  )

  app.get(
    '/proof/statements/:n',
    {
      schema: {
        ...{ tags, summary: 'A statement of liabilities and the first head that names it' },
        params: z.strictObject({ n: queryInteger(1, Number.MAX_SAFE_INTEGER) }),
        querystring: nothing,
        response: answers(statement.extend({ head: head.nullable() })),
      },
    },
    async ({ params: { n } }) => {
      const found = await statementOf(pool, n)
      if (found === undefined) throw new Refused('NOT_FOUND')
      const naming = await headNaming(pool, found)
      return { n, text: found.text, head: naming === undefined ? null : { n: naming.n, text: naming.text, signature: naming.signature } }
    },
  )
}
