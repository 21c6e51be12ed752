import type { Decimal } from '../../../money/brand.ts'

/** The most price alerts of a customer. */
export const alertsMax = 50
/** The price that an alert follows. `mark`: Futures only. */
export const alertSources = ['last', 'index', 'mark'] as const
export type AlertSource = (typeof alertSources)[number]
/** `above`, `below`: the price reaches a level. `rise`, `fall`: the change over 24 hours reaches a percentage. */
export const alertConditions = ['above', 'below', 'rise', 'fall'] as const
export type AlertCondition = (typeof alertConditions)[number]
/**
 * `armed`: the next crossing is told. `waiting`: the price is beyond the level; it must come back before a crossing counts again.
 * `paused`: by its owner. `done`: an alert for one crossing has told it.
 */
export const alertStates = ['armed', 'waiting', 'paused', 'done'] as const
export type AlertState = (typeof alertStates)[number]

/** Bounds of a change over 24 hours, and of the distance by which a price must come back, in percent. */
export const changeBounds = { min: 0.1, max: 1000 } as const
export const rearmBounds = { min: 0.5, max: 50 } as const
export const noteMax = 80

export type WireAlertTerms = {
  readonly symbol: string
  readonly condition: AlertCondition
  readonly source: AlertSource
  /** A price of the market for `above` and `below`, else percent. */
  readonly level: Decimal
  /** Set: each crossing is told, once the price has come back by this many percent in between. Absent: the first crossing only. */
  readonly rearm?: Decimal
  readonly note: string
}

/** `isReachedFine`: create it although the price is beyond the level, to be told of the next crossing. */
export type WireNewAlert = WireAlertTerms & { readonly isOn: boolean; readonly isReachedFine: boolean }

export type WireAlert = WireAlertTerms & {
  readonly id: string
  readonly state: AlertState
  readonly createdAt: number
  /** How many crossings were told, and the last of them. */
  readonly count: number
  readonly last?: { readonly at: number; readonly value: Decimal }
}
/** Newest first. */
export type WireAlerts = { readonly alerts: readonly WireAlert[]; readonly max: number }
export type WireAlertSwitch = { readonly isOn: boolean }
