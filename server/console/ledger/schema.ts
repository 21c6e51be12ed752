import { systemAccounts } from '@candor/core/protocol/account.ts'
import { z } from 'zod'
import { millis, queryInteger } from '../../http/schema.ts'

const text = z.string()
const seq = queryInteger(0, Number.MAX_SAFE_INTEGER)
const asset = z.string().regex(/^[A-Z0-9]{1,20}$/)
const uid = z.string().regex(/^[1-9][0-9]{8}$/)

export const trialQuery = z.strictObject({ seq: seq.exactOptional() })
export const commandQuery = z.strictObject({ seq })
/** A customer or one of the exchange's own accounts. */
export const accountQuery = z.strictObject({
  ...{ uid: uid.exactOptional(), house: z.enum(systemAccounts).exactOptional(), asset: asset.exactOptional() },
  before: z.string().max(60).exactOptional(),
})
export const fileQuery = z.strictObject({ ...accountQuery.shape, seq: seq.exactOptional() })

export const trialRow = z.strictObject({ asset: text, isHouse: z.boolean(), kind: text, total: text })
export const assetRow = z.strictObject({ asset: text, customers: text, exchange: text, sum: text })
export const trial = z.strictObject({
  ...{ seq: z.int(), at: millis.nullable(), readFrom: z.int(), ms: z.int() },
  ...{ rows: z.array(trialRow).readonly(), assets: z.array(assetRow).readonly() },
})
export const balance = z.strictObject({ kind: text, market: text, asset: text, available: text, held: text, seq: z.int() })
export const posting = z.strictObject({
  ...{ seq: z.int(), line: z.int(), at: millis, owner: text.nullable(), kind: text, market: text, asset: text, reason: text },
  ...{ available: text, held: text, availableAfter: text, heldAfter: text, symbol: text.nullable(), order: text.nullable() },
})
export const account = z.strictObject({
  ...{ tables: z.strictObject({ seq: z.int(), at: millis }), balances: z.array(balance).readonly() },
  ...{ postings: z.array(posting).readonly(), next: text.exactOptional() },
})
export const command = z.strictObject({
  tables: z.strictObject({ seq: z.int(), at: millis }),
  postings: z.array(posting).readonly(),
  sums: z.array(z.strictObject({ asset: text, sum: text })).readonly(),
})
