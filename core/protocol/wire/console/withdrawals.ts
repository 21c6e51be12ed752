/** Answers of the routes about withdrawals, as `server/console/withdrawals/schema.ts` describes them. */
import type { AddressOwner } from '../addresses.ts'
import type { WithdrawalReason } from '../withdrawal-reasons.ts'

/**
 * Why the exchange looks twice at a request for a withdrawal.
 *
 *   new-account     opened in the last seven days
 *   new-device      a login by an unknown device in the last seven days
 *   protection      password, second factors, addresses of the account or recovery codes changed in the last 72 hours
 *   reopened        opened again after a freeze, or given back after lost factors, in the last seven days
 *   new-address     on the list for less than seven days, never paid before, or the last payment failed
 *   look-alike      looks like an earlier address of the customer
 *   shared-address  on the list of another account, too
 *   unusual         far above what the customer withdrew before, or with others of the last day above what one or nobody may approve
 *   unfinal         the customer has deposits that their networks may still drop
 *   debt            the customer owes for a dropped deposit
 */
export const flagKinds = [
  ...(['debt', 'look-alike', 'shared-address', 'reopened', 'protection', 'new-device', 'new-account'] as const),
  ...(['new-address', 'unusual', 'unfinal'] as const),
] as const
export type FlagKind = (typeof flagKinds)[number]

/**
 * `isHeavy`: a person must look. `at`: when it happened. `what`: the change, or `new` and `unpaid` of an address, or `largest`,
 * `all` and `day` of an unusual amount. `amount`: what it is compared with, or what is owed. `address`: the one that it looks like. `uids`: accounts
 * that have it, too.
 */
export type Flag = {
  readonly kind: FlagKind
  readonly isHeavy: boolean
  readonly at?: number
  readonly what?: string
  readonly amount?: string
  readonly asset?: string
  readonly address?: string
  readonly uids?: readonly string[]
}

export const withdrawalViews = ['requested', 'approved', 'ended'] as const
/** Requests to decide, those that are being paid, and those that are over. */
export type WithdrawalView = (typeof withdrawalViews)[number]
export type WithdrawalState = 'requested' | 'approved' | 'rejected' | 'cancelled' | 'paid' | 'failed'

/**
 * Where the payment of an approved withdrawal is. `queued`: its payment has not begun. `signing`: it has its place and waits for the
 * signer. `sent`: a transaction exists. `settled`: a final block has it. `done`: the core knows that.
 */
export type PayoutState = 'queued' | 'signing' | 'sent' | 'settled' | 'done'

/**
 * `arrives`: without the fee. `worthUsdt`: at the last price, null without one. `people`: how many have to approve; `approvals`: who has. `flags`: null before the
 * request was looked at. `trouble`: why its payment does not move.
 */
export type WithdrawalRow = {
  readonly id: number
  readonly uid: string
  readonly asset: string
  readonly amount: string
  readonly fee: string
  readonly arrives: string
  readonly worthUsdt: string | null
  readonly network: string
  readonly address: string | null
  readonly isFrozen: boolean
  readonly state: WithdrawalState
  readonly requestedAt: number
  readonly decidedAt: number | null
  readonly endedAt: number | null
  readonly people: number
  readonly approvals: readonly string[]
  readonly flags: readonly Flag[] | null
  readonly claimedBy: string | null
  readonly payout: PayoutState | null
  readonly trouble: string | null
}

/** `late`: of all requests, how many wait longer than they should. `next`: the `before` of the following page. */
export type WithdrawalPage = {
  readonly withdrawals: readonly WithdrawalRow[]
  readonly counts: { readonly requested: number; readonly late: number; readonly approved: number; readonly troubled: number }
  readonly next?: number
}

/** `isAlike`: an earlier address looks the same at a glance. */
export type DestinationShown = {
  readonly address: string
  readonly label: string
  readonly owner: AddressOwner
  readonly exchange: string | null
  readonly beneficiary: string | null
  readonly addedAt: number
  readonly removedAt: number | null
  readonly paidBefore: number
  readonly alike: readonly string[]
}

export type AttemptShown = {
  readonly n: number
  readonly txid: string | null
  readonly fate: 'open' | 'void' | 'dead' | 'replaced' | 'paid' | 'reverted'
  readonly signedAt: number | null
  readonly sentAt: number | null
  readonly url: string | null
}

/** `fee`: of the network, in the smallest unit of its native coin. */
export type PayoutShown = {
  readonly state: PayoutState
  readonly trouble: string | null
  readonly block: number | null
  readonly fee: string | null
  readonly takenAt: number | null
  readonly settledAt: number | null
  readonly attempts: readonly AttemptShown[]
}

export type EarlierMove = {
  readonly kind: 'deposit' | 'withdrawal'
  readonly asset: string
  readonly amount: string
  readonly network: string
  readonly state: string
  readonly at: number
}

export type CustomerShown = {
  readonly uid: string
  readonly registeredAt: number
  readonly certification: 'none' | 'in-progress' | 'certified'
  readonly region: string | null
  readonly frozenAt: number | null
  readonly closedUntil: number | null
}

export type VerdictShown = {
  readonly by: string
  readonly at: number
  readonly isApproved: boolean
  readonly reason: WithdrawalReason | null
  readonly note: string | null
}

/**
 * Signatures of an approved payment above the signer's limit. `by`: members who signed. `isOperator`: a passkey of the asking member is in
 * the signer's policy, and it is not their own withdrawal.
 */
export type SigningShown = {
  readonly by: readonly { readonly by: string; readonly at: number }[]
  readonly isOperator: boolean
}

/** Two members end an approved withdrawal that the signer refuses or that never became a payment. `approvedBy`: null while a second one has to approve. */
export type EndingShown = {
  readonly id: number
  readonly reason: string
  readonly proposedBy: string
  readonly expiresAt: number
  readonly approvedBy: string | null
}

/** `refusal`: why the core did not take the last decision. `isSending`: it waits for the engine. */
export type WithdrawalDetail = WithdrawalRow & {
  readonly customer: CustomerShown
  readonly destination: DestinationShown | null
  readonly moves: readonly EarlierMove[]
  readonly verdicts: readonly VerdictShown[]
  readonly reason: string | null
  readonly isSending: boolean
  readonly refusal: string | null
  readonly payoutOf: PayoutShown | null
  /** Null: no signature is waited for, and there was none. */
  readonly signing: SigningShown | null
  readonly ending: EndingShown | null
  /** Whether the signer refuses it, or it never became a payment, and two members may end it. */
  readonly isEndable: boolean
}

/** `open`: another person must approve, too. `waits`: the engine gets it as soon as it can be reached. */
export type WithdrawalDone = { readonly state: 'open' | 'done' | 'waits' }
