import { mergeCandles } from '@candor/core/market-data/candle.ts'
import type { Lots, Millis, Units } from '@candor/core/money/brand.ts'
import { parseLots, parseTicks } from '@candor/core/money/price.ts'
import { parseUnits } from '@candor/core/money/units.ts'
import type { Candle } from '@candor/core/protocol/market.ts'
import type pg from 'pg'
import { type BarShape, type MarkBar, markBars, type TradeBar, tradeBarBefore, tradeBars } from '../../store/query/market/bars.ts'
import { amountText, type ListedMarket, priceText, quantityText } from '../../live/listing.ts'
import { nextOf, openOf } from '../../live/intervals.ts'
import type { Seen } from '../names.ts'

/** With `start`: the oldest `limit` bars that opened at or after it. Without: the newest. No bar opens after `end` or after `now`. */
export type KlineRange = {
  readonly start: number | undefined
  readonly end: number | undefined
  readonly limit: number
  readonly now: number
}

/** [open time, open, high, low, close, volume, close time, quote volume, trades, taker's volume, taker's quote volume, "0"] */
type Kline = readonly [number, string, string, string, string, string, number, string, number, string, string, string]

/** Count of the newest stored bars, of each unit, that memory has without gaps. */
const memoryDepth = 1_000

/** Bars of a market's trades, one for each interval since the first price: an interval without trades gets a flat bar. */
export async function klines(pool: pg.Pool, { market, view }: Seen, shape: BarShape, range: KlineRange): Promise<readonly Kline[]> {
  const window = windowOf(shape, range)
  if (!window) return []
  const { first, until, isOldest } = window
  const { symbol } = market.market
  const oldest = isOldest ? first : backFrom(shape, until, range.limit)
  // Memory has all candles from its oldest one on; earlier ones are in the tables.
  const recent = view.candles.newest(shape.unit, memoryDepth)
  const border = recent[0]?.openTime ?? Number.MAX_SAFE_INTEGER
  const older = { from: first, until: Math.min(until, border), limit: range.limit, isOldest }
  const stored = border <= oldest ? [] : await tradeBars(pool, symbol, shape, older)
  const bars = new Map(stored.map((bar) => [bar.time, candleOf(market, bar)]))
  let before: Candle | undefined
  for (const candle of recent) {
    if (candle.openTime < first) before = candle
    else if (candle.openTime < until) addTo(bars, openOf(shape, candle.openTime), candle)
  }
  if (isOldest && !before && !bars.has(first)) {
    const last = await tradeBarBefore(pool, symbol, shape.unit, first)
    before = last && candleOf(market, last)
  }
  const filled = fill([...bars.values()], { ...window, shape, limit: range.limit, before }, flat)
  return filled.map((candle) => keptOr(market, shape, candle))
}

/**
 * The texts of candles that were asked for before. A candle never changes, because each trade makes a new one; and it belongs to one
 * market. Only those of memory that are a bar by themselves are met again.
 */
const kept = new WeakMap<Candle, Kline>()

function keptOr(market: ListedMarket, shape: BarShape, candle: Candle): Kline {
  if (shape.count !== 1) return klineOf(market, shape, candle)
  let kline = kept.get(candle)
  if (!kline) {
    kline = klineOf(market, shape, candle)
    kept.set(candle, kline)
  }
  return kline
}

/** Bars of a Futures market's mark or index. They record no trades: volumes are 0. */
export async function markKlines(
  pool: pg.Pool,
  market: ListedMarket,
  price: 'mark' | 'index',
  shape: BarShape & { readonly unit: '1m' | '1h' },
  range: KlineRange,
): Promise<readonly Kline[]> {
  const window = windowOf(shape, range)
  if (!window) return []
  const { first, until, isOldest } = window
  const { symbol } = market.market
  const { limit } = range
  const bars = await markBars(pool, symbol, price, shape, { from: first, until, limit, isOldest })
  let before: MarkBar | undefined
  if (isOldest && bars[0]?.time !== first) {
    const stored = { ...shape, lengthMs: 1, originMs: 0, count: 1 }
    before = (await markBars(pool, symbol, price, stored, { from: 0, until: first, limit: 1, isOldest: false }))[0]
  }
  const timed = (bar: MarkBar) => ({ ...bar, openTime: bar.time })
  const filled = fill(bars.map(timed), { ...window, shape, limit, before: before && timed(before) }, (openTime, { close }) => ({
    openTime,
    time: openTime,
    open: close,
    high: close,
    low: close,
    close,
  }))
  return filled.map(({ openTime, open, high, low, close }) => {
    return [openTime, open, high, low, close, '0', nextOf(shape, openTime) - 1, '0', 0, '0', '0', '0']
  })
}

/**
 * Bounds of the answer: opening time of its first bar, opening time of the bar after its last, and whether the limit counts from
 * the oldest.
 */
type Window = { readonly first: number; readonly until: number; readonly isOldest: boolean }

function windowOf(shape: BarShape, { start, end, now }: KlineRange): Window | undefined {
  const until = nextOf(shape, openOf(shape, Math.min(end ?? now, now)))
  if (start === undefined) return { first: 0, until, isOldest: false }
  const open = openOf(shape, start)
  const first = open < start ? nextOf(shape, open) : open
  return first < until ? { first, until, isOldest: true } : undefined
}

/** Opening time of the oldest of the `limit` bars before `until`. */
function backFrom(shape: BarShape, until: number, limit: number): number {
  if (shape.lengthMs !== null) return until - limit * shape.lengthMs
  let back = until
  for (let i = 0; i < limit && back > 0; i++) back = openOf(shape, back - 1)
  return back
}

type Gaps<T> = Window & { readonly shape: BarShape; readonly limit: number; readonly before: T | undefined }

/** One bar for each interval, oldest first; `flatten` makes a missing one from the bar before it. */
function fill<T extends { readonly openTime: number }>(
  bars: readonly T[],
  { first, until, isOldest, shape, limit, before }: Gaps<T>,
  flatten: (openTime: number, before: T) => T,
): readonly T[] {
  const known = bars.toSorted((a, b) => a.openTime - b.openTime)
  const oldest = known[0]
  if (!oldest && !before) return []
  const filled: T[] = []
  let last = before
  let next = 0
  let open = before ? first : (oldest as T).openTime
  if (!isOldest) {
    // Bars before the newest `limit` ones are left out: only the last close of them matters.
    const back = Math.max(open, backFrom(shape, until, limit))
    for (; next < known.length && (known[next] as T).openTime < back; next++) last = known[next]
    open = back
  }
  for (; open < until && filled.length < limit; open = nextOf(shape, open)) {
    const own = known[next]?.openTime === open ? known[next++] : undefined
    last = own ?? flatten(open, last as T)
    filled.push(last)
  }
  return filled
}

function flat(openTime: number, { close, isReference }: Candle): Candle {
  const nothing = { lots: 0 as Lots, quote: 0 as Units, takerLots: 0 as Lots, takerQuote: 0 as Units, trades: 0 }
  return { openTime: openTime as Millis, open: close, high: close, low: close, close, ...nothing, isReference }
}

/** Adds a candle to its bar. Candles must come oldest first. */
function addTo(bars: Map<number, Candle>, openTime: number, candle: Candle): void {
  const bar = bars.get(openTime)
  const first = candle.openTime === openTime ? candle : { ...candle, openTime: openTime as Millis }
  bars.set(openTime, bar ? mergeCandles(bar, candle) : first)
}

export function candleOf(market: ListedMarket, bar: TradeBar): Candle {
  const { tick, lot } = market.market
  const ticks = (text: string) => {
    const value = parseTicks(text, tick)
    if (value === undefined) throw new Error(`The tables have ${text}, which is not a price of ${market.market.symbol}`)
    return value
  }
  // A sum too large for a candle's counters is capped.
  const lots = (text: string) => parseLots(text, lot) ?? (Number.MAX_SAFE_INTEGER as Lots)
  const units = (text: string) => parseUnits(trimmed(text), market.quote.scale) ?? (Number.MAX_SAFE_INTEGER as Units)
  return {
    openTime: bar.time as Millis,
    open: ticks(bar.open),
    high: ticks(bar.high),
    low: ticks(bar.low),
    close: ticks(bar.close),
    lots: lots(bar.volume),
    quote: units(bar.quoteVolume),
    takerLots: lots(bar.takerVolume),
    takerQuote: units(bar.takerQuoteVolume),
    trades: bar.trades,
    isReference: bar.isReference,
  }
}

/** A decimal without trailing zeros. */
const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** Trades on other venues, before the first own trade, give prices and no volume. */
function klineOf(market: ListedMarket, shape: BarShape, candle: Candle): Kline {
  const { openTime, open, high, low, close, isReference } = candle
  const { lots, quote, trades, takerLots, takerQuote } = isReference ? flat(openTime, candle) : candle
  return [
    openTime,
    priceText(market, open),
    priceText(market, high),
    priceText(market, low),
    priceText(market, close),
    quantityText(market, lots),
    nextOf(shape, openTime) - 1,
    amountText(market.quote, quote),
    trades,
    quantityText(market, takerLots),
    amountText(market.quote, takerQuote),
    '0',
  ]
}
