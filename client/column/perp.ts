import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type {
  WireAdjustMargin,
  WireClosedPosition,
  WireFunding,
  WireFundingRate,
  WireInsurance,
  WireLiquidation,
  WirePerpAccount,
  WirePlacePerp,
  WireReverse,
  WireSetHedgeMode,
  WireSetLeverage,
  WireSetMarginMode,
} from '@candor/core/protocol/wire/perp.ts'
import type { WireAmend, WireFill, WireOrder, WirePlaced } from '@candor/core/protocol/wire/spot.ts'
import { segment, type CallOptions, type Http } from '../http.ts'
import type { FillsQuery, HistoryQuery } from '../order-queries.ts'

export { account, openOrders, prices } from './perp-desk.ts'

export type PageQuery = { readonly symbol?: string; readonly before?: string; readonly limit?: number }

/** Settled funding rates, newest first. */
export function fundingRates(http: Http, query: PageQuery = {}, options?: CallOptions): Promise<WirePage<WireFundingRate>> {
  return http('GET', '/perp/funding-rates', { ...options, query: { ...query } })
}

export function insurance(http: Http, options?: CallOptions): Promise<WireInsurance> {
  return http('GET', '/perp/insurance', options)
}

/** The same client id with the same body gives the same order again: after an `OfflineError`, repeat it unchanged. */
export function place(http: Http, body: WirePlacePerp, options?: CallOptions): Promise<WirePlaced> {
  return http('POST', '/perp/orders', { ...options, body })
}

/**
 * A smaller quantity at the same price keeps its place in the queue. An order that sleeps, as an exit does, is amended with
 * `triggerPrice`; what the body leaves out stays as it is.
 */
export function amend(http: Http, id: string, body: WireAmend, options?: CallOptions): Promise<WirePlaced> {
  return http('PATCH', `/perp/orders/${segment(id)}`, { ...options, body })
}

/** Resolves to the order as it ended. */
export function cancel(http: Http, id: string, symbol: string, options?: CallOptions): Promise<WireOrder> {
  return http('DELETE', `/perp/orders/${segment(id)}`, { ...options, query: { symbol } })
}

/** Cancels all open orders, or those of one market. */
export function cancelAll(http: Http, symbol?: string, options?: CallOptions): Promise<{ readonly cancelled: number }> {
  return http('DELETE', '/perp/orders', { ...options, query: { symbol } })
}

/** Closed orders, newest first. */
export function history(http: Http, query: HistoryQuery = {}, options?: CallOptions): Promise<WirePage<WireOrder>> {
  return http('GET', '/perp/orders/history', { ...options, query: { ...query } })
}

export function order(
  http: Http,
  id: string,
  options?: CallOptions,
): Promise<{ readonly order: WireOrder; readonly fills: readonly WireFill[] }> {
  return http('GET', `/perp/orders/${segment(id)}`, options)
}

/** Fills, newest first. */
export function fills(http: Http, query: FillsQuery = {}, options?: CallOptions): Promise<WirePage<WireFill>> {
  return http('GET', '/perp/fills', { ...options, query: { ...query } })
}

/** Closes the position and opens the opposite one of the same size, at the market. */
export function reverse(http: Http, body: WireReverse, options?: CallOptions): Promise<WirePlaced> {
  return http('POST', '/perp/reverse', { ...options, body })
}

export function setLeverage(http: Http, body: WireSetLeverage, options?: CallOptions): Promise<WirePerpAccount> {
  return http('POST', '/perp/leverage', { ...options, body })
}

export function setMarginMode(http: Http, body: WireSetMarginMode, options?: CallOptions): Promise<WirePerpAccount> {
  return http('POST', '/perp/margin-mode', { ...options, body })
}

export function setHedgeMode(http: Http, body: WireSetHedgeMode, options?: CallOptions): Promise<WirePerpAccount> {
  return http('POST', '/perp/hedge-mode', { ...options, body })
}

/** Adds margin to an isolated position, or removes some. */
export function adjustMargin(http: Http, body: WireAdjustMargin, options?: CallOptions): Promise<WirePerpAccount> {
  return http('POST', '/perp/margin', { ...options, body })
}

/** Both bounds in milliseconds and included. */
export type TimedQuery = PageQuery & { readonly from?: number; readonly to?: number }

/** Closed positions, newest first. */
export function closedPositions(http: Http, query: TimedQuery = {}, options?: CallOptions): Promise<WirePage<WireClosedPosition>> {
  return http('GET', '/perp/positions/closed', { ...options, query: { ...query } })
}

/** Funding received and paid, newest first. */
export function funding(http: Http, query: TimedQuery = {}, options?: CallOptions): Promise<WirePage<WireFunding>> {
  return http('GET', '/perp/funding', { ...options, query: { ...query } })
}

/** The steps of one liquidation, with all values that decided them. */
export function liquidation(http: Http, positionId: string, options?: CallOptions): Promise<WireLiquidation> {
  return http('GET', `/perp/liquidations/${segment(positionId)}`, options)
}
