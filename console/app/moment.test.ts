import assert from 'node:assert/strict'
import { test } from 'node:test'
import { momentOf, momentText } from './moment.ts'

const noon = Date.UTC(2026, 11, 1, 12)

test('CONSOLE-PRESALE-006: a moment is written and read in UTC, to the minute where it has no seconds', () => {
  assert.equal(momentText(noon), '2026-12-01 12:00')
  assert.equal(momentText(noon + 5_000), '2026-12-01 12:00:05')
  assert.equal(momentText(noon + 5_007), '2026-12-01 12:00:05.007')
  for (const text of ['2026-12-01 12:00', ' 2026-12-01T12:00 ', '2026-12-01 12:00 UTC', '2026-12-01 12:00:00', '2026-12-01T12:00:00.000Z'])
    assert.equal(momentOf(text), noon, text)
  for (const at of [noon, noon + 5_000, noon + 5_007, 0, noon + 59_000]) assert.equal(momentOf(momentText(at)), at)
})

test('CONSOLE-PRESALE-006: what is no moment is none, also days that a month does not have', () => {
  for (const text of [
    '',
    '2026-12-01',
    '12:00',
    '2026-02-30 12:00',
    '2026-13-01 12:00',
    '2026-12-01 24:01',
    '2026-12-01 12:00 CET',
    '1.12.2026 12:00',
  ])
    assert.equal(momentOf(text), undefined, text)
})
