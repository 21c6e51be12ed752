/**
 * The chart library, connected with the exchange's candles. Loaded only with a chart, because the library needs a window when it is
 * imported.
 */
import { openTimeOf } from '@candor/core/market-data/calendar.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type Chart, dispose, init, type Period, registerLocale } from 'klinecharts'
import { axisFormats } from './axis-format.ts'
import { Candles } from './candles.ts'
import { type ChartTexts, chartLocale, chartStyles } from './chart-look.ts'
import { comparedAxis, type Compared, Comparisons } from './compare/comparisons.ts'
import { Drawings } from './draw/drawings.ts'
import { showTime, watchCrosshair } from './crosshair.ts'
import { type Frame, watchFrame } from './frame.ts'
import { type Legend, watchLegend } from './legend.ts'
import { type AxisName, type ChartType, isOf, isOnPrice, type Keeping, type PriceName } from './kept.ts'
import { type FillMark, lineOverlay, markOverlay } from './overlays.ts'
import { mainPane, paneHeights } from './panes.ts'

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

export type ChartOptions = {
  readonly market: WireMarket
  readonly interval: Interval
  /** The price of the candles; always `last` for spot markets. */
  readonly price: PriceName
  readonly type: ChartType
  readonly keeping: Keeping
  readonly texts: ChartTexts
  /** The language of prices and times on the axes. */
  readonly tag: string
  readonly zone: 'local' | 'utc'
  readonly onError: (error: unknown) => void
  readonly onLoaded: () => void
}

/** A labelled line at a price that nobody can move, such as the mark price. */
export type PriceLine = { readonly name: string; readonly price: number; readonly text: string; readonly colour: string }

/** An own fill. `onTap`: the mark was touched at this point of the plot. */
export type Mark = FillMark & {
  readonly id: string
  readonly time: number
  readonly price: number
  readonly onTap: (x: number, y: number) => void
}

const lineGroup = 'line'
const markGroup = 'mark'

/** One chart in one element, until `close`. */
export class PriceChart {
  readonly drawings: Drawings
  readonly comparisons: Comparisons
  readonly #chart: Chart
  readonly #element: HTMLElement
  readonly #keeping: Keeping
  readonly #candles: Candles
  #interval: Interval
  #price: PriceName
  #axis: AxisName
  #lines = new Set<string>()
  #marks = new Set<string>()

  constructor(element: HTMLElement, { market, interval, price, type, keeping, texts, tag, zone, onError, onLoaded }: ChartOptions) {
    this.#element = element
    this.#keeping = keeping
    this.#interval = interval
    this.#price = price
    registerLocale(chartLocale, texts)
    const chart = init(element, {
      locale: chartLocale,
      styles: chartStyles(type),
      ...axisFormats(tag, zone),
      ...(zone === 'utc' ? { timezone: 'Etc/UTC' } : {}),
    })
    if (chart === null) throw new Error('the chart has no element to draw in')
    // The library makes itself the page's first tab stop. The chart has a text description instead.
    for (const part of element.querySelectorAll('[tabindex]')) part.setAttribute('tabindex', '-1')
    this.#chart = chart
    chart.setSymbol({ ticker: market.symbol, pricePrecision: market.priceDigits, volumePrecision: market.quantityDigits })
    chart.setPeriod(periods[interval])
    this.#candles = new Candles(chart, market, () => ({ interval: this.#interval, price: this.#price }), { onError, onLoaded })
    this.comparisons = new Comparisons(
      chart,
      () => this.#interval,
      () => this.setAxis(this.#axis),
    )
    this.#axis = keeping.layout().axis
    this.setAxis(this.#axis)
    for (const name of keeping.layout().indicators) if (isOf(name, price)) this.#addIndicator(name)
    this.drawings = new Drawings(chart, keeping)
    this.#share()
  }

  setInterval(interval: Interval): void {
    this.#interval = interval
    this.#chart.setPeriod(periods[interval])
    this.comparisons.restart()
  }

  /** Shows candles of a perp market's trades, mark price or index. */
  setPrice(price: PriceName): void {
    if (price === this.#price) return
    for (const name of this.#keeping.layout().indicators) {
      if (isOf(name, price) && !isOf(name, this.#price)) this.#addIndicator(name)
      else if (!isOf(name, price)) this.#chart.removeIndicator({ name })
    }
    this.#price = price
    this.#share()
    this.#chart.resetData()
  }

  /** Sets the colours and the type of bars. Also called after a change of theme. */
  setLook(type: ChartType): void {
    this.#chart.setStyles(chartStyles(type))
  }

  /** Comparisons need percent, whatever the axis is without them. */
  setAxis(axis: AxisName): void {
    this.#axis = axis
    const name = this.comparisons.isEmpty ? axis : comparedAxis
    this.#chart.overrideYAxis({ paneId: mainPane, name, gap: { top: 0.1, bottom: 0.08 } })
  }

  /** Lays exactly these markets over the chart. */
  setCompared(compared: readonly Compared[]): void {
    this.comparisons.set(compared)
  }

  toggleIndicator(name: string): void {
    const { indicators } = this.#keeping.layout()
    const isOn = indicators.includes(name)
    if (isOn) this.#chart.removeIndicator({ name })
    else if (isOf(name, this.#price)) this.#addIndicator(name)
    const others = indicators.filter((other) => other !== name)
    this.#keeping.setLayout({ indicators: isOn ? others : [...others, name] })
    this.#share()
  }

  setParameters(name: string, parameters: readonly number[]): void {
    this.#chart.overrideIndicator({ name, calcParams: [...parameters] })
    this.#keeping.setLayout({ parameters: { ...this.#keeping.layout().parameters, [name]: parameters } })
  }

  parametersOf(name: string): readonly number[] {
    const own = this.#chart.getIndicators({ name })[0]?.calcParams ?? this.#keeping.layout().parameters[name] ?? []
    return own.filter((value): value is number => typeof value === 'number')
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
          line: { color: colour, size: 1, style: 'dashed' as const, dashedValue: [2, 4] },
          text: { color: colour, backgroundColor: 'transparent', borderSize: 0, size: 10, paddingLeft: 2, paddingRight: 2 },
        },
      }
      if (this.#lines.has(id)) this.#chart.overrideOverlay({ id, ...look })
      else this.#chart.createOverlay({ id, groupId: lineGroup, name: lineOverlay, lock: true, ...look })
    }
    this.#lines = new Set(wanted.keys())
  }

  /** Shows exactly these marks, each at the bar of its time. */
  setMarks(marks: readonly Mark[]): void {
    const wanted = new Map(marks.map((mark) => [`${markGroup}-${mark.id}-${mark.colour}`, mark]))
    for (const id of this.#marks) if (!wanted.has(id)) this.#chart.removeOverlay({ id })
    const interval = this.#interval
    for (const [id, { time, price, onTap, ...shown }] of wanted) {
      const points = [{ timestamp: openTimeOf(interval, time as Millis), value: price }]
      if (this.#marks.has(id)) this.#chart.overrideOverlay({ id, points })
      else {
        this.#chart.createOverlay({
          ...{ id, groupId: markGroup, name: markOverlay, lock: true, points, extendData: shown },
          onClick: ({ x, y }) => onTap(x ?? 0, y ?? 0),
        })
      }
    }
    this.#marks = new Set(wanted.keys())
  }

  /** Calls the listener whenever prices move on the screen, in the same frame, until the returned function is called. */
  onFrame(listener: (frame: Frame) => void): () => void {
    return watchFrame(this.#chart, listener)
  }

  /** Calls the listener with the values of the bar under the crosshair, or else of the newest one. */
  onLegend(listener: (legend: Legend | undefined) => void): () => void {
    return watchLegend(this.#chart, listener)
  }

  /** Calls the listener with the time under the pointer, and with undefined when it leaves, until the returned function is called. */
  onCrosshair(listener: (time: number | undefined) => void): () => void {
    return watchCrosshair(this.#chart, this.#element, listener)
  }

  /** Shows the crosshair of another chart at its time. */
  showTime(time: number | undefined): void {
    showTime(this.#chart, time === undefined ? undefined : openTimeOf(this.#interval, time as Millis))
  }

  picture(): string {
    return this.#chart.getConvertPictureUrl(true, 'png', getComputedStyle(document.documentElement).getPropertyValue('--bg'))
  }

  reload(): void {
    this.#chart.resetData()
  }

  resize(): void {
    this.#chart.resize()
    this.#share()
  }

  close(): void {
    this.#candles.close()
    this.comparisons.close()
    dispose(this.#element)
  }

  #addIndicator(name: string): void {
    const parameters = this.#keeping.layout().parameters[name] ?? defaults[name]
    const create = parameters === undefined ? { name } : { name, calcParams: [...parameters] }
    // Averages and bands share the price's pane, and have their legend above it; oscillators get a pane of their own.
    const shared = { paneId: mainPane, createTooltipDataSource: () => ({ name: '', calcParamsText: '', features: [], legends: [] }) }
    this.#chart.createIndicator(isOnPrice(name) ? { ...create, ...shared } : create, isOnPrice(name))
    const paneId = this.#chart.getIndicators({ name })[0]?.paneId
    if (!isOnPrice(name) && paneId !== undefined) this.#chart.overrideYAxis({ paneId, gap: { top: 0.3, bottom: 0.05 } })
  }

  /** Shares the height among the panes, of which the candles keep the larger part. */
  #share(): void {
    const panes = [...new Set(this.#chart.getIndicators().map(({ paneId }) => paneId))].filter((id) => id !== mainPane)
    const height = paneHeights(this.#element.clientHeight, panes.length)
    for (const id of panes) this.#chart.setPaneOptions({ id, height, minHeight: Math.min(30, height) })
  }
}
