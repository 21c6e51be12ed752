import type { Decimal } from '../../money/brand.ts'
import type { WireLeverageCeiling } from './user.ts'
import type { LoanCause, MarginState } from '../event/margin.ts'

export type { WireMarginOrder } from './order.ts'

/** GET `/margin/terms`. Ratios and rates as decimal text: "1.18"; hourly rates in percent: "0.0005". */
export type WireMarginTerms = {
  readonly isOpen: boolean
  readonly tiers: readonly { readonly loanMax: Decimal; readonly leverage: number; readonly liquidationLevel: Decimal }[]
  readonly isolatedCall: Decimal
  readonly crossLeverage: number
  readonly crossTransfer: Decimal
  readonly crossBorrow: Decimal
  readonly crossCall: Decimal
  readonly crossLiquidation: Decimal
  readonly kink: Decimal
  readonly borrowStop: Decimal
  readonly rateZero: Decimal
  readonly rateKink: Decimal
  readonly rateFull: Decimal
  readonly reserve: Decimal
  /**
   * Part of its value for which an asset counts when a cross account borrows, opens or gives out assets, such as "0.95". Assets
   * not listed count `otherWeight`.
   */
  readonly weights: readonly { readonly asset: string; readonly weight: Decimal }[]
  readonly otherWeight: Decimal
  /** Own money, as a part of the debt, that must remain above the liquidation level after an order. */
  readonly cushion: Decimal
  /** Part of a pool that one user may borrow. */
  readonly userShare: Decimal
  /** Smallest value of a loan and of a supply, in USDT. */
  readonly loanMin: Decimal
  readonly supplyMin: Decimal
}

export type WireLoanBalance = {
  readonly asset: string
  readonly available: Decimal
  readonly held: Decimal
  readonly borrowed: Decimal
  readonly interest: Decimal
  /** Further amount that this account could borrow now. */
  readonly borrowable: Decimal
  /**
   * The part of `borrowable` that an order in the pair may borrow when it gives all of the asset. It may be smaller, because the
   * coin that the order buys may count for less than the asset that it gives.
   */
  readonly orderLoan: Decimal
  readonly hourlyRate: Decimal
}

/** One margin account: the cross account, or the account of a market. */
export type WireMarginAccount = {
  readonly kind: 'margin-cross' | 'margin-isolated'
  /** Of an isolated account. */
  readonly symbol?: string
  readonly balances: readonly WireLoanBalance[]
  /** In USDT at index prices. */
  readonly assetsUsdt: Decimal
  readonly debtUsdt: Decimal
  /** assets ÷ debt, two digits; null without debt. */
  readonly level: Decimal | null
  readonly state: MarginState
  readonly callLevel: Decimal
  readonly liquidationLevel: Decimal
  /** Isolated: index price of the pair at which it is liquidated. */
  readonly liquidationPrice: Decimal | null
  /** Null: no ceiling besides the terms. */
  readonly ceiling: WireLeverageCeiling | null
}

/** GET `/margin/accounts`: the cross account and the isolated accounts that hold or owe anything, plus that of `symbol` if given. */
export type WireMarginAccounts = { readonly accounts: readonly WireMarginAccount[] }

/** `symbol` absent: the cross account. `amount` "all" in a repayment: as much as the account has and owes. */
export type WireBorrow = { readonly clientId: string; readonly symbol?: string; readonly asset: string; readonly amount: Decimal }
export type WireRepay = { readonly clientId: string; readonly symbol?: string; readonly asset: string; readonly amount: Decimal | 'all' }

/** GET `/margin/loans`: every change of a debt, newest first. */
export type WireLoanRecord = {
  readonly id: string
  readonly symbol?: string
  readonly asset: string
  readonly cause: LoanCause
  readonly amount: Decimal
  readonly principal: Decimal
  readonly interest: Decimal
  readonly time: number
}

/**
 * GET `/lend/pools`. Rates and `utilization` in percent. `hourlyRate`: of a loan taken now, at least the running hour's rate for all
 * borrowers. `earnRate`: the rate of lenders per year at the current rate, without compounding.
 */
export type WirePool = {
  readonly asset: string
  readonly supplied: Decimal
  readonly borrowed: Decimal
  readonly queued: Decimal
  readonly utilization: Decimal
  readonly hourlyRate: Decimal
  readonly earnRate: Decimal
}

/**
 * GET `/lend/claims`: assets that the user lends, or lent and earned on. `earned`: all interest since the user first supplied the
 * asset; it is part of `claim` or was withdrawn.
 */
export type WireClaim = {
  readonly asset: string
  readonly claim: Decimal
  readonly earned: Decimal
  readonly queued: Decimal
  /** Amount that a withdrawal could pay at once. */
  readonly liquid: Decimal
  /** The part of the claim that earns nothing yet: it was supplied in the running hour and earns from `freshUntil` on. */
  readonly fresh: Decimal
  readonly freshUntil: number | null
}

export type WireSupply = { readonly clientId: string; readonly asset: string; readonly amount: Decimal }
/** GET `/lend/rates?asset`: the last rates of each hour, in percent, oldest first. `time`: start of the hour. */
export type WireRatePoint = { readonly time: number; readonly hourlyRate: Decimal; readonly utilization: Decimal }

/**
 * GET `/margin/liquidations`: each step, newest first. `orderId` null: the insurance fund repaid or, with `insured` 0, took the
 * account over. Values in USDT.
 */
export type WireMarginLiquidation = {
  readonly id: string
  readonly symbol?: string
  readonly orderId: string | null
  readonly level: Decimal
  readonly liquidationLevel: Decimal
  readonly assetsUsdt: Decimal
  readonly debtUsdt: Decimal
  readonly fee: Decimal
  readonly insured: Decimal
  readonly time: number
}
