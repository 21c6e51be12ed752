/** Answers of the routes below `/ledger`, as `server/console/ledger/schema.ts` describes them. */
import type { TablesAt } from './tables.ts'

export type TrialRow = { readonly asset: string; readonly isHouse: boolean; readonly kind: string; readonly total: string }
export type AssetRow = { readonly asset: string; readonly customers: string; readonly exchange: string; readonly sum: string }
export type Trial = {
  readonly seq: number
  readonly at: number | null
  readonly readFrom: number
  readonly ms: number
  readonly rows: readonly TrialRow[]
  readonly assets: readonly AssetRow[]
}
export type BalanceRow = {
  readonly kind: string
  readonly market: string
  readonly asset: string
  readonly available: string
  readonly held: string
  readonly seq: number
}
/** One line of the ledger. `owner`: the customer's uid, or null for the exchange, whose account is `kind`. */
export type Posting = {
  readonly seq: number
  readonly line: number
  readonly at: number
  readonly owner: string | null
  readonly kind: string
  readonly market: string
  readonly asset: string
  readonly reason: string
  readonly available: string
  readonly held: string
  readonly availableAfter: string
  readonly heldAfter: string
  readonly symbol: string | null
  readonly order: string | null
}
export type Account = {
  readonly tables: TablesAt
  readonly balances: readonly BalanceRow[]
  readonly postings: readonly Posting[]
  readonly next?: string
}
export type Command = {
  readonly tables: TablesAt
  readonly postings: readonly Posting[]
  readonly sums: readonly { readonly asset: string; readonly sum: string }[]
}
