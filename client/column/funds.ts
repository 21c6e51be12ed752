import type { AccountKind } from '@candor/core/protocol/account.ts'
import type {
  WireBalances,
  WireCost,
  WireFaucet,
  WirePage,
  WireProfit,
  WireRecord,
  WireRecordSum,
  WireTransfer,
  WireTransferPreview,
} from '@candor/core/protocol/wire/funds.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { CallOptions, Http } from '../http.ts'

export function balances(http: Http, options?: CallOptions): Promise<WireBalances> {
  return http('GET', '/balances', options)
}

export type RecordSumsQuery = {
  readonly type?: WireRecord['type']
  readonly asset?: string
  readonly account?: AccountKind
  /** In milliseconds, both inclusive. */
  readonly from?: number
  readonly to?: number
}
export type RecordsQuery = RecordSumsQuery & {
  /** `next` of the previous page. */
  readonly before?: string
  readonly limit?: number
}

/** Records of money into and out of the user's accounts, newest first. */
export function records(http: Http, query: RecordsQuery = {}, options?: CallOptions): Promise<WirePage<WireRecord>> {
  return http('GET', '/records', { ...options, query: { ...query } })
}

/** What came in and went out by asset, over all records of a filter. Own transfers count only for one account or for their type. */
export function recordSums(http: Http, query: RecordSumsQuery = {}, options?: CallOptions): Promise<readonly WireRecordSum[]> {
  return http('GET', '/records/sums', { ...options, query: { ...query } })
}

export function transfer(http: Http, body: WireTransfer, options?: CallOptions): Promise<{ readonly id: string }> {
  return http('POST', '/transfer', { ...options, body })
}

export type TransferPreviewQuery = {
  readonly from: AccountKind
  readonly to: AccountKind
  readonly asset: string
  readonly amount: Decimal
  /** Market of the isolated Margin account, if one side is isolated. */
  readonly symbol?: string
}

/** The balance that a transfer would leave, and its effect on margins; moves nothing. */
export function transferPreview(http: Http, query: TransferPreviewQuery, options?: CallOptions): Promise<WireTransferPreview> {
  return http('GET', '/transfer/preview', { ...options, query: { ...query } })
}

/** Value and profit by UTC day, oldest first, today last. `days`: 1 to 365. */
export function profit(http: Http, query: { readonly days: number }, options?: CallOptions): Promise<WireProfit> {
  return http('GET', '/profit', { ...options, query: { ...query } })
}

/** Average cost and realised profit of each coin, over all accounts. */
export function costs(http: Http, options?: CallOptions): Promise<readonly WireCost[]> {
  return http('GET', '/costs', options)
}

/** Credits practice funds; sandbox only. */
export function faucet(http: Http, body: WireFaucet, options?: CallOptions): Promise<{ readonly asset: string; readonly amount: Decimal }> {
  return http('POST', '/sandbox/faucet', { ...options, body })
}
