import type { Decimal } from '../../money/brand.ts'
import type { AccountKind } from '../account.ts'

export type WireBalance = { readonly asset: string; readonly available: Decimal; readonly held: Decimal }
export type WireAccount = { readonly kind: AccountKind; readonly balances: readonly WireBalance[] }
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
  readonly amount: Decimal
}
export type WireFaucet = { readonly clientId: string; readonly asset: string }

/** A line of `/propertyRecord`. */
export type WireRecord = {
  /** Order number: journal position and line, e.g. "10482-3". */
  readonly id: string
  readonly type: 'faucet' | 'transfer' | 'trade' | 'fee'
  readonly account: AccountKind
  readonly asset: string
  readonly amount: Decimal
  readonly balance: Decimal
  readonly status: 'completed'
  readonly time: number
  /** Set for trade and fee. */
  readonly symbol?: string
  readonly orderId?: string
}

/** Newest first. `next` goes into `before` of the next request; absent: the end. */
export type WirePage<T> = { readonly items: readonly T[]; readonly next?: string }
