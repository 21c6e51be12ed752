import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureEdge, sentence } from './edge.ts'

test('OPTION-EDGE-001: a program that sees prices a second early wins nothing: 20,000 orders lose as much as the rate implies', (t) => {
  const found = measureEdge(20_000, 1500, 1)
  t.diagnostic(sentence(found))
  assert.ok(found.high < 0, sentence(found))
  // Bets on a fair coin at a rate of 80 % lose a tenth of the stakes.
  assert.ok(found.low < -0.1 && found.high > -0.1, sentence(found))
})

test('OPTION-EDGE-002: the measurement finds an edge where there is one: with a strike at the next tick the same program wins', (t) => {
  const found = measureEdge(5_000, 1, 1)
  t.diagnostic(sentence(found))
  assert.ok(found.low > 0, sentence(found))
})
