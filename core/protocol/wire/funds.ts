import type { Decimal } from '../../money/brand.ts'
import type { AccountKind } from '../account.ts'

export type WireBalance = { readonly asset: string; readonly available: Decimal; readonly held: Decimal }
export type WireAccount = {
  readonly kind: AccountKind
  /** Of an isolated margin account: its market. */
  readonly symbol?: string
  readonly balances: readonly WireBalance[]
  /** Contract account: unrealised profit at mark prices. Margin accounts: what is owed, in USDT, above zero. */
  readonly unrealisedUsdt?: Decimal
  readonly debtUsdt?: Decimal
}
export type WireBalances = {
  readonly accounts: readonly WireAccount[]
  /** Everything at last prices, in USDT, and what it was at 00:00 UTC with deposits and withdrawals taken out (null: nothing yet). */
  readonly totalUsdt: Decimal
  readonly todayProfitUsdt: Decimal | null
}

export type WireTransfer = {
  readonly clientId: string
  readonly asset: string
  readonly from: AccountKind
  readonly to: AccountKind
  /** Market of an isolated margin account on either side. */
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
  readonly status: 'completed'
  readonly time: number
  /** Of a trade and what came with it; and of all that happened in an isolated margin account, its market. */
  readonly symbol?: string
  readonly orderId?: string
}

/** Newest first. `next` goes into `before` of the next request; absent: the end. */
export type WirePage<T> = { readonly items: readonly T[]; readonly next?: string }

/** GET `/transfer/preview?from&to&asset&amount&symbol`: what would be left, and what it does to margin. */
export type WireTransferPreview = {
  readonly available: Decimal
  readonly max: Decimal
  /** Contract account: nearest liquidation price of a cross position; margin account: level. Null where it has none. */
  readonly before: WireTransferEffect
  readonly after: WireTransferEffect
}
export type WireTransferEffect = {
  readonly level: Decimal | null
  readonly liquidations: readonly { readonly symbol: string; readonly price: Decimal | null }[]
}

/** GET `/profit?days`: value at the end of each UTC day less what came in from outside, oldest first, today last. */
export type WireProfit = {
  readonly days: readonly { readonly day: string; readonly totalUsdt: Decimal; readonly profitUsdt: Decimal }[]
}
