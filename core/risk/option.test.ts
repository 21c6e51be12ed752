import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as optionRules from './option.ts'
import { plain } from '../money/test/plain.ts'

// These functions take plain numbers, so that the tests can use literals.
const option = plain(optionRules)

test('a won order earns its stake times the rate, rounded down', () => {
  for (const [stake, rate, profit] of [
    [100, 840_000, 84],
    [1, 840_000, 0],
    [7, 850_000, 5],
    [7, 1_000_000, 7],
    [0, 850_000, 0],
  ] as const)
    assert.equal(option.optionProfit(stake, rate), profit, `${stake} at ${rate}`)
})

test('the break-even share of wins is rounded to the nearest thousandth, halves up', () => {
  for (const [rate, permille] of [
    [840_000, 543],
    [850_000, 541],
    [1_000_000, 500],
    // 1 ÷ 3.2 = 312.5 thousandths.
    [2_200_000, 313],
  ] as const)
    assert.equal(option.breakEvenPermille(rate), permille, `${rate}`)
})

test('the house can lose the profits of one direction less the stakes of the other, never less than zero', () => {
  const up = { upStake: 100, upProfit: 84, downStake: 50, downProfit: 42 }
  const down = { upStake: 50, upProfit: 42, downStake: 100, downProfit: 84 }
  const even = { upStake: 100, upProfit: 84, downStake: 100, downProfit: 84 }
  assert.deepEqual([up, down, even].map(option.worstCase), [34, 34, 0])
  assert.deepEqual([up, down, even].map(option.directionNets), [
    { up: 34, down: -58 },
    { up: -58, down: 34 },
    { up: -16, down: -16 },
  ])
  assert.equal(option.exposureMax(1_000_009, 100_000), 100_000)
})

test('a group counts its largest market in full and a share of the others, rounded up and never below zero', () => {
  for (const [sums, ppm, sum] of [
    [[], 500_000, 0],
    [[7], 500_000, 7],
    [[10, 20, 5], 500_000, 28],
    [[10, 20, 5], 0, 20],
    [[10, 20, 5], 1_000_000, 35],
    [[10, -4], 500_000, 8],
    [[-5, -3], 500_000, 0],
  ] as const)
    assert.equal(option.groupSum(sums, ppm), sum, `${sums} ${ppm}`)
})

test('the room of a market is the largest amount that its group allows', () => {
  const sum = fc.integer({ min: 0, max: 60 })
  const share = fc.constantFrom(0, 1, 333_333, 500_000, 1_000_000)
  fc.assert(
    fc.property(sum, fc.array(sum, { maxLength: 4 }), share, fc.integer({ min: 0, max: 120 }), (own, others, ppm, most) => {
      const room = option.groupRoom(own, others, ppm, most)
      const isAllowed = (more: number): boolean => option.groupSum([own + more, ...others], ppm) <= most
      assert.ok(room >= 0)
      if (room > 0) assert.ok(isAllowed(room))
      assert.ok(!isAllowed(room + 1))
    }),
    { numRuns: 3000 },
  )
})

test('a customer’s guard may void a fixed number of orders a day, or a share of the day’s orders if that is more', () => {
  assert.deepEqual(
    [option.guardVoidsMax(119, 3, 50_000), option.guardVoidsMax(100, 6, 50_000), option.guardVoidsMax(0, 3, 50_000)],
    [5, 6, 3],
  )
})
