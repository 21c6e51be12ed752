// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Call, CallOptions, Decimal, Millis } from '../call.ts'
import type { Kline, Nothing, PriceLevel, RateLimit, ServerTime } from './shared.ts'

export type AggregateTrade = {
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
  readonly M: boolean
}

export type AveragePrice = {
  readonly mins: number
  readonly price: Decimal
  readonly closeTime: Millis
}

export type BookTicker = {
  readonly symbol: string
  readonly bidPrice: Decimal
  readonly bidQty: Decimal
  readonly askPrice: Decimal
  readonly askQty: Decimal
}

/** With type MINI the optional fields are absent. */
export type DayTicker = {
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
  readonly priceChange?: Decimal
  readonly priceChangePercent?: Decimal
  readonly weightedAvgPrice?: Decimal
  readonly prevClosePrice?: Decimal
  readonly lastQty?: Decimal
  readonly bidPrice?: Decimal
  readonly bidQty?: Decimal
  readonly askPrice?: Decimal
  readonly askQty?: Decimal
}

export type Depth = {
  readonly lastUpdateId: number
  readonly bids: readonly PriceLevel[]
  readonly asks: readonly PriceLevel[]
}

export type ExchangeInfo = {
  readonly timezone: 'UTC'
  readonly serverTime: Millis
  readonly rateLimits: readonly RateLimit[]
  readonly exchangeFilters: readonly never[]
  readonly symbols: readonly SpotSymbol[]
}

export type PriceTicker = {
  readonly symbol: string
  readonly price: Decimal
}

/** A rule for every order of the market. */
export type SpotFilter =
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
      readonly filterType: 'ICEBERG_PARTS'
      readonly limit: number
    }
  | {
      readonly filterType: 'TRAILING_DELTA'
      readonly minTrailingAboveDelta: number
      readonly maxTrailingAboveDelta: number
      readonly minTrailingBelowDelta: number
      readonly maxTrailingBelowDelta: number
    }
  | {
      readonly filterType: 'PERCENT_PRICE_BY_SIDE'
      readonly bidMultiplierUp: Decimal
      readonly bidMultiplierDown: Decimal
      readonly askMultiplierUp: Decimal
      readonly askMultiplierDown: Decimal
      readonly avgPriceMins: number
    }
  | {
      readonly filterType: 'NOTIONAL'
      readonly minNotional: Decimal
      readonly applyMinToMarket: boolean
      readonly maxNotional: Decimal
      readonly applyMaxToMarket: boolean
      readonly avgPriceMins: number
    }
  | {
      readonly filterType: 'MIN_NOTIONAL'
      readonly minNotional: Decimal
      readonly applyToMarket: boolean
      readonly avgPriceMins: number
    }
  | {
      readonly filterType: 'MAX_NUM_ORDERS'
      readonly maxNumOrders: number
    }
  | {
      readonly filterType: 'MAX_NUM_ALGO_ORDERS'
      readonly maxNumAlgoOrders: number
    }

export type SpotSymbol = {
  readonly symbol: string
  readonly status: 'TRADING' | 'HALT' | 'BREAK'
  readonly baseAsset: string
  readonly baseAssetPrecision: number
  readonly quoteAsset: string
  readonly quotePrecision: number
  readonly quoteAssetPrecision: number
  readonly baseCommissionPrecision: number
  readonly quoteCommissionPrecision: number
  readonly orderTypes: readonly string[]
  readonly icebergAllowed: boolean
  readonly ocoAllowed: boolean
  readonly otoAllowed: boolean
  readonly quoteOrderQtyMarketAllowed: boolean
  readonly allowTrailingStop: boolean
  readonly cancelReplaceAllowed: boolean
  readonly amendAllowed: boolean
  readonly isSpotTradingAllowed: boolean
  readonly isMarginTradingAllowed: boolean
  readonly filters: readonly SpotFilter[]
  readonly permissions: readonly string[]
  readonly permissionSets?: readonly (readonly string[])[]
  readonly defaultSelfTradePreventionMode: string
  readonly allowedSelfTradePreventionModes: readonly string[]
}

export type SystemStatus = {
  readonly status: 0 | 1
  readonly msg: string
}

export type Trade = {
  readonly id: number
  readonly price: Decimal
  readonly qty: Decimal
  readonly quoteQty: Decimal
  readonly time: Millis
  readonly isBuyerMaker: boolean
  readonly isBestMatch: boolean
}

export type WindowTicker = {
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
  readonly priceChange?: Decimal
  readonly priceChangePercent?: Decimal
  readonly weightedAvgPrice?: Decimal
}

/**
 * Tests the connection.
 *
 * GET /api/v3/ping · weight 1
 */
export function ping(call: Call, options?: CallOptions): Promise<Nothing> {
  return call({ method: 'GET', path: '/api/v3/ping', socket: 'ping' }, {}, options)
}

/**
 * The exchange’s clock, against which timestamps are checked.
 *
 * GET /api/v3/time · weight 1
 */
export function time(call: Call, options?: CallOptions): Promise<ServerTime> {
  return call({ method: 'GET', path: '/api/v3/time', socket: 'time' }, {}, options)
}

/**
 * Whether the exchange is open.
 *
 * GET /sapi/v1/system/status · weight 1
 */
export function systemStatus(call: Call, options?: CallOptions): Promise<SystemStatus> {
  return call({ method: 'GET', path: '/sapi/v1/system/status' }, {}, options)
}

export type ExchangeInfoParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** Markets: ["BTCUSDT","ETHUSDT"]. */
  readonly symbols?: readonly string[] | undefined
  /** Only markets with one of these: SPOT, MARGIN. */
  readonly permissions?: string | undefined
  /** Whether permissions are listed. */
  readonly showPermissionSets?: boolean | undefined
  /** Only markets of this status. */
  readonly symbolStatus?: 'TRADING' | 'HALT' | 'BREAK' | undefined
}

/**
 * Spot markets with their filters, and the limits of requests.
 *
 * GET /api/v3/exchangeInfo · weight 20
 */
export function exchangeInfo(call: Call, params: ExchangeInfoParams = {}, options?: CallOptions): Promise<ExchangeInfo> {
  return call({ method: 'GET', path: '/api/v3/exchangeInfo', socket: 'exchangeInfo' }, params, options)
}

export type DepthParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Most items in the answer. Default: 100. */
  readonly limit?: number | undefined
  /** Only markets of this status. */
  readonly symbolStatus?: 'TRADING' | 'HALT' | 'BREAK' | undefined
}

/**
 * The book at one update, best levels first.
 *
 * The changes of the stream `<symbol>@depth` continue it from `lastUpdateId`.
 *
 * GET /api/v3/depth · weight 5 up to 100 levels, 25 up to 500, 50 up to 1,000, 250 above
 */
export function depth(call: Call, params: DepthParams, options?: CallOptions): Promise<Depth> {
  return call({ method: 'GET', path: '/api/v3/depth', socket: 'depth' }, params, options)
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
 * GET /api/v3/trades · weight 25
 */
export function trades(call: Call, params: TradesParams, options?: CallOptions): Promise<readonly Trade[]> {
  return call({ method: 'GET', path: '/api/v3/trades', socket: 'trades.recent' }, params, options)
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
 * GET /api/v3/historicalTrades · weight 25
 */
export function historicalTrades(call: Call, params: HistoricalTradesParams, options?: CallOptions): Promise<readonly Trade[]> {
  return call({ method: 'GET', path: '/api/v3/historicalTrades', socket: 'trades.historical' }, params, options)
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
 * GET /api/v3/aggTrades · weight 4
 */
export function aggregateTrades(call: Call, params: AggregateTradesParams, options?: CallOptions): Promise<readonly AggregateTrade[]> {
  return call({ method: 'GET', path: '/api/v3/aggTrades', socket: 'trades.aggregate' }, params, options)
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
  /** Hours from UTC by which bars open: 8, -3, +1:00. */
  readonly timeZone?: string | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * Candles.
 *
 * GET /api/v3/klines · weight 2
 */
export function klines(call: Call, params: KlinesParams, options?: CallOptions): Promise<readonly Kline[]> {
  return call({ method: 'GET', path: '/api/v3/klines', socket: 'klines' }, params, options)
}

export type UiKlinesParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** 1s, 1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d, 3d, 1w or 1M. */
  readonly interval: string
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Hours from UTC by which bars open: 8, -3, +1:00. */
  readonly timeZone?: string | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * Candles for charts: the same as klines here.
 *
 * GET /api/v3/uiKlines · weight 2
 */
export function uiKlines(call: Call, params: UiKlinesParams, options?: CallOptions): Promise<readonly Kline[]> {
  return call({ method: 'GET', path: '/api/v3/uiKlines', socket: 'uiKlines' }, params, options)
}

export type AveragePriceParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
}

/**
 * Average price of the last five minutes.
 *
 * GET /api/v3/avgPrice · weight 2
 */
export function averagePrice(call: Call, params: AveragePriceParams, options?: CallOptions): Promise<AveragePrice> {
  return call({ method: 'GET', path: '/api/v3/avgPrice', socket: 'avgPrice' }, params, options)
}

export type DayTickerParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** Markets: ["BTCUSDT","ETHUSDT"]. */
  readonly symbols?: readonly string[] | undefined
  /** Only markets of this status. */
  readonly symbolStatus?: 'TRADING' | 'HALT' | 'BREAK' | undefined
  /** FULL or MINI, the shorter one. Default: FULL. */
  readonly type?: 'FULL' | 'MINI' | undefined
}

/**
 * The last 24 hours of one market, some or all.
 *
 * GET /api/v3/ticker/24hr · weight 2 for one market, 80 for all
 */
export function dayTicker(call: Call, params: DayTickerParams & { readonly symbol: string }, options?: CallOptions): Promise<DayTicker>
export function dayTicker(call: Call, params?: DayTickerParams, options?: CallOptions): Promise<readonly DayTicker[]>
export function dayTicker(call: Call, params: DayTickerParams = {}, options?: CallOptions): Promise<unknown> {
  return call({ method: 'GET', path: '/api/v3/ticker/24hr', socket: 'ticker.24hr' }, params, options)
}

export type WindowTickerParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** Markets: ["BTCUSDT","ETHUSDT"]. */
  readonly symbols?: readonly string[] | undefined
  /** Only markets of this status. */
  readonly symbolStatus?: 'TRADING' | 'HALT' | 'BREAK' | undefined
  /** FULL or MINI, the shorter one. Default: FULL. */
  readonly type?: 'FULL' | 'MINI' | undefined
  /** Length of the window. Default: 1d. */
  readonly windowSize?: string | undefined
}

/**
 * A window of one minute to seven days that ends with the current minute.
 *
 * GET /api/v3/ticker · weight 4 for each market, 200 at most
 */
export function windowTicker(
  call: Call,
  params: WindowTickerParams & { readonly symbol: string },
  options?: CallOptions,
): Promise<WindowTicker>
export function windowTicker(call: Call, params?: WindowTickerParams, options?: CallOptions): Promise<readonly WindowTicker[]>
export function windowTicker(call: Call, params: WindowTickerParams = {}, options?: CallOptions): Promise<unknown> {
  return call({ method: 'GET', path: '/api/v3/ticker', socket: 'ticker' }, params, options)
}

export type TradingDayTickerParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** Markets: ["BTCUSDT","ETHUSDT"]. */
  readonly symbols?: readonly string[] | undefined
  /** Only markets of this status. */
  readonly symbolStatus?: 'TRADING' | 'HALT' | 'BREAK' | undefined
  /** FULL or MINI, the shorter one. Default: FULL. */
  readonly type?: 'FULL' | 'MINI' | undefined
}

/**
 * The current UTC day.
 *
 * GET /api/v3/ticker/tradingDay · weight 4 for each market, 200 at most
 */
export function tradingDayTicker(
  call: Call,
  params: TradingDayTickerParams & { readonly symbol: string },
  options?: CallOptions,
): Promise<WindowTicker>
export function tradingDayTicker(call: Call, params?: TradingDayTickerParams, options?: CallOptions): Promise<readonly WindowTicker[]>
export function tradingDayTicker(call: Call, params: TradingDayTickerParams = {}, options?: CallOptions): Promise<unknown> {
  return call({ method: 'GET', path: '/api/v3/ticker/tradingDay', socket: 'ticker.tradingDay' }, params, options)
}

export type PriceTickerParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** Markets: ["BTCUSDT","ETHUSDT"]. */
  readonly symbols?: readonly string[] | undefined
  /** Only markets of this status. */
  readonly symbolStatus?: 'TRADING' | 'HALT' | 'BREAK' | undefined
}

/**
 * Last prices.
 *
 * GET /api/v3/ticker/price · weight 2 for one market, 4 for more
 */
export function priceTicker(
  call: Call,
  params: PriceTickerParams & { readonly symbol: string },
  options?: CallOptions,
): Promise<PriceTicker>
export function priceTicker(call: Call, params?: PriceTickerParams, options?: CallOptions): Promise<readonly PriceTicker[]>
export function priceTicker(call: Call, params: PriceTickerParams = {}, options?: CallOptions): Promise<unknown> {
  return call({ method: 'GET', path: '/api/v3/ticker/price', socket: 'ticker.price' }, params, options)
}

export type BookTickerParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** Markets: ["BTCUSDT","ETHUSDT"]. */
  readonly symbols?: readonly string[] | undefined
  /** Only markets of this status. */
  readonly symbolStatus?: 'TRADING' | 'HALT' | 'BREAK' | undefined
}

/**
 * Best levels.
 *
 * GET /api/v3/ticker/bookTicker · weight 2 for one market, 4 for more
 */
export function bookTicker(call: Call, params: BookTickerParams & { readonly symbol: string }, options?: CallOptions): Promise<BookTicker>
export function bookTicker(call: Call, params?: BookTickerParams, options?: CallOptions): Promise<readonly BookTicker[]>
export function bookTicker(call: Call, params: BookTickerParams = {}, options?: CallOptions): Promise<unknown> {
  return call({ method: 'GET', path: '/api/v3/ticker/bookTicker', socket: 'ticker.book' }, params, options)
}
