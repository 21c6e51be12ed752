/** Months and their days by UTC, as text: "2026-11" and "2026-11-27". */
import type { WireProfitDay } from '@candor/core/protocol/wire/days/daily.ts'

const dayPattern = /^20\d\d-\d\d-\d\d$/

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
export const monthOf = (day: string): string => day.slice(0, 7)
export const startOf = (text: string): number => Date.parse(text.length === 7 ? `${text}-01` : text)

/** The month `step` months later, or earlier below 0. */
export function monthFrom(month: string, step: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number - 1 + step)).toISOString().slice(0, 7)
}

/** A day that exists and has begun, of an address that anybody can type; else undefined. */
export function askedDay(text: string | null, now: number): string | undefined {
  if (text === null || !dayPattern.test(text)) return undefined
  const start = startOf(text)
  return Number.isFinite(start) && start <= now && dayOf(start) === text ? text : undefined
}

/** A cell of the calendar: a day of the month, with what is known of it. */
export type Cell = { readonly day: string; readonly profit: WireProfitDay | undefined }

/** Weeks from Monday to Sunday; `undefined` for days of other months. */
export function monthCells(month: string, days: readonly WireProfitDay[]): readonly (readonly (Cell | undefined)[])[] {
  const first = startOf(month)
  const count = (startOf(monthFrom(month, 1)) - first) / 86_400_000
  const before = (new Date(first).getUTCDay() + 6) % 7
  const known = new Map(days.map((day) => [day.day, day]))
  const cells: (Cell | undefined)[] = Array.from({ length: before }, () => undefined)
  for (let n = 0; n < count; n++) {
    const day = dayOf(first + n * 86_400_000)
    cells.push({ day, profit: known.get(day) })
  }
  while (cells.length % 7 !== 0) cells.push(undefined)
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

/** The sum of the days with a profit, in USDT; undefined when there is none. */
export function sumOf(days: readonly WireProfitDay[]): number | undefined {
  const known = days.flatMap(({ profitUsdt }) => (profitUsdt === null ? [] : [Number(profitUsdt)]))
  return known.length === 0 ? undefined : known.reduce((sum, profit) => sum + profit, 0)
}
