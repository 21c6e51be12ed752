import type { Decimal } from '../../money/brand.ts'
import type { AccountKind } from '../account.ts'

/** The request to delete an account, and what stands against it. */
export type WireDeletion = {
  /** When the account is erased; null without a request. */
  readonly dueAt: number | null
  readonly remains: readonly { readonly kind: AccountKind; readonly asset: string; readonly amount: Decimal }[]
  readonly openOrders: number
  /** Running TWAP and scaled orders. */
  readonly algos: number
  readonly positions: number
  readonly loans: number
  readonly claims: number
  readonly options: number
  /** Coins owed for dropped deposits. */
  readonly debts: number
  /** Open withdrawals. */
  readonly withdrawals: number
  /** Open presales to which the customer has subscribed. */
  readonly presales: number
  /** Deposits on their way, below the minimum or held. They don't stand against the deletion: a stranger could send them. */
  readonly deposits: number
  /** Whether the customer may give up what remains: practice funds only. */
  readonly mayGiveUp: boolean
}

/** `givesUp`: the practice funds that remain are given up. */
export type WireDeletionRequest = { readonly givesUp: boolean }
