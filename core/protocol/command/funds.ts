import type { Units } from '../../money/brand.ts'
import type { AccountKind, SystemAccount } from '../account.ts'
import type { AssetId, ClientId, DecisionNumber, MarketId, UserId } from '../ids.ts'

/** Sandbox only: credits the user's spot account from `outside:sandbox`. */
export type Faucet = {
  readonly type: 'funds.faucet'
  readonly user: UserId
  readonly clientId: ClientId
  readonly asset: AssetId
  readonly amount: Units
}

export type Transfer = {
  readonly type: 'funds.transfer'
  readonly user: UserId
  readonly clientId: ClientId
  readonly asset: AssetId
  readonly from: AccountKind
  readonly to: AccountKind
  /** Spot market of the isolated margin account, if one side is isolated. */
  readonly market?: MarketId
  readonly amount: Units
}

/** Gives a fund of the exchange its initial money from `outside:sandbox`. Sandbox only. */
export type FundSystem = {
  readonly type: 'funds.system'
  readonly account: 'insurance' | 'insurance-margin' | 'option-house' | 'convert-inventory' | 'presale-tokens'
  readonly asset: AssetId
  readonly amount: Units
}

/**
 * The exchange's own accounts that the staff post to. They post from the first five only: the other funds pay for losses and are
 * never emptied by hand.
 */
export const postingAccounts = [
  'outside:chain',
  'fees',
  'convert-inventory',
  'presale-tokens',
  'presale-proceeds',
  'insurance',
  'insurance-margin',
  'option-house',
] as const satisfies readonly SystemAccount[]
export type PostingAccount = (typeof postingAccounts)[number]

/** A customer's spot account, or one of the exchange's own. */
export type PostingPlace = { readonly user: UserId } | { readonly system: PostingAccount }

/** A posting by hand, which two people of the staff decided with their reason. */
export type PostFunds = {
  readonly type: 'funds.post'
  /** Number of the decision, from 1 up. A decision is carried out once, however often its command comes. */
  readonly decision: DecisionNumber
  readonly from: PostingPlace
  readonly to: PostingPlace
  readonly asset: AssetId
  readonly amount: Units
  readonly proposer: number
  readonly approver: number
  /** Printable ASCII, at most 120 characters. */
  readonly reason: string
}
