import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexPrice, Units } from '../money/brand.ts'
import { addDebt, addUnits, averageCost, emptyBasis, indexWorth, sellUnits, takeDebt, takeUnits, unrealisedGain } from './cost-basis.ts'

const btc = 100_000_000
const usdt = 1_000_000n
const coin = { scale: 8 }

/** The same numbers in [0, 1) for the same seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}
const units = (count: number): Units => count as Units

test('PORTFOLIO-COST-001: buys at 100 and 200 average 150; a sale realises its proceeds less the average, which stays', () => {
  const basis = emptyBasis()
  addUnits(basis, units(btc), 100n * usdt)
  addUnits(basis, units(btc), 200n * usdt)
  assert.equal(averageCost(basis, coin), '150')
  sellUnits(basis, units(btc), 180n * usdt)
  assert.equal(basis.realised, 30n * usdt)
  assert.equal(averageCost(basis, coin), '150')
  assert.equal(unrealisedGain(basis, '149.5', coin), -usdt / 2n)
  assert.equal(takeUnits(basis, units(btc)), 150n * usdt)
  assert.equal(averageCost(basis, coin), null)
})

test('PORTFOLIO-COST-004: a fee in the coin raises the average: 100 USDT for 0.999 coins', () => {
  const basis = emptyBasis()
  addUnits(basis, units(99_900_000), 100n * usdt)
  assert.equal(averageCost(basis, coin), '100.1001001001')
})

test('PORTFOLIO-COST-005: units at no known price leave no average until all are gone', () => {
  const basis = emptyBasis()
  addUnits(basis, units(btc), undefined)
  addUnits(basis, units(btc), 100n * usdt)
  assert.equal(averageCost(basis, coin), null)
  sellUnits(basis, units(2 * btc), 500n * usdt)
  assert.equal(basis.realised, 0n)
  addUnits(basis, units(btc), 100n * usdt)
  assert.equal(averageCost(basis, coin), '100')
})

test('PORTFOLIO-COST-006: coins borrowed at 100, sold, bought back at 90 and repaid earn 10 less the interest', () => {
  const basis = emptyBasis()
  addDebt(basis, units(btc), 100n * usdt, false)
  addUnits(basis, units(btc), 100n * usdt)
  sellUnits(basis, units(btc), 100n * usdt)
  assert.equal(unrealisedGain(basis, '90', coin), 10n * usdt)
  addDebt(basis, units(btc / 100), usdt, true)
  addUnits(basis, units(btc + btc / 100), 91n * usdt)
  sellUnits(basis, units(btc + btc / 100), 0n)
  takeDebt(basis, units(btc + btc / 100))
  assert.deepEqual(basis, { quantity: 0, cost: 0n, realised: 9n * usdt, debt: 0, debtCost: 0n, isPartial: false })
})

test('PORTFOLIO-COST-007: whatever is bought and sold, cost in equals cost out, and values are exact beyond 2^53', () => {
  const random = seeded(7)
  for (let round = 0; round < 200; round++) {
    const basis = emptyBasis()
    let [spent, taken] = [0n, 0n]
    for (let step = 0; step < 40; step++) {
      const amount = Math.floor(random() * 1e12)
      if (random() < 0.6) {
        const value = BigInt(Math.floor(random() * 1e15))
        spent += value
        addUnits(basis, units(amount), value)
      } else taken += takeUnits(basis, units(Math.min(amount, basis.quantity)))
      assert.equal(basis.cost, spent - taken)
      assert.ok(basis.cost >= 0n)
    }
    taken += takeUnits(basis, units(basis.quantity))
    assert.equal(taken, spent)
  }
  assert.equal(indexWorth(units(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER as IndexPrice, coin), 8_112_963_841_460_666_368_139n)
})

test('PORTFOLIO-COST-008: a gain is rounded down, for prices with any number of digits', () => {
  const basis = { quantity: 3, cost: 0n, debt: 0, debtCost: 0n }
  assert.equal(unrealisedGain(basis, '0.000001', { scale: 0 }), 3n)
  assert.equal(unrealisedGain(basis, '0.0000005', { scale: 0 }), 1n)
  assert.equal(unrealisedGain({ ...basis, quantity: 0, debt: 3 }, '0.0000005', { scale: 0 }), -2n)
  assert.equal(unrealisedGain(basis, '7', { scale: 0 }), 21n * usdt)
})
