import type { BarShape } from '../store/query/market/bars.ts'
import { hourMs, shapeIfAny } from '../live/intervals.ts'
import { badInterval, invalid } from './errors.ts'

/** throws  ApiError -1120 */
export function shapeOf(interval: string): BarShape {
  const shape = shapeIfAny(interval)
  if (!shape) throw badInterval()
  return shape
}

/**
 * The same bars, opened by the clock of another time zone: `8`, `-3`, `+1:00`. Bars are built from hours, so zones off by part of
 * an hour are not supported.
 *
 * throws  ApiError -1130
 */
export function inZone(shape: BarShape, zone: string, name: string): BarShape {
  const match = /^([+-]?)(\d{1,2})(?::00)?$/.exec(zone)
  const offset = Number(match?.[2]) * (match?.[1] === '-' ? -1 : 1)
  if (!match || offset < -12 || offset > 14) throw invalid(name)
  return { ...shape, originMs: shape.originMs - offset * hourMs }
}
