import type { SetWithdrawTerms } from './chain.ts'
import type { SetConvertTerms } from './convert.ts'
import type { SetFirmTerms } from './firm.ts'
import type { FundSystem } from './funds.ts'
import type { SetMarginTerms } from './margin.ts'
import type { ListAsset, ListMarket, SetFees, SetMarket } from './market.ts'
import type { ListPerp, SetPerp } from './perp.ts'
import type { SetReferralTerms } from './referral.ts'
import type { CancelPresale, SetPresale } from './presale.ts'

/** Commands that people of the staff decide. The position in the list has no meaning on disk. */
export const changeTypes = [
  'asset.list',
  'market.list',
  'market.set',
  'fees.set',
  'funds.system',
  'perp.list',
  'perp.set',
  'margin.setTerms',
  'withdraw.setTerms',
  'convert.setTerms',
  'referral.setTerms',
  'presale.set',
  'presale.cancel',
  'firm.setTerms',
] as const

export type Change =
  | ListAsset
  | ListMarket
  | SetMarket
  | SetFees
  | FundSystem
  | ListPerp
  | SetPerp
  | SetMarginTerms
  | SetWithdrawTerms
  | SetConvertTerms
  | SetReferralTerms
  | SetPresale
  | CancelPresale
  | SetFirmTerms

/** Number of a member of the staff. The core knows nothing else about them. */
export type StaffNumber = number

/**
 * A decision by two people of the staff: the change is decided and applied like the command itself. One person alone
 * (`proposer` is `approver`) can only halt a market, close margin trading to new loans, close withdrawals of an asset on a network, close conversions, or close
 * referral.
 */
export type OperateExchange = {
  readonly type: 'exchange.operate'
  readonly proposer: StaffNumber
  readonly approver: StaffNumber
  /** Printable ASCII, at most 120 characters. */
  readonly reason: string
  readonly change: Change
}
