/** Answers of the routes about terms, as `server/console/operations/schema.ts` describes them. */
import type { TermDifference, TermKind, Terms } from '@candor/core/protocol/wire/changes.ts'

export type Area = 'markets' | 'fees' | 'countries' | 'house' | 'postings' | 'networks' | 'presales' | 'firms'

/** `assets`: symbols of base and quote asset. */
export type MarketTerms = {
  readonly kind: 'spot' | 'futures'
  readonly subject: string
  readonly assets: readonly string[]
  readonly terms: Terms
  readonly tick: string
  readonly lot: string
}
export type Markets = {
  readonly markets: readonly MarketTerms[]
  readonly margin: Terms | null
  readonly conversion: Terms | null
  readonly coins: readonly { readonly symbol: string; readonly scale: number }[]
}
/** Kinds with a page beside those of the markets, named like the kind. */
export const wholeKinds = ['margin', 'conversion'] as const
/** `terms` null: nobody has set any. */
export type NetworkTerms = { readonly subject: string; readonly assets: readonly string[]; readonly terms: Terms | null }
export type Country = { readonly subject: string; readonly terms: Terms }
/** Sums of a market's running orders; directions are never told. */
export type House = {
  readonly terms: Terms | null
  readonly isOpen: boolean
  readonly fund: string
  readonly markets: readonly { readonly symbol: string; readonly isPaused: boolean; readonly orders: number; readonly stakes: string }[]
}

export type Payment = { readonly uid: string; readonly amount: string }
export type OperationState = 'open' | 'approved' | 'declined' | 'expired' | 'failed'
export type Operation = {
  readonly id: number
  readonly area: Area
  readonly kind: TermKind
  readonly subject: string
  readonly assets: readonly string[]
  readonly differences: readonly TermDifference[]
  readonly payment: Payment | null
  readonly reason: string
  readonly isClosing: boolean
  readonly proposedBy: string
  readonly proposedAt: number
  readonly expiresAt: number
  readonly state: OperationState
  readonly decidedBy: string | null
  readonly decidedAt: number | null
  readonly why: string | null
  readonly doneAt: number | null
  readonly seq: number | null
  readonly refusal: string | null
  /** Open, but the terms have changed since. */
  readonly isStale: boolean
}
export type OperationPage = { readonly operations: readonly Operation[]; readonly next?: number }
export type Done = { readonly state: 'done'; readonly seq: number | null } | { readonly state: 'waits' }
