/** Limits that customers set for themselves, and their pauses. */
import type { Decimal } from '../../money/brand.ts'

/**
 * Losses in Futures, Margin and Second together, and gross deposits, per UTC day, week from Monday, and month; minutes in the app per
 * day.
 */
export const ownLimitKinds = [
  ...(['loss-day', 'loss-week', 'loss-month', 'session-day'] as const),
  ...(['deposit-day', 'deposit-week', 'deposit-month'] as const),
] as const
export type OwnLimitKind = (typeof ownLimitKinds)[number]

/** Why a pause began: by the customer's wish, or because a limit was reached. */
export const restCauses = ['cool-off', 'self-exclusion', 'loss', 'session'] as const
export type RestCause = (typeof restCauses)[number]

export const coolOffHours = { min: 24, max: 6 * 7 * 24 } as const
export const exclusionMonths = { min: 6, max: 60 } as const
/** Minutes between two reality checks. */
export const checkMinutes = { min: 15, max: 60 } as const

/**
 * `value`: USDT, or whole minutes; null: no limit. `next`: a higher value, or none, which the customer may confirm from `at` on.
 */
export type WireOwnLimit = {
  readonly kind: OwnLimitKind
  readonly value: Decimal | null
  readonly next: { readonly value: Decimal | null; readonly at: number } | null
}
/** `result`: of the period so far, a loss is negative; null while a price is missing. Of a limit on deposits: what came in. */
export type WireOwnResult = { readonly kind: OwnLimitKind; readonly result: Decimal | null }
export type WireRest = { readonly until: number; readonly cause: RestCause }
export type WireOwnLimits = {
  readonly limits: readonly WireOwnLimit[]
  readonly results: readonly WireOwnResult[]
  readonly minutesToday: number
  /** Minutes between two reality checks. */
  readonly checkEvery: number
  readonly rest: WireRest | null
}
export type WireOwnLimitChange = { readonly kind: OwnLimitKind; readonly value: Decimal | null }
export type WireOwnLimitConfirmed = { readonly kind: OwnLimitKind }
export type WireCheckEvery = { readonly minutes: number }
export type WireNewRest =
  | { readonly cause: 'cool-off'; readonly hours: number }
  | { readonly cause: 'self-exclusion'; readonly months: number }
/** Content of a reality check. `result`: of today. */
export type WireActive = { readonly minutesToday: number; readonly result: Decimal | null; readonly rest: WireRest | null }

export const riskyProducts = ['perp', 'margin', 'option'] as const
export type RiskyProduct = (typeof riskyProducts)[number]
/** Share of the accounts that lost money in the 90 days before `day`. `lostPercent` null: too few accounts for a figure. */
export type WireLossFigure = {
  readonly product: RiskyProduct
  readonly day: number
  readonly accounts: number
  readonly lostPercent: number | null
}
export type WireLossFigures = { readonly figures: readonly WireLossFigure[] }
