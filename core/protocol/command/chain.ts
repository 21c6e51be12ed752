import type { Units } from '../../money/brand.ts'
import type { AssetId, ClientId, CreditNumber, NetworkNumber, UserId, WithdrawalNumber } from '../ids.ts'
import type { StaffNumber } from './operate.ts'

/** Largest number of a network. */
export const networksMax = 255

/**
 * A deposit arrived: credits it to the user's spot account, and repays what the user owes of the asset. The server stores the number
 * before it sends the command, so that a number is credited once, however often its command comes.
 */
export type CreditDeposit = {
  readonly type: 'chain.credit'
  readonly user: UserId
  readonly network: NetworkNumber
  readonly credit: CreditNumber
  readonly asset: AssetId
  readonly amount: Units
  /** False: the chain may still drop it. */
  readonly isFinal: boolean
}

/** The chain can no longer drop the deposit. */
export type FinalDeposit = { readonly type: 'chain.final'; readonly network: NetworkNumber; readonly credit: CreditNumber }

/** The chain dropped the deposit: takes it back. What the user has spent of it becomes a debt. */
export type OrphanDeposit = { readonly type: 'chain.orphan'; readonly network: NetworkNumber; readonly credit: CreditNumber }

/** Repays what the user owes of an asset, as far as the spot account has it. */
export type RepayDebt = { readonly type: 'chain.repay'; readonly user: UserId; readonly asset: AssetId }

/** Terms of withdrawals of an asset on a network, in units of the asset. A withdrawal keeps those under which it was requested. */
export type WithdrawTerms = {
  readonly isOpen: boolean
  /** Smallest amount, fee included. */
  readonly min: Units
  readonly fee: Units
  /** Up to here nobody has to approve. */
  readonly autoMax: Units
  /** Up to here one person approves, above it two. */
  readonly singleMax: Units
}

export type SetWithdrawTerms = {
  readonly type: 'withdraw.setTerms'
  readonly asset: AssetId
  readonly network: NetworkNumber
  readonly terms: WithdrawTerms
}

/**
 * A user asks for a withdrawal. `amount` leaves the balance, `amount` − `fee` arrives. `fee` must be the fee of the terms, so that
 * nobody pays one that they did not see. `destination`: number of the address, of which the core knows nothing else.
 */
export type RequestWithdrawal = {
  readonly type: 'withdraw.request'
  readonly user: UserId
  readonly clientId: ClientId
  readonly asset: AssetId
  readonly network: NetworkNumber
  readonly amount: Units
  readonly fee: Units
  readonly destination: number
}

/** The user takes back a request that is not decided. */
export type CancelWithdrawal = { readonly type: 'withdraw.cancel'; readonly user: UserId; readonly withdrawal: WithdrawalNumber }

/** A decision about a request. `first`, `second`: the people behind it, 0 for nobody. */
export type DecideWithdrawal = {
  readonly type: 'withdraw.decide'
  readonly withdrawal: WithdrawalNumber
  readonly isApproved: boolean
  readonly first: StaffNumber | 0
  readonly second: StaffNumber | 0
  /** Printable ASCII, at most 120 characters. A rejection needs it. */
  readonly reason: string
}

/** The end of an approved withdrawal: it was paid, or it is proved that it can't be any more. */
export type FinishWithdrawal = { readonly type: 'withdraw.finish'; readonly withdrawal: WithdrawalNumber; readonly isPaid: boolean }

export type ChainCommand =
  | CreditDeposit
  | FinalDeposit
  | OrphanDeposit
  | RepayDebt
  | SetWithdrawTerms
  | RequestWithdrawal
  | CancelWithdrawal
  | DecideWithdrawal
  | FinishWithdrawal
