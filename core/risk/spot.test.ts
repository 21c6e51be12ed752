import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Market } from '../protocol/market.ts'
import { bandHigh, bandLow, fee, feePpm, previewOrder, tierOf, worstPrice } from './spot.ts'

const market = {
  id: 1,
  symbol: 'BTCUSDT',
  base: 2,
  quote: 1,
  tick: '1',
  lot: '0.001',
  basePerLot: 100_000,
  quotePerTickLot: 1000,
  terms: {
    makerFeePpm: 1000,
    takerFeePpm: 1000,
    notionalMin: 5_000_000,
    lotsMin: 1,
    lotsMax: 1_000_000_000,
    bandPpm: 200_000,
    slippagePpm: 50_000,
    openOrdersMax: 200,
    isTrading: true,
  },
} as unknown as Market

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

test('a band holds its edges, never below one tick', () => {
  assert.deepEqual([bandLow(100, 200_000), bandHigh(100, 200_000)], [80, 120])
  assert.deepEqual([bandLow(101, 200_000), bandHigh(101, 200_000)], [81, 121])
  assert.equal(bandLow(1, 1_000_000), 1)
  assert.equal(bandHigh(2 ** 31 - 1, 200_000), 2 ** 31 - 1)
  assert.deepEqual([worstPrice('buy', 100, 50_000), worstPrice('sell', 100, 50_000)], [105, 95])
})

test('a tier is reached at its volume, and never costs more than the market itself', () => {
  const tiers = [0, 100, 500].map((volumeMin) => ({ volumeMin, makerPpm: 0, takerPpm: 0 })) as never
  assert.deepEqual(
    [0, 99, 100, 499, 500, 1e9].map((volume) => tierOf(tiers, volume)),
    [0, 0, 1, 1, 2, 2],
  )
  assert.equal(feePpm(1000, 0, 200), 1000)
  assert.equal(feePpm(1000, 1, 200), 200)
  assert.equal(feePpm(100, 1, 200), 100)
})

test('the preview says what will be held, charged and refused', () => {
  const draft = { side: 'buy', orderType: 'limit', price: 100, lots: 100, reference: 100, available: 10_000_000, takerPpm: 1000 } as const
  const preview = (change: object): object => previewOrder(market, { ...draft, ...change } as never)
  assert.deepEqual(preview({}), { refusal: undefined, hold: 10_000_000, value: 10_000_000, fee: 10_000 })
  assert.deepEqual(preview({ side: 'sell' }), { refusal: undefined, hold: 10_000_000, value: 10_000_000, fee: 10_000 })
  const market1 = preview({ orderType: 'market', price: undefined, available: 10_500_000 })
  assert.deepEqual(market1, { refusal: undefined, hold: 10_500_000, value: 10_000_000, fee: 10_000 })
  for (const [change, refusal] of [
    [{ price: undefined }, 'PRICE_INVALID'],
    [{ price: 121 }, 'PRICE_OUTSIDE_BAND'],
    [{ lots: 0 }, 'QUANTITY_INVALID'],
    [{ lots: 49 }, 'NOTIONAL_TOO_SMALL'],
    [{ available: 9_999_999 }, 'INSUFFICIENT_BALANCE'],
    [{ orderType: 'market', reference: 0 }, 'NO_REFERENCE_PRICE'],
    [{ orderType: 'market', lots: undefined, spend: 1 }, 'NOTIONAL_TOO_SMALL'],
    [{ orderType: 'market', lots: undefined, spend: 20_000_000 }, 'INSUFFICIENT_BALANCE'],
  ] as const) {
    assert.equal((preview(change) as { refusal: unknown }).refusal, refusal, JSON.stringify(change))
  }
})
