/** Answers of the routes below `/overview`, as `server/console/overview/schema.ts` describes them. */
import type { TablesAt } from './tables.ts'

/** Work that waits for the staff: how much, and since when the first of it does. */
export type Waiting = { readonly waiting: number; readonly oldestAgeMs: number | null }

/**
 * Kinds of work. `withdrawals`: requests to decide. `deposits`: held ones. `papers`: identity checks. `recoveries`: requests for access without the second factors. `revocations`: certificates to
 * revoke. `lifts`: frozen accounts to open. `surveillance`: findings about trading. `tickets`: customers without an answer. `operations`: decisions about terms and postings.
 * `proposals`: decisions about members of the staff.
 */
export const workKinds = [
  'withdrawals',
  'deposits',
  'papers',
  'recoveries',
  'revocations',
  'lifts',
  'surveillance',
  'tickets',
  'operations',
  'proposals',
] as const
export type WorkKind = (typeof workKinds)[number]

/** Null: the member's role does not read that work. */
export type Overview = { readonly mode: 'sandbox' | 'production' } & { readonly [Kind in WorkKind]: Waiting | null }

/** `day`: the UTC day against the same weekday a week before. `week`, `month`: 7 and 30 days against those before. */
export const figurePeriods = ['day', 'week', 'month'] as const
export type FigurePeriod = (typeof figurePeriods)[number]

/**
 * `traders`: customers who traded. `liquidated`: value of Futures positions that were liquidated. `stakes`: of Second orders. `house`:
 * what the house fund of Second won or lost by orders.
 */
export const figureNames = ['traded', 'fees', 'traders', 'customers', 'liquidated', 'stakes', 'house'] as const
export type FigureName = (typeof figureNames)[number]

/**
 * `value`: up to now. `change`: in percent, of the whole hours that are over against the same hours before; null without any before.
 * `points`, `before`: a value for each step; `points` ends at the present one.
 */
export type Figure = {
  readonly name: FigureName
  readonly value: string
  readonly compared: string
  readonly change: string | null
  readonly points: readonly string[]
  readonly before: readonly string[]
}

/** Sums in USDT, others are counts. `from`, `comparedFrom`: begin of both spans. `until`: end of the hours that are compared. */
export type Figures = {
  readonly tables: TablesAt
  readonly period: FigurePeriod
  readonly from: number
  readonly comparedFrom: number
  readonly until: number
  readonly stepMs: number
  readonly figures: readonly Figure[]
}

export const problemKinds = [
  ...(['engine', 'clock', 'follower', 'tables', 'silent', 'slow', 'feed', 'fallback', 'disk', 'books', 'chain'] as const),
  ...(['halted', 'phase', 'interest', 'fund', 'house', 'paused', 'pool', 'queue', 'failing', 'late', 'stuck'] as const),
] as const
export type ProblemKind = (typeof problemKinds)[number]

/** `value` against `limit`, in the unit of the kind; empty where there is nothing to measure. `ageMs`: how long it has been so, if known. */
export type Problem = {
  readonly kind: ProblemKind
  readonly level: 'error' | 'warning'
  readonly subject: string
  readonly value: string
  readonly limit: string
  readonly ageMs: number | null
}

export const checkNames = ['books', 'chain', 'digests', 'answer', 'feeds', 'processes', 'messages', 'disk'] as const
export type CheckName = (typeof checkNames)[number]

/** `unknown`: there was nothing to measure. `value` and `of` in the unit of the check. */
export type Check = {
  readonly name: CheckName
  readonly state: 'ok' | 'warning' | 'error' | 'unknown'
  readonly value: string
  readonly of: string
}

/** `booksAt`: when the trial balance and the hash chain were computed; both are kept for a minute. */
export type OverviewState = {
  readonly tables: TablesAt
  readonly booksAt: number
  readonly problems: readonly Problem[]
  readonly checks: readonly Check[]
}

/** `target`: what the fund should hold; null where nothing says so. `change`: since the end of yesterday. Pools: supply, and what is lent. */
export type FundState = {
  readonly fund: string
  readonly asset: string
  readonly balance: string
  readonly target: string | null
  readonly change: string | null
}
export type PoolState = { readonly asset: string; readonly supplied: string; readonly borrowed: string; readonly utilization: string }
export type ExposureRow = {
  readonly symbol: string
  readonly openInterest: string
  readonly limit: string
  readonly longs: number
  readonly shorts: number
  readonly largest: string
}
/** Second: sums of both directions. `cost`: the most that open orders may cost if all won; `limit`: its cap, null while the engine is away. */
export type StakeSums = {
  readonly orders: number
  readonly stakes: string
  readonly largest: string
  readonly cost: string
  readonly limit: string | null
}
/** `pools`: null while the engine is away. */
export type Exposure = {
  readonly tables: TablesAt
  readonly funds: readonly FundState[]
  readonly pools: readonly PoolState[] | null
  readonly markets: readonly ExposureRow[]
  readonly second: StakeSums
}
