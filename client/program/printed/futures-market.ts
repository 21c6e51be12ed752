// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Call, CallOptions, Decimal, Millis } from '../call.ts'
import type { Kline, Nothing, PriceLevel, RateLimit, ServerTime } from './shared.ts'

export type CoinMarginedInfo = {
  readonly timezone: 'UTC'
  readonly serverTime: Millis
  readonly rateLimits: readonly RateLimit[]
  readonly exchangeFilters: readonly never[]
  readonly symbols: readonly never[]
}

export type Contract = {
  readonly symbol: string
  readonly pair: string
  readonly contractType: 'PERPETUAL'
  readonly deliveryDate: Millis
  readonly onboardDate: Millis
  readonly status: 'TRADING' | 'HALT' | 'BREAK'
  readonly maintMarginPercent: Decimal
  readonly requiredMarginPercent: Decimal
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly marginAsset: string
  readonly pricePrecision: number
  readonly quantityPrecision: number
  readonly baseAssetPrecision: number
  readonly quotePrecision: number
  readonly underlyingType: string
  readonly underlyingSubType: readonly string[]
  readonly triggerProtect: Decimal
  readonly liquidationFee: Decimal
  readonly marketTakeBound: Decimal
  readonly orderTypes: readonly string[]
  readonly timeInForce: readonly string[]
  readonly filters: readonly ContractFilter[]
}

export type ContractAggregateTrade = {
  /** Number of the aggregate: that of its first trade. */
  readonly a: number
  readonly p: Decimal
  readonly q: Decimal
  /** Number of the first trade. */
  readonly f: number
  /** Number of the last trade. */
  readonly l: number
  readonly T: Millis
  /** Whether the buyer was the maker. */
  readonly m: boolean
}

export type ContractBookTicker = {
  readonly symbol: string
  readonly bidPrice: Decimal
  readonly bidQty: Decimal
  readonly askPrice: Decimal
  readonly askQty: Decimal
  readonly time: Millis
  readonly lastUpdateId: number
}

export type ContractDayTicker = {
  readonly symbol: string
  readonly openPrice: Decimal
  readonly highPrice: Decimal
  readonly lowPrice: Decimal
  readonly lastPrice: Decimal
  readonly volume: Decimal
  readonly quoteVolume: Decimal
  readonly openTime: Millis
  readonly closeTime: Millis
  /** -1 without trades. */
  readonly firstId: number
  readonly lastId: number
  readonly count: number
  readonly priceChange: Decimal
  readonly priceChangePercent: Decimal
  readonly weightedAvgPrice: Decimal
  readonly lastQty: Decimal
}

export type ContractDepth = {
  readonly lastUpdateId: number
  readonly E: Millis
  readonly T: Millis
  readonly bids: readonly PriceLevel[]
  readonly asks: readonly PriceLevel[]
}

export type ContractFilter =
  | {
      readonly filterType: 'PRICE_FILTER'
      readonly minPrice: Decimal
      readonly maxPrice: Decimal
      readonly tickSize: Decimal
    }
  | {
      readonly filterType: 'LOT_SIZE' | 'MARKET_LOT_SIZE'
      readonly minQty: Decimal
      readonly maxQty: Decimal
      readonly stepSize: Decimal
    }
  | {
      readonly filterType: 'MAX_NUM_ORDERS' | 'MAX_NUM_ALGO_ORDERS'
      readonly limit: number
    }
  | {
      readonly filterType: 'MIN_NOTIONAL'
      readonly notional: Decimal
    }
  | {
      readonly filterType: 'PERCENT_PRICE'
      readonly multiplierUp: Decimal
      readonly multiplierDown: Decimal
      readonly multiplierDecimal: string
    }

export type ContractInfo = {
  readonly timezone: 'UTC'
  readonly serverTime: Millis
  readonly rateLimits: readonly RateLimit[]
  readonly exchangeFilters: readonly never[]
  readonly futuresType: string
  readonly assets: readonly MarginAsset[]
  readonly symbols: readonly Contract[]
}

export type ContractPriceTicker = {
  readonly symbol: string
  readonly price: Decimal
  readonly time: Millis
}

export type ContractTrade = {
  readonly id: number
  readonly price: Decimal
  readonly qty: Decimal
  readonly quoteQty: Decimal
  readonly time: Millis
  readonly isBuyerMaker: boolean
}

export type FundingInfo = {
  readonly symbol: string
  readonly adjustedFundingRateCap: Decimal
  readonly adjustedFundingRateFloor: Decimal
  readonly fundingIntervalHours: number
  readonly disclaimer: boolean
}

export type FundingRate = {
  readonly symbol: string
  readonly fundingTime: Millis
  readonly fundingRate: Decimal
  readonly markPrice: Decimal
}

export type MarginAsset = {
  readonly asset: string
  readonly marginAvailable: boolean
  readonly autoAssetExchange: Decimal
}

export type OpenInterest = {
  readonly symbol: string
  readonly openInterest: Decimal
  readonly time: Millis
}

export type PremiumIndex = {
  readonly symbol: string
  readonly markPrice: Decimal
  readonly indexPrice: Decimal
  readonly estimatedSettlePrice: Decimal
  readonly lastFundingRate: Decimal
  readonly interestRate: Decimal
  readonly nextFundingTime: Millis
  readonly time: Millis
}

/**
 * Tests the connection.
 *
 * GET /fapi/v1/ping · weight 1
 */
export function ping(call: Call, options?: CallOptions): Promise<Nothing> {
  return call({ method: 'GET', path: '/fapi/v1/ping', socket: 'ping' }, {}, options)
}

/**
 * The exchange’s clock, against which timestamps are checked.
 *
 * GET /fapi/v1/time · weight 1
 */
export function time(call: Call, options?: CallOptions): Promise<ServerTime> {
  return call({ method: 'GET', path: '/fapi/v1/time', socket: 'time' }, {}, options)
}

/**
 * Futures markets with their filters, and the limits of requests.
 *
 * GET /fapi/v1/exchangeInfo · weight 1
 */
export function exchangeInfo(call: Call, options?: CallOptions): Promise<ContractInfo> {
  return call({ method: 'GET', path: '/fapi/v1/exchangeInfo' }, {}, options)
}

/**
 * Coin-margined Futures: there are none.
 *
 * GET /dapi/v1/exchangeInfo · weight 1
 */
export function coinMarginedInfo(call: Call, options?: CallOptions): Promise<CoinMarginedInfo> {
  return call({ method: 'GET', path: '/dapi/v1/exchangeInfo' }, {}, options)
}

export type DepthParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
  /** Only markets of this status. */
  readonly symbolStatus?: 'TRADING' | 'HALT' | 'BREAK' | undefined
}

/**
 * The book at one update, best levels first.
 *
 * 5, 10, 20, 50, 100, 500 or 1,000 levels a side.
 *
 * GET /fapi/v1/depth · weight 2 up to 50 levels, 5 up to 100, 10 up to 500, 20 above
 */
export function depth(call: Call, params: DepthParams, options?: CallOptions): Promise<ContractDepth> {
  return call({ method: 'GET', path: '/fapi/v1/depth', socket: 'depth' }, params, options)
}

export type TradesParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * The newest trades, oldest first.
 *
 * GET /fapi/v1/trades · weight 5
 */
export function trades(call: Call, params: TradesParams, options?: CallOptions): Promise<readonly ContractTrade[]> {
  return call({ method: 'GET', path: '/fapi/v1/trades' }, params, options)
}

export type HistoricalTradesParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
  /** From this number on. */
  readonly fromId?: number | undefined
}

/**
 * Trades from a number on, as far back as the first trade.
 *
 * GET /fapi/v1/historicalTrades · weight 20
 */
export function historicalTrades(call: Call, params: HistoricalTradesParams, options?: CallOptions): Promise<readonly ContractTrade[]> {
  return call({ method: 'GET', path: '/fapi/v1/historicalTrades' }, params, options)
}

export type AggregateTradesParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** From this number on. */
  readonly fromId?: number | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * Aggregate trades: fills of one taker order at one price and time.
 *
 * GET /fapi/v1/aggTrades · weight 20
 */
export function aggregateTrades(
  call: Call,
  params: AggregateTradesParams,
  options?: CallOptions,
): Promise<readonly ContractAggregateTrade[]> {
  return call({ method: 'GET', path: '/fapi/v1/aggTrades' }, params, options)
}

export type KlinesParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** 1s, 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w or 1M. */
  readonly interval: string
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * Candles of trades.
 *
 * GET /fapi/v1/klines · weight 1 below 100 bars, 2 below 500, 5 up to 1,000, 10 above
 */
export function klines(call: Call, params: KlinesParams, options?: CallOptions): Promise<readonly Kline[]> {
  return call({ method: 'GET', path: '/fapi/v1/klines' }, params, options)
}

export type DayTickerParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * The last 24 hours of one market or all.
 *
 * GET /fapi/v1/ticker/24hr · weight 1 for one market, 40 for all
 */
export function dayTicker(
  call: Call,
  params: DayTickerParams & { readonly symbol: string },
  options?: CallOptions,
): Promise<ContractDayTicker>
export function dayTicker(call: Call, params?: DayTickerParams, options?: CallOptions): Promise<readonly ContractDayTicker[]>
export function dayTicker(call: Call, params: DayTickerParams = {}, options?: CallOptions): Promise<unknown> {
  return call({ method: 'GET', path: '/fapi/v1/ticker/24hr' }, params, options)
}

export type PriceTickerParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Last prices.
 *
 * GET /fapi/v1/ticker/price · weight 1 for one market, 2 for all
 */
export function priceTicker(
  call: Call,
  params: PriceTickerParams & { readonly symbol: string },
  options?: CallOptions,
): Promise<ContractPriceTicker>
export function priceTicker(call: Call, params?: PriceTickerParams, options?: CallOptions): Promise<readonly ContractPriceTicker[]>
export function priceTicker(call: Call, params: PriceTickerParams = {}, options?: CallOptions): Promise<unknown> {
  return call({ method: 'GET', path: '/fapi/v1/ticker/price' }, params, options)
}

export type PriceTickerV2Params = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Last prices, the same as version 1.
 *
 * GET /fapi/v2/ticker/price · weight 1 for one market, 2 for all
 */
export function priceTickerV2(
  call: Call,
  params: PriceTickerV2Params & { readonly symbol: string },
  options?: CallOptions,
): Promise<ContractPriceTicker>
export function priceTickerV2(call: Call, params?: PriceTickerV2Params, options?: CallOptions): Promise<readonly ContractPriceTicker[]>
export function priceTickerV2(call: Call, params: PriceTickerV2Params = {}, options?: CallOptions): Promise<unknown> {
  return call({ method: 'GET', path: '/fapi/v2/ticker/price', socket: 'ticker.price' }, params, options)
}

export type BookTickerParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Best levels.
 *
 * GET /fapi/v1/ticker/bookTicker · weight 2 for one market, 5 for all
 */
export function bookTicker(
  call: Call,
  params: BookTickerParams & { readonly symbol: string },
  options?: CallOptions,
): Promise<ContractBookTicker>
export function bookTicker(call: Call, params?: BookTickerParams, options?: CallOptions): Promise<readonly ContractBookTicker[]>
export function bookTicker(call: Call, params: BookTickerParams = {}, options?: CallOptions): Promise<unknown> {
  return call({ method: 'GET', path: '/fapi/v1/ticker/bookTicker', socket: 'ticker.book' }, params, options)
}

export type PremiumIndexParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Mark, index and the funding of the current period.
 *
 * GET /fapi/v1/premiumIndex · weight 1 for one market, 10 for all
 */
export function premiumIndex(
  call: Call,
  params: PremiumIndexParams & { readonly symbol: string },
  options?: CallOptions,
): Promise<PremiumIndex>
export function premiumIndex(call: Call, params?: PremiumIndexParams, options?: CallOptions): Promise<readonly PremiumIndex[]>
export function premiumIndex(call: Call, params: PremiumIndexParams = {}, options?: CallOptions): Promise<unknown> {
  return call({ method: 'GET', path: '/fapi/v1/premiumIndex' }, params, options)
}

export type FundingRatesParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 100. */
  readonly limit?: number | undefined
}

/**
 * Settled funding rates, oldest first.
 *
 * GET /fapi/v1/fundingRate · weight 1
 */
export function fundingRates(call: Call, params: FundingRatesParams = {}, options?: CallOptions): Promise<readonly FundingRate[]> {
  return call({ method: 'GET', path: '/fapi/v1/fundingRate' }, params, options)
}

/**
 * Interval and cap of each market’s funding.
 *
 * GET /fapi/v1/fundingInfo · weight 1
 */
export function fundingInfo(call: Call, options?: CallOptions): Promise<readonly FundingInfo[]> {
  return call({ method: 'GET', path: '/fapi/v1/fundingInfo' }, {}, options)
}

export type OpenInterestParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
}

/**
 * Open interest.
 *
 * GET /fapi/v1/openInterest · weight 1
 */
export function openInterest(call: Call, params: OpenInterestParams, options?: CallOptions): Promise<OpenInterest> {
  return call({ method: 'GET', path: '/fapi/v1/openInterest' }, params, options)
}

export type MarkPriceKlinesParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** 1s, 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w or 1M. */
  readonly interval: string
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * Candles of the mark, one minute or longer; without volume.
 *
 * GET /fapi/v1/markPriceKlines · weight 1 below 100 bars, 2 below 500, 5 up to 1,000, 10 above
 */
export function markPriceKlines(call: Call, params: MarkPriceKlinesParams, options?: CallOptions): Promise<readonly Kline[]> {
  return call({ method: 'GET', path: '/fapi/v1/markPriceKlines' }, params, options)
}

export type IndexPriceKlinesParams = {
  /** Pair of a Futures market: its name. */
  readonly pair: string
  /** 1s, 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w or 1M. */
  readonly interval: string
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * Candles of the index, one minute or longer; without volume.
 *
 * GET /fapi/v1/indexPriceKlines · weight 1 below 100 bars, 2 below 500, 5 up to 1,000, 10 above
 */
export function indexPriceKlines(call: Call, params: IndexPriceKlinesParams, options?: CallOptions): Promise<readonly Kline[]> {
  return call({ method: 'GET', path: '/fapi/v1/indexPriceKlines' }, params, options)
}
