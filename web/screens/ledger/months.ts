import type { WireRecord } from '@candor/core/protocol/wire/funds.ts'

export type Month = { readonly key: string; readonly title: string; readonly records: readonly WireRecord[] }

/** Groups records, newest first, by month of the user's calendar. */
export function byMonth(records: readonly WireRecord[], tag: string): readonly Month[] {
  const format = new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric' })
  const months: { key: string; title: string; records: WireRecord[] }[] = []
  for (const record of records) {
    const title = format.format(record.time)
    const latest = months.at(-1)
    if (latest?.title === title) latest.records.push(record)
    else months.push({ key: record.id, title, records: [record] })
  }
  return months
}
