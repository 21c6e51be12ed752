import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as spotRules from './spot.ts'
import { plain } from '../money/test/plain.ts'

// These functions take plain numbers, so that the tests can use literals.
const { bandHigh, bandLow, fee, feePpm, tierOf, worstPrice } = plain(spotRules)

test('a fee is the exact product rounded up, at every size', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.nat(2 ** 30),
        fc.maxSafeNat().map((n) => Math.floor(n / 2)),
      ),
      fc.integer({ min: 0, max: 100_000 }),
      (amount, ppm) => {
        const exact = (BigInt(amount) * BigInt(ppm) + 999_999n) / 1_000_000n
        assert.equal(BigInt(fee(amount, ppm)), exact)
        assert.ok(fee(amount, ppm) <= amount)
      },
    ),
    { numRuns: 2000 },
  )
  assert.equal(fee(1, 1), 1)
  assert.equal(fee(0, 1000), 0)
})

test('a band includes its edges and never goes below one tick', () => {
  assert.deepEqual([bandLow(100, 200_000), bandHigh(100, 200_000)], [80, 120])
  assert.deepEqual([bandLow(101, 200_000), bandHigh(101, 200_000)], [81, 121])
  assert.equal(bandLow(1, 1_000_000), 1)
  assert.equal(bandHigh(2 ** 31 - 1, 200_000), 2 ** 31 - 1)
  assert.deepEqual([worstPrice('buy', 100, 50_000), worstPrice('sell', 100, 50_000)], [105, 95])
})

test('a tier is reached at its volume, and never costs more than the market’s own fee', () => {
  const tiers = [0, 100, 500].map((volumeMin) => ({ volumeMin, makerPpm: 0, takerPpm: 0 }))
  assert.deepEqual(
    [0, 99, 100, 499, 500, 1e9].map((volume) => tierOf(tiers, volume)),
    [0, 0, 1, 1, 2, 2],
  )
  assert.equal(feePpm(1000, 0, 200), 1000)
  assert.equal(feePpm(1000, 1, 200), 200)
  assert.equal(feePpm(100, 1, 200), 100)
})
