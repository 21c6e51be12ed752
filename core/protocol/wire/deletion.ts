import type { Decimal } from '../../money/brand.ts'
import type { AccountKind } from '../account.ts'

/** The request to delete an account, and what stands against it. */
export type WireDeletion = {
  /** When the account is erased; null without a request. */
  readonly dueAt: number | null
  readonly remains: readonly { readonly kind: AccountKind; readonly asset: string; readonly amount: Decimal }[]
  readonly openOrders: number
  readonly positions: number
  readonly loans: number
  readonly claims: number
  readonly options: number
  /** Whether the customer may give up what remains: practice funds only. */
  readonly mayGiveUp: boolean
}

/** `givesUp`: the practice funds that remain are given up. */
export type WireDeletionRequest = { readonly givesUp: boolean }
