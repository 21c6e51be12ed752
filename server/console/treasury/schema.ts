import { z } from 'zod'
import { millis } from '../../http/schema.ts'

const text = z.string()
const chain = z.strictObject({ deposits: text.nullable(), hot: text.nullable(), gas: text.nullable(), sink: text.nullable() })
const row = z.strictObject({
  ...{ network: text, asset: text, isForFees: z.boolean(), chain, total: text, customers: text.nullable(), unfinal: text.nullable() },
  ...{ leaving: text, outflow: text, share: text.nullable(), block: z.int().nullable(), at: millis.nullable() },
})
const decision = z.strictObject({ id: z.int(), reason: text, proposedBy: text, expiresAt: millis, approvedBy: text.nullable() })
const finding = z.strictObject({
  ...{ id: z.int(), network: text, kind: text, asset: text, holder: text, amount: text, txid: text, url: text.nullable() },
  ...{ stops: z.boolean(), foundAt: millis, closedAt: millis.nullable(), decision: decision.nullable() },
  isNameable: z.boolean(),
})
const job = z.strictObject({
  ...{ id: z.int(), network: text, kind: text, asset: text, places: z.int(), amount: text.nullable(), state: text },
  ...{ trouble: text.nullable(), madeAt: millis },
})
export const treasury = z.strictObject({
  beat: z.strictObject({ at: millis, isMatch: z.boolean(), refusal: text.nullable() }).nullable(),
  ...{ beatMaxMs: z.int(), floatMax: text, rows: z.array(row).readonly(), findings: z.array(finding).readonly() },
  ...{ jobs: z.array(job).readonly(), stuck: z.int() },
})

/** Columns of the files. */
export const rowLine = z.strictObject({
  ...{ network: text, asset: text, deposits: text, hot: text, gas: text, sink: text, total: text, customers: text, unfinal: text },
  ...{ leaving: text, outflow: text, share: text, block: text, at: text },
})
export const findingLine = z.strictObject({
  ...{ id: z.int(), network: text, kind: text, asset: text, holder: text, amount: text, txid: text, stops: z.boolean() },
  ...{ foundAt: text, closedAt: text, explainedBy: text, reason: text },
})
export const jobLine = z.strictObject({
  ...{ id: z.int(), network: text, kind: text, asset: text, places: z.int(), amount: text, state: text, trouble: text, madeAt: text },
})
