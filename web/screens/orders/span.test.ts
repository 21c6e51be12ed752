import assert from 'node:assert/strict'
import test from 'node:test'
import { spanBounds, spanOf, spanQuery } from './span.ts'

const now = new Date(2026, 2, 30, 15, 4)
const bounds = (query: string) => spanBounds(spanOf(new URLSearchParams(query)), now)
const at = (...parts: [number, number, number]) => new Date(...parts).getTime()

test('UI-ORDERS-004: a span in the address bounds the lists by days of the device’s clock, and nothing else does', () => {
  assert.deepEqual(bounds(''), {})
  assert.deepEqual(bounds('days=1'), { from: at(2026, 2, 30) })
  assert.deepEqual(bounds('days=7'), { from: at(2026, 2, 24) })
  // Over the night in which many clocks change.
  assert.deepEqual(bounds('days=90'), { from: at(2025, 11, 31) })
  assert.deepEqual(bounds('days=own&from=2026-01-02&to=2026-01-03'), { from: at(2026, 0, 2), to: at(2026, 0, 4) - 1 })
  assert.deepEqual(bounds('days=own&to=2026-01-03'), { to: at(2026, 0, 4) - 1 })
  for (const wrong of [
    'days=0',
    'days=8',
    'days=x',
    'days=own&from=2026-02-30',
    'days=own&from=1900-01-01',
    'from=2026-01-02',
    'days=own&to=9',
    'days=own&to=9999-12-31',
  ])
    assert.deepEqual(bounds(wrong), {}, wrong)
  for (const same of ['&days=30', '&days=own&from=2026-01-02', '&days=own&from=2026-01-02&to=2026-02-01', '&days=own', ''])
    assert.equal(spanQuery(spanOf(new URLSearchParams(same))), same)
})
