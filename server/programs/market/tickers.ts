import type { Millis } from '@candor/core/money/brand.ts'
import { changePercent } from '@candor/core/market-data/ticker.ts'
import { mergeCandles } from '@candor/core/market-data/candle.ts'
import type { Candle } from '@candor/core/protocol/market.ts'
import { tradeBarBefore, tradeBarOver } from '../../store/query/market/bars.ts'
import type { Context } from '../context.ts'
import { averagePrice } from '../../live/average-price.ts'
import { priceText, quantityText } from '../../live/listing.ts'
import { averageText, bestText, bigText, dayOf, lotsText, signedPrice } from '../../live/texts.ts'
import { badCombination, missing } from '../errors.ts'
import { candleOf } from './klines.ts'
import { Names, type Seen } from '../names.ts'
import * as param from '../params.ts'
import { publicRoute, type Route } from '../route.ts'
import type { Family } from '../../live/program-names.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** One market by name, several, or all. */
const choiceParams = {
  symbol: param.symbol,
  symbols: param.symbols,
  symbolStatus: param.word(['TRADING', 'HALT', 'BREAK']),
}
type Choice = { readonly symbol: string | undefined; readonly symbols?: readonly string[] | undefined }

const type = param.withDefault(param.word(['FULL', 'MINI']), 'FULL')
const windowSize = param.withDefault(param.text(/^([1-9]|[1-5][0-9])m$|^([1-9]|1[0-9]|2[0-3])h$|^[1-7]d$/), '1d')

/** Answers with one object if one market was named, otherwise with a list. */
async function each<T>(
  names: Names,
  { symbol, symbols }: Choice,
  of: (seen: Seen) => T | Promise<T>,
): Promise<Awaited<T> | readonly Awaited<T>[]> {
  if (symbol !== undefined && symbols !== undefined) throw badCombination()
  if (symbol !== undefined) return await of(names.seen(symbol))
  const chosen = symbols === undefined ? names.all() : symbols.map((name) => names.seen(name))
  return Promise.all(chosen.map(of))
}

/** Weight `one` for a single market and `all` for all of them; a list has that of its markets, up to `all`. */
const weightOf = (one: number, all: number) => (choice: Choice) =>
  choice.symbol !== undefined ? one : Math.min(all, (choice.symbols?.length ?? all) * one)

/** Public figures of a market: its rolling day, longer and shorter windows, the last price and the best levels. */
export function tickerRoutes(context: Context): readonly Route[] {
  const spot = new Names(context.data, 'spot')
  const futures = new Names(context.data, 'futures')
  const { now } = context
  return [
    publicRoute('/api/v3/avgPrice', 2, { symbol: param.mandatory(param.symbol) }, ({ symbol }) => averagePrice(spot.seen(symbol), now())),
    publicRoute('/api/v3/ticker/24hr', weightOf(2, 80), { ...choiceParams, type }, (values) =>
      each(spot, values, (seen) => (values.type === 'MINI' ? miniDay(seen, now()) : { ...fullDay(seen, now()), ...bestOf(seen) })),
    ),
    publicRoute('/fapi/v1/ticker/24hr', weightOf(1, 40), { symbol: param.symbol }, (values) =>
      each(futures, values, (seen) => fullDay(seen, now())),
    ),
    publicRoute('/api/v3/ticker', weightOf(4, 200), { ...choiceParams, type, windowSize }, (values) => {
      if (values.symbol === undefined && values.symbols === undefined) throw missing('symbol')
      return each(spot, values, (seen) => windowTicker(context, seen, windowStart(values.windowSize, now()), values.type))
    }),
    publicRoute('/api/v3/ticker/tradingDay', weightOf(4, 200), { ...choiceParams, type }, (values) => {
      if (values.symbol === undefined && values.symbols === undefined) throw missing('symbol')
      return each(spot, values, (seen) => windowTicker(context, seen, now() - (now() % dayMs), values.type))
    }),
    ...priceRoutes('spot', spot, context),
    ...priceRoutes('futures', futures, context),
  ]
}

function priceRoutes(family: Family, names: Names, { now }: Context): readonly Route[] {
  const isSpot = family === 'spot'
  const params = isSpot ? choiceParams : { symbol: param.symbol }
  const roots = isSpot ? ['/api/v3'] : ['/fapi/v1', '/fapi/v2']
  const price = (seen: Seen) => {
    const { price: last, time } = dayOf(seen.market, seen.view, now())
    return { symbol: seen.name, price: last, ...(isSpot ? {} : { time }) }
  }
  const book = (seen: Seen) => {
    return { symbol: seen.name, ...bestOf(seen), ...(isSpot ? {} : { time: now(), lastUpdateId: seen.view.depth.update }) }
  }
  const weight = isSpot ? weightOf(2, 4) : weightOf(1, 2)
  return [
    ...roots.map((root) => publicRoute(`${root}/ticker/price`, weight, params, (values) => each(names, values, price))),
    publicRoute(`${roots[0]}/ticker/bookTicker`, isSpot ? weight : weightOf(2, 5), params, (values) => each(names, values, book)),
  ]
}

function bestOf({ market, view }: Seen): object {
  const [bidPrice, bidQty] = bestText(market, view.depth.bestBid())
  const [askPrice, askQty] = bestText(market, view.depth.bestAsk())
  return { bidPrice, bidQty, askPrice, askQty }
}

/** The day's first price may be from before the day: the highest and lowest include it. */
function daySpan({ market, view }: Seen, now: Millis) {
  const day = dayOf(market, view, now)
  const ticker = view.ticker(now)
  if (!ticker) return { ...day, change: '0', average: day.price, count: 0 }
  const { open, high, low, last, lots, quote, trades } = ticker
  return {
    ...day,
    high: priceText(market, high > open ? high : open),
    low: priceText(market, low < open ? low : open),
    change: signedPrice(market, last - open),
    average: lots > 0n ? averageText(market, quote, lots) : day.price,
    count: trades,
  }
}

function miniDay(seen: Seen, now: Millis): object {
  const { open, high, low, price, volume, quoteVolume, count } = daySpan(seen, now)
  return {
    symbol: seen.name,
    openPrice: open,
    highPrice: high,
    lowPrice: low,
    lastPrice: price,
    volume,
    quoteVolume,
    ...span(seen, now - dayMs, now, count),
  }
}

/** Futures have no `bidQty` and no `prevClosePrice`: clients tell them from spot by that. */
function fullDay(seen: Seen, now: Millis): object {
  const { market, view } = seen
  const { open, high, low, price, volume, quoteVolume, change, average, count } = daySpan(seen, now)
  const last = view.trades.newest(1)[0]
  return {
    symbol: seen.name,
    priceChange: change,
    priceChangePercent: dayOf(market, view, now).change,
    weightedAvgPrice: average,
    ...(market.wire.kind === 'spot' ? { prevClosePrice: open } : {}),
    lastPrice: price,
    lastQty: last ? quantityText(market, last.lots) : '0',
    openPrice: open,
    highPrice: high,
    lowPrice: low,
    volume,
    quoteVolume,
    ...span(seen, now - dayMs, now, count),
  }
}

/** Numbers of trades have no gaps: the last one and the count give the first. */
function span({ view }: Seen, openTime: number, closeTime: number, count: number): object {
  const last = view.trades.newest(1)[0]?.trade ?? 0
  const ids = count > 0 ? { firstId: last - count + 1, lastId: last } : { firstId: -1, lastId: -1 }
  return { openTime, closeTime, ...ids, count }
}

/** A window ends with the current minute; `1d` begins a day of whole minutes earlier. */
function windowStart(size: string, now: Millis): number {
  const unit = { m: minuteMs, h: 60 * minuteMs, d: dayMs }[size.at(-1) as 'm' | 'h' | 'd']
  return now - (now % minuteMs) - Number(size.slice(0, -1)) * unit + minuteMs
}

async function windowTicker(context: Context, seen: Seen, start: number, type: 'FULL' | 'MINI'): Promise<object> {
  const { market, name } = seen
  const at = context.now()
  const bar = await barSince(context, seen, start)
  const price = (ticks: number) => priceText(market, ticks as Candle['open'])
  const times = { openTime: start, closeTime: at }
  if (!bar) {
    const stand = dayOf(market, seen.view, at).price
    const prices = { open: stand, high: stand, low: stand, last: stand, change: '0', percent: '0.00', average: stand }
    return windowOf(name, type, prices, seen, { ...times, volume: '0', quoteVolume: '0', count: 0 })
  }
  const { open, high, low, close } = bar
  const { lots, quote, trades } = bar.isReference ? { lots: 0, quote: 0, trades: 0 } : bar
  const prices = {
    open: price(open),
    high: price(high),
    low: price(low),
    last: price(close),
    change: signedPrice(market, close - open),
    percent: changePercent(open, close),
    average: lots > 0 ? averageText(market, BigInt(quote), BigInt(lots)) : price(close),
  }
  const volume = lotsText(market, BigInt(lots))
  return windowOf(name, type, prices, seen, { ...times, volume, quoteVolume: bigText(BigInt(quote), market.quote.scale), count: trades })
}

type Prices = Readonly<Record<'open' | 'high' | 'low' | 'last' | 'change' | 'percent' | 'average', string>>
type Sums = {
  readonly openTime: number
  readonly closeTime: number
  readonly volume: string
  readonly quoteVolume: string
  readonly count: number
}

function windowOf(name: string, type: 'FULL' | 'MINI', prices: Prices, seen: Seen, sums: Sums): object {
  const { open, high, low, last, change, percent, average } = prices
  const changes = { priceChange: change, priceChangePercent: percent, weightedAvgPrice: average }
  return {
    symbol: name,
    ...(type === 'FULL' ? changes : {}),
    openPrice: open,
    highPrice: high,
    lowPrice: low,
    lastPrice: last,
    volume: sums.volume,
    quoteVolume: sums.quoteVolume,
    ...span(seen, sums.openTime, sums.closeTime, sums.count),
  }
}

/** All minutes from `start` on as one bar; without trades, a flat and empty one at the close before. */
async function barSince({ pool }: Context, { market, view }: Seen, start: number): Promise<Candle | undefined> {
  const recent = view.candles.newest('1m', 1_000)
  const border = recent[0]?.openTime ?? Number.MAX_SAFE_INTEGER
  const { symbol } = market.market
  const stored = border > start ? await tradeBarOver(pool, symbol, start, Math.min(border, start + 8 * dayMs)) : undefined
  let bar = stored && candleOf(market, stored)
  let before: Candle | undefined
  for (const candle of recent) {
    if (candle.openTime < start) before = candle
    else bar = bar ? mergeCandles(bar, candle) : candle
  }
  if (bar) return bar
  const last = await tradeBarBefore(pool, symbol, '1m', start)
  const known = before ?? (last && candleOf(market, last))
  return known && { ...known, open: known.close, high: known.close, low: known.close, isReference: true }
}
