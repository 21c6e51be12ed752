import { type Candle, type Interval, intervals } from '../protocol/market.ts'
import { addTrade, openCandle, type Print, rollUp } from './candle.ts'
import { endTimeOf, openTimeOf } from './calendar.ts'

/** Interval from whose candles each interval is derived. Those that are their own source are stored in tables. */
const sources: { readonly [I in Interval]: '1s' | '1m' | '1h' } = {
  '1s': '1s',
  '1m': '1m',
  '5m': '1m',
  '15m': '1m',
  '30m': '1m',
  '1h': '1h',
  '4h': '1h',
  '1d': '1h',
  '1w': '1h',
  '1M': '1h',
}

/** Stored candles, oldest first: enough to complete the longest interval derived from them. */
export type CandleHistory = { readonly '1s': readonly Candle[]; readonly '1m': readonly Candle[]; readonly '1h': readonly Candle[] }

/** The newest candles of one market in every interval, built from its trades. */
export class CandleSet {
  readonly #series: readonly Series[]

  /** Keeps at most `depth` candles of each interval. */
  constructor(depth = 1000) {
    this.#series = intervals.map((interval) => new Series(interval, depth))
  }

  /** Replaces everything with stored candles. */
  restore(history: CandleHistory): void {
    for (const series of this.#series) series.restore(rollUp(history[sources[series.interval]], series.interval))
  }

  /** Trades must come in order of time; an earlier one throws. */
  add(print: Print): void {
    for (const series of this.#series) series.add(print)
  }

  /** Oldest first, at most `limit`, without intervals in which nothing traded. */
  newest(interval: Interval, limit: number): readonly Candle[] {
    return this.#of(interval).newest(limit)
  }

  current(interval: Interval): Candle | undefined {
    return this.#of(interval).current
  }

  /** Candles of the interval that changed since the last call, oldest first. */
  takeChanged(interval: Interval): readonly Candle[] {
    return this.#of(interval).takeChanged()
  }

  #of(interval: Interval): Series {
    return this.#series[intervals.indexOf(interval)] as Series
  }
}

/** One interval: a list that may grow to twice its depth and is then cut, so that adding stays cheap. */
class Series {
  readonly interval: Interval
  readonly #depth: number
  #candles: Candle[] = []
  #endTime = 0
  /** Number of the newest candles that have changed since `takeChanged`. */
  #changed = 0

  constructor(interval: Interval, depth: number) {
    this.interval = interval
    this.#depth = depth
  }

  get current(): Candle | undefined {
    return this.#candles.at(-1)
  }

  restore(candles: readonly Candle[]): void {
    this.#candles = candles.slice(-this.#depth)
    const last = this.current
    this.#endTime = last === undefined ? 0 : endTimeOf(this.interval, last.openTime)
    this.#changed = 0
  }

  add(print: Print): void {
    const last = this.#candles.length - 1
    const current = this.#candles[last]
    if (current !== undefined && print.at < current.openTime) throw new Error(`trade at ${print.at} before ${current.openTime}`)
    if (current !== undefined && print.at < this.#endTime) {
      this.#candles[last] = addTrade(current, print)
      if (this.#changed === 0) this.#changed = 1
      return
    }
    const openTime = openTimeOf(this.interval, print.at)
    if (last + 1 >= 2 * this.#depth) this.#candles = this.#candles.slice(-this.#depth + 1)
    this.#candles.push(openCandle(openTime, print))
    this.#endTime = endTimeOf(this.interval, openTime)
    this.#changed = Math.min(this.#changed + 1, this.#depth)
  }

  newest(limit: number): readonly Candle[] {
    return this.#candles.slice(-Math.min(limit, this.#depth))
  }

  takeChanged(): readonly Candle[] {
    if (this.#changed === 0) return []
    const changed = this.#candles.slice(-this.#changed)
    this.#changed = 0
    return changed
  }
}
