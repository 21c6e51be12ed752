import type { UserId } from '../ids.ts'
import type { StaffNumber } from './operate.ts'

/** ISO 3166 code of two capital letters. Empty: unknown. */
export type Region = string

/**
 * The user's home regions: of the declared residence, of the document and of the phone number, each once and joined by `+`. What is closed
 * in one of them is closed to the user. Until one is known, the rules of the strictest region apply.
 */
export type LocateUser = { readonly type: 'user.locate'; readonly user: UserId; readonly region: Region }

/** Opens or closes products for customers of a region, in production. Opening takes two people, closing one; both take a reason. */
export type OperateRegion = {
  readonly type: 'region.operate'
  /** `*`: all regions without a row of their own. */
  readonly region: Region | '*'
  /** Leverage above 2, for Futures and Margin. */
  readonly isLeverageOpen: boolean
  readonly isSecondOpen: boolean
  readonly proposer: StaffNumber
  readonly approver: StaffNumber
  /** Printable ASCII, at most 120 characters. */
  readonly reason: string
}

export type RegionCommand = LocateUser | OperateRegion
