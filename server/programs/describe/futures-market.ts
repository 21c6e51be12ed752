import { z } from 'zod'
import { count, decimal, type Descriptions, empty, flag, id, list, millis, named, object, text } from './describe.ts'
import {
  aggregateShape,
  bestShape,
  infoEnvelope,
  kline,
  level,
  marketStatus,
  serverTime,
  stepFilters,
  tickerShape,
  tradeShape,
} from './market.ts'

const contractFilter = named(
  'ContractFilter',
  z.union([
    ...stepFilters,
    object({ filterType: z.enum(['MAX_NUM_ORDERS', 'MAX_NUM_ALGO_ORDERS']), limit: count }),
    object({ filterType: z.literal('MIN_NOTIONAL'), notional: decimal }),
    object({ filterType: z.literal('PERCENT_PRICE'), multiplierUp: decimal, multiplierDown: decimal, multiplierDecimal: text }),
  ]),
)
const contract = named(
  'Contract',
  object({
    symbol: text,
    pair: text,
    contractType: z.literal('PERPETUAL'),
    deliveryDate: millis,
    onboardDate: millis,
    status: marketStatus,
    maintMarginPercent: decimal,
    requiredMarginPercent: decimal,
    baseAsset: text,
    quoteAsset: text,
    marginAsset: text,
    pricePrecision: count,
    quantityPrecision: count,
    baseAssetPrecision: count,
    quotePrecision: count,
    underlyingType: text,
    underlyingSubType: list(text),
    triggerProtect: decimal,
    liquidationFee: decimal,
    marketTakeBound: decimal,
    orderTypes: list(text),
    timeInForce: list(text),
    filters: list(contractFilter),
  }),
)
const premium = named(
  'PremiumIndex',
  object({
    symbol: text,
    markPrice: decimal,
    indexPrice: decimal,
    estimatedSettlePrice: decimal,
    lastFundingRate: decimal,
    interestRate: decimal,
    nextFundingTime: millis,
    time: millis,
  }),
)
const fundingRate = named('FundingRate', object({ symbol: text, fundingTime: millis, fundingRate: decimal, markPrice: decimal }))
const fundingInfo = named(
  'FundingInfo',
  object({
    symbol: text,
    adjustedFundingRateCap: decimal,
    adjustedFundingRateFloor: decimal,
    fundingIntervalHours: count,
    disclaimer: flag,
  }),
)
const trade = named('ContractTrade', object(tradeShape))
const aggregate = named('ContractAggregateTrade', object(aggregateShape))
const dayTicker = named('ContractDayTicker', object({ ...tickerShape, lastQty: decimal }))
const priceTicker = named('ContractPriceTicker', object({ symbol: text, price: decimal, time: millis }))
const bookTicker = named('ContractBookTicker', object({ symbol: text, ...bestShape, time: millis, lastUpdateId: id }))

const group = 'futuresMarket'
const BTC = { symbol: 'BTCUSDT' }
const barWeight = '1 below 100 bars, 2 below 500, 5 up to 1,000, 10 above'

/** Public data of Futures. Below `/fapi` a market has the name of its pair. */
export const futuresMarketDescriptions: Descriptions = {
  'GET /fapi/v1/ping': { group, name: 'ping', summary: 'Tests the connection.', answer: empty },
  'GET /fapi/v1/time': { group, name: 'time', summary: 'The exchange’s clock, against which timestamps are checked.', answer: serverTime },
  'GET /fapi/v1/exchangeInfo': {
    group,
    name: 'exchangeInfo',
    summary: 'Futures markets with their filters, and the limits of requests.',
    answer: named(
      'ContractInfo',
      object({
        ...infoEnvelope,
        futuresType: text,
        assets: list(named('MarginAsset', object({ asset: text, marginAvailable: flag, autoAssetExchange: decimal }))),
        symbols: list(contract),
      }),
    ),
    ccxt: 'loadMarkets()',
  },
  'GET /fapi/v1/depth': {
    group,
    name: 'depth',
    summary: 'The book at one update, best levels first.',
    detail: '5, 10, 20, 50, 100, 500 or 1,000 levels a side.',
    answer: named('ContractDepth', object({ lastUpdateId: id, E: millis, T: millis, bids: list(level), asks: list(level) })),
    weight: '2 up to 50 levels, 5 up to 100, 10 up to 500, 20 above',
    ccxt: "fetchOrderBook('BTC/USDT:USDT')",
    example: { ...BTC, limit: '5' },
  },
  'GET /fapi/v1/trades': {
    group,
    name: 'trades',
    summary: 'The newest trades, oldest first.',
    answer: list(trade),
    ccxt: "fetchTrades('BTC/USDT:USDT')",
    example: { ...BTC, limit: '5' },
  },
  'GET /fapi/v1/historicalTrades': {
    group,
    name: 'historicalTrades',
    summary: 'Trades from a number on, as far back as the first trade.',
    answer: list(trade),
    example: { ...BTC, limit: '5' },
  },
  'GET /fapi/v1/aggTrades': {
    group,
    name: 'aggregateTrades',
    summary: 'Aggregate trades: fills of one taker order at one price and time.',
    answer: list(aggregate),
    example: { ...BTC, limit: '5' },
    codes: [-1127, -1128],
  },
  'GET /fapi/v1/klines': {
    group,
    name: 'klines',
    summary: 'Candles of trades.',
    answer: list(kline),
    weight: barWeight,
    ccxt: "fetchOHLCV('BTC/USDT:USDT', '1m')",
    example: { ...BTC, interval: '1m', limit: '5' },
    codes: [-1120, -1127],
  },
  'GET /fapi/v1/markPriceKlines': {
    group,
    name: 'markPriceKlines',
    summary: 'Candles of the mark, one minute or longer; without volume.',
    answer: list(kline),
    weight: barWeight,
    ccxt: "fetchMarkOHLCV('BTC/USDT:USDT', '1m')",
    example: { ...BTC, interval: '1m', limit: '5' },
    codes: [-1120, -1127],
  },
  'GET /fapi/v1/indexPriceKlines': {
    group,
    name: 'indexPriceKlines',
    summary: 'Candles of the index, one minute or longer; without volume.',
    answer: list(kline),
    weight: barWeight,
    ccxt: "fetchIndexOHLCV('BTC/USDT:USDT', '1m')",
    example: { pair: 'BTCUSDT', interval: '1m', limit: '5' },
    codes: [-1120, -1127],
  },
  'GET /fapi/v1/ticker/24hr': {
    group,
    name: 'dayTicker',
    summary: 'The last 24 hours of one market or all.',
    answer: dayTicker,
    oneWith: 'symbol',
    weight: '1 for one market, 40 for all',
    ccxt: "fetchTicker('BTC/USDT:USDT')",
    example: BTC,
  },
  'GET /fapi/v1/ticker/price': {
    group,
    name: 'priceTicker',
    summary: 'Last prices.',
    answer: priceTicker,
    oneWith: 'symbol',
    weight: '1 for one market, 2 for all',
    example: BTC,
  },
  'GET /fapi/v2/ticker/price': {
    group,
    name: 'priceTickerV2',
    summary: 'Last prices, the same as version 1.',
    answer: priceTicker,
    oneWith: 'symbol',
    weight: '1 for one market, 2 for all',
    example: BTC,
  },
  'GET /fapi/v1/ticker/bookTicker': {
    group,
    name: 'bookTicker',
    summary: 'Best levels.',
    answer: bookTicker,
    oneWith: 'symbol',
    weight: '2 for one market, 5 for all',
    example: BTC,
  },
  'GET /fapi/v1/premiumIndex': {
    group,
    name: 'premiumIndex',
    summary: 'Mark, index and the funding of the current period.',
    answer: premium,
    oneWith: 'symbol',
    weight: '1 for one market, 10 for all',
    ccxt: "fetchFundingRate('BTC/USDT:USDT')",
    example: BTC,
  },
  'GET /fapi/v1/fundingRate': {
    group,
    name: 'fundingRates',
    summary: 'Settled funding rates, oldest first.',
    answer: list(fundingRate),
    ccxt: "fetchFundingRateHistory('BTC/USDT:USDT')",
    example: BTC,
    codes: [-1127],
  },
  'GET /fapi/v1/fundingInfo': {
    group,
    name: 'fundingInfo',
    summary: 'Interval and cap of each market’s funding.',
    answer: list(fundingInfo),
  },
  'GET /fapi/v1/openInterest': {
    group,
    name: 'openInterest',
    summary: 'Open interest.',
    answer: named('OpenInterest', object({ symbol: text, openInterest: decimal, time: millis })),
    ccxt: "fetchOpenInterest('BTC/USDT:USDT')",
    example: BTC,
  },
}
