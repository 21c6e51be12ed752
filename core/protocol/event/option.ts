import type { IndexPrice, Millis, Ppm, Units } from '../../money/brand.ts'
import type { Direction, OptionTerms } from '../command/option.ts'
import type { ClientId, MarketId, OrderId, UserId } from '../ids.ts'

export type OptionTermsChanged = { readonly type: 'option.terms'; readonly terms: OptionTerms }

/** An order was accepted; stake and possible profit are held. Everything that decides it is now fixed, except the strike. */
export type OptionOpened = {
  readonly type: 'option.opened'
  readonly order: OrderId
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly direction: Direction
  readonly stake: Units
  readonly profitPpm: Ppm
  /** Profit if won, rounded down. */
  readonly profit: Units
  readonly acceptedAt: Millis
  /** The strike is the first tick of the tape at this time or later. */
  readonly strikeFrom: Millis
  readonly expiresAt: Millis
  readonly windowMs: number
  readonly gapMaxMs: number
  readonly guardPpm: Ppm
  /** Index at acceptance, from which the guard measures. */
  readonly reference: IndexPrice
}

/** The strike is set. `tick`: number of the tape's tick that gave it. */
export type OptionStruck = {
  readonly type: 'option.struck'
  readonly order: OrderId
  readonly user: UserId
  readonly strike: IndexPrice
  readonly tick: number
  readonly at: Millis
}

export const optionResults = ['win', 'lose', 'tie', 'void'] as const
export type OptionResult = (typeof optionResults)[number]

/** Reason why an order is void. */
export const voidReasons = ['none', 'guard', 'gap', 'sources'] as const
export type VoidReason = (typeof voidReasons)[number]

/** `price`: median of the window, 0 when void. `payout`: stake plus profit for a win, the stake for a tie or void, otherwise 0. */
export type OptionSettled = {
  readonly type: 'option.settled'
  readonly order: OrderId
  readonly user: UserId
  readonly market: MarketId
  readonly result: OptionResult
  readonly reason: VoidReason
  readonly price: IndexPrice | 0
  readonly payout: Units
  readonly at: Millis
}

export type OptionAdmitted = { readonly type: 'option.admitted'; readonly user: UserId }

/** The loss limit in force, the next one (equal: none waits), and when it applies. */
export type OptionLimitsChanged = {
  readonly type: 'option.limits'
  readonly user: UserId
  readonly lossMax: Units
  readonly nextLossMax: Units
  readonly nextAt: Millis
  readonly coolOffUntil: Millis
}

/** The product stopped taking orders, with the reason, or takes them again. */
export type OptionHouse = { readonly type: 'option.house'; readonly isOpen: boolean; readonly fund: Units }

/** One source of an index price. `venue`: its number in `venueNames`. */
export type IndexQuote = { readonly venue: number; readonly price: IndexPrice }

/**
 * A source on the tape. `correction`: how far the venue lies above the median on average, in 1/1024 of 1e-8 of the quote
 * (`core/proof/composition`); absent in format 1.
 */
export type TapeQuote = IndexQuote & { readonly correction?: number }

/**
 * One tick of the public tape: one for every `index.tick` command, even without a change. `hash`: SHA-256 over the previous hash
 * and the tick's canonical bytes (`core/proof/tape`), in hex. A price stands until the next tick that names its market.
 */
export type TapeExtended = {
  readonly type: 'tape.extended'
  readonly tick: number
  readonly at: Millis
  readonly hash: string
  /** 1: the price is the median of its quotes. 2: the median of its quotes less their corrections, less the shift. */
  readonly format: 1 | 2
  readonly prices: readonly {
    readonly market: MarketId
    readonly price: IndexPrice
    readonly sources: number
    readonly isGood: boolean
    readonly quotes: readonly TapeQuote[]
    /** In 1/1024 of 1e-8 of the quote. Absent for a price without quotes. */
    readonly shift?: number
  }[]
}

export type OptionEvent =
  | OptionTermsChanged
  | OptionOpened
  | OptionStruck
  | OptionSettled
  | OptionAdmitted
  | OptionLimitsChanged
  | OptionHouse
  | TapeExtended
