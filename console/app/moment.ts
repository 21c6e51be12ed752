/** Moments as text in inputs: `2026-12-01 12:00`, in UTC, so that two members read the same minute. */

/** Seconds are shown only when there are any. */
export function momentText(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split(/[TZ]/)
  return `${date} ${time.replace(/(:00)?\.000$/, '')}`
}

/** Undefined for text that is no moment, such as 30 February. A `T` between date and time and `UTC` behind them are taken, too. */
export function momentOf(text: string): number | undefined {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})[ T]+(\d{2}:\d{2}(?::\d{2}(?:\.\d{3})?)?)(?: ?UTC|Z)?$/.exec(text.trim()) ?? []
  if (date === undefined || time === undefined) return undefined
  const at = Date.parse(`${date}T${time}Z`)
  // The parser takes days that a month does not have for those of the next one.
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== date ? undefined : at
}
