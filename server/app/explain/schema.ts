/** What can be asked, and the explanations of fills and conversions. */
import type { WireExplanationSubject } from '@candor/core/protocol/wire/explain/explanation.ts'
import { z } from 'zod'
import { decimalOut, millis, orderId, side, symbol } from '../../http/schema.ts'

const role = z.enum(['maker', 'taker'])
/** The place of a step in the journal, as lists of liquidations have it. */
const seq = z.int().min(1)

export const subject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fill'), symbol, tradeId: orderId, role }),
  z.strictObject({ kind: z.literal('conversion'), id: orderId }),
  z.strictObject({ kind: z.literal('liquidation'), positionId: orderId, seq }),
  z.strictObject({ kind: z.literal('marginLiquidation'), symbol: symbol.exactOptional(), seq }),
]) satisfies z.ZodType<WireExplanationSubject>

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
export const fill = z.strictObject({
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
export const conversion = z.strictObject({
  id: z.string(),
  seq: z.int(),
  at: millis,
  from: z.string(),
  to: z.string(),
  give: decimalOut,
  get: decimalOut,
  named: z.enum(['give', 'get']),
  fromIndex: decimalOut,
  toIndex: decimalOut,
  fromPrice: decimalOut,
  toPrice: decimalOut,
  spreadPpm: z.int(),
  exact: decimalOut,
  driftPpm: z.int(),
  decision: z.strictObject({ seq: z.int(), at: millis, fromIndex: decimalOut, toIndex: decimalOut }).exactOptional(),
})
