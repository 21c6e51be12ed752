import type { DepthDiff } from '@candor/core/market-data/depth.ts'
import type { MarketView } from '@candor/core/market-data/market-view.ts'
import { changePercent, type Ticker } from '@candor/core/market-data/ticker.ts'
import type { Lots, Millis, Ticks } from '@candor/core/money/brand.ts'
import { formatFixed, formatUnits, fractionDigits } from '@candor/core/money/units.ts'
import { mulDivFloor } from '@candor/core/money/mul-div.ts'
import type { Traded } from '@candor/core/protocol/event/index.ts'
import type { Candle, Level } from '@candor/core/protocol/market.ts'
import type { WireCandle, WireLevel, WireTicker, WssKlineRow, WssQuote } from '@candor/core/protocol/wire/market.ts'
import { amountText, type ListedMarket, priceText, quantityText } from './listing.ts'

export type TradeAt = { readonly event: Traded; readonly at: number }

/** Takes a bigint, because sums over a day may exceed the safe integers. */
export function bigText(units: bigint, scale: number): string {
  const digits = units.toString().padStart(scale + 1, '0')
  const point = digits.length - scale
  let end = digits.length
  while (end > point && digits[end - 1] === '0') end -= 1
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`
}

export function lotsText({ market, base }: ListedMarket, lots: bigint): string {
  const units = lots * BigInt(market.basePerLot)
  const digits = fractionDigits(market.lot)
  return bigText(units / 10n ** BigInt(base.scale - digits), digits)
}

export const levelText = (market: ListedMarket, { price, lots }: Level): WireLevel => [priceText(market, price), quantityText(market, lots)]
export const levelTexts = (market: ListedMarket, levels: readonly Level[]) => levels.map((level) => levelText(market, level))

export type Day = {
  price: string
  open: string
  high: string
  low: string
  volume: string
  quoteVolume: string
  change: string
  time: number
}

/** The rolling 24 hours of a market. Before its first trade, the index price is used with no volume. */
export function dayOf(market: ListedMarket, view: MarketView, now: Millis): Day {
  return dayIn(market, view, view.ticker(now))
}

function dayIn(market: ListedMarket, view: MarketView, ticker: Ticker | undefined): Day {
  if (ticker) {
    return {
      price: priceText(market, ticker.last),
      open: priceText(market, ticker.open),
      high: priceText(market, ticker.high),
      low: priceText(market, ticker.low),
      volume: lotsText(market, ticker.lots),
      quoteVolume: bigText(ticker.quote, market.quote.scale),
      change: changePercent(ticker.open, ticker.last),
      time: ticker.at,
    }
  }
  const price = nearestTick(market, view)
  return { price, open: price, high: price, low: price, volume: '0', quoteVolume: '0', change: '0.00', time: view.index?.at ?? 0 }
}

/** The index as a price of this market, rounded down to a tick. */
function nearestTick(market: ListedMarket, view: MarketView): string {
  if (!view.index) return '0'
  const digits = fractionDigits(market.market.tick)
  const unit = 10 ** (8 - digits)
  const tick = unit * Number(market.market.tick.replace('.', ''))
  return formatFixed(mulDivFloor(view.index.price - (view.index.price % tick), 1, unit), digits)
}

export function indexText(view: MarketView): string {
  return view.index ? formatUnits(view.index.price, 8) : '0'
}

export function wireTicker(market: ListedMarket, view: MarketView, now: Millis, hasSparkline: boolean): WireTicker {
  const bid = view.depth.bestBid()
  const ask = view.depth.bestAsk()
  return {
    symbol: market.market.symbol,
    ...dayOf(market, view, now),
    bid: bid ? priceText(market, bid.price) : '0',
    ask: ask ? priceText(market, ask.price) : '0',
    index: indexText(view),
    ...(hasSparkline ? { sparkline: view.sparkline(now).map((ticks) => priceText(market, ticks)) } : {}),
  }
}

export function wssQuote(market: ListedMarket, view: MarketView, now: Millis): WssQuote {
  const { price, open, high, low, volume, change, time } = dayOf(market, view, now)
  return { tradingPairsId: market.market.id, symbol: market.market.symbol, price, open, high, low, volume, change, time }
}

export function wireCandle(market: ListedMarket, candle: Candle): WireCandle {
  const price = (ticks: Ticks) => priceText(market, ticks)
  return [
    candle.openTime,
    price(candle.open),
    price(candle.high),
    price(candle.low),
    price(candle.close),
    quantityText(market, candle.lots),
    amountText(market.quote, candle.quote),
    candle.trades,
    candle.isReference ? 1 : 0,
  ]
}

export const wssRow = ([time, open, high, low, close, volume]: WireCandle): WssKlineRow => [time, open, high, low, close, volume]

export function tradeText(market: ListedMarket, { event, at }: TradeAt, now: Millis): string {
  const { trade, price, lots, takerSide } = event
  return `{"e":"trade","E":${now},"s":"${market.market.symbol}","t":${trade},"p":"${priceText(market, price)}","q":"${quantityText(market, lots)}","T":${at},"m":${takerSide === 'sell'},"M":true}`
}

export type Aggregate = { readonly first: Traded; readonly last: Traded; readonly lots: Lots; readonly at: number }

/** Aggregate trades: the trades of one taker order at one price and time. An aggregate's id is that of its first trade. */
export function aggregatesOf(trades: readonly TradeAt[]): readonly Aggregate[] {
  const aggregates: Aggregate[] = []
  let i = 0
  while (i < trades.length) {
    const { event: first, at } = trades[i]!
    let lots: number = first.lots
    let last = first
    for (i++; i < trades.length; i++) {
      const { event } = trades[i]!
      if (event.takerOrder !== first.takerOrder || event.price !== first.price || trades[i]!.at !== at) break
      lots += event.lots
      last = event
    }
    aggregates.push({ first, last, lots: lots as Lots, at })
  }
  return aggregates
}

export function aggregateTexts(market: ListedMarket, trades: readonly TradeAt[], now: Millis): readonly string[] {
  return aggregatesOf(trades).map(
    ({ first, last, lots, at }) =>
      `{"e":"aggTrade","E":${now},"s":"${market.market.symbol}","a":${first.trade},"p":"${priceText(market, first.price)}","q":"${quantityText(market, lots)}","f":${first.trade},"l":${last.trade},"T":${at},"m":${first.takerSide === 'sell'},"M":true}`,
  )
}

export function depthDiffText(market: ListedMarket, diff: DepthDiff, now: Millis): string {
  const { first, last, bids, asks } = diff
  return JSON.stringify({
    e: 'depthUpdate',
    E: now,
    s: market.market.symbol,
    U: first,
    u: last,
    b: levelTexts(market, bids),
    a: levelTexts(market, asks),
  })
}

export function partialDepthText(market: ListedMarket, view: MarketView, levels: number): string {
  const { update, bids, asks } = view.depth.view(levels)
  return JSON.stringify({ lastUpdateId: update, bids: levelTexts(market, bids), asks: levelTexts(market, asks) })
}

export function bookTickerText(market: ListedMarket, view: MarketView): string {
  const best = (level: Level | undefined) => (level ? levelText(market, level) : (['0', '0'] as const))
  const [b, B] = best(view.depth.bestBid())
  const [a, A] = best(view.depth.bestAsk())
  return `{"u":${view.depth.update},"s":"${market.market.symbol}","b":"${b}","B":"${B}","a":"${a}","A":"${A}"}`
}

/** said  the market's name for these clients */
export function miniTickerText(market: ListedMarket, view: MarketView, now: Millis, said: string = market.market.symbol): string {
  const day = dayOf(market, view, now)
  return JSON.stringify({
    e: '24hrMiniTicker',
    E: now,
    s: said,
    c: day.price,
    o: day.open,
    h: day.high,
    l: day.low,
    v: day.volume,
    q: day.quoteVolume,
  })
}

const dayMs = 86_400_000

export function tickerText(market: ListedMarket, view: MarketView, now: Millis): string {
  return dayTickerText(market, market.market.symbol, view, now, true)
}

/** `hasBest`: includes the best levels and the previous day's close, as spot does. */
export function dayTickerText(market: ListedMarket, said: string, view: MarketView, now: Millis, hasBest: boolean): string {
  const ticker = view.ticker(now)
  const day = dayIn(market, view, ticker)
  const lastTrade = view.trades.newest(1)[0]
  const bid = hasBest ? bestText(market, view.depth.bestBid()) : undefined
  const ask = hasBest ? bestText(market, view.depth.bestAsk()) : undefined
  const count = ticker?.trades ?? 0
  const last = lastTrade?.trade ?? 0
  return JSON.stringify({
    e: '24hrTicker',
    E: now,
    s: said,
    p: ticker ? signedPrice(market, ticker.last - ticker.open) : '0',
    P: day.change,
    w: ticker && ticker.lots > 0n ? averageText(market, ticker.quote, ticker.lots) : day.price,
    x: hasBest ? day.open : undefined,
    c: day.price,
    Q: lastTrade ? quantityText(market, lastTrade.lots) : '0',
    b: bid?.[0],
    B: bid?.[1],
    a: ask?.[0],
    A: ask?.[1],
    o: day.open,
    h: day.high,
    l: day.low,
    v: day.volume,
    q: day.quoteVolume,
    O: now - dayMs,
    C: now,
    F: count > 0 ? last - count + 1 : -1,
    L: count > 0 ? last : -1,
    n: count,
  })
}

export function bestText(market: ListedMarket, level: Level | undefined): WireLevel {
  return level ? levelText(market, level) : ['0', '0']
}

export function signedPrice(market: ListedMarket, ticks: number): string {
  return ticks < 0 ? `-${priceText(market, -ticks as Ticks)}` : priceText(market, ticks as Ticks)
}

/** Average price of a day's trades, 8 digits, rounded down. */
export function averageText({ market, base, quote }: ListedMarket, paid: bigint, lots: bigint): string {
  return bigText((paid * 10n ** BigInt(base.scale + 8)) / (lots * BigInt(market.basePerLot) * 10n ** BigInt(quote.scale)), 8)
}

/** The fields of a bar besides its numbers. `endTime`: opening time of the next one. */
export type Bar = { readonly said: string; readonly interval: string; readonly endTime: number; readonly isClosed: boolean }

export function klineText(market: ListedMarket, candle: Candle, { said: s, interval, endTime, isClosed }: Bar, now: Millis): string {
  const [t, o, h, l, c, v, q, n] = wireCandle(market, candle)
  const [V, Q] = [quantityText(market, candle.takerLots), amountText(market.quote, candle.takerQuote)]
  const k = { t, T: endTime - 1, s, i: interval, f: -1, L: -1, o, c, h, l, v, n, x: isClosed, q, V, Q, B: '0' }
  return JSON.stringify({ e: 'kline', E: now, s, k })
}
