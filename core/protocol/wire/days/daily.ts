/** The day of a customer: profit by account, and the statement of a UTC day. */
import type { Decimal } from '../../../money/brand.ts'
import type { AccountKind } from '../../account.ts'

/** Accounts as customers know them: both kinds of Margin are one. */
export const dailyAccounts = ['spot', 'perp', 'margin', 'option', 'lend'] as const
export type DailyAccount = (typeof dailyAccounts)[number]

/**
 * GET `/daily/profit?month`. Profit of a day: value of the accounts at its end, less their value at the end of the day before, less
 * what was deposited, withdrawn, posted or given for practice, and for one account also less what was transferred into it. Null
 * while a price for that is missing.
 */
export type WireDailyProfit = {
  readonly month: string
  readonly days: readonly WireProfitDay[]
}
export type WireProfitDay = {
  /** "2026-11-27", by UTC. The day that is not over yet is valued now. */
  readonly day: string
  readonly totalUsdt: Decimal | null
  readonly profitUsdt: Decimal | null
  readonly accounts: { readonly [A in DailyAccount]: Decimal | null }
}

/** What can move a balance during a day. `transfers` are between accounts of the customer; `loans` are borrowed and repaid, `commission` is
 * that of invitees. */
export const statementLines = [
  'deposits',
  'withdrawals',
  'practice',
  'adjustments',
  'moves',
  'transfers',
  'trades',
  'fees',
  'commission',
  'funding',
  'interest',
  'loans',
] as const
export type StatementLine = (typeof statementLines)[number]

/** `opening` plus all lines is `closing`, to the unit. */
export type WireStatementCoin = {
  readonly asset: string
  readonly opening: Decimal
  readonly lines: { readonly [L in StatementLine]: Decimal }
  readonly closing: Decimal
}

/** What a Margin account owes: `opening` + `borrowed` + `interest` − `repaid` is `closing`, to the unit. */
export type WireStatementDebt = {
  readonly asset: string
  readonly opening: Decimal
  readonly borrowed: Decimal
  readonly interest: Decimal
  readonly repaid: Decimal
  readonly closing: Decimal
}

/**
 * Values in USDT. `opening` + `net` + `transfers` + `profit` is `closing`. What came in or went out counts at the price before it.
 * Fees, funding and interest count at the closing price; `trading` is the rest of the profit: trades and changes of prices.
 */
export type WireStatementValue = {
  readonly opening: Decimal
  readonly net: Decimal
  readonly transfers: Decimal
  readonly fees: Decimal
  readonly funding: Decimal
  readonly interest: Decimal
  readonly trading: Decimal
  readonly profit: Decimal
  readonly closing: Decimal
  /** Profit of open Futures positions inside the values. */
  readonly openProfit: { readonly opening: Decimal; readonly closing: Decimal }
  /** Sums that wait in presales, inside the values. */
  readonly pledged: { readonly opening: Decimal; readonly closing: Decimal }
}

export type WireStatementSums = {
  readonly coins: readonly WireStatementCoin[]
  readonly debts: readonly WireStatementDebt[]
  /** Null while a price is missing. */
  readonly value: WireStatementValue | null
}
export type WireStatementAccount = WireStatementSums & {
  readonly kind: AccountKind
  /** The market of an isolated Margin account. */
  readonly symbol?: string
}

/** A price that values a balance: the close of a minute of a spot market, or that of a presale while there is none. */
export type WireUsedPrice = {
  readonly price: Decimal
  /** The minute's beginning; of a presale, the moment at which its tokens were allocated. */
  readonly minute: number
  readonly symbol: string
  /** Reference history from before the market's first own trade. */
  readonly isReference: boolean
  readonly isPresale: boolean
}

/** GET `/daily/statement?day`. */
export type WireStatement = {
  readonly day: string
  /** False until the day is over. */
  readonly isFinal: boolean
  readonly accounts: readonly WireStatementAccount[]
  readonly total: WireStatementSums
  /** Of all coins of the statement but USDT, which counts as 1. */
  readonly prices: readonly { readonly asset: string; readonly opening: WireUsedPrice | null; readonly closing: WireUsedPrice | null }[]
}
