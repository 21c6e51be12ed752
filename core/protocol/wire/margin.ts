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
  /** Part of its value that an asset counts for in a cross account that borrows, opens or gives: "0.95"; assets that are not listed: `otherWeight`. */
  readonly weights: readonly { readonly asset: string; readonly weight: Decimal }[]
  readonly otherWeight: Decimal
  /** Beyond the liquidation level, what an order must leave. */
  readonly cushion: Decimal
  /** Part of a pool that one user may borrow. */
  readonly userShare: Decimal
  /** Least value of a loan and of a supply, in USDT. */
  readonly loanMin: Decimal
  readonly supplyMin: Decimal
}

export type WireLoanBalance = {
  readonly asset: string
  readonly available: Decimal
  readonly held: Decimal
  readonly borrowed: Decimal
  readonly interest: Decimal
  /** More that could be borrowed by this account now. */
  readonly borrowable: Decimal
  /** Of it, what an order that gives all of the asset in the pair may borrow: a coin may count for less than what it is bought with. */
  readonly orderLoan: Decimal
  readonly hourlyRate: Decimal
}

/** One margin account: cross, or that of a market. */
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
  /** Null: none beside the terms'. */
  readonly ceiling: WireLeverageCeiling | null
}

/** GET `/margin/accounts`: the cross account, and isolated ones that hold or owe anything (and `symbol`'s, when asked for). */
export type WireMarginAccounts = { readonly accounts: readonly WireMarginAccount[] }

/** Account: `symbol` absent: cross. `amount` "all" of a repayment: what is there and owed. */
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

/** GET `/lend/pools`. Rates and `utilization` in percent; `hourlyRate` is what a loan pays that is taken now, at least what the running hour costs all; `earnRate` is what lenders get, a year at the current rate without compounding. */
export type WirePool = {
  readonly asset: string
  readonly supplied: Decimal
  readonly borrowed: Decimal
  readonly queued: Decimal
  readonly utilization: Decimal
  readonly hourlyRate: Decimal
  readonly earnRate: Decimal
}

/** GET `/lend/claims`: of assets that are lent, or were and earned something. `earned`: all interest since the user first supplied the asset; it is in `claim`, or was withdrawn. */
export type WireClaim = {
  readonly asset: string
  readonly claim: Decimal
  readonly earned: Decimal
  readonly queued: Decimal
  /** What a withdrawal could pay at once. */
  readonly liquid: Decimal
  /** What of the claim earns nothing yet: it came within the running hour and earns from `freshUntil` on. */
  readonly fresh: Decimal
  readonly freshUntil: number | null
}

export type WireSupply = { readonly clientId: string; readonly asset: string; readonly amount: Decimal }
/** GET `/lend/rates?asset`: what they were last in each hour, in percent, oldest first. `time`: when the hour began. */
export type WireRatePoint = { readonly time: number; readonly hourlyRate: Decimal; readonly utilization: Decimal }

/** GET `/margin/liquidations`: each step, newest first. `orderId` null: the insurance fund repaid, or, with `insured` 0, took the account over. Values in USDT. */
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
