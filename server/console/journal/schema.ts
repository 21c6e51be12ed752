import { z } from 'zod'
import { millis, queryInteger } from '../../http/schema.ts'

const text = z.string()
const seq = queryInteger(0, Number.MAX_SAFE_INTEGER)

export const page = z.strictObject({ before: seq.exactOptional() })
export const range = z.strictObject({ from: seq, to: seq })
export const batch = z.strictObject({
  ...{ seq: z.int(), first: z.int(), n: z.int(), at: millis, epoch: z.int(), version: z.int(), hash: text, previous: text, digest: text },
})
export const snapshot = z.strictObject({ seq: z.int(), version: z.int(), state: text, journal: text, bytes: z.int(), at: millis })
export const journal = z.strictObject({
  ...{ batches: z.array(batch).readonly(), snapshots: z.array(snapshot).readonly() },
  follower: z.strictObject({ seq: z.int(), at: millis, problem: text.nullable() }),
})
export const check = z.strictObject({ checked: z.int(), last: z.int().nullable(), broken: z.array(z.int()).readonly(), ms: z.int() })
