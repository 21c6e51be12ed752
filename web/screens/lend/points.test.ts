import assert from 'node:assert/strict'
import { test } from 'node:test'
import { curveOf, nextHour, perDay, yOf } from './points.ts'

const terms = { kink: '0.8', rateZero: '0.0005', rateKink: '0.002', rateFull: '0.02' }
const size = { width: 100, height: 200 }

test('UI-LEND-001: the curve goes through the three points of the terms, and the pool’s point is on it', () => {
  assert.deepEqual(curveOf(terms, size), [
    { x: 0, y: 195 },
    { x: 80, y: 180 },
    { x: 100, y: 0 },
  ])
  assert.equal(yOf(terms, 0.01, size), 100)
  assert.equal(yOf(terms, 0.05, size), 0)
})

test('UI-LEND-002: daily earnings are the yearly rate divided by the days of the year', () => {
  assert.equal(perDay(1_000, 36.5), 1)
})

test('UI-LEND-004: lent coins earn from the next full hour, a whole hour later if one has just begun', () => {
  const noon = Date.UTC(2026, 4, 1, 12)
  assert.equal(nextHour(noon - 1), noon)
  assert.equal(nextHour(noon), noon + 3_600_000)
})
