import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureVenueEdge, sentence } from './venues-edge.ts'

test('OPTION-EDGE-003: betting on the return of a venue wins on the plain median of those that speak', (t) => {
  const found = measureVenueEdge({ bet: 'return', orders: 400, seed: 1, isPlain: true })
  t.diagnostic(sentence(found))
  assert.ok(found.low > 0, sentence(found))
})

test('OPTION-EDGE-004: on the corrected index it loses, while the exchange starts anew from its dump all the time', (t) => {
  const found = measureVenueEdge({ bet: 'return', orders: 5_000, seed: 1, restartEvery: 997 })
  t.diagnostic(sentence(found))
  assert.ok(found.high < 0, sentence(found))
})

test('OPTION-EDGE-005: betting that a venue is about to leave, or that a stale one is about to speak, loses', (t) => {
  for (const bet of ['leave', 'stale'] as const) {
    const found = measureVenueEdge({ bet, orders: 4_000, seed: 2 })
    t.diagnostic(`${bet}: ${sentence(found)}`)
    assert.ok(found.high < 0, `${bet}: ${sentence(found)}`)
  }
})

test('OPTION-EDGE-006: a program that knows the fair price, each venue and the rule has no edge that can be shown', (t) => {
  const found = measureVenueEdge({ bet: 'model', orders: 1_200, seed: 3 })
  t.diagnostic(sentence(found))
  assert.ok(found.low <= 0, sentence(found))
})
