import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetOf } from '../commands/backup.ts'

test('BACKUP-RESTORE-007: a time on a day that does not exist is refused, and so is one without its zone', () => {
  assert.deepEqual(targetOf(undefined), { kind: 'newest' })
  assert.deepEqual(targetOf('17'), { kind: 'seq', seq: 17 })
  assert.deepEqual(targetOf('2028-02-29T23:30:00.5+01:00'), { kind: 'time', at: Date.UTC(2028, 1, 29, 22, 30, 0, 500) })
  for (const bad of [
    '2026-02-31T12:00:00Z',
    '2026-02-29T12:00Z',
    '2026-04-31T12:00Z',
    '2026-13-01T12:00Z',
    '2026-01-31T12:00',
    '2026-01-31',
    '',
    '-1',
  ])
    assert.throws(() => targetOf(bad), /--to must be/, bad)
})
