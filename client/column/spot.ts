import type { CancelScope } from '@candor/core/protocol/command/spot.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type {
  WireAmend,
  WireFill,
  WireOcoPlaced,
  WireOrder,
  WirePlaced,
  WirePlaceOco,
  WirePlaceOrder,
} from '@candor/core/protocol/wire/spot.ts'
import { segment, type CallOptions, type Http } from '../http.ts'
import type { FillsQuery, HistoryQuery } from '../order-queries.ts'

/** The same client id with the same body gives the same order again: after an `OfflineError`, repeat it unchanged. */
export function place(http: Http, body: WirePlaceOrder, options?: CallOptions): Promise<WirePlaced> {
  return http('POST', '/spot/orders', { ...options, body })
}

export function placeOco(http: Http, body: WirePlaceOco, options?: CallOptions): Promise<WireOcoPlaced> {
  return http('POST', '/spot/orders/oco', { ...options, body })
}

/**
 * A smaller quantity at the same price keeps its place in the queue. A stop that sleeps is amended with `triggerPrice`; what the body
 * leaves out stays as it is.
 */
export function amend(http: Http, id: string, body: WireAmend, options?: CallOptions): Promise<WirePlaced> {
  return http('PATCH', `/spot/orders/${segment(id)}`, { ...options, body })
}

/** Resolves to the order as it ended. Cancelling one leg of an OCO cancels the other, too. */
export function cancel(http: Http, id: string, symbol: string, options?: CallOptions): Promise<WireOrder> {
  return http('DELETE', `/spot/orders/${segment(id)}`, { ...options, query: { symbol } })
}

/** Cancels all open orders, or those of one market, or only those of the spot account or of Margin accounts. */
export function cancelAll(http: Http, symbol?: string, only?: CancelScope, options?: CallOptions): Promise<{ readonly cancelled: number }> {
  return http('DELETE', '/spot/orders', { ...options, query: { symbol, only } })
}

export async function openOrders(http: Http, symbol?: string, options?: CallOptions): Promise<readonly WireOrder[]> {
  return (await http<{ readonly orders: readonly WireOrder[] }>('GET', '/spot/orders/open', { ...options, query: { symbol } })).orders
}

/** Closed orders, newest first. */
export function history(http: Http, query: HistoryQuery = {}, options?: CallOptions): Promise<WirePage<WireOrder>> {
  return http('GET', '/spot/orders/history', { ...options, query: { ...query } })
}

export function order(
  http: Http,
  id: string,
  options?: CallOptions,
): Promise<{ readonly order: WireOrder; readonly fills: readonly WireFill[] }> {
  return http('GET', `/spot/orders/${segment(id)}`, options)
}

/** Fills, newest first. */
export function fills(http: Http, query: FillsQuery = {}, options?: CallOptions): Promise<WirePage<WireFill>> {
  return http('GET', '/spot/fills', { ...options, query: { ...query } })
}
