import assert from 'node:assert/strict'
import test from 'node:test'
import { boundsOf } from './days.ts'

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

test('UI-ACTIVITY-001: chosen days bound the list from the first moment of the first to the last of the last', () => {
  assert.deepEqual(boundsOf('', '', startOf), {})
  assert.deepEqual(boundsOf('2026-02-28', '', startOf), { from: Date.UTC(2026, 1, 28) })
  assert.deepEqual(boundsOf('', '2026-02-28', startOf), { to: Date.UTC(2026, 2, 1) - 1 })
  const both = { from: Date.UTC(2026, 11, 30), to: Date.UTC(2027, 0, 1) - 1 }
  assert.deepEqual(boundsOf('2026-12-30', '2026-12-31', startOf), both)
  assert.deepEqual(boundsOf('2026-12-31', '2026-12-30', startOf), both)
})
