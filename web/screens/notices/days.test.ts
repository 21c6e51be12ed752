import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireNotice } from '@candor/core/protocol/wire/notices.ts'
import { byDay, dayOf } from './days.ts'

const notice = (createdAt: number): WireNotice => ({ number: createdAt, kind: 'new-device', values: {}, createdAt })

test('NOTICE-SCREEN-001: notices are grouped by day in the reader’s time, newest first', () => {
  const noon = Date.UTC(2026, 0, 15, 12)
  const hours = [10, 0, -12, -13, -40].map((hour) => notice(noon + hour * 3_600_000))
  assert.deepEqual(
    byDay(hours, 'utc').map(({ key, at, notices }) => [key, at === notices[0]?.createdAt, notices.length]),
    [
      ['2026-01-15', true, 3],
      ['2026-01-14', true, 1],
      ['2026-01-13', true, 1],
    ],
  )
  const local = new Date(2026, 0, 15, 23, 59).getTime()
  assert.deepEqual([dayOf(local, 'local'), dayOf(local + 60_000, 'local')], ['2026-01-15', '2026-01-16'])
  assert.deepEqual(byDay([], 'local'), [])
})
