import type { Millis, Ppm, Units } from '../../money/brand.ts'
import type { ClientId, MarketId, UserId } from '../ids.ts'

export const directions = ['up', 'down'] as const
export type Direction = (typeof directions)[number]

/** A duration that can be chosen, and what a won order earns on its stake. */
export type OptionRate = { readonly seconds: number; readonly profitPpm: Ppm }

/** Sums in USDT units. An order keeps the terms that it was opened under. */
export type OptionTerms = {
  readonly isOpen: boolean
  readonly rates: readonly OptionRate[]
  readonly stakeMin: Units
  readonly stakeMax: Units
  /** Stakes of one customer that may be open at once. */
  readonly openMax: Units
  /**
   * The same in one direction. Coins move together: of two markets each counts `groupPpm` of the other's stakes, and the
   * market for which that makes most counts.
   */
  readonly sideMax: Units
  /** The first index tick stamped this long after acceptance gives the strike. */
  readonly strikeDelayMs: number
  /** The settlement window: this share of the duration, and this long at most. */
  readonly windowPpm: Ppm
  readonly windowMaxMs: number
  /** A longer silence of the tape in the window, or before the strike, voids the order. */
  readonly gapMaxMs: number
  /** What all open orders of a market, or of all, could cost the house on balance, of the house fund. */
  readonly marketExposurePpm: Ppm
  readonly totalExposurePpm: Ppm
  /** What a move of all coins in one direction could cost, each market counting `groupPpm` of the others. */
  readonly groupExposurePpm: Ppm
  readonly groupPpm: Ppm
  /** Orders that a customer's own guard may void in a UTC day: so many, or this share of the day's orders where that is more. */
  readonly guardVoidsFree: number
  readonly guardVoidsPpm: Ppm
  /** Below it the product closes itself. */
  readonly houseFloor: Units
  /** How long a higher or lifted loss limit waits. */
  readonly limitWaitMs: number
}

export type SetOptionTerms = { readonly type: 'option.setTerms'; readonly terms: OptionTerms }

/**
 * A timed up/down contract on the index of a spot market. `guardPpm`: void when the strike is further than that from
 * the index at acceptance (0: any).
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

/** The customer read the warning and passed the questions: from here on the customer may open. */
export type AdmitOption = { readonly type: 'option.admit'; readonly user: UserId }

/**
 * The customer's own brakes. `lossMax` (0: none): net loss of a UTC day, open stakes counted as lost. Lower holds at once,
 * higher or none after the wait. `coolOffUntil` can only be moved later.
 */
export type SetOptionLimits = {
  readonly type: 'option.setLimits'
  readonly user: UserId
  readonly lossMax: Units
  readonly coolOffUntil: Millis
}

/**
 * What operators decide: terms for orders to come, and before them money of a user (the firm's own) from the spot account
 * into the house fund. Two people stand behind it; closing and nothing else needs one. `amount` 0: no money.
 */
export type OperateOption = {
  readonly type: 'option.operate'
  readonly user: UserId
  readonly clientId: ClientId
  readonly amount: Units
  readonly proposer: UserId
  readonly approver: UserId
  /** Printable ASCII, at most 120 characters. */
  readonly reason: string
  readonly terms: OptionTerms
}

export type OptionCommand = SetOptionTerms | OpenOption | AdmitOption | SetOptionLimits | OperateOption
