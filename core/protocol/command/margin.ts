import type { Ppm, Units } from '../../money/brand.ts'
import type { AssetId, ClientId, MarketId, UserId } from '../ids.ts'

/**
 * Whether an order on a margin account borrows or repays:
 *
 *   none     trades only with the account's own money
 *   borrow   borrows the missing amount when it is placed
 *   repay    repays debt with its proceeds
 *   both     borrows and repays
 */
export const borrowModes = ['none', 'borrow', 'repay', 'both'] as const
export type BorrowMode = (typeof borrowModes)[number]

/**
 * One tier by the value of a loan: up to `loanMax` (USDT units) at most this leverage, with liquidation at this ratio of assets
 * to debt.
 */
export type MarginTier = { readonly loanMax: Units; readonly leverage: number; readonly liquidationPpm: Ppm }

/**
 * Ratios are assets ÷ debt in ppm (1.18 = 1_180_000). The pool's rates are per hour in units of 1e-12, on straight lines between
 * its points.
 */
export type MarginTerms = {
  readonly isOpen: boolean
  /** Tiers of isolated accounts by the loan's value in USDT, ascending. The last covers everything above. */
  readonly tiers: readonly MarginTier[]
  /** Isolated: the warning comes this far above the liquidation ratio (ppm of debt). */
  readonly isolatedCallPpm: Ppm
  readonly crossLeverage: number
  readonly crossTransferPpm: Ppm
  readonly crossBorrowPpm: Ppm
  readonly crossCallPpm: Ppm
  readonly crossLiquidationPpm: Ppm
  /** Hourly rates at zero utilization, at the kink and at full utilization. */
  readonly rateZero: number
  readonly rateKink: number
  readonly rateFull: number
  readonly kinkPpm: Ppm
  /** Utilization at which borrowing stops. */
  readonly borrowStopPpm: Ppm
  /** Part of the interest that goes to the insurance fund. */
  readonly reservePpm: Ppm
  /** Part of the amount traded by a liquidation that goes to the insurance fund. */
  readonly liquidationFeePpm: Ppm
  /** Own money, as a part of the debt, that must remain above the liquidation threshold after an order. */
  readonly cushionPpm: Ppm
  /**
   * Part of its value for which an asset counts when a cross account borrows, opens or gives out assets: `weights` by asset, USDT
   * in full, others this part.
   */
  readonly weights: readonly MarginWeight[]
  readonly weightPpm: Ppm
  /** Part of a pool that one user may owe, all accounts together. */
  readonly userSharePpm: Ppm
  /** Smallest value of a loan and of a supply (USDT units). Smaller loans for orders are raised to it. */
  readonly loanMin: Units
  readonly supplyMin: Units
  /**
   * Limits for taking over accounts that owe more than they have, each as a part of the fund's value. The losses taken over,
   * plus a part of the carried value, may reach this: per asset, in total, and per asset within ten minutes.
   */
  readonly fundAssetPpm: Ppm
  readonly fundAllPpm: Ppm
  readonly fundFastPpm: Ppm
}

/** Part of its value, in ppm, for which an asset counts as collateral. */
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

/** Repays interest first. `amount` 0: as much as the account has and owes. */
export type Repay = {
  readonly type: 'margin.repay'
  readonly user: UserId
  readonly clientId: ClientId
  readonly market: MarketId
  readonly asset: AssetId
  readonly amount: Units
}

/** From spot into the lending pool. */
export type Supply = {
  readonly type: 'lend.supply'
  readonly user: UserId
  readonly clientId: ClientId
  readonly asset: AssetId
  readonly amount: Units
}

/** Back to spot, including earned interest. The part that the pool can't pay at once waits in a queue, first come first served. */
export type Withdraw = {
  readonly type: 'lend.withdraw'
  readonly user: UserId
  readonly clientId: ClientId
  readonly asset: AssetId
  readonly amount: Units
}

/** Removes the waiting part of a withdrawal from the queue. */
export type CancelWithdraw = {
  readonly type: 'lend.cancelWithdraw'
  readonly user: UserId
  readonly clientId: ClientId
  readonly asset: AssetId
}

export type MarginCommand = SetMarginTerms | Borrow | Repay | Supply | Withdraw | CancelWithdraw
