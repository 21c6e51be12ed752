import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureEdge, sentence } from './edge.ts'

test('OPTION-EDGE-001: who sees prices a second early wins nothing by it: 20,000 orders lose what the rate says', (t) => {
  const found = measureEdge(20_000, 1500, 1)
  t.diagnostic(sentence(found))
  assert.ok(found.high < 0, sentence(found))
  // A fair coin at 80 % loses a tenth of its stakes.
  assert.ok(found.low < -0.1 && found.high > -0.1, sentence(found))
})

test('OPTION-EDGE-002: the measurement finds an edge where there is one: with the strike at the next tick the same program wins', (t) => {
  const found = measureEdge(5_000, 1, 1)
  t.diagnostic(sentence(found))
  assert.ok(found.low > 0, sentence(found))
})
