import type { WireAlgo, WirePlaceAlgo } from '@candor/core/protocol/wire/algo/algo.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import { segment, type CallOptions, type Http } from '../http.ts'

/** The same client id with the same body gives the same order again: after an `OfflineError`, repeat it unchanged. */
export function place(http: Http, body: WirePlaceAlgo, options?: CallOptions): Promise<WireAlgo> {
  return http('POST', '/algo/orders', { ...options, body })
}

/** Ends the order and cancels its open orders. Refused with `ALGO_UNKNOWN` once it has ended. */
export function cancel(http: Http, id: string, options?: CallOptions): Promise<WireAlgo> {
  return http('DELETE', `/algo/orders/${segment(id)}`, options)
}

/** Running TWAP and scaled orders, newest first. */
export async function running(http: Http, options?: CallOptions): Promise<readonly WireAlgo[]> {
  return (await http<{ readonly orders: readonly WireAlgo[] }>('GET', '/algo/orders', options)).orders
}

/** Those that have ended, latest placed first. `before`: `next` of the previous page. */
export function history(
  http: Http,
  query: { readonly before?: string; readonly limit?: number } = {},
  options?: CallOptions,
): Promise<WirePage<WireAlgo>> {
  return http('GET', '/algo/orders/history', { ...options, query: { ...query } })
}

export function order(http: Http, id: string, options?: CallOptions): Promise<WireAlgo> {
  return http('GET', `/algo/orders/${segment(id)}`, options)
}
