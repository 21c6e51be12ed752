/**
 * Connects the chart library with the exchange's candles. Loaded only with its screen, because the library needs a window when it is
 * imported.
 */
import type { Millis } from '@candor/core/money/brand.ts'
import { openTimeOf } from '@candor/core/market-data/calendar.ts'
import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireCandle, WireMarket, WssKlineRow } from '@candor/core/protocol/wire/market.ts'
import { type Chart, dispose, init, type KLineData, type Period, registerLocale, registerOverlay } from 'klinecharts'
import { client } from '../../app/client.ts'
import { watchKline } from '../../app/quotes.ts'
import { watchMark } from '../../parts/perp/marks.ts'
import { type ChartTexts, chartLocale, chartStyles } from './chart-look.ts'
import { type Drawing, isOf, isOnPrice, keep, kept, type Kept, type PriceName } from './kept.ts'

const pageSize = 500
/** Most bars: more would make a phone slow. Longer intervals reach further back. */
const barsMax = 1_000
const publishEveryMs = 250

/** Volume without its averages, whose legend takes two lines. */
const defaults: Readonly<Record<string, readonly number[]>> = { VOL: [] }

const periods: Readonly<Record<Interval, Period>> = {
  '1s': { type: 'second', span: 1 },
  '1m': { type: 'minute', span: 1 },
  '5m': { type: 'minute', span: 5 },
  '15m': { type: 'minute', span: 15 },
  '30m': { type: 'minute', span: 30 },
  '1h': { type: 'hour', span: 1 },
  '4h': { type: 'hour', span: 4 },
  '1d': { type: 'day', span: 1 },
  '1w': { type: 'week', span: 1 },
  '1M': { type: 'month', span: 1 },
}

const lineOverlay = 'candorLine'

/** A dashed line with its label at the left, where it covers no price. */
registerOverlay<string>({
  name: lineOverlay,
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ bounding, coordinates, overlay }) => {
    const y = coordinates[0]?.y ?? -100
    return [
      {
        type: 'line',
        ignoreEvent: true,
        attrs: {
          coordinates: [
            { x: 0, y },
            { x: bounding.width, y },
          ],
        },
      },
      { type: 'text', ignoreEvent: true, attrs: { x: 4, y: y - 2, text: overlay.extendData, align: 'left', baseline: 'bottom' } },
    ]
  },
})

export type ChartOptions = {
  readonly market: WireMarket
  readonly interval: Interval
  /** The price of the candles; always `last` for spot markets. */
  readonly price: PriceName
  readonly type: Kept['type']
  readonly texts: ChartTexts
  readonly timezone: string | undefined
  readonly onError: (error: unknown) => void
  readonly onLoaded: () => void
}

/** A labelled line at a price, such as a mark, entry or liquidation price. */
export type PriceLine = { readonly name: string; readonly price: number; readonly text: string; readonly colour: string }

const drawingGroup = 'drawing'
const lineGroup = 'line'

/** One chart in one element, until `close`. */
export class PriceChart {
  readonly #chart: Chart
  readonly #element: HTMLElement
  readonly #options: ChartOptions
  #interval: Interval
  #price: PriceName
  #unfollow: (() => void) | undefined
  #undo: string[] = []
  #lines = new Set<string>()

  constructor(element: HTMLElement, options: ChartOptions) {
    this.#element = element
    this.#options = options
    this.#interval = options.interval
    this.#price = options.price
    registerLocale(chartLocale, options.texts)
    const chart = init(element, {
      locale: chartLocale,
      styles: chartStyles(options.type),
      ...(options.timezone === undefined ? {} : { timezone: options.timezone }),
    })
    if (chart === null) throw new Error('the chart has no element to draw in')
    // The library makes itself the page's first tab stop. The chart has a text description instead.
    for (const part of element.querySelectorAll('[tabindex]')) part.setAttribute('tabindex', '-1')
    this.#chart = chart
    const { market } = options
    chart.setSymbol({ ticker: market.symbol, pricePrecision: market.priceDigits, volumePrecision: market.quantityDigits })
    chart.setPeriod(periods[options.interval])
    chart.setDataLoader({
      getBars: ({ type, timestamp, callback }) => this.#load(type, timestamp, callback),
      subscribeBar: ({ callback }) => this.#follow(callback),
      unsubscribeBar: () => this.#unfollow?.(),
    })
    // Keeps room for the legend above the bars.
    chart.overrideYAxis({ paneId: 'candle_pane', gap: { top: 0.32, bottom: 0.08 } })
    for (const name of kept().indicators) if (isOf(name, this.#price)) this.#addIndicator(name)
    for (const drawing of kept().drawings[market.symbol] ?? []) this.#restore(drawing)
  }

  setInterval(interval: Interval): void {
    this.#interval = interval
    this.#chart.setPeriod(periods[interval])
  }

  /** Shows candles of a perp market's trades, mark price or index. */
  setPrice(price: PriceName): void {
    if (price === this.#price) return
    for (const name of kept().indicators) {
      if (isOf(name, price) && !isOf(name, this.#price)) this.#addIndicator(name)
      else if (!isOf(name, price)) this.#chart.removeIndicator({ name })
    }
    this.#price = price
    this.#chart.resetData()
  }

  /** Sets the colours and the type of bars. Also called after a change of theme. */
  setLook(type: Kept['type']): void {
    this.#chart.setStyles(chartStyles(type))
  }

  toggleIndicator(name: string): void {
    const isOn = kept().indicators.includes(name)
    if (isOn) this.#chart.removeIndicator({ name })
    else if (isOf(name, this.#price)) this.#addIndicator(name)
    const others = kept().indicators.filter((other) => other !== name)
    keep({ indicators: isOn ? others : [...others, name] })
  }

  setParameters(name: string, parameters: readonly number[]): void {
    this.#chart.overrideIndicator({ name, calcParams: [...parameters] })
    keep({ parameters: { ...kept().parameters, [name]: parameters } })
  }

  parametersOf(name: string): readonly number[] {
    const own = this.#chart.getIndicators({ name })[0]?.calcParams ?? kept().parameters[name] ?? []
    return own.filter((value): value is number => typeof value === 'number')
  }

  /** Starts a drawing: the next taps set its points. */
  draw(name: string, isMagnetic: boolean): void {
    const id = this.#chart.createOverlay({
      name,
      groupId: drawingGroup,
      mode: isMagnetic ? 'weak_magnet' : 'normal',
      onDrawEnd: () => this.#save(),
      onPressedMoveEnd: () => this.#save(),
      onRemoved: () => this.#save(),
    })
    if (typeof id === 'string') this.#undo.push(id)
  }

  /** Shows exactly these lines. They are not drawings: the user can't move or remove them, and they are not stored. */
  setLines(lines: readonly PriceLine[]): void {
    const wanted = new Map(lines.map((line) => [`${lineGroup}-${line.name}`, line]))
    for (const id of this.#lines) if (!wanted.has(id)) this.#chart.removeOverlay({ id })
    for (const [id, { price, text, colour }] of wanted) {
      const look = {
        points: [{ value: price }],
        extendData: text,
        styles: {
          line: { color: colour, size: 1, style: 'dashed' as const, dashedValue: [4, 4] },
          text: { color: colour, backgroundColor: 'transparent', borderSize: 0, size: 10, paddingLeft: 2, paddingRight: 2 },
        },
      }
      if (this.#lines.has(id)) this.#chart.overrideOverlay({ id, ...look })
      else this.#chart.createOverlay({ id, groupId: lineGroup, name: lineOverlay, lock: true, ...look })
    }
    this.#lines = new Set(wanted.keys())
  }

  /** Removes the newest drawing. */
  undo(): void {
    const id = this.#undo.pop()
    if (id !== undefined) this.#chart.removeOverlay({ id })
    this.#save()
  }

  clearDrawings(): void {
    this.#chart.removeOverlay({ groupId: drawingGroup })
    this.#undo = []
    this.#save()
  }

  get drawingCount(): number {
    return this.#undo.length
  }

  picture(): string {
    return this.#chart.getConvertPictureUrl(true, 'png', getComputedStyle(document.documentElement).getPropertyValue('--bg'))
  }

  reload(): void {
    this.#chart.resetData()
  }

  resize(): void {
    this.#chart.resize()
  }

  close(): void {
    this.#unfollow?.()
    dispose(this.#element)
  }

  async #load(
    type: string,
    timestamp: number | null,
    callback: (bars: KLineData[], more?: boolean | { forward: boolean; backward: boolean }) => void,
  ): Promise<void> {
    if (type === 'backward') return callback([], { forward: true, backward: false })
    const isOlder = type === 'forward' && timestamp !== null
    if (isOlder && this.#chart.getDataList().length >= barsMax) return callback([], false)
    const [interval, price] = [this.#interval, this.#price]
    try {
      const { candles } = await client.market.candles(this.#options.market.symbol, {
        interval,
        limit: pageSize,
        ...(price === 'last' ? {} : { price }),
        ...(isOlder ? { endTime: timestamp } : {}),
      })
      if (interval !== this.#interval || price !== this.#price) return
      const bars = candles.filter((candle) => !isOlder || candle[0] < timestamp).map(barOf)
      callback(bars, { forward: bars.length >= pageSize - 1, backward: false })
      if (!isOlder) this.#options.onLoaded()
    } catch (error) {
      callback([], false)
      if (!isOlder) this.#options.onError(error)
    }
  }

  /** Updates the live bar at most four times a second, to save battery. */
  #follow(callback: (bar: KLineData) => void): void {
    this.#unfollow?.()
    const bars = new Map<number, KLineData>()
    const { market } = this.#options
    const interval = this.#interval
    const price = this.#price
    const stop =
      price === 'last'
        ? watchKline(market.id, interval, (kline) => {
            if (kline.tradingPairsId !== market.id || kline.period !== interval) return
            for (const row of kline.rows.slice(-3)) bars.set(row[0], barOf(row))
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
    return watchMark(this.#options.market.symbol, (mark) => {
      const value = Number(mark[price])
      const timestamp = openTimeOf(interval, mark.time as Millis)
      const last = bars.get(timestamp) ?? this.#chart.getDataList().at(-1)
      const bar = last?.timestamp === timestamp ? last : { open: value, high: value, low: value }
      const [high, low] = [Math.max(bar.high, value), Math.min(bar.low, value)]
      bars.set(timestamp, { timestamp, open: bar.open, high, low, close: value, volume: 0 })
    })
  }

  #addIndicator(name: string): void {
    const parameters = kept().parameters[name] ?? defaults[name]
    const create = parameters === undefined ? { name } : { name, calcParams: [...parameters] }
    // Averages and bands share the price's pane; oscillators get their own.
    this.#chart.createIndicator(isOnPrice(name) ? { ...create, paneId: 'candle_pane' } : create, isOnPrice(name))
    const paneId = this.#chart.getIndicators({ name })[0]?.paneId
    if (!isOnPrice(name) && paneId !== undefined) this.#chart.overrideYAxis({ paneId, gap: { top: 0.4, bottom: 0.05 } })
  }

  #restore(drawing: Drawing): void {
    const id = this.#chart.createOverlay({
      name: drawing.name,
      groupId: drawingGroup,
      points: drawing.points.map((point) => ({ ...point })),
      onPressedMoveEnd: () => this.#save(),
      onRemoved: () => this.#save(),
    })
    if (typeof id === 'string') this.#undo.push(id)
  }

  #save(): void {
    const drawings = this.#chart
      .getOverlays({ groupId: drawingGroup })
      .map(({ name, points }) => ({
        name,
        points: points.flatMap(({ timestamp, value }) => (timestamp === undefined || value === undefined ? [] : [{ timestamp, value }])),
      }))
      .filter((drawing) => drawing.points.length > 0)
    keep({ drawings: { ...kept().drawings, [this.#options.market.symbol]: drawings } })
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
