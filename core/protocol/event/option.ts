import type { IndexPrice, Millis, Ppm, Units } from '../../money/brand.ts'
import type { Direction, OptionTerms } from '../command/option.ts'
import type { ClientId, MarketId, OrderId, UserId } from '../ids.ts'

export type OptionTermsChanged = { readonly type: 'option.terms'; readonly terms: OptionTerms }

/** Accepted: stake and possible profit are held. Everything that will decide it is fixed here, but the strike. */
export type OptionOpened = {
  readonly type: 'option.opened'
  readonly order: OrderId
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly direction: Direction
  readonly stake: Units
  readonly profitPpm: Ppm
  /** What it earns when won, rounded down. */
  readonly profit: Units
  readonly acceptedAt: Millis
  /** Strike: the first tick of the tape at this time or later. */
  readonly strikeFrom: Millis
  readonly expiresAt: Millis
  readonly windowMs: number
  readonly gapMaxMs: number
  readonly guardPpm: Ppm
  /** Index at acceptance: what the guard is measured from. */
  readonly reference: IndexPrice
}

/** `tick`: number of the tape's tick that gave the strike. */
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

/** Why an order is void. */
export const voidReasons = ['none', 'guard', 'gap', 'sources'] as const
export type VoidReason = (typeof voidReasons)[number]

/** `price` is the median of the window, 0 when void. `payout`: stake and profit of a win, the stake of a tie or void, else 0. */
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

/** The loss limit that holds now, the one that will (equal: none waits) and when. */
export type OptionLimitsChanged = {
  readonly type: 'option.limits'
  readonly user: UserId
  readonly lossMax: Units
  readonly nextLossMax: Units
  readonly nextAt: Millis
  readonly coolOffUntil: Millis
}

/** Why the product takes no orders, or that it does again. */
export type OptionHouse = { readonly type: 'option.house'; readonly isOpen: boolean; readonly fund: Units }

/** One source of an index price. `venue`: its number in `venueNames`. */
export type IndexQuote = { readonly venue: number; readonly price: IndexPrice }

/**
 * A source on the tape. `correction`: how far the venue lies above the median on average, in 1/1024 of 1e-8 of the quote
 * (`core/proof/composition`); ticks of format 1 have none.
 */
export type TapeQuote = IndexQuote & { readonly correction?: number }

/**
 * One tick of the public tape: every `index.tick` command, also one without a change. `hash` is SHA-256 over the hash before and
 * the tick's canonical bytes (`core/proof/tape`), in hex. Prices stand until the next tick that names the market.
 */
export type TapeExtended = {
  readonly type: 'tape.extended'
  readonly tick: number
  readonly at: Millis
  readonly hash: string
  /** 1: the price is the median of its quotes. 2: of its quotes less their corrections, less the shift. */
  readonly format: 1 | 2
  readonly prices: readonly {
    readonly market: MarketId
    readonly price: IndexPrice
    readonly sources: number
    readonly isGood: boolean
    readonly quotes: readonly TapeQuote[]
    /** In 1/1024 of 1e-8 of the quote; a price without quotes has none. */
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
