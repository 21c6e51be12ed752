/** Other markets laid over a chart as lines, in percent since the first bar in sight. */
import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import {
  type Chart,
  type KLineData,
  type OverlayFigure,
  type OverlayTemplate,
  registerOverlay,
  registerYAxis,
  type XAxis,
  type YAxis,
} from 'klinecharts'
import { watchLegend } from '../legend.ts'
import { Followed } from './followed.ts'

/** The price axis of a chart with comparisons: percent, wide enough for all of them. */
export const comparedAxis = 'candorCompared'
const overlay = 'candorCompared'

/** A compared market with the look of its line. */
export type Compared = { readonly market: WireMarket; readonly colour: string; readonly dashes: readonly number[] }

const byChart = new WeakMap<Chart, Comparisons>()

export class Comparisons {
  readonly #chart: Chart
  readonly #interval: () => Interval
  readonly #refresh: () => void
  readonly #listeners = new Set<() => void>()
  readonly #followed = new Map<string, Followed>()
  #shown: readonly Compared[] = []
  /** The bar from which the axis counts. It stays while the user scales the axis by hand. */
  #base: Pick<KLineData, 'timestamp' | 'close'> | undefined

  /** `refresh`: measures the axis again. */
  constructor(chart: Chart, interval: () => Interval, refresh: () => void) {
    this.#chart = chart
    this.#interval = interval
    this.#refresh = refresh
    byChart.set(chart, this)
  }

  get isEmpty(): boolean {
    return this.#shown.length === 0
  }

  set(shown: readonly Compared[]): void {
    this.#shown = shown
    const symbols = new Set(shown.map(({ market }) => market.symbol))
    for (const [symbol, followed] of this.#followed) {
      if (symbols.has(symbol)) continue
      followed.close()
      this.#followed.delete(symbol)
    }
    for (const { market } of shown) {
      if (!this.#followed.has(market.symbol))
        this.#followed.set(market.symbol, new Followed(market, this.#interval(), () => this.#changed()))
    }
    const [known] = this.#chart.getOverlays({ name: overlay })
    if (known === undefined && shown.length > 0)
      this.#chart.createOverlay({ name: overlay, groupId: 'compared', lock: true, points: [{ value: 1 }] })
    else if (shown.length === 0) this.#chart.removeOverlay({ name: overlay })
    this.#changed()
  }

  /** Loads the bars of another interval. */
  restart(): void {
    const shown = this.#shown
    if (shown.length === 0) return
    this.set([])
    this.set(shown)
  }

  /** Calls the listener with the change of each market in percent, at the crosshair or else now, until the returned function is called. */
  watch(listener: (changes: readonly (number | undefined)[]) => void): () => void {
    let at: number | undefined
    const tell = (): void => listener(this.#shown.map(({ market }) => this.#changeAt(market.symbol, at)))
    this.#listeners.add(tell)
    const leave = watchLegend(this.#chart, (legend) => {
      at = legend?.bar.timestamp
      tell()
    })
    return () => {
      leave()
      this.#listeners.delete(tell)
    }
  }

  close(): void {
    for (const followed of this.#followed.values()) followed.close()
  }

  /** The lowest and highest place of the lines over these bars, as prices of the chart's own market. */
  reach(base: KLineData, bars: readonly KLineData[]): readonly number[] {
    this.#base = base
    const values = this.#shown.flatMap(({ market }) => bars.flatMap(({ timestamp }) => this.#placeAt(market.symbol, timestamp) ?? []))
    return values.length === 0 ? [] : [Math.min(...values), Math.max(...values)]
  }

  figures(xAxis: XAxis, yAxis: YAxis): OverlayFigure[] {
    const bars = this.#chart.getDataList()
    const { from, to } = this.#chart.getVisibleRange()
    const [first] = bars
    if (first === undefined) return []
    for (const followed of this.#followed.values()) followed.reach(first.timestamp)
    return this.#shown.map(({ market, colour, dashes }) => {
      const coordinates: { x: number; y: number }[] = []
      // One bar beyond each edge, so that the line reaches the edges.
      for (let at = Math.max(0, from - 1); at < Math.min(bars.length, to + 1); at += 1) {
        const value = this.#placeAt(market.symbol, bars[at]?.timestamp ?? 0)
        if (value !== undefined) coordinates.push({ x: xAxis.convertToPixel(at), y: yAxis.convertToPixel(value) })
      }
      const dashed = dashes.length === 0 ? {} : { style: 'dashed' as const, dashedValue: [...dashes] }
      return { type: 'line', ignoreEvent: true, attrs: { coordinates }, styles: { color: colour, size: 1.5, ...dashed } }
    })
  }

  #placeAt(symbol: string, time: number): number | undefined {
    const base = this.#base
    const ratio = base === undefined ? undefined : this.#followed.get(symbol)?.closes.ratio(time, base.timestamp)
    return base === undefined || ratio === undefined ? undefined : base.close * ratio
  }

  #changeAt(symbol: string, time = this.#chart.getDataList().at(-1)?.timestamp): number | undefined {
    if (time === undefined || this.#base === undefined) return undefined
    const ratio = this.#followed.get(symbol)?.closes.ratio(time, this.#base.timestamp)
    return ratio === undefined ? undefined : (ratio - 1) * 100
  }

  #changed(): void {
    this.#refresh()
    for (const tell of this.#listeners) tell()
  }
}

const lines: OverlayTemplate = {
  name: overlay,
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ chart, xAxis, yAxis }) =>
    xAxis === null || yAxis === null ? [] : (byChart.get(chart)?.figures(xAxis, yAxis) ?? []),
}

registerOverlay(lines)
registerYAxis({
  name: comparedAxis,
  minSpan: () => 0.01,
  displayValueToText: (value) => `${value.toFixed(2)}%`,
  valueToRealValue: (value, { range }) =>
    range.range === 0 ? range.realFrom : ((value - range.from) / range.range) * range.realRange + range.realFrom,
  realValueToValue: (value, { range }) =>
    range.realRange === 0 ? range.from : ((value - range.realFrom) / range.realRange) * range.range + range.from,
  createRange({ chart, defaultRange }) {
    const { from: start, to: end } = chart.getVisibleRange()
    const bars = chart.getDataList().slice(start, end)
    const [base] = bars
    if (base === undefined || base.close === 0) return defaultRange
    const reach = byChart.get(chart)?.reach(base, bars) ?? []
    const [from, to] = [Math.min(defaultRange.from, ...reach), Math.max(defaultRange.to, ...reach)]
    const [realFrom, realTo] = [(from / base.close - 1) * 100, (to / base.close - 1) * 100]
    return {
      ...{ from, to, range: to - from, realFrom, realTo, realRange: realTo - realFrom },
      ...{ displayFrom: realFrom, displayTo: realTo, displayRange: realTo - realFrom },
    }
  },
})
