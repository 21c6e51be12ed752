import type { UserId } from '../ids.ts'

/** ISO 3166 code of two capital letters. Empty: not known. */
export type Region = string

/** Where a user is at home, as their papers say. Until it is given, the user is treated as from the strictest region. */
export type LocateUser = { readonly type: 'user.locate'; readonly user: UserId; readonly region: Region }

/**
 * What is opened to customers of a region, in production. Two people stand behind it, and their reason; what only closes
 * needs one.
 */
export type OperateRegion = {
  readonly type: 'region.operate'
  /** `*`: all regions that have no row of their own. */
  readonly region: Region | '*'
  /** Leverage above 2, of futures and margin. */
  readonly isLeverageOpen: boolean
  readonly isSecondOpen: boolean
  readonly proposer: UserId
  readonly approver: UserId
  /** Printable ASCII, at most 120 characters. */
  readonly reason: string
}

export type RegionCommand = LocateUser | OperateRegion
