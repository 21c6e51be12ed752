import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulateGrowth } from '../growth.ts'

test('FUNDS-ROWS-004: while an exchange grows every user has what was given, assets listed late included, and all sums are zero', () => {
  const { assets, trades } = simulateGrowth(2_000, 120)
  assert.equal(assets, 120)
  assert.ok(trades > 100, `${trades} trades`)
})
