import { mulDivFloor } from '../money/mul-div.ts'
import type { Decimal, Millis, Ticks } from '../money/brand.ts'
import { formatFixed } from '../money/units.ts'
import type { Candle } from '../protocol/market.ts'
import type { Print } from './candle.ts'

/** One market over 24 hours. Sums are exact and can pass 2^53. */
export type Ticker = {
  /** Price 24 hours ago: the last one before the window, or the first price of a younger market. */
  readonly open: Ticks
  readonly high: Ticks
  readonly low: Ticks
  /** Price of the last trade. */
  readonly last: Ticks
  readonly lots: bigint
  /** Quote units. */
  readonly quote: bigint
  readonly trades: number
  /** Of the last trade. */
  readonly at: Millis
}

type Minute = { readonly minute: number; open: Ticks; high: Ticks; low: Ticks; close: Ticks; lots: bigint; quote: bigint; trades: number }

const minuteMs = 60_000
const windowMinutes = 1440

/** The rolling 24 hours of one market in at most 1,440 one-minute buckets: the running minute and the 1,439 before it. */
export class RollingTicker {
  readonly #minutes: Minute[] = []
  /** The last price before the window; 0: none. */
  #before = 0 as Ticks
  #last = 0 as Ticks
  #lastAt = 0 as Millis
  #high = 0
  #low = 0
  #lots = 0n
  #quote = 0n
  #trades = 0

  /** Starts from stored one-minute candles, oldest first. Reference candles give prices but no volume. */
  restore(minutes: readonly Candle[]): void {
    for (const candle of minutes) {
      const { openTime, open, high, low, close, lots, quote, trades, isReference } = candle
      this.#advance(openTime)
      const counted = isReference ? { lots: 0n, quote: 0n, trades: 0 } : { lots: BigInt(lots), quote: BigInt(quote), trades }
      this.#push({ minute: minuteOf(openTime), open, high, low, close, ...counted })
      this.#last = close
      this.#lastAt = openTime
    }
  }

  add({ at, price, lots, quote }: Print): void {
    this.#advance(at)
    const minute = minuteOf(at)
    const current = this.#minutes.at(-1)
    if (current?.minute === minute) {
      if (price > current.high) current.high = price
      if (price < current.low) current.low = price
      current.close = price
      current.lots += BigInt(lots)
      current.quote += BigInt(quote)
      current.trades++
      this.#widen(price, price)
      this.#lots += BigInt(lots)
      this.#quote += BigInt(quote)
      this.#trades++
    } else {
      this.#push({ minute, open: price, high: price, low: price, close: price, lots: BigInt(lots), quote: BigInt(quote), trades: 1 })
    }
    this.#last = price
    this.#lastAt = at as Millis
  }

  /** Undefined before the first price. */
  read(at: Millis): Ticker | undefined {
    if (this.#last === 0) return undefined
    this.#advance(at)
    const first = this.#minutes[0]
    const isEmpty = first === undefined
    return {
      open: this.#before !== 0 ? this.#before : isEmpty ? this.#last : first.open,
      high: (isEmpty ? this.#last : this.#high) as Ticks,
      low: (isEmpty ? this.#last : this.#low) as Ticks,
      last: this.#last,
      lots: this.#lots,
      quote: this.#quote,
      trades: this.#trades,
      at: this.#lastAt,
    }
  }

  #push(minute: Minute): void {
    this.#minutes.push(minute)
    this.#widen(minute.high, minute.low)
    this.#lots += minute.lots
    this.#quote += minute.quote
    this.#trades += minute.trades
  }

  #widen(high: Ticks, low: Ticks): void {
    if (high > this.#high) this.#high = high
    if (low < this.#low || this.#low === 0) this.#low = low
  }

  /** Drops the minutes that left the window. */
  #advance(at: Millis): void {
    const oldest = minuteOf(at) - windowMinutes + 1
    let gone = 0
    for (const minute of this.#minutes) {
      if (minute.minute >= oldest) break
      this.#before = minute.close
      this.#lots -= minute.lots
      this.#quote -= minute.quote
      this.#trades -= minute.trades
      gone++
    }
    if (gone === 0) return
    this.#minutes.splice(0, gone)
    this.#high = 0
    this.#low = 0
    for (const { high, low } of this.#minutes) this.#widen(high, low)
  }
}

/** Percent change from `open` to `last` with two digits, rounded half up: "-1.24", "0.00", "3.50". */
export function changePercent(open: Ticks, last: Ticks): Decimal {
  const halves = mulDivFloor(20_000, last - open, open)
  return formatFixed(mulDivFloor(halves + 1, 1, 2), 2)
}

function minuteOf(at: Millis): number {
  return Math.floor(at / minuteMs)
}
