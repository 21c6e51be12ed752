import { z } from 'zod'
import { millis } from '../../http/schema.ts'

const text = z.string()

export const process = z.strictObject({
  ...{ name: text, pid: z.int(), node: text, uptimeMs: z.int(), bytes: z.int(), lagMs: z.int(), ageMs: z.int() },
})
export const feed = z.strictObject({ name: text, isUp: z.boolean(), ageMs: z.int() })
export const queue = z.strictObject({ name: text, waiting: z.int(), oldestAt: millis.nullable() })
export const table = z.strictObject({ name: text, bytes: z.int(), rows: z.int() })

export const health = z.strictObject({
  ...{ version: text, commit: text, isEngineUp: z.boolean(), isClockSynced: z.boolean() },
  follower: z.strictObject({ seq: z.int(), at: millis, commands: z.int(), ms: z.int(), problem: text.nullable() }),
  processes: z.array(process).readonly(),
  feeds: z.strictObject({ mode: text, isFallback: z.boolean(), venues: z.array(feed).readonly() }),
  answer: z.strictObject({ orders: z.int(), p99: z.number().nullable() }),
  queues: z.array(queue).readonly(),
  database: z.strictObject({ bytes: z.int(), tables: z.array(table).readonly() }),
  disk: z.strictObject({ free: z.int(), total: z.int(), isFull: z.boolean() }).nullable(),
})
