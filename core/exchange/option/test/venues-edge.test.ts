import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureVenueEdge, sentence } from './venues-edge.ts'

test('OPTION-EDGE-003: betting on the return of a venue wins when the index is the plain median of the venues that send prices', (t) => {
  const found = measureVenueEdge({ bet: 'return', orders: 400, seed: 1, isPlain: true })
  t.diagnostic(sentence(found))
  assert.ok(found.low > 0, sentence(found))
})

test('OPTION-EDGE-004: on the corrected index the same bet loses, also when the exchange is restarted from its dump again and again', (t) => {
  const found = measureVenueEdge({ bet: 'return', orders: 3_000, seed: 1, restartEvery: 4_999 })
  t.diagnostic(sentence(found))
  assert.ok(found.high < 0, sentence(found))
})

test('OPTION-EDGE-005: betting that a venue is about to leave, that a stale one is about to send, or by the whole rule has no measurable edge', (t) => {
  for (const bet of ['leave', 'stale', 'model'] as const) {
    const found = measureVenueEdge({ bet, orders: 1_000, seed: 2 })
    t.diagnostic(`${bet}: ${sentence(found)}`)
    assert.ok(found.low <= 0, `${bet}: ${sentence(found)}`)
  }
})
