// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Call, CallOptions, Decimal, Millis } from '../call.ts'

export type ConvertAccepted = {
  readonly orderId: string
  readonly createTime: Millis
  /** PROCESS: the next index price decides. FAIL: the index moved too far or was missing, and nothing was converted. */
  readonly orderStatus: 'PROCESS' | 'SUCCESS' | 'FAIL'
}

export type ConvertAsset = {
  readonly asset: string
  readonly fraction: number
}

export type ConvertHistory = {
  readonly list: readonly ConvertTrade[]
  readonly startTime: Millis
  readonly endTime: Millis
  readonly limit: number
  /** Whether the span has more of them. */
  readonly moreData: boolean
}

export type ConvertOrder = {
  /** The number of the quote. */
  readonly orderId: number
  /** PROCESS: the next index price decides. FAIL: the index moved too far or was missing, and nothing was converted. */
  readonly orderStatus: 'PROCESS' | 'SUCCESS' | 'FAIL'
  readonly fromAsset: string
  readonly fromAmount: Decimal
  readonly toAsset: string
  readonly toAmount: Decimal
  readonly ratio: Decimal
  readonly inverseRatio: Decimal
  readonly createTime: Millis
}

export type ConvertPair = {
  readonly fromAsset: string
  readonly toAsset: string
  readonly fromAssetMinAmount: Decimal
  readonly fromAssetMaxAmount: Decimal
  readonly toAssetMinAmount: Decimal
  readonly toAssetMaxAmount: Decimal
}

export type ConvertQuote = {
  readonly quoteId: string
  readonly ratio: Decimal
  readonly inverseRatio: Decimal
  readonly validTimestamp: Millis
  readonly toAmount: Decimal
  readonly fromAmount: Decimal
}

export type ConvertTrade = {
  readonly quoteId: string
  /** The number of the quote. */
  readonly orderId: number
  /** PROCESS: the next index price decides. FAIL: the index moved too far or was missing, and nothing was converted. */
  readonly orderStatus: 'PROCESS' | 'SUCCESS' | 'FAIL'
  readonly fromAsset: string
  readonly fromAmount: Decimal
  readonly toAsset: string
  readonly toAmount: Decimal
  readonly ratio: Decimal
  readonly inverseRatio: Decimal
  readonly createTime: Millis
}

/**
 * Coins that can be converted, each with its decimal places; none while conversions are closed.
 *
 * GET /sapi/v1/convert/assetInfo · weight 10 · a key that may read
 */
export function assets(call: Call, options?: CallOptions): Promise<readonly ConvertAsset[]> {
  return call({ method: 'GET', path: '/sapi/v1/convert/assetInfo', security: 'signed' }, {}, options)
}

export type PairsParams = {
  /** The coin that is given. */
  readonly fromAsset?: string | undefined
  /** The coin that is received. */
  readonly toAsset?: string | undefined
}

/**
 * Pairs of coins with the smallest and largest amounts at the index price. Coins without a reliable index price are left out.
 *
 * GET /sapi/v1/convert/exchangeInfo · weight 20
 */
export function pairs(call: Call, params: PairsParams = {}, options?: CallOptions): Promise<readonly ConvertPair[]> {
  return call({ method: 'GET', path: '/sapi/v1/convert/exchangeInfo' }, params, options)
}

export type QuoteParams = {
  /** The coin that is given. */
  readonly fromAsset: string
  /** The coin that is received. */
  readonly toAsset: string
  /** The sum to give. Either this or `toAmount`. */
  readonly fromAmount?: string | undefined
  /** The sum to receive. */
  readonly toAmount?: string | undefined
  /** SPOT: there is no other wallet to convert in. */
  readonly walletType?: 'SPOT' | undefined
  /** How long the quote can be accepted, such as 8s. Every value but the exchange’s own is refused. */
  readonly validTime?: string | undefined
}

/**
 * Asks for a firm quote, which replaces your open one. It moves nothing.
 *
 * POST /sapi/v1/convert/getQuote · weight 20 · a key that may trade
 */
export function quote(call: Call, params: QuoteParams, options?: CallOptions): Promise<ConvertQuote> {
  return call({ method: 'POST', path: '/sapi/v1/convert/getQuote', security: 'signed', isRepeatable: true }, params, options)
}

export type AcceptParams = {
  /** The number of your open quote. */
  readonly quoteId: number
}

/**
 * Accepts your open quote. The next index price after a short delay converts all of it or nothing.
 *
 * POST /sapi/v1/convert/acceptQuote · weight 10 · a key that may trade
 */
export function accept(call: Call, params: AcceptParams, options?: CallOptions): Promise<ConvertAccepted> {
  return call({ method: 'POST', path: '/sapi/v1/convert/acceptQuote', security: 'signed', isRepeatable: true }, params, options)
}

export type OrderParams = {
  /** Number of the order. Either this or `quoteId`. */
  readonly orderId?: number | undefined
  /** Number of the quote: the same. */
  readonly quoteId?: number | undefined
}

/**
 * One accepted quote and what became of it.
 *
 * GET /sapi/v1/convert/orderStatus · weight 10 · a key that may read
 */
export function order(call: Call, params: OrderParams = {}, options?: CallOptions): Promise<ConvertOrder> {
  return call({ method: 'GET', path: '/sapi/v1/convert/orderStatus', security: 'signed' }, params, options)
}

export type HistoryParams = {
  /** From this time on. */
  readonly startTime: number
  /** Up to this time. */
  readonly endTime: number
  /** Most items in the answer. Default: 100. */
  readonly limit?: number | undefined
}

/**
 * Quotes that you accepted within a span of at most 30 days, oldest first.
 *
 * GET /sapi/v1/convert/tradeFlow · weight 20 · a key that may read
 */
export function history(call: Call, params: HistoryParams, options?: CallOptions): Promise<ConvertHistory> {
  return call({ method: 'GET', path: '/sapi/v1/convert/tradeFlow', security: 'signed' }, params, options)
}
