import type { Flag } from '@candor/core/protocol/wire/console/withdrawals.ts'
import type { WithdrawalReason } from '@candor/core/protocol/wire/withdrawal-reasons.ts'
import type { Payment } from '../signer/statement.ts'
import type { Generated, GeneratedAlways, Kysely, Selectable } from 'kysely'
import type { Store } from '../../store/open.ts'

/** Migrations 139 and 143, and what else this room changes or looks at, as Kysely sees it. */
export type ReviewTables = {
  withdrawal_reviews: { withdrawal: number; account: string; people: number; flags: readonly Flag[]; made_at: number }
  withdrawal_claims: { withdrawal: number; staff: string; claimed_at: number }
  withdrawal_verdicts: {
    withdrawal: number
    round: number
    staff: string
    member: number
    is_approved: boolean
    reason: WithdrawalReason | null
    note: string | null
    at: number
  }
  withdrawal_decisions: DecisionTable
  deposit_decisions: ProposalColumns & { deposit: number; is_released: boolean }
  deposits: { id: number; state: string; account: string }
  core_withdrawals: { id: number; state: string; people: number; user_id: number }
  payouts: { withdrawal: number; network: string; state: string; trouble: string | null }
  payout_warrants: { withdrawal: number; payment: Omit<Payment, 'value'> & { readonly value: string } }
  payout_operators: { key: string; operator: string }
  payout_approvals: { withdrawal: number; operator: string; approval: string; signed_at: number; staff: string }
  chain_decisions: ChainDecisionTable
  treasury_findings: { id: number; network: string; kind: string; txid: string; closed_at: number | null }
  staff_passkeys: { account: string; credential: string }
  staff: { id: string; number: number; email: string }
  accounts: { id: string; email: string | null; core_user: number | null }
}

/** What one member proposes and another decides. */
type ProposalColumns = {
  id: GeneratedAlways<number>
  reason: string
  proposed_by: string
  proposed_at: number
  expires_at: number
  state: Generated<'open' | 'approved' | 'declined' | 'expired'>
  decided_by: Generated<string | null>
  decided_at: Generated<number | null>
  why: Generated<string | null>
}

type ChainDecisionTable = ProposalColumns & {
  kind: 'ending' | 'movement'
  withdrawal: number | null
  network: string | null
  txid: string | null
}
export type ChainDecision = Selectable<ChainDecisionTable>

type DecisionTable = {
  withdrawal: number
  round: number
  is_approved: boolean
  /** Numbers of members; 0: nobody. */
  first: number
  second: number
  reason: string
  decided_at: number
  done_at: Generated<number | null>
  seq: Generated<number | null>
  refusal: Generated<string | null>
}

export type ReviewDb = Kysely<ReviewTables>

export function reviewDb(store: Pick<Store, 'db'>): ReviewDb {
  return store.db.withTables<ReviewTables>() as unknown as ReviewDb
}

export type ReviewAction =
  | ('withdrawal-opened' | 'withdrawal-claimed' | 'withdrawal-released' | 'withdrawal-approved' | 'withdrawal-rejected')
  | 'withdrawal-signed'
  | `${ChainDecision['kind']}-${'proposed' | 'approved' | 'declined'}`
  | ('deposit-proposed' | 'deposit-approved' | 'deposit-declined')

/** A member who decides. `note`: writes to the log of the staff, in the transaction of the action. */
export type Officer = {
  readonly id: string
  readonly email: string
  note(
    db: ReviewDb,
    action: ReviewAction,
    subject: string,
    more?: { readonly after?: Readonly<Record<string, unknown>>; readonly why?: string },
  ): Promise<void>
}

/** Who decides about withdrawals. The database checks the same. */
export const withdrawalRoles = ['compliance', 'treasury', 'risk'] as const
/** Who names a transaction of own addresses as the operator's, in twos. */
export const movementRoles = ['administrator', 'treasury'] as const
/** Who decides about held deposits, in twos. */
export const depositRoles = ['compliance', 'treasury'] as const
