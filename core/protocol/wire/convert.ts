import type { Decimal } from '../../money/brand.ts'
import type { ConversionEnd } from '../event/convert.ts'

/** GET `/convert/terms`. Sums in USDT. */
export type WireConvertTerms = {
  readonly isOpen: boolean
  /** Part of what is received that the exchange keeps, in percent: "0.1". There is no other fee. */
  readonly spreadPercent: Decimal
  readonly driftPercent: Decimal
  readonly validMs: number
  readonly delayMs: number
  readonly min: Decimal
  readonly max: Decimal
  /** Coins that can be converted, each with its good index price in USDT; null while it has none. */
  readonly assets: readonly { readonly asset: string; readonly price: Decimal | null }[]
}

/** GET `/convert/standing`: what counts against the customer's limit of the UTC day, in USDT. */
export type WireConvertStanding = { readonly limit: Decimal; readonly used: Decimal; readonly open: WireQuote | null }

/** Either `give` or `get`. */
export type WireQuoteRequest = {
  readonly clientId: string
  readonly from: string
  readonly to: string
  readonly give?: Decimal
  readonly get?: Decimal
}

/** A firm quote. `spread`: what the exchange keeps of it, in `to`. `value`: of `give` by the index, in USDT. */
export type WireQuote = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly give: Decimal
  readonly get: Decimal
  /** One `from` in `to`, and one `to` in `from`, as they follow from the sums: cut off after eight digits. */
  readonly rate: Decimal
  readonly inverse: Decimal
  readonly spread: Decimal
  readonly value: Decimal
  readonly expiresAt: number
}

export const conversionStates = ['accepted', 'filled', 'moved', 'no-index'] as const satisfies readonly (
  | ConversionEnd
  | 'accepted'
  | 'filled'
)[]
export type ConversionState = (typeof conversionStates)[number]

/** An accepted quote and what became of it. The first index tick from `decidesFrom` on decides. */
export type WireConversion = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly give: Decimal
  readonly get: Decimal
  readonly rate: Decimal
  readonly inverse: Decimal
  readonly value: Decimal
  readonly state: ConversionState
  readonly acceptedAt: number
  readonly decidesFrom: number
  readonly endedAt: number | null
}

/**
 * GET `/convert/shelves`, for the hedger: an asset in the inventory. `available`: what can be taken, down to the target. `expected`: what
 * the inventory will have once all accepted quotes are converted.
 */
export type WireShelf = {
  readonly asset: string
  readonly target: Decimal
  readonly available: Decimal
  readonly expected: Decimal
}

export const hedgeDirections = ['take', 'give'] as const
/** Moves an asset between the inventory and the hedger's spot account. The same id with the same body moves once. */
export type WireHedge = {
  readonly clientId: string
  readonly asset: string
  readonly amount: Decimal
  readonly direction: (typeof hedgeDirections)[number]
}
