import type { Decimal } from '../../money/brand.ts'
import type { Direction } from '../command/option.ts'
import type { OptionResult, VoidReason } from '../event/option.ts'

/** GET `/option/terms`. */
export type WireOptionTerms = {
  readonly isOpen: boolean
  /** `profit` in percent: "84"; `breakEven`: share of wins at which nothing is won or lost, in percent: "54.3". */
  readonly rates: readonly { readonly seconds: number; readonly profit: Decimal; readonly breakEven: Decimal; readonly windowMs: number }[]
  readonly stakeMin: Decimal
  readonly stakeMax: Decimal
  readonly openMax: Decimal
  /** Of it, in one direction; of two markets each counts `groupPercent` of the other's stakes. */
  readonly sideMax: Decimal
  readonly groupPercent: Decimal
  /** Orders that the own guard may void in a UTC day: so many, or this share of the day's orders where that is more. */
  readonly guardVoidsFree: number
  readonly guardVoidsPercent: Decimal
  readonly strikeDelayMs: number
  readonly gapMaxMs: number
  readonly fee: Decimal
  /** Markets by symbol, and whether their index is good enough now. */
  readonly markets: readonly { readonly symbol: string; readonly isPaused: boolean }[]
}

export type WireOpenOption = {
  readonly clientId: string
  readonly symbol: string
  readonly direction: Direction
  readonly stake: Decimal
  readonly seconds: number
  /** Void when the strike is further than this from the index at acceptance, in percent. */
  readonly guard?: Decimal
}

export const optionStatuses = ['placed', 'running', 'settled'] as const
export type OptionStatus = (typeof optionStatuses)[number]

/** Everything of one order, before and after: the fields of the specification and what a check of it needs. */
export type WireOption = {
  readonly id: string
  readonly clientId: string
  readonly symbol: string
  readonly direction: Direction
  readonly stake: Decimal
  readonly profitPpm: number
  readonly profit: Decimal
  readonly fee: Decimal
  readonly seconds: number
  readonly status: OptionStatus
  readonly acceptedAt: number
  readonly strikeFrom: number
  readonly expiresAt: number
  readonly windowMs: number
  readonly gapMaxMs: number
  readonly guardPpm: number
  readonly reference: Decimal
  /** Opening price: set from `running` on. */
  readonly strike?: Decimal
  readonly strikeTick?: number
  readonly strikeAt?: number
  readonly result?: OptionResult
  readonly voidReason?: VoidReason
  readonly settlePrice?: Decimal
  /** Above zero: won, below: lost, of the stake. */
  readonly settleProfit?: Decimal
  readonly settledAt?: number
}

export type WireOptionOpened = { readonly order: WireOption; readonly isRepeat: boolean }

/** GET `/option/me`: what the customer may do, and the customer's own figures from the ledger. */
export type WireOptionMe = {
  readonly isAdmitted: boolean
  readonly openStakes: Decimal
  /** Net loss of the UTC day; "0" when it is a gain. */
  readonly lossToday: Decimal
  readonly lossMax: Decimal | null
  readonly nextLossMax: Decimal | null
  readonly nextAt: number | null
  readonly coolOffUntil: number | null
  /** No more orders with a guard today: too many were void by it. */
  readonly isGuardSpent: boolean
  /** Orders are taken from the customer's region. */
  readonly isOpenInRegion: boolean
  /** By market: the largest stake that `sideMax` leaves in each direction, as the exchange counts it. */
  readonly left: readonly { readonly symbol: string; readonly up: Decimal; readonly down: Decimal }[]
  readonly wins: number
  readonly losses: number
  readonly ties: number
  readonly net: Decimal
}

/** GET `/option/figures`: of all customers in the last 30 days, from the ledger, for the warning. */
export type WireOptionFigures = {
  readonly orders: number
  readonly customers: number
  readonly customersThatLost: number
  readonly wonPercent: Decimal
  readonly staked: Decimal
  /** What customers got back less what they staked: below zero, the house won. */
  readonly net: Decimal
  /** Orders that were void, by cause: the customer's guard, a silence of the index, too few sources. Not among `orders`. */
  readonly voids: { readonly guard: number; readonly gap: number; readonly sources: number }
}

/** GET and POST `/option/knowledge`: the questions are texts of the app, numbered; the answers are numbers. */
export type WireKnowledge = { readonly questions: readonly { readonly id: string; readonly answers: number }[] }
export type WireKnowledgeAnswers = { readonly answers: Readonly<Record<string, number>> }
export type WireOptionLimits = { readonly lossMax: Decimal | null; readonly coolOffHours?: number }

/** One tick of the tape as it is published; `core/proof/tape` checks it. Prices in 1e-8 of the quote, as integers in text. */
export type WireTapeTick = {
  readonly tick: number
  readonly at: number
  readonly hash: string
  /** 1: no quote has a correction. */
  readonly format: 1 | 2
  readonly prices: readonly {
    readonly market: number
    readonly price: string
    /** How many venues agreed; with quotes, it is their number. */
    readonly sources: number
    readonly isGood: boolean
    /** `correction`: how far the venue lies above the median on average, in 1/1024 of the unit of prices; not in format 1. */
    readonly quotes: readonly { readonly venue: number; readonly price: string; readonly correction?: number }[]
    /** What the price lies below the median of the corrected quotes, in the same parts. */
    readonly shift?: number
  }[]
}

/**
 * GET `/proof/tape?from&limit` (ticks from a number on) and `?at&until` (milliseconds, `until` not included); GET
 * `/proof/tape.ndjson?…` as a file. Every twentieth tick, so one in five seconds, names all markets.
 */
export type WireTape = {
  readonly venues: readonly string[]
  readonly markets: readonly { readonly id: number; readonly symbol: string }[]
  /** Hash before the first tick given, 64 zeros at the very first. */
  readonly before: string
  readonly ticks: readonly WireTapeTick[]
  readonly head: { readonly tick: number; readonly hash: string }
}
