import { z } from 'zod'
import { count, decimal, type Descriptions, empty, flag, id, list, millis, named, object, said, text, words } from './describe.ts'

export const rateLimit = named(
  'RateLimit',
  object({
    rateLimitType: words('REQUEST_WEIGHT', 'ORDERS', 'RAW_REQUESTS'),
    interval: words('SECOND', 'MINUTE', 'DAY'),
    intervalNum: count,
    limit: count,
  }),
)
export const serverTime = named('ServerTime', object({ serverTime: millis }))
export const level = named('PriceLevel', z.tuple([decimal, decimal]), 'Price and quantity.')

const priceFilter = object({ filterType: z.literal('PRICE_FILTER'), minPrice: decimal, maxPrice: decimal, tickSize: decimal })
const lotFilter = object({ filterType: words('LOT_SIZE', 'MARKET_LOT_SIZE'), minQty: decimal, maxQty: decimal, stepSize: decimal })
export const stepFilters = [priceFilter, lotFilter] as const
const delta = count
export const spotFilter = named(
  'SpotFilter',
  z.union([
    ...stepFilters,
    object({ filterType: z.literal('ICEBERG_PARTS'), limit: count }),
    object({
      filterType: z.literal('TRAILING_DELTA'),
      minTrailingAboveDelta: delta,
      maxTrailingAboveDelta: delta,
      minTrailingBelowDelta: delta,
      maxTrailingBelowDelta: delta,
    }),
    object({
      filterType: z.literal('PERCENT_PRICE_BY_SIDE'),
      bidMultiplierUp: decimal,
      bidMultiplierDown: decimal,
      askMultiplierUp: decimal,
      askMultiplierDown: decimal,
      avgPriceMins: count,
    }),
    object({
      filterType: z.literal('NOTIONAL'),
      minNotional: decimal,
      applyMinToMarket: flag,
      maxNotional: decimal,
      applyMaxToMarket: flag,
      avgPriceMins: count,
    }),
    object({ filterType: z.literal('MIN_NOTIONAL'), minNotional: decimal, applyToMarket: flag, avgPriceMins: count }),
    object({ filterType: z.literal('MAX_NUM_ORDERS'), maxNumOrders: count }),
    object({ filterType: z.literal('MAX_NUM_ALGO_ORDERS'), maxNumAlgoOrders: count }),
  ]),
  'A rule for every order of the market.',
)

export const marketStatus = words('TRADING', 'HALT', 'BREAK')
export const spotSymbol = named(
  'SpotSymbol',
  object({
    symbol: text,
    status: marketStatus,
    baseAsset: text,
    baseAssetPrecision: count,
    quoteAsset: text,
    quotePrecision: count,
    quoteAssetPrecision: count,
    baseCommissionPrecision: count,
    quoteCommissionPrecision: count,
    orderTypes: list(text),
    icebergAllowed: flag,
    ocoAllowed: flag,
    otoAllowed: flag,
    quoteOrderQtyMarketAllowed: flag,
    allowTrailingStop: flag,
    cancelReplaceAllowed: flag,
    amendAllowed: flag,
    isSpotTradingAllowed: flag,
    isMarginTradingAllowed: flag,
    filters: list(spotFilter),
    permissions: list(text),
    permissionSets: list(list(text)).optional(),
    defaultSelfTradePreventionMode: text,
    allowedSelfTradePreventionModes: list(text),
  }),
)
const envelope = { timezone: z.literal('UTC'), serverTime: millis, rateLimits: list(rateLimit), exchangeFilters: list(z.never()) }
export const infoEnvelope = envelope

const trade = { id, price: decimal, qty: decimal, quoteQty: decimal, time: millis, isBuyerMaker: flag }
const aggregate = {
  a: said(id, 'Number of the aggregate: that of its first trade.'),
  p: said(decimal, 'Price.'),
  q: said(decimal, 'Quantity.'),
  f: said(id, 'Number of the first trade.'),
  l: said(id, 'Number of the last trade.'),
  T: said(millis, 'Time.'),
  m: said(flag, 'Whether the buyer was the maker.'),
}
export const tradeShape = trade
export const aggregateShape = aggregate
const publicTrade = named('Trade', object({ ...trade, isBestMatch: flag }))
const aggregateTrade = named('AggregateTrade', object({ ...aggregate, M: flag }))
export const kline = named(
  'Kline',
  z.tuple([millis, decimal, decimal, decimal, decimal, decimal, millis, decimal, count, decimal, decimal, decimal]),
  'Open time, open, high, low, close, volume, close time, quote volume, trades, volume that takers bought, the same in quote, "0".',
)
const span = {
  volume: decimal,
  quoteVolume: decimal,
  openTime: millis,
  closeTime: millis,
  firstId: said(id, '-1 without trades.'),
  lastId: id,
  count,
}
const mini = { symbol: text, openPrice: decimal, highPrice: decimal, lowPrice: decimal, lastPrice: decimal, ...span }
const change = { priceChange: decimal, priceChangePercent: decimal, weightedAvgPrice: decimal }
const best = { bidPrice: decimal, bidQty: decimal, askPrice: decimal, askQty: decimal }
export const tickerShape = { ...mini, ...change }
export const bestShape = best

const dayTicker = named(
  'DayTicker',
  object({
    ...mini,
    priceChange: decimal.optional(),
    priceChangePercent: decimal.optional(),
    weightedAvgPrice: decimal.optional(),
    prevClosePrice: decimal.optional(),
    lastQty: decimal.optional(),
    bidPrice: decimal.optional(),
    bidQty: decimal.optional(),
    askPrice: decimal.optional(),
    askQty: decimal.optional(),
  }),
  'With type MINI the optional fields are absent.',
)
const windowTicker = named(
  'WindowTicker',
  object({ ...mini, priceChange: decimal.optional(), priceChangePercent: decimal.optional(), weightedAvgPrice: decimal.optional() }),
)
const priceTicker = named('PriceTicker', object({ symbol: text, price: decimal }))
const bookTicker = named('BookTicker', object({ symbol: text, ...best }))

const BTC = { symbol: 'BTCUSDT' }
const times = { oneWith: 'symbol', group: 'market' } as const

/** Market data of spot, and data that belongs to no product. */
export const marketDescriptions: Descriptions = {
  'GET /api/v3/ping': { group: 'market', name: 'ping', summary: 'Tests the connection.', answer: empty },
  'GET /api/v3/time': {
    group: 'market',
    name: 'time',
    summary: 'The exchange’s clock, against which timestamps are checked.',
    answer: serverTime,
    ccxt: 'fetchTime()',
  },
  'GET /sapi/v1/system/status': {
    group: 'market',
    name: 'systemStatus',
    summary: 'Whether the exchange is open.',
    answer: named('SystemStatus', object({ status: z.union([z.literal(0), z.literal(1)]), msg: text })),
    ccxt: 'fetchStatus()',
  },
  'GET /api/v3/exchangeInfo': {
    group: 'market',
    name: 'exchangeInfo',
    summary: 'Spot markets with their filters, and the limits of requests.',
    answer: named('ExchangeInfo', object({ ...envelope, symbols: list(spotSymbol) })),
    ccxt: 'loadMarkets()',
    example: BTC,
    codes: [-1128],
  },
  'GET /dapi/v1/exchangeInfo': {
    group: 'futuresMarket',
    name: 'coinMarginedInfo',
    summary: 'Coin-margined Futures: there are none.',
    answer: named('CoinMarginedInfo', object({ ...envelope, symbols: list(z.never()) })),
  },
  'GET /api/v3/depth': {
    group: 'market',
    name: 'depth',
    summary: 'The book at one update, best levels first.',
    detail: 'The changes of the stream `<symbol>@depth` continue it from `lastUpdateId`.',
    answer: named('Depth', object({ lastUpdateId: id, bids: list(level), asks: list(level) })),
    weight: '5 up to 100 levels, 25 up to 500, 50 up to 1,000, 250 above',
    ccxt: "fetchOrderBook('BTC/USDT')",
    example: { ...BTC, limit: '5' },
  },
  'GET /api/v3/trades': {
    group: 'market',
    name: 'trades',
    summary: 'The newest trades, oldest first.',
    answer: list(publicTrade),
    ccxt: "fetchTrades('BTC/USDT')",
    example: { ...BTC, limit: '5' },
  },
  'GET /api/v3/historicalTrades': {
    group: 'market',
    name: 'historicalTrades',
    summary: 'Trades from a number on, as far back as the first trade.',
    answer: list(publicTrade),
    example: { ...BTC, limit: '5' },
  },
  'GET /api/v3/aggTrades': {
    group: 'market',
    name: 'aggregateTrades',
    summary: 'Aggregate trades: fills of one taker order at one price and time.',
    answer: list(aggregateTrade),
    example: { ...BTC, limit: '5' },
    codes: [-1127, -1128],
  },
  'GET /api/v3/klines': {
    group: 'market',
    name: 'klines',
    summary: 'Candles.',
    answer: list(kline),
    ccxt: "fetchOHLCV('BTC/USDT', '1m')",
    example: { ...BTC, interval: '1m', limit: '5' },
    codes: [-1120, -1127],
  },
  'GET /api/v3/uiKlines': {
    group: 'market',
    name: 'uiKlines',
    summary: 'Candles for charts: the same as klines here.',
    answer: list(kline),
    example: { ...BTC, interval: '1m', limit: '5' },
    codes: [-1120, -1127],
  },
  'GET /api/v3/avgPrice': {
    group: 'market',
    name: 'averagePrice',
    summary: 'Average price of the last five minutes.',
    answer: named('AveragePrice', object({ mins: count, price: decimal, closeTime: millis })),
    example: BTC,
  },
  'GET /api/v3/ticker/24hr': {
    ...times,
    name: 'dayTicker',
    summary: 'The last 24 hours of one market, some or all.',
    answer: dayTicker,
    weight: '2 for one market, 80 for all',
    ccxt: "fetchTicker('BTC/USDT')",
    example: BTC,
    codes: [-1128],
  },
  'GET /api/v3/ticker': {
    ...times,
    name: 'windowTicker',
    summary: 'A window of one minute to seven days that ends with the current minute.',
    answer: windowTicker,
    weight: '4 for each market, 200 at most',
    example: { ...BTC, windowSize: '1h' },
    codes: [-1128],
  },
  'GET /api/v3/ticker/tradingDay': {
    ...times,
    name: 'tradingDayTicker',
    summary: 'The current UTC day.',
    answer: windowTicker,
    weight: '4 for each market, 200 at most',
    example: BTC,
    codes: [-1128],
  },
  'GET /api/v3/ticker/price': {
    ...times,
    name: 'priceTicker',
    summary: 'Last prices.',
    answer: priceTicker,
    weight: '2 for one market, 4 for more',
    example: BTC,
    codes: [-1128],
  },
  'GET /api/v3/ticker/bookTicker': {
    ...times,
    name: 'bookTicker',
    summary: 'Best levels.',
    answer: bookTicker,
    weight: '2 for one market, 4 for more',
    ccxt: "fetchBidsAsks(['BTC/USDT'])",
    example: BTC,
    codes: [-1128],
  },
}
