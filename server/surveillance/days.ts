import type { Millis } from '@candor/core/money/brand.ts'

export const dayMs = 86_400_000

/** A UTC day as YYYY-MM-DD. */
export type Day = string

/** The times of a day: `from` is its first millisecond, `to` that of the next day. */
export type Span = { readonly from: Millis; readonly to: Millis }

export const dayOf = (at: Millis): Day => new Date(at).toISOString().slice(0, 10)

/** The day in a text, or undefined for one that the calendar lacks. */
export function dayIn(text: string): Day | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN
  return Number.isNaN(at) || dayOf(at as Millis) !== text ? undefined : text
}

export function spanOf(day: Day): Span {
  const from = Date.parse(`${day}T00:00:00Z`) as Millis
  return { from, to: (from + dayMs) as Millis }
}

/** The day that lies `days` later, or earlier below zero. */
export const shifted = (day: Day, days: number): Day => dayOf((spanOf(day).from + days * dayMs) as Millis)
