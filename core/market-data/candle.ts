import type { Lots, Millis, Ticks, Units } from '../money/brand.ts'
import type { Side } from '../protocol/command/spot.ts'
import type { Candle, Interval } from '../protocol/market.ts'
import { openTimeOf } from './calendar.ts'

/** A trade without its parties, from which candles are made. */
export type Print = { readonly at: Millis; readonly price: Ticks; readonly lots: Lots; readonly quote: Units; readonly takerSide: Side }

/** A new candle with its first trade. */
export function openCandle(openTime: Millis, { price, lots, quote, takerSide }: Print): Candle {
  const isBought = takerSide === 'buy'
  const [takerLots, takerQuote] = isBought ? [lots, quote] : [0 as Lots, 0 as Units]
  return { openTime, open: price, high: price, low: price, close: price, lots, quote, takerLots, takerQuote, trades: 1, isReference: false }
}

/** The candle with one more trade. A reference candle keeps its prices and starts counting volume. */
export function addTrade(candle: Candle, { price, lots, quote, takerSide }: Print): Candle {
  const counted = candle.isReference ? nothing : candle
  const isBought = takerSide === 'buy'
  return {
    openTime: candle.openTime,
    open: candle.open,
    high: price > candle.high ? price : candle.high,
    low: price < candle.low ? price : candle.low,
    close: price,
    lots: sum(counted.lots, lots),
    quote: sum(counted.quote, quote),
    takerLots: isBought ? sum(counted.takerLots, lots) : counted.takerLots,
    takerQuote: isBought ? sum(counted.takerQuote, quote) : counted.takerQuote,
    trades: counted.trades + 1,
    isReference: false,
  }
}

/**
 * Merges two candles of one longer interval, the earlier first. A reference candle contributes only prices, unless both are
 * reference.
 */
export function mergeCandles(first: Candle, second: Candle): Candle {
  const isReference = first.isReference && second.isReference
  const [a, b] = isReference ? [first, second] : [first.isReference ? nothing : first, second.isReference ? nothing : second]
  return {
    openTime: first.openTime,
    open: first.open,
    high: second.high > first.high ? second.high : first.high,
    low: second.low < first.low ? second.low : first.low,
    close: second.close,
    lots: sum(a.lots, b.lots),
    quote: sum(a.quote, b.quote),
    takerLots: sum(a.takerLots, b.takerLots),
    takerQuote: sum(a.takerQuote, b.takerQuote),
    trades: a.trades + b.trades,
    isReference,
  }
}

/**
 * Candles of a shorter interval, oldest first, combined into those of a longer one that it divides. Intervals without any are
 * left out.
 */
export function rollUp(candles: readonly Candle[], interval: Interval): readonly Candle[] {
  const rolled: Candle[] = []
  for (const candle of candles) {
    const openTime = openTimeOf(interval, candle.openTime)
    const last = rolled.at(-1)
    if (last?.openTime === openTime) rolled[rolled.length - 1] = mergeCandles(last, candle)
    else rolled.push({ ...candle, openTime })
  }
  return rolled
}

/**
 * The candles, oldest first, with a flat candle at the last close for each interval without trades, up to the interval that
 * contains `until`; at most the newest `limit`.
 */
export function fillGaps(candles: readonly Candle[], interval: Interval, until: Millis, limit: number): readonly Candle[] {
  const filled: Candle[] = []
  const stop = openTimeOf(interval, until)
  let next = candles.length - 1
  let candle = candles[next]
  if (candle === undefined) return filled
  // Works backwards from the newest, so that a long silence costs no more than `limit`.
  for (
    let openTime = Math.max(stop, candle.openTime) as Millis;
    filled.length < limit;
    openTime = openTimeOf(interval, (openTime - 1) as Millis)
  ) {
    while (candle !== undefined && candle.openTime > openTime) candle = candles[--next]
    if (candle === undefined) break
    filled.push(candle.openTime === openTime ? candle : flat(openTime, candle))
  }
  return filled.reverse()
}

const nothing = { lots: 0 as Lots, quote: 0 as Units, takerLots: 0 as Lots, takerQuote: 0 as Units, trades: 0 }

function flat(openTime: Millis, { close, isReference }: Candle): Candle {
  const [lots, quote] = [0 as Lots, 0 as Units]
  const prices = { open: close, high: close, low: close, close }
  return { openTime, ...prices, lots, quote, takerLots: lots, takerQuote: quote, trades: 0, isReference }
}

/** Candles are for display: a sum beyond 2^53 − 1 stays at that instead of stopping the market's data. */
function sum<T extends Units | Lots>(a: T, b: T): T {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER) as T
}
