import { depositViews } from '@candor/core/protocol/wire/console/deposits.ts'
import { z } from 'zod'
import { millis, queryInteger } from '../../http/schema.ts'
import { reason } from '../schema.ts'

const text = z.string()
const view = z.enum(depositViews)
const proposal = z.strictObject({
  ...{ id: z.int(), isReleased: z.boolean(), reason: text, proposedBy: text, proposedAt: millis, expiresAt: millis },
})
const row = z.strictObject({
  ...{ id: z.int(), uid: text, network: text, asset: text.nullable(), contract: text, amount: text, isRaw: z.boolean() },
  ...{ sender: text, address: text, txid: text, url: text.nullable(), block: z.int(), state: view, why: text.nullable() },
  ...{ seenAt: millis, debts: z.array(z.strictObject({ asset: text, amount: text })).readonly(), proposal: proposal.nullable() },
  last: z.strictObject({ by: z.array(text).readonly(), at: millis, reason: text }).nullable(),
})

export const filter = z.strictObject({ view })
export const page = filter.extend({ before: queryInteger(1, Number.MAX_SAFE_INTEGER).exactOptional() })
export const deposits = z.strictObject({
  deposits: z.array(row).readonly(),
  counts: z.strictObject(Object.fromEntries(depositViews.map((one) => [one, z.int()])) as Record<(typeof depositViews)[number], z.ZodInt>),
  next: z.int().exactOptional(),
})
export const wish = z.strictObject({ isReleased: z.boolean(), reason })

/** Columns of the file. */
export const line = z.strictObject({
  ...{ id: z.int(), customer: text, network: text, asset: text, contract: text, amount: text, sender: text, address: text, txid: text },
  ...{ block: z.int(), state: view, why: text, seenAt: text, debts: text, proposedBy: text, decidedBy: text },
})
