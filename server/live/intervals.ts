import type { Millis } from '@candor/core/money/brand.ts'
import { endTimeOf, openTimeOf } from '@candor/core/market-data/calendar.ts'
import type { BarShape } from '../store/query/market/bars.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Time of the first Monday after 1970-01-01. */
const weekOriginMs = 4 * dayMs

const fixed = (unit: BarShape['unit'], unitMs: number, lengthMs: number, originMs = 0): BarShape => ({
  unit,
  lengthMs,
  originMs,
  count: lengthMs / unitMs,
})
const minutes = (count: number) => fixed('1m', minuteMs, count * minuteMs)
const hours = (count: number) => fixed('1h', hourMs, count * hourMs)

/** Every interval that programs may request: more than the app has. Each is built from stored seconds, minutes or hours. */
const shapes: ReadonlyMap<string, BarShape> = new Map([
  ['1s', fixed('1s', secondMs, secondMs)],
  ['1m', minutes(1)],
  ['3m', minutes(3)],
  ['5m', minutes(5)],
  ['15m', minutes(15)],
  ['30m', minutes(30)],
  ['1h', hours(1)],
  ['2h', hours(2)],
  ['4h', hours(4)],
  ['6h', hours(6)],
  ['8h', hours(8)],
  ['12h', hours(12)],
  ['1d', hours(24)],
  ['3d', hours(3 * 24)],
  ['1w', fixed('1h', hourMs, 7 * dayMs, weekOriginMs)],
  ['1M', { unit: '1h', lengthMs: null, originMs: 0, count: 31 * 24 }],
])

export function shapeIfAny(interval: string): BarShape | undefined {
  return shapes.get(interval)
}

/** Opening time of the bar that contains `at`. */
export function openOf({ lengthMs, originMs }: BarShape, at: number): number {
  if (lengthMs === null) return openTimeOf('1M', (at - originMs) as Millis) + originMs
  return at - ((((at - originMs) % lengthMs) + lengthMs) % lengthMs)
}

/** Opening time of the bar after the one that opened at `open`. */
export function nextOf({ lengthMs, originMs }: BarShape, open: number): number {
  return lengthMs === null ? endTimeOf('1M', (open - originMs) as Millis) + originMs : open + lengthMs
}
