import type { Millis, Ppm, Units } from '../../money/brand.ts'
import type { AssetId, ClientId, QuoteNumber, UserId } from '../ids.ts'

/**
 * How much of an asset the inventory should have, and how far conversions may move it from there, in units of the asset. Conversions
 * towards the target are always within the band.
 */
export type ConvertShelf = { readonly asset: AssetId; readonly target: Units; readonly band: Units }

/** Terms of conversions. Sums are in USDT units. A quote keeps those under which it was made. */
export type ConvertTerms = {
  readonly isOpen: boolean
  /** Part of what is received that stays in the inventory. */
  readonly spreadPpm: Ppm
  /** How long a quote can be accepted. */
  readonly validMs: Millis
  /** An accepted quote is decided by the first index tick at least this much later, so that nobody trades on news that the index lacks. */
  readonly delayMs: Millis
  /** Without a good index for this long after the acceptance, it ends and gives everything back. */
  readonly waitMs: Millis
  /** An index that has moved further than this from the quote, in either direction, ends it. At most the spread. */
  readonly driftPpm: Ppm
  /** A spot book whose price is further than this from the index gives no quote. */
  readonly bookPpm: Ppm
  readonly min: Units
  readonly max: Units
  /** Largest value that a user converts on a UTC day. */
  readonly userMax: Units
  /** The ordinary account that brings the inventory back to its targets through the spot books; 0 for none. */
  readonly hedger: UserId | 0
  /** Assets that are converted, in rising order. */
  readonly shelves: readonly ConvertShelf[]
}

export type SetConvertTerms = { readonly type: 'convert.setTerms'; readonly terms: ConvertTerms }

/**
 * Asks for a firm quote, which replaces the user's open one. `amount` is what the user gives, or with `isGet` what the user wants to
 * receive.
 */
export type QuoteConversion = {
  readonly type: 'convert.quote'
  readonly user: UserId
  readonly clientId: ClientId
  readonly from: AssetId
  readonly to: AssetId
  readonly amount: Units
  readonly isGet: boolean
}

/** Accepts the user's open quote. */
export type AcceptQuote = { readonly type: 'convert.accept'; readonly user: UserId; readonly quote: QuoteNumber }

/** The hedger takes what the inventory has above its target, or gives an asset back to it. */
export type HedgeInventory = {
  readonly type: 'convert.hedge'
  readonly user: UserId
  readonly clientId: ClientId
  readonly asset: AssetId
  readonly amount: Units
  readonly isTaking: boolean
}

export type ConvertCommand = SetConvertTerms | QuoteConversion | AcceptQuote | HedgeInventory
