import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DailyReports } from '../daily.ts'
import type { Day } from '../days.ts'
import type { Made } from '../reports.ts'

test('CONSOLE-SURVEIL-011: a day whose report fails keeps no later day waiting, and rests for an hour', async () => {
  const due = new Set<Day>(['2026-03-01', '2026-03-02', '2026-03-03'])
  const [tried, faults]: [Day[], unknown[]] = [[], []]
  let [now, isBroken] = [0, true]
  const reports = {
    due: async () => [...due],
    make: async (day: Day): Promise<Made> => {
      tried.push(day)
      if (day === '2026-03-01' && isBroken) throw new Error('one bad row')
      due.delete(day)
      return 'made'
    },
  }
  await using daily = new DailyReports(
    reports,
    (cause) => faults.push(cause),
    () => now,
  )
  await daily.catchUp()
  assert.deepEqual([tried, faults.length, [...due]], [['2026-03-01', '2026-03-02', '2026-03-03'], 1, ['2026-03-01']])
  now = 59 * 60_000
  await daily.catchUp()
  assert.equal(tried.length, 3)
  now = 60 * 60_000
  isBroken = false
  await daily.catchUp()
  assert.deepEqual([tried.length, faults.length, due.size], [4, 1, 0])
})
