import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oddsPpm } from './odds.ts'

test('UI-PROOF-007: what checking is worth follows from the share of hidden accounts and the number of customers who check', () => {
  // 1 − 0.99^n, worked out by hand.
  assert.deepEqual(
    [1, 50, 100, 200, 500].map((count) => oddsPpm(10_000, count)),
    [10_000, 394_993, 633_967, 866_020, 993_429],
  )
  assert.deepEqual([oddsPpm(0, 500), oddsPpm(1_000_000, 1)], [0, 1_000_000])
})
