/** Answers of the routes about deposits, as `server/console/deposits/schema.ts` describes them. */

/** Deposits that are not as usual, by their state. */
export const depositViews = ['held', 'wrong-token', 'failed', 'orphaned', 'refused'] as const
export type DepositView = (typeof depositViews)[number]

/** An open proposal about a held deposit: to release it, or to refuse it for good. */
export type DepositProposal = {
  readonly id: number
  readonly isReleased: boolean
  readonly reason: string
  readonly proposedBy: string
  readonly proposedAt: number
  readonly expiresAt: number
}

/**
 * `asset`: null for a token that is not listed. `amount`: in the token, or in its smallest unit where its digits are not known.
 * `why`: the reason of the state. `debts`: what the customer owes for dropped deposits. `last`: how it was decided.
 */
export type DepositRow = {
  readonly id: number
  readonly uid: string
  readonly network: string
  readonly asset: string | null
  readonly contract: string
  readonly amount: string
  readonly isRaw: boolean
  readonly sender: string
  readonly address: string
  readonly txid: string
  readonly url: string | null
  readonly block: number
  readonly state: DepositView
  readonly why: string | null
  readonly seenAt: number
  readonly debts: readonly { readonly asset: string; readonly amount: string }[]
  readonly proposal: DepositProposal | null
  readonly last: { readonly by: readonly string[]; readonly at: number; readonly reason: string } | null
}

export type DepositPage = {
  readonly deposits: readonly DepositRow[]
  readonly counts: { readonly [View in DepositView]: number }
  readonly next?: number
}
