import type { Ppm, Units } from '../../money/brand.ts'
import type { AssetId, ClientId, MarketId, UserId } from '../ids.ts'

/**
 * What an order on a margin account does with loans:
 *
 *   none     trades what the account has
 *   borrow   borrows what it lacks when it is placed
 *   repay    what it brings in repays the debt in that asset
 *   both     borrows, and what it brings in repays
 */
export const borrowModes = ['none', 'borrow', 'repay', 'both'] as const
export type BorrowMode = (typeof borrowModes)[number]

/** One step by the value of a loan: up to `loanMax` (USDT units), at most this leverage, liquidated at this assets ÷ debt. */
export type MarginTier = { readonly loanMax: Units; readonly leverage: number; readonly liquidationPpm: Ppm }

/** Ratios are assets ÷ debt in ppm (1.18 = 1_180_000). The pool's rates are per hour in units of 1e-12, straight lines between its points. */
export type MarginTerms = {
  readonly isOpen: boolean
  /** Isolated accounts, by the loan's value in USDT; ascending, the last is for everything above. */
  readonly tiers: readonly MarginTier[]
  /** Isolated: warning this far above the liquidation ratio (ppm of debt). */
  readonly isolatedCallPpm: Ppm
  readonly crossLeverage: number
  readonly crossTransferPpm: Ppm
  readonly crossBorrowPpm: Ppm
  readonly crossCallPpm: Ppm
  readonly crossLiquidationPpm: Ppm
  /** Hourly rate at no, at the kink's, and at full utilization. */
  readonly rateZero: number
  readonly rateKink: number
  readonly rateFull: number
  readonly kinkPpm: Ppm
  /** Utilization at which borrowing stops. */
  readonly borrowStopPpm: Ppm
  /** The insurance fund's part of the interest. */
  readonly reservePpm: Ppm
  /** Of what a liquidation sells or buys, to the insurance fund. */
  readonly liquidationFeePpm: Ppm
  /** Of what is owed: own money that an order leaves an account beyond its liquidation border. */
  readonly cushionPpm: Ppm
  /** What an asset counts for in a cross account that borrows, opens or gives: `weights` by asset, USDT in full, others this part. */
  readonly weights: readonly MarginWeight[]
  readonly weightPpm: Ppm
  /** Part of a pool that one user's loans may be, all accounts together. */
  readonly userSharePpm: Ppm
  /** Least value of a loan and of a supply (USDT units). Loans for orders are raised to it. */
  readonly loanMin: Units
  readonly supplyMin: Units
  /**
   * How far the fund takes over accounts that owe more than they have: the part of what it holds that the losses there and
   * a part of the value carried may come to, per asset, in all, and per asset within ten minutes.
   */
  readonly fundAssetPpm: Ppm
  readonly fundAllPpm: Ppm
  readonly fundFastPpm: Ppm
}

/** What an asset counts for as collateral, in ppm of its value. */
export type MarginWeight = { readonly asset: AssetId; readonly weightPpm: Ppm }

export type SetMarginTerms = { readonly type: 'margin.setTerms'; readonly terms: MarginTerms }

/** `market` 0: the cross account; else the isolated account of that spot market. */
export type Borrow = {
  readonly type: 'margin.borrow'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly asset: AssetId
  readonly amount: Units
}

/** Interest first. `amount` 0: as much as the account has and owes. */
export type Repay = {
  readonly type: 'margin.repay'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly asset: AssetId
  readonly amount: Units
}

/** From spot into the pool. */
export type Supply = {
  readonly type: 'lend.supply'
  readonly user: UserId
  readonly clientId: ClientId
  readonly asset: AssetId
  readonly amount: Units
}

/** Back to spot, earned interest included; what the pool can't pay at once waits in a queue, first come first served. */
export type Withdraw = {
  readonly type: 'lend.withdraw'
  readonly user: UserId
  readonly clientId: ClientId
  readonly asset: AssetId
  readonly amount: Units
}

/** Takes what still waits of a withdrawal out of the queue. */
export type CancelWithdraw = {
  readonly type: 'lend.cancelWithdraw'
  readonly user: UserId
  readonly clientId: ClientId
  readonly asset: AssetId
}

export type MarginCommand = SetMarginTerms | Borrow | Repay | Supply | Withdraw | CancelWithdraw
