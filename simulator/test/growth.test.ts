import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulateGrowth } from '../growth.ts'

test('FUNDS-ROWS-004: after an exchange has grown, every user has the deposited amounts, also of late assets, and all sums are zero', () => {
  const { assets, trades } = simulateGrowth(2_000, 120)
  assert.equal(assets, 120)
  assert.ok(trades > 100, `${trades} trades`)
})
