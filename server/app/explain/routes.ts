import type { UserId } from '@candor/core/protocol/ids.ts'
import { explanationFaults, type WireExplanation } from '@candor/core/protocol/wire/explain/explanation.ts'
import { z } from 'zod'
import { Explanations } from '../../explain/requests.ts'
import { answers, decimalOut, millis, nothing, orderId, side, symbol } from '../../http/schema.ts'
import type { Context } from '../../live/context.ts'
import type { App } from '../app.ts'

const tags = ['explanations']
/** A question reads tables and may cost a replay. */
const askWeight = 5

const role = z.enum(['maker', 'taker'])
const subject = z.strictObject({ kind: z.literal('fill'), symbol, tradeId: orderId, role })
const queue = {
  betterQuantity: decimalOut.meta({ description: 'What the book showed at better prices.' }),
  betterLevels: z.int(),
  quantity: decimalOut.meta({ description: 'What it showed at the price itself.' }),
}
const taken = {
  takenBetter: decimalOut.meta({ description: 'What the order that came took before this fill, at better prices.' }),
  takenBefore: decimalOut.meta({ description: 'The same, at the price of the fill.' }),
}
const fee = z.strictObject({
  asset: z.string(),
  amount: decimalOut,
  base: decimalOut,
  ratePpm: z.int(),
  source: z.enum(['market', 'tier', 'terms', 'none']),
  marketPpm: z.int(),
  tier: z.int(),
  tierPpm: z.int().exactOptional(),
  volume: decimalOut,
  exact: decimalOut,
  due: decimalOut.exactOptional(),
})
const fill = z.strictObject({
  symbol: z.string(),
  tradeId: z.string(),
  orderId: z.string(),
  seq: z.int(),
  at: millis,
  role,
  side,
  price: decimalOut,
  quantity: decimalOut,
  value: decimalOut,
  limit: decimalOut.exactOptional(),
  orderQuantity: decimalOut.exactOptional(),
  filledBefore: decimalOut,
  taker: z
    .strictObject({
      levels: z.array(z.strictObject({ price: decimalOut, quantity: decimalOut })).readonly(),
      queue: z.strictObject(queue),
      ...taken,
    })
    .exactOptional(),
  maker: z
    .strictObject({
      rest: z.strictObject({ ...queue, seq: z.int(), at: millis, rested: decimalOut }).exactOptional(),
      noRest: z.enum(['gone', 'part', 'list']).exactOptional(),
      ...taken,
    })
    .exactOptional(),
  fee,
})
const explanation = z
  .strictObject({
    id: z.string(),
    state: z.enum(['waiting', 'ready', 'refused']),
    percent: z.int().exactOptional(),
    fault: z.enum(explanationFaults).exactOptional(),
    fill: fill.exactOptional(),
  })
  .meta({
    id: 'Explanation',
    description: 'Why a result is as it is, from the journal executed again; see docs/spec/explain.md.',
  }) satisfies z.ZodType<WireExplanation>

/** Explanations of a customer's own results. */
export function explainRoutes(app: App, { pool }: Context): void {
  const explanations = new Explanations(pool)
  app.post(
    '/explanations',
    {
      config: { auth: 'session', weight: () => askWeight },
      schema: {
        ...{ tags, summary: 'Ask why an own fill is as it is; asking again gives the same explanation' },
        ...{ querystring: nothing, body: subject, response: answers(explanation) },
      },
    },
    ({ session, body }) => explanations.ask(session.user as UserId, body),
  )

  app.get(
    '/explanations/:id',
    {
      config: { auth: 'session' },
      schema: {
        ...{ tags, summary: 'An own explanation, or how far it is worked out' },
        ...{ params: z.strictObject({ id: orderId }), querystring: nothing, response: answers(explanation) },
      },
    },
    ({ session, params: { id } }) => explanations.read(session.user as UserId, Number(id)),
  )
}
