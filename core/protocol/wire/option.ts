import type { Decimal } from '../../money/brand.ts'
import type { Direction } from '../command/option.ts'
import type { OptionResult, VoidReason } from '../event/option.ts'

/** GET `/option/terms`. */
export type WireOptionTerms = {
  readonly isOpen: boolean
  /** `profit` in percent: "84". `breakEven`: break-even share of wins in percent: "54.3". */
  readonly rates: readonly { readonly seconds: number; readonly profit: Decimal; readonly breakEven: Decimal; readonly windowMs: number }[]
  readonly stakeMin: Decimal
  readonly stakeMax: Decimal
  readonly openMax: Decimal
  /** The part of it allowed in one direction; each market also counts `groupPercent` of the other markets' stakes. */
  readonly sideMax: Decimal
  readonly groupPercent: Decimal
  /** Orders that the customer's own guard may void per UTC day: this number, or this share of the day's orders if that is more. */
  readonly guardVoidsFree: number
  readonly guardVoidsPercent: Decimal
  readonly strikeDelayMs: number
  readonly gapMaxMs: number
  readonly fee: Decimal
  /** Markets by symbol, and whether each is paused because its index is not good enough. */
  readonly markets: readonly { readonly symbol: string; readonly isPaused: boolean }[]
}

export type WireOpenOption = {
  readonly clientId: string
  readonly symbol: string
  readonly direction: Direction
  readonly stake: Decimal
  readonly seconds: number
  /** The order is void if the strike is further than this from the index at acceptance, in percent. */
  readonly guard?: Decimal
}

export const optionStatuses = ['placed', 'running', 'settled'] as const
export type OptionStatus = (typeof optionStatuses)[number]

/** All of one order, before and after settlement: the fields of the specification, and those needed to check it. */
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
  /** Positive: won; negative: lost part of the stake. */
  readonly settleProfit?: Decimal
  readonly settledAt?: number
}

export type WireOptionOpened = { readonly order: WireOption; readonly isRepeat: boolean }

/** GET `/option/me`: the customer's limits and permissions, and the customer's own figures from the ledger. */
export type WireOptionMe = {
  readonly isAdmitted: boolean
  readonly openStakes: Decimal
  /** Net loss of the UTC day; "0" when it is a gain. */
  readonly lossToday: Decimal
  readonly lossMax: Decimal | null
  readonly nextLossMax: Decimal | null
  readonly nextAt: number | null
  readonly coolOffUntil: number | null
  /** No more orders with a guard today, because it voided too many. */
  readonly isGuardSpent: boolean
  /** Whether orders are accepted from the customer's region. */
  readonly isOpenInRegion: boolean
  /** By market: the largest stake that `sideMax` still allows in each direction, as the exchange counts it. */
  readonly left: readonly { readonly symbol: string; readonly up: Decimal; readonly down: Decimal }[]
  readonly wins: number
  readonly losses: number
  readonly ties: number
  readonly net: Decimal
}

/** GET `/option/figures`: totals of all customers in the last 30 days, from the ledger, for the risk warning. */
export type WireOptionFigures = {
  readonly orders: number
  readonly customers: number
  readonly customersThatLost: number
  readonly wonPercent: Decimal
  readonly staked: Decimal
  /** Payouts to customers less their stakes; negative: the house won. */
  readonly net: Decimal
  /** Void orders by cause: the customer's guard, a gap in the index, too few sources. Not part of `orders`. */
  readonly voids: { readonly guard: number; readonly gap: number; readonly sources: number }
}

/** GET and POST `/option/knowledge`: the questions are texts of the app, identified by id; the answers are numbers. */
export type WireKnowledge = { readonly questions: readonly { readonly id: string; readonly answers: number }[] }
export type WireKnowledgeAnswers = { readonly answers: Readonly<Record<string, number>> }
export type WireOptionLimits = { readonly lossMax: Decimal | null; readonly coolOffHours?: number }

/** One tick of the published tape; `core/proof/tape` checks it. Prices in 1e-8 of the quote, as integers in text. */
export type WireTapeTick = {
  readonly tick: number
  readonly at: number
  readonly hash: string
  /** 1: quotes have no correction. */
  readonly format: 1 | 2
  readonly prices: readonly {
    readonly market: number
    readonly price: string
    /** Number of venues that agreed. With quotes, this is their number. */
    readonly sources: number
    readonly isGood: boolean
    /** `correction`: how far the venue lies above the median on average, in 1/1024 of the price unit; absent in format 1. */
    readonly quotes: readonly { readonly venue: number; readonly price: string; readonly correction?: number }[]
    /** Distance of the price below the median of the corrected quotes, in the same unit. */
    readonly shift?: number
  }[]
}

/**
 * GET `/proof/tape?from&limit` (ticks from a number on), `?at&until` (milliseconds, `until` exclusive), or `/proof/tape.ndjson?…`
 * as a file. Every twentieth tick, one in five seconds, names all markets.
 */
export type WireTape = {
  readonly venues: readonly string[]
  readonly markets: readonly { readonly id: number; readonly symbol: string }[]
  /** Hash before the first tick given; 64 zeros before the very first. */
  readonly before: string
  readonly ticks: readonly WireTapeTick[]
  readonly head: { readonly tick: number; readonly hash: string }
}

/**
 * GET `/proof/line?symbol&at&until&limit`: the index of one market along the tape, oldest first. A long piece is thinned to a thousand
 * points. Orders of Second settle on these prices.
 */
export type WireTapeLine = {
  /** Time of the tick, price, and whether enough venues agreed on it. */
  readonly points: readonly (readonly [at: number, price: Decimal, isGood: boolean])[]
}
