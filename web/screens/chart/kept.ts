/** Chart settings stored on the device: interval, type of bars, indicators with parameters, and drawings. */
import { intervalList } from './intervals.ts'
import type { Interval } from '@candor/core/protocol/market.ts'

export type Drawing = { readonly name: string; readonly points: readonly { readonly timestamp: number; readonly value: number }[] }

export const lineNames = ['mark', 'index', 'position', 'orders'] as const
export type LineName = (typeof lineNames)[number]

/** Prices that a perp market's candles can show. */
export const priceNames = ['last', 'mark', 'index'] as const
export type PriceName = (typeof priceNames)[number]

export type Kept = {
  readonly interval: Interval
  readonly type: 'candle_solid' | 'candle_stroke' | 'ohlc' | 'area'
  readonly indicators: readonly string[]
  readonly parameters: Readonly<Record<string, readonly number[]>>
  /** For perp markets; spot markets only have `last`. */
  readonly price: PriceName
  /** Price lines shown in a perp market's chart. */
  readonly lines: readonly LineName[]
  /** By symbol. */
  readonly drawings: Readonly<Record<string, readonly Drawing[]>>
}

/** Indicators that share the price's axis, then those with a pane of their own. */
export const onPrice = ['EMA', 'MA', 'SMA', 'BOLL', 'SAR', 'BBI'] as const
export const inPanes = [
  'VOL',
  'MACD',
  'RSI',
  'KDJ',
  'OBV',
  'WR',
  'CCI',
  'DMI',
  'ROC',
  'TRIX',
  'MTM',
  'EMV',
  'DMA',
  'VR',
  'BRAR',
  'CR',
  'PSY',
  'BIAS',
  'AO',
  'PVT',
] as const
/** Indicators that use volume, which marks and indexes don't have. */
const ofVolume: readonly string[] = ['VOL', 'OBV', 'EMV', 'VR', 'PVT']
export const drawingTools = [
  'segment',
  'straightLine',
  'rayLine',
  'horizontalStraightLine',
  'verticalStraightLine',
  'priceLine',
  'priceChannelLine',
  'parallelStraightLine',
  'fibonacciLine',
  'simpleAnnotation',
] as const

const initial: Kept = {
  interval: '15m',
  type: 'candle_solid',
  indicators: ['EMA', 'VOL', 'MACD'],
  parameters: { EMA: [7, 25, 99] },
  price: 'last',
  lines: ['position', 'orders'],
  drawings: {},
}

let current: Kept | undefined

export function isOnPrice(name: string): boolean {
  return (onPrice as readonly string[]).includes(name)
}

/** Whether an indicator works with candles of this price. */
export function isOf(name: string, price: PriceName): boolean {
  return price === 'last' || !ofVolume.includes(name)
}

export function kept(): Kept {
  current ??= { ...initial, ...read() }
  return current
}

export function keep(change: Partial<Kept>): void {
  current = { ...kept(), ...change }
  try {
    localStorage.setItem('chart', JSON.stringify(current))
  } catch {}
}

function read(): Partial<Kept> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem('chart') ?? '{}')
    if (typeof found !== 'object' || found === null) return {}
    const known = found as Partial<Kept>
    return known.interval !== undefined && !intervalList.includes(known.interval) ? { ...known, interval: initial.interval } : known
  } catch {
    return {}
  }
}
