/** Requests that every screen of Futures sends first. The file is small, so that a desk's first load contains no more of the column. */
import type { WireMark, WirePerpAccount } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { CallOptions, Http } from '../http.ts'

/** Mark, index and funding of every Futures market. */
export async function prices(http: Http, options?: CallOptions): Promise<readonly WireMark[]> {
  return (await http<{ readonly marks: readonly WireMark[] }>('GET', '/perp/prices', options)).marks
}

/** Free margin, settings and open positions. */
export function account(http: Http, options?: CallOptions): Promise<WirePerpAccount> {
  return http('GET', '/perp/account', options)
}

export async function openOrders(http: Http, symbol?: string, options?: CallOptions): Promise<readonly WireOrder[]> {
  return (await http<{ readonly orders: readonly WireOrder[] }>('GET', '/perp/orders/open', { ...options, query: { symbol } })).orders
}
