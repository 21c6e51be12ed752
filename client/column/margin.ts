import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type {
  WireBorrow,
  WireClaim,
  WireLoanRecord,
  WireMarginAccount,
  WireMarginAccounts,
  WireMarginLiquidation,
  WireMarginTerms,
  WirePool,
  WireRatePoint,
  WireRepay,
  WireSupply,
} from '@candor/core/protocol/wire/margin.ts'
import type { CallOptions, Http } from '../http.ts'

/** Margin levels, tiers and rates of margin trading. */
export function terms(http: Http, options?: CallOptions): Promise<WireMarginTerms> {
  return http('GET', '/margin/terms', options)
}

/** The cross account first, then isolated accounts with a balance or debt, and the one of `symbol`. */
export async function accounts(http: Http, symbol?: string, options?: CallOptions): Promise<readonly WireMarginAccount[]> {
  return (await http<WireMarginAccounts>('GET', '/margin/accounts', { ...options, query: { symbol } })).accounts
}

/**
 * Resolves to the account afterwards. The same client id with the same body borrows once: after an `OfflineError`, repeat it
 * unchanged.
 */
export function borrow(http: Http, body: WireBorrow, options?: CallOptions): Promise<WireMarginAccount> {
  return http('POST', '/margin/borrow', { ...options, body })
}

/** Repays interest first. Resolves to the account afterwards. */
export function repay(http: Http, body: WireRepay, options?: CallOptions): Promise<WireMarginAccount> {
  return http('POST', '/margin/repay', { ...options, body })
}

export type LoansQuery = {
  /** Only this isolated account; default: all accounts. */
  readonly symbol?: string
  readonly asset?: string
  /** `next` of the previous page. */
  readonly before?: string
  readonly limit?: number
}

/** Every change of a debt, newest first. */
export function loans(http: Http, query: LoansQuery = {}, options?: CallOptions): Promise<WirePage<WireLoanRecord>> {
  return http('GET', '/margin/loans', { ...options, query: { ...query } })
}

/** Steps of liquidations, newest first. */
export function liquidations(
  http: Http,
  query: { readonly before?: string; readonly limit?: number } = {},
  options?: CallOptions,
): Promise<WirePage<WireMarginLiquidation>> {
  return http('GET', '/margin/liquidations', { ...options, query: { ...query } })
}

export async function pools(http: Http, options?: CallOptions): Promise<readonly WirePool[]> {
  return (await http<{ readonly pools: readonly WirePool[] }>('GET', '/lend/pools', options)).pools
}

/** Hourly rates, oldest first, the current hour last. `limit`: 1 to 1000, a week by default. */
export async function rates(
  http: Http,
  query: { readonly asset: string; readonly limit?: number },
  options?: CallOptions,
): Promise<readonly WireRatePoint[]> {
  return (await http<{ readonly points: readonly WireRatePoint[] }>('GET', '/lend/rates', { ...options, query: { ...query } })).points
}

/** The user's claims on lending pools. */
export async function claims(http: Http, options?: CallOptions): Promise<readonly WireClaim[]> {
  return (await http<{ readonly claims: readonly WireClaim[] }>('GET', '/lend/claims', options)).claims
}

/** Lends from the spot account to the pool. Resolves to the claim afterwards. */
export function supply(http: Http, body: WireSupply, options?: CallOptions): Promise<WireClaim> {
  return http('POST', '/lend/supply', { ...options, body })
}

/**
 * Withdraws from the pool to the spot account: an amount that the pool can't pay at once waits in its queue. Resolves to the
 * claim afterwards.
 */
export function withdraw(http: Http, body: WireSupply, options?: CallOptions): Promise<WireClaim> {
  return http('POST', '/lend/withdraw', { ...options, body })
}

/** Cancels the part of a withdrawal that still waits in the queue. Resolves to the claim afterwards. */
export function cancelWithdraw(
  http: Http,
  query: { readonly asset: string; readonly clientId: string },
  options?: CallOptions,
): Promise<WireClaim> {
  return http('DELETE', '/lend/withdraw', { ...options, query: { ...query } })
}
