import type { WireBalances, WireFaucet, WirePage, WireRecord, WireTransfer } from '@candor/core/protocol/wire/funds.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { CallOptions, Http } from '../http.ts'

export function balances(http: Http, options?: CallOptions): Promise<WireBalances> {
  return http('GET', '/balances', options)
}

export type RecordsQuery = {
  readonly type?: WireRecord['type']
  readonly asset?: string
  /** Milliseconds, from inclusive, to exclusive. */
  readonly from?: number
  readonly to?: number
  /** `next` of the page before. */
  readonly before?: string
  readonly limit?: number
}

/** Newest first. */
export function records(http: Http, query: RecordsQuery = {}, options?: CallOptions): Promise<WirePage<WireRecord>> {
  return http('GET', '/records', { ...options, query: { ...query } })
}

export function transfer(http: Http, body: WireTransfer, options?: CallOptions): Promise<{ readonly id: string }> {
  return http('POST', '/transfer', { ...options, body })
}

/** Practice money; sandbox only. */
export function faucet(http: Http, body: WireFaucet, options?: CallOptions): Promise<{ readonly asset: string; readonly amount: Decimal }> {
  return http('POST', '/sandbox/faucet', { ...options, body })
}
