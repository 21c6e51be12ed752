import type { Units } from '../../money/brand.ts'
import type { WithdrawTerms } from '../command/chain.ts'
import type { StaffNumber } from '../command/operate.ts'
import type { AssetId, CreditNumber, NetworkNumber, UserId, WithdrawalNumber } from '../ids.ts'

type Deposit = {
  readonly network: NetworkNumber
  readonly credit: CreditNumber
  readonly user: UserId
  readonly asset: AssetId
  readonly amount: Units
}

/** A deposit was credited. `repaid`: the part of it that repaid a debt; `debt`: what the user still owes of the asset. */
export type DepositCredited = Deposit & {
  readonly type: 'deposit.credited'
  readonly isFinal: boolean
  readonly repaid: Units
  readonly debt: Units
}

/** The chain can no longer drop the deposit: it may be withdrawn. */
export type DepositFinal = Deposit & { readonly type: 'deposit.final' }

/** The chain dropped a deposit. `taken`: what the spot account gave back; `debt`: what the user owes of the asset now. */
export type DepositOrphaned = Deposit & { readonly type: 'deposit.orphaned'; readonly taken: Units; readonly debt: Units }

/** A debt for dropped deposits was repaid from the spot account. `debt`: what is left of it. */
export type DebtRepaid = {
  readonly type: 'deposit.repaid'
  readonly user: UserId
  readonly asset: AssetId
  readonly amount: Units
  readonly debt: Units
}

/** `amount` leaves the balance, `amount` − `fee` arrives. */
export type WithdrawalFacts = {
  readonly withdrawal: WithdrawalNumber
  readonly user: UserId
  readonly asset: AssetId
  readonly network: NetworkNumber
  readonly amount: Units
  readonly fee: Units
}

/** `people`: how many have to approve it. */
export type WithdrawalRequested = WithdrawalFacts & {
  readonly type: 'withdrawal.requested'
  readonly destination: number
  readonly people: 0 | 1 | 2
}

/** `first`, `second`: the people who decided, 0 for nobody. */
export type WithdrawalApproved = WithdrawalFacts & {
  readonly type: 'withdrawal.approved'
  readonly first: StaffNumber | 0
  readonly second: StaffNumber | 0
  readonly reason: string
}
export type WithdrawalRejected = Omit<WithdrawalApproved, 'type'> & { readonly type: 'withdrawal.rejected' }
export type WithdrawalCancelled = WithdrawalFacts & { readonly type: 'withdrawal.cancelled' }
export type WithdrawalPaid = WithdrawalFacts & { readonly type: 'withdrawal.paid' }
export type WithdrawalFailed = WithdrawalFacts & { readonly type: 'withdrawal.failed' }

export type WithdrawTermsChanged = {
  readonly type: 'withdraw.terms'
  readonly asset: AssetId
  readonly network: NetworkNumber
  readonly terms: WithdrawTerms
}

export type ChainEvent =
  | DepositCredited
  | DepositFinal
  | DepositOrphaned
  | DebtRepaid
  | WithdrawalRequested
  | WithdrawalApproved
  | WithdrawalRejected
  | WithdrawalCancelled
  | WithdrawalPaid
  | WithdrawalFailed
  | WithdrawTermsChanged
