import type { WireNotice } from '@candor/core/protocol/wire/notices.ts'

/** `key`: the day in the reader's time. `at`: the time of the first of its notices. */
export type Day = { readonly key: string; readonly at: number; readonly notices: readonly WireNotice[] }

/** Groups notices, newest first, by day. `zone`: `local`, or `utc` for readers who chose it. */
export function byDay(notices: readonly WireNotice[], zone: 'local' | 'utc'): readonly Day[] {
  const days: { key: string; at: number; notices: WireNotice[] }[] = []
  for (const notice of notices) {
    const key = dayOf(notice.createdAt, zone)
    const latest = days.at(-1)
    if (latest?.key === key) latest.notices.push(notice)
    else days.push({ key, at: notice.createdAt, notices: [notice] })
  }
  return days
}

/** `2026-01-15`, in the reader's time. */
export function dayOf(ms: number, zone: 'local' | 'utc'): string {
  const at = new Date(ms)
  const shifted = zone === 'utc' ? at : new Date(ms - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 10)
}
