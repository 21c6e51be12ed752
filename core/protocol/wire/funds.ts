import type { Decimal } from '../../money/brand.ts'
import type { AccountKind } from '../account.ts'

export type WireBalance = { readonly asset: string; readonly available: Decimal; readonly held: Decimal }
export type WireAccount = {
  readonly kind: AccountKind
  /** Market of an isolated margin account. */
  readonly symbol?: string
  readonly balances: readonly WireBalance[]
  /** Futures account: unrealised profit at mark prices. Margin accounts: debt in USDT, positive. */
  readonly unrealisedUsdt?: Decimal
  readonly debtUsdt?: Decimal
}
export type WireBalances = {
  readonly accounts: readonly WireAccount[]
  /** Total value at last prices, in USDT, and at 00:00 UTC adjusted for deposits and withdrawals since (null: no value yet). */
  readonly totalUsdt: Decimal
  readonly todayProfitUsdt: Decimal | null
}

export type WireTransfer = {
  readonly clientId: string
  readonly asset: string
  readonly from: AccountKind
  readonly to: AccountKind
  /** Market of the isolated margin account, if one side is isolated. */
  readonly symbol?: string
  readonly amount: Decimal
}
export type WireFaucet = { readonly clientId: string; readonly asset: string }

export const recordTypes = [
  'faucet',
  'transfer',
  'trade',
  'fee',
  'realised',
  'funding',
  'liquidation-fee',
  'insurance',
  'deleverage',
  'borrow',
  'repay',
  'interest',
  'supply',
  'withdraw',
  'stake',
  'payout',
  'posting',
  'deposit',
  'deposit-reversed',
  'deposit-debt',
  'withdrawal',
  'withdrawal-fee',
  'convert',
  'hedge',
  'referral',
  'presale-subscribe',
  'presale-refund',
  'presale-allocate',
  'presale-release',
  'firm-move',
] as const
export type RecordType = (typeof recordTypes)[number]

/** A line of `/propertyRecord`. */
export type WireRecord = {
  /** Order number: journal position and line, e.g. "10482-3". */
  readonly id: string
  readonly type: RecordType
  readonly account: AccountKind
  readonly asset: string
  readonly amount: Decimal
  readonly balance: Decimal
  /** Of a presale release: the tokens that became free. They were in the balance before, so the amount is 0. */
  readonly released?: Decimal
  readonly status: 'completed'
  readonly time: number
  /** The market, for trades and their fees, and for everything in an isolated margin account. */
  readonly symbol?: string
  readonly orderId?: string
}

/** GET `/records/sums`: what came in and went out of one asset, both as positive amounts. */
export type WireRecordSum = { readonly asset: string; readonly in: Decimal; readonly out: Decimal }

/** Newest first. Pass `next` as `before` to get the next page; absent: there is no more. */
export type WirePage<T> = { readonly items: readonly T[]; readonly next?: string }

/** GET `/transfer/preview?from&to&asset&amount&symbol`: the balance left, and the effect on margin. */
export type WireTransferPreview = {
  readonly available: Decimal
  readonly max: Decimal
  /** Futures account: nearest liquidation price of a cross position. Margin account: level. Null if the account has none. */
  readonly before: WireTransferEffect
  readonly after: WireTransferEffect
}
export type WireTransferEffect = {
  readonly level: Decimal | null
  readonly liquidations: readonly { readonly symbol: string; readonly price: Decimal | null }[]
}

/**
 * GET `/profit?days`: value at the end of each UTC day less money that came in from outside, oldest first, today last. Null where a price
 * is missing.
 */
export type WireProfit = {
  readonly days: readonly { readonly day: string; readonly totalUsdt: Decimal | null; readonly profitUsdt: Decimal | null }[]
}

/**
 * Cost and profit of a coin, over all accounts of the user. Sums are in USDT; USDT itself has no cost. `average`: USDT per coin; null
 * while nothing is held, or a part of it came at no known price. `debt`: coins owed, worth `debtCost` when they were borrowed.
 */
export type WireCost = {
  readonly asset: string
  readonly quantity: Decimal
  readonly average: Decimal | null
  readonly cost: Decimal
  readonly realised: Decimal
  readonly debt: Decimal
  readonly debtCost: Decimal
}
