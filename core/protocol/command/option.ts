import type { Millis, Ppm, Units } from '../../money/brand.ts'
import type { ClientId, MarketId, UserId } from '../ids.ts'
import type { StaffNumber } from './operate.ts'

export const directions = ['up', 'down'] as const
export type Direction = (typeof directions)[number]

/** A duration on offer, and the profit of a won order on its stake. */
export type OptionRate = { readonly seconds: number; readonly profitPpm: Ppm }

/** Terms of Second; sums in USDT units. An order keeps the terms under which it was opened. */
export type OptionTerms = {
  readonly isOpen: boolean
  readonly rates: readonly OptionRate[]
  readonly stakeMin: Units
  readonly stakeMax: Units
  /** Largest sum of one customer's open stakes. */
  readonly openMax: Units
  /**
   * Largest sum of one customer's open stakes in one direction. Because coins move together, each market also counts `groupPpm`
   * of the other markets' stakes, and the largest result must be within the limit.
   */
  readonly sideMax: Units
  /** The strike is the first index tick stamped at least this long after acceptance. */
  readonly strikeDelayMs: number
  /** The settlement window: this share of the duration, at most this long. */
  readonly windowPpm: Ppm
  readonly windowMaxMs: number
  /** A longer gap in the tape, in the window or before the strike, voids the order. */
  readonly gapMaxMs: number
  /** Largest net cost to the house of the open orders of one market, and of all markets, as a part of the house fund. */
  readonly marketExposurePpm: Ppm
  readonly totalExposurePpm: Ppm
  /** Largest cost of a move of all coins in one direction; each market counts `groupPpm` of the others. */
  readonly groupExposurePpm: Ppm
  readonly groupPpm: Ppm
  /** Orders that a customer's own guard may void per UTC day: this number, or this share of the day's orders if that is more. */
  readonly guardVoidsFree: number
  readonly guardVoidsPpm: Ppm
  /** Below this balance of the house fund the product closes itself. */
  readonly houseFloor: Units
  /** Time before a raised or lifted loss limit applies. */
  readonly limitWaitMs: number
}

export type SetOptionTerms = { readonly type: 'option.setTerms'; readonly terms: OptionTerms }

/**
 * A timed up/down contract on the index of a spot market. `guardPpm`: the order is void if the strike is further than that from
 * the index at acceptance (0: any distance).
 */
export type OpenOption = {
  readonly type: 'option.open'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly direction: Direction
  readonly stake: Units
  readonly seconds: number
  readonly guardPpm: Ppm
}

/** The customer read the warning and passed the questions and may now open orders. */
export type AdmitOption = { readonly type: 'option.admit'; readonly user: UserId }

/**
 * The customer's own limits. `lossMax` (0: none): net loss of a UTC day, where open stakes count as lost. A lower limit applies
 * at once, a higher one or none after the wait. `coolOffUntil` can only be moved later.
 */
export type SetOptionLimits = {
  readonly type: 'option.setLimits'
  readonly user: UserId
  readonly lossMax: Units
  readonly coolOffUntil: Millis
}

/**
 * A decision by operators: terms for new orders and, before them, money of a user (the firm's own) from the spot account into the
 * house fund. Needs two people, except to close and nothing else. `amount` 0: no money.
 */
export type OperateOption = {
  readonly type: 'option.operate'
  readonly user: UserId
  readonly clientId: ClientId
  readonly amount: Units
  readonly proposer: StaffNumber
  readonly approver: StaffNumber
  /** Printable ASCII, at most 120 characters. */
  readonly reason: string
  readonly terms: OptionTerms
}

export type OptionCommand = SetOptionTerms | OpenOption | AdmitOption | SetOptionLimits | OperateOption
