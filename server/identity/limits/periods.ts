import type { OwnLimitKind } from '@candor/core/protocol/wire/own-limits.ts'

export const dayMs = 86_400_000

/** The UTC period of a limit that contains a time: its first millisecond, and that of the next one. Weeks begin on Monday. */
export function periodOf(kind: OwnLimitKind, at: number): { readonly start: number; readonly end: number } {
  const day = at - (at % dayMs)
  if (kind.endsWith('-week')) {
    // The first day of 1970 was a Thursday.
    const start = day - ((day / dayMs + 3) % 7) * dayMs
    return { start, end: start + 7 * dayMs }
  }
  if (kind.endsWith('-month')) {
    const date = new Date(day)
    return { start: Date.UTC(date.getUTCFullYear(), date.getUTCMonth()), end: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) }
  }
  return { start: day, end: day + dayMs }
}

/** The same time of day some months later; on the last day of a shorter month. */
export function monthsLater(at: number, months: number): number {
  const date = new Date(at)
  const wanted = date.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), wanted + 1, 0)).getUTCDate()
  const day = Math.min(date.getUTCDate(), lastDay)
  return Date.UTC(date.getUTCFullYear(), wanted, day) + (at % dayMs)
}
