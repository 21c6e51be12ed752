import type { IndexPrice, Millis, Units } from '../../money/brand.ts'
import type { ConvertTerms } from '../command/convert.ts'
import type { AssetId, QuoteNumber, UserId } from '../ids.ts'

/** A conversion: the user gives `give` of one asset and gets `get` of another. */
export type ConversionFacts = {
  readonly quote: QuoteNumber
  readonly user: UserId
  readonly from: AssetId
  readonly to: AssetId
  readonly give: Units
  readonly get: Units
  /** Value of `give` by the index, in USDT units, rounded up. */
  readonly value: Units
  /** Index prices of both assets in USDT when the quote was made; 1e8 for USDT itself. */
  readonly fromPrice: IndexPrice
  readonly toPrice: IndexPrice
}

/** Why an accepted quote ended without a conversion. The position in the list is the number on disk: append only. */
export const conversionEnds = ['moved', 'no-index'] as const
export type ConversionEnd = (typeof conversionEnds)[number]

/** A firm quote. Nothing is held. */
export type ConversionQuoted = ConversionFacts & { readonly type: 'convert.quoted'; readonly expiresAt: Millis }
/** A quote was accepted: both amounts are held. `decidesFrom`: the first index tick at or after this time decides it. */
export type ConversionAccepted = ConversionFacts & { readonly type: 'convert.accepted'; readonly decidesFrom: Millis }
export type ConversionFilled = ConversionFacts & { readonly type: 'convert.filled' }
export type ConversionEnded = ConversionFacts & { readonly type: 'convert.ended'; readonly why: ConversionEnd }
export type ConvertTermsChanged = { readonly type: 'convert.terms'; readonly terms: ConvertTerms }

export type ConvertEvent = ConversionQuoted | ConversionAccepted | ConversionFilled | ConversionEnded | ConvertTermsChanged
