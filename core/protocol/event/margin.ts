import type { Ppm, Units } from '../../money/brand.ts'
import type { MarginTerms } from '../command/margin.ts'
import type { AssetId, MarketId, OrderId, UserId } from '../ids.ts'

export type MarginTermsChanged = { readonly type: 'margin.terms'; readonly terms: MarginTerms }

export const loanCauses = ['borrow', 'auto-borrow', 'repay', 'auto-repay', 'interest', 'liquidation', 'insurance'] as const
export type LoanCause = (typeof loanCauses)[number]

/** A debt after a change. `market` 0: cross. The debt is `principal` + `interest`. */
export type LoanChanged = {
  readonly type: 'margin.loan'
  readonly user: UserId
  readonly market: MarketId
  readonly asset: AssetId
  readonly cause: LoanCause
  /** Positive: the debt grew. */
  readonly delta: Units
  readonly principal: Units
  readonly interest: Units
}

export const marginStates = ['safe', 'watch', 'liquidating'] as const
export type MarginState = (typeof marginStates)[number]

/** The level of an account crossed a threshold. Level: assets ÷ debt in ppm, at most 2^52, which is also the level without debt. */
export type MarginLevelChanged = {
  readonly type: 'margin.level'
  readonly user: UserId
  readonly market: MarketId
  readonly state: MarginState
  readonly levelPpm: Ppm
}

/**
 * One step of a liquidation: order `order` sold assets or bought back an owed one. With order 0 the insurance fund repaid or, if
 * `insured` is 0, took the account over. Level, threshold, assets and debt are those before the step; sums are USDT units at index
 * prices.
 */
export type MarginLiquidated = {
  readonly type: 'margin.liquidated'
  readonly user: UserId
  readonly market: MarketId
  readonly order: OrderId
  readonly levelPpm: Ppm
  readonly liquidationPpm: Ppm
  readonly assets: Units
  readonly debt: Units
  readonly fee: Units
  readonly insured: Units
}

/**
 * The pool of an asset after a change: all claims of lenders, all debts of borrowers, and the hourly rate of a loan taken now, in
 * 1e-12.
 */
export type PoolChanged = {
  readonly type: 'lend.pool'
  readonly asset: AssetId
  readonly supplied: Units
  readonly borrowed: Units
  readonly queued: Units
  readonly rate: number
  /** Interest per unit supplied since the pool was opened, in 1e-12, rounded down. */
  readonly index: number
}

/** A lender's claim after a change. `earned`: interest added to the claim by this command. */
export type ClaimChanged = {
  readonly type: 'lend.claim'
  readonly user: UserId
  readonly asset: AssetId
  readonly claim: Units
  readonly earned: Units
  /** The part that waits in the queue for withdrawal. */
  readonly queued: Units
}

export type MarginEvent = MarginTermsChanged | LoanChanged | MarginLevelChanged | MarginLiquidated | PoolChanged | ClaimChanged
