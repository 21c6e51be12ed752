import { z } from 'zod'
import { millis, queryInteger } from '../../http/schema.ts'
import { reason } from '../schema.ts'

const text = z.string()
export const kinds = ['self-trades', 'round-trips', 'spoofing', 'layering', 'cancels', 'linked', 'second-wins'] as const
const kind = z.enum(kinds)
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
const verdict = z.enum(['explained', 'escalated'])
const uid = z.string().regex(/^[1-9][0-9]{8}$/)

export const filter = z.strictObject({
  ...{ day: day.optional(), kind: kind.optional(), state: z.enum(['open', 'explained', 'escalated']).optional(), uid: uid.optional() },
})
export const page = filter.extend({ before: queryInteger(1, Number.MAX_SAFE_INTEGER).optional() })

export const finding = z.strictObject({
  ...{ id: z.uuid(), number: z.int(), day, kind, market: text.nullable() },
  parties: z.array(z.strictObject({ uid: text, role: z.enum(['customer', 'maker', 'bench', 'staff']) })).readonly(),
  text,
  measures: z.array(z.strictObject({ name: text, seen: text, limit: text.nullable() })).readonly(),
  ...{ orders: z.array(text).readonly(), from: millis, to: millis },
  settled: z.strictObject({ verdict, reason: text, by: text, at: millis }).nullable(),
})
export const findings = z.strictObject({ findings: z.array(finding).readonly(), next: z.int().exactOptional() })

const counts = z.strictObject(Object.fromEntries(kinds.map((one) => [one, z.int().exactOptional()])))
const reads = [
  'devices',
  'documents',
  'networks',
  'firms',
  'pairs',
  'trades',
  'quoters',
  'largeOrders',
  'fills',
  'players',
  'contracts',
] as const
const counted = { trades: z.int(), orders: z.int(), contracts: z.int(), accounts: z.int(), prevented: z.int() }
const examined = z.strictObject({ ...counted, atLimit: z.array(z.enum(reads)).readonly().exactOptional() })
const report = z.strictObject({ day, madeAt: millis, tookMs: z.int(), seq: z.int(), examined, counts, open: z.int() })
export const surveillance = z.strictObject({ days: z.array(report).readonly(), open: z.int(), due: z.array(day).readonly() })

export const settlement = z.strictObject({ verdict, reason })

/** Columns of the files. */
export const findingLine = z.strictObject({
  ...{ day, kind, market: text, accounts: text, seen: text, measures: text, orders: text, from: text, to: text, state: text },
  ...{ settledBy: text, settledAt: text, reason: text },
})
export const dayLine = z.strictObject({
  ...{ day, madeAt: text, tookMs: z.int(), seq: z.int(), ...counted, atLimit: text, open: z.int() },
  ...Object.fromEntries(kinds.map((one) => [one, z.int()])),
})
