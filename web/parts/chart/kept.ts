/**
 * What a chart remembers. Interval, type of bars and price belong to a chart on this device, so that they stay when it shows another
 * market. Indicators, drawings, axis and lines belong to a market. All of it is stored on the device first.
 */
import type { Interval } from '@candor/core/protocol/market.ts'
import type { ChartAxis, ChartDrawing, ChartLayout, ChartLine } from '@candor/core/protocol/wire/own/chart-layout.ts'
import { isOfVolume, onPrice } from './indicators.ts'
import { intervalList } from './intervals.ts'

export type Drawing = ChartDrawing

export const lineNames: readonly ChartLine[] = ['orders', 'position', 'alerts', 'fills', 'mark', 'index']
export type LineName = ChartLine

/** The most markets that a chart is compared with: the exchange stores no more. */
export const comparedMax = 3

/** Prices that a perp market's candles can show. */
export const priceNames = ['last', 'mark', 'index'] as const
export type PriceName = (typeof priceNames)[number]

export const chartTypes = ['candle_solid', 'candle_stroke', 'ohlc', 'area'] as const
export type ChartType = (typeof chartTypes)[number]

export const axisNames: readonly ChartAxis[] = ['normal', 'logarithm', 'percentage']
export type AxisName = ChartAxis

/** Of a chart on this device, whatever market it shows. */
export type Look = {
  readonly interval: Interval
  readonly type: ChartType
  /** For perp markets; spot markets only have `last`. */
  readonly price: PriceName
}

/** Of a market. It is kept with the account too: see `sync.ts`. */
export type Layout = Required<Omit<ChartLayout, 'version'>>

/** Remembers one chart's look and its market's layout. Several charts on a page each have their own. */
export type Keeping = {
  readonly look: () => Look
  readonly setLook: (change: Partial<Look>) => void
  readonly layout: () => Layout
  readonly setLayout: (change: Partial<Layout>) => void
  /** Takes over a layout that another device made. */
  readonly adopt: (layout: Layout) => void
  /** Called after each change of the layout by its user. */
  onLayout?: () => void
}

export const usualLook: Look = { interval: '15m', type: 'candle_solid', price: 'last' }
export const usualLayout: Layout = {
  indicators: ['EMA', 'VOL', 'MACD'],
  parameters: { EMA: [7, 25, 99] },
  lines: ['orders', 'position', 'alerts', 'fills'],
  axis: 'normal',
  drawings: [],
  compared: [],
}

export function isOnPrice(name: string): boolean {
  return (onPrice as readonly string[]).includes(name)
}

/** Whether an indicator works with candles of this price. */
export function isOf(name: string, price: PriceName): boolean {
  return price === 'last' || !isOfVolume(name)
}

/**
 * What the chart in `slot` remembers of a market. A market without a layout of its own starts with the indicators and lines of the one
 * that was changed last.
 */
export function keepingOf(symbol: string, slot = ''): Keeping {
  const lookKey = `chart look ${slot}`
  const layoutKey = `chart layout ${symbol}${slot === '' ? '' : ` ${slot}`}`
  const keep = (next: Layout): void => {
    layout = next
    write(layoutKey, layout)
  }
  let look = read(lookKey, () => lookOf(oldRecord()), lookOf)
  let layout = read(layoutKey, () => ({ ...layoutOf(read('chart layout', oldRecord)), drawings: oldDrawings(symbol) }), layoutOf)
  const keeping: Keeping = {
    look: () => look,
    setLook(change) {
      look = { ...look, ...change }
      write(lookKey, look)
    },
    layout: () => layout,
    setLayout(change) {
      keep({ ...layout, ...change })
      write('chart layout', { ...layout, drawings: [], compared: [] })
      keeping.onLayout?.()
    },
    adopt: keep,
  }
  return keeping
}

type Found = Readonly<Record<string, unknown>>

function lookOf(found: Found): Look {
  const interval = intervalList.find((one) => one === found.interval)
  const type = chartTypes.find((one) => one === found.type)
  const price = priceNames.find((one) => one === found.price)
  return { ...usualLook, ...(interval && { interval }), ...(type && { type }), ...(price && { price }) }
}

/** A layout from a record that may be of another version: what is unknown is left out. */
export function layoutOf(found: Found): Layout {
  const texts = (value: unknown, usual: readonly string[]): readonly string[] =>
    Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : usual
  const lines = texts(found.lines, usualLayout.lines)
  return {
    indicators: texts(found.indicators, usualLayout.indicators),
    parameters: isRecord(found.parameters) ? (found.parameters as Layout['parameters']) : usualLayout.parameters,
    lines: lineNames.filter((name) => lines.includes(name)),
    axis: axisNames.find((one) => one === found.axis) ?? usualLayout.axis,
    drawings: Array.isArray(found.drawings) ? (found.drawings as readonly Drawing[]) : [],
    compared: texts(found.compared, []).slice(0, comparedMax),
  }
}

/** The record of the version that kept one layout for all markets. */
function oldRecord(): Found {
  return read('chart', () => ({}) as Found)
}

function oldDrawings(symbol: string): readonly Drawing[] {
  const { drawings } = oldRecord()
  const own = isRecord(drawings) ? drawings[symbol] : undefined
  return Array.isArray(own) ? (own as readonly Drawing[]) : []
}

export function read<Value>(key: string, usual: () => Value, shape: (found: Found) => Value = (found) => found as Value): Value {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isRecord(found) ? shape(found) : usual()
  } catch {
    return usual()
  }
}

export function write(key: string, value: object): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {}
}

function isRecord(value: unknown): value is Found {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
