import type { Millis } from '../money/brand.ts'
import type { Interval } from '../protocol/market.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Length of the intervals; months vary in length and are missing. */
const lengthMs: { readonly [I in Exclude<Interval, '1M'>]: number } = {
  '1s': secondMs,
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '30m': 30 * minuteMs,
  '1h': hourMs,
  '4h': 4 * hourMs,
  '1d': dayMs,
  '1w': 7 * dayMs,
}

/** 1970-01-05 was the first Monday. */
const firstMondayMs = 4 * dayMs

/** Start of the interval that contains `at`: by the UTC clock, weeks on Monday, months on the first day. */
export function openTimeOf(interval: Interval, at: Millis): Millis {
  if (interval === '1M') return monthStart(at)
  const length = lengthMs[interval]
  const origin = interval === '1w' ? firstMondayMs : 0
  return (at - modulo(at - origin, length)) as Millis
}

/** End of the interval that began at `openTime`, which is the open time of the next. */
export function endTimeOf(interval: Interval, openTime: Millis): Millis {
  if (interval !== '1M') return (openTime + lengthMs[interval]) as Millis
  return monthStart((openTime + 31 * dayMs) as Millis)
}

function monthStart(at: Millis): Millis {
  const day = (at - modulo(at, dayMs)) / dayMs
  return ((day - dayOfMonth(day) + 1) * dayMs) as Millis
}

/**
 * Day of the month, from 1, of the day that many days after 1970-01-01, in the Gregorian calendar. Counts from 0000-03-01, so
 * that the leap day is the last day of a year: month m of the year then begins on day (153 m + 2) ÷ 5 of it.
 */
function dayOfMonth(daysSince1970: number): number {
  const days = daysSince1970 + 719_468
  const dayOfEra = modulo(days, 146_097)
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const month = Math.floor((5 * dayOfYear + 2) / 153)
  return dayOfYear - Math.floor((153 * month + 2) / 5) + 1
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
