/** Candles of a market for one chart: pages of the past, and the bar that is forming. */
import { openTimeOf } from '@candor/core/market-data/calendar.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireCandle, WireMarket, WssKlineRow } from '@candor/core/protocol/wire/market.ts'
import type { Chart, DataLoaderGetBarsParams, DataLoaderSubscribeBarParams, KLineData } from 'klinecharts'
import { client } from '../../app/client.ts'
import { watchMark } from '../perp/marks.ts'
import type { PriceName } from './kept.ts'
import { watchBars } from './bars.ts'

const pageSize = 500
/** Most bars: more would make a phone slow. Longer intervals reach further back. */
const barsMax = 1_000
const publishEveryMs = 250

export type Series = { readonly interval: Interval; readonly price: PriceName }

type Listeners = { readonly onError: (error: unknown) => void; readonly onLoaded: () => void }

/** Loads and follows the candles that a chart shows, until `close`. */
export class Candles {
  readonly #chart: Chart
  readonly #market: WireMarket
  readonly #series: () => Series
  readonly #listeners: Listeners
  #unfollow: (() => void) | undefined

  /** `series`: what the chart shows at the moment. An answer for another series is dropped. */
  constructor(chart: Chart, market: WireMarket, series: () => Series, listeners: Listeners) {
    this.#chart = chart
    this.#market = market
    this.#series = series
    this.#listeners = listeners
    chart.setDataLoader({
      getBars: (params) => this.#load(params),
      subscribeBar: (params) => this.#follow(params),
      unsubscribeBar: () => this.#unfollow?.(),
    })
  }

  close(): void {
    this.#unfollow?.()
  }

  async #load({ type, timestamp, callback }: DataLoaderGetBarsParams): Promise<void> {
    if (type === 'backward') return callback([], { forward: true, backward: false })
    const isOlder = type === 'forward' && timestamp !== null
    if (isOlder && this.#chart.getDataList().length >= barsMax) return callback([], false)
    const asked = this.#series()
    try {
      const { candles } = await client.market.candles(this.#market.symbol, {
        interval: asked.interval,
        limit: pageSize,
        ...(asked.price === 'last' ? {} : { price: asked.price }),
        ...(isOlder ? { endTime: timestamp } : {}),
      })
      const now = this.#series()
      if (asked.interval !== now.interval || asked.price !== now.price) return
      const bars = candles.filter((candle) => !isOlder || candle[0] < timestamp).map(barOf)
      callback(bars, { forward: bars.length >= pageSize - 1, backward: false })
      if (!isOlder) this.#listeners.onLoaded()
    } catch (error) {
      callback([], false)
      if (!isOlder) this.#listeners.onError(error)
    }
  }

  /** Updates the live bar at most four times a second, to save battery. */
  #follow({ callback }: DataLoaderSubscribeBarParams): void {
    this.#unfollow?.()
    const bars = new Map<number, KLineData>()
    const { interval, price } = this.#series()
    const stop =
      price === 'last'
        ? watchBars(this.#market, interval, (rows) => {
            for (const row of rows.slice(-3)) bars.set(row[0], barOf(row))
          })
        : this.#followMark(price, interval, bars)
    const publish = setInterval(() => {
      if (document.hidden || bars.size === 0) return
      const newest = this.#chart.getDataList().at(-1)?.timestamp ?? 0
      for (const bar of [...bars.values()].sort((a, b) => a.timestamp - b.timestamp)) if (bar.timestamp >= newest) callback(bar)
      bars.clear()
    }, publishEveryMs)
    this.#unfollow = () => {
      stop()
      clearInterval(publish)
      this.#unfollow = undefined
    }
  }

  /** Updates the current bar with each mark or index price. */
  #followMark(price: 'mark' | 'index', interval: Interval, bars: Map<number, KLineData>): () => void {
    return watchMark(this.#market.symbol, (mark) => {
      const value = Number(mark[price])
      const timestamp = openTimeOf(interval, mark.time as Millis)
      const last = bars.get(timestamp) ?? this.#chart.getDataList().at(-1)
      const bar = last?.timestamp === timestamp ? last : { open: value, high: value, low: value }
      const [high, low] = [Math.max(bar.high, value), Math.min(bar.low, value)]
      bars.set(timestamp, { timestamp, open: bar.open, high, low, close: value, volume: 0 })
    })
  }
}

function barOf(candle: WireCandle | WssKlineRow): KLineData {
  const [timestamp, open, high, low, close, volume, turnover] = candle
  return {
    timestamp,
    open: Number(open),
    high: Number(high),
    low: Number(low),
    close: Number(close),
    volume: Number(volume),
    ...(turnover === undefined ? {} : { turnover: Number(turnover) }),
  }
}
