import { checkNames, figureNames, figurePeriods, problemKinds } from '@candor/core/protocol/wire/console/overview.ts'
import { z } from 'zod'
import { millis } from '../../http/schema.ts'

const text = z.string()
const tables = z.strictObject({ seq: z.int(), at: millis })

const waiting = z.strictObject({ waiting: z.int(), oldestAgeMs: z.int().nullable() }).nullable()
export const overview = z.strictObject({
  mode: z.enum(['sandbox', 'production']),
  ...{ withdrawals: waiting, deposits: waiting },
  ...{ papers: waiting, recoveries: waiting, revocations: waiting, lifts: waiting, surveillance: waiting, tickets: waiting },
  ...{ operations: waiting, proposals: waiting },
})

const period = z.enum(figurePeriods)
export const figuresPage = z.strictObject({ period })
const figure = z.strictObject({
  ...{ name: z.enum(figureNames), value: text, compared: text, change: text.nullable() },
  ...{ points: z.array(text).readonly(), before: z.array(text).readonly() },
})
export const figures = z.strictObject({
  ...{ tables, period, from: millis, comparedFrom: millis, until: millis, stepMs: z.int() },
  figures: z.array(figure).readonly(),
})
/** A row of the file: the figures of a step, and those of the step that it is compared with. */
export const figureStep = z.strictObject({
  ...{ from: text, traded: text, fees: text, traders: text, customers: text, liquidated: text, stakes: text, house: text },
  ...{ comparedFrom: text, tradedBefore: text, feesBefore: text, tradersBefore: text, customersBefore: text },
  ...{ liquidatedBefore: text, stakesBefore: text, houseBefore: text },
})

const problem = z.strictObject({
  ...{ kind: z.enum(problemKinds), level: z.enum(['error', 'warning']), subject: text, value: text, limit: text },
  ageMs: z.int().nullable(),
})
const check = z.strictObject({ name: z.enum(checkNames), state: z.enum(['ok', 'warning', 'error', 'unknown']), value: text, of: text })
export const state = z.strictObject({
  ...{ tables, booksAt: millis, problems: z.array(problem).readonly(), checks: z.array(check).readonly() },
})

const fund = z.strictObject({ fund: text, asset: text, balance: text, target: text.nullable(), change: text.nullable() })
const pool = z.strictObject({ asset: text, supplied: text, borrowed: text, utilization: text })
const market = z.strictObject({ symbol: text, openInterest: text, limit: text, longs: z.int(), shorts: z.int(), largest: text })
export const exposure = z.strictObject({
  tables,
  ...{ funds: z.array(fund).readonly(), pools: z.array(pool).readonly().nullable(), markets: z.array(market).readonly() },
  second: z.strictObject({ orders: z.int(), stakes: text, largest: text, cost: text, limit: text.nullable() }),
})
