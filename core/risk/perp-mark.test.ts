import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as perpMarkRules from './perp-mark.ts'
import * as ordersRules from './orders.ts'
import { plain } from '../money/test/plain.ts'

// These functions take plain numbers, so that the tests can use literals.
const mark = plain(perpMarkRules)
const { ticksMax } = plain(ordersRules)
const hourMs = 3_600_000

test('a period pays less by the share for which the market was closed, rounded towards zero', () => {
  for (const [rate, closedMs, hours, paid] of [
    [100_001, 0, 8, 100_001],
    [100_001, 4 * hourMs, 8, 50_000],
    [-100_001, 4 * hourMs, 8, -50_000],
    [7, 1, 8, 6],
    [-7, 1, 8, -6],
    [100_000, 1 * hourMs, 4, 75_000],
    [100_000, 8 * hourMs, 8, 0],
    [-100_000, 8 * hourMs, 8, 0],
    [100_000, 9 * hourMs, 8, 0],
    [0, 0, 8, 0],
  ] as const)
    assert.equal(mark.openRate(rate, closedMs, hours), paid, `${rate} ${closedMs}`)
})

test('an index price is the nearest tick, halves up, from 1 to 2^31 − 1', () => {
  for (const [index, indexPerTick, ticks] of [
    [100e8, 1e8, 100],
    [100.49e8, 1e8, 100],
    [100.5e8, 1e8, 101],
    [0.4e8, 1e8, 1],
    [0, 1e8, 1],
    [7, 1, 7],
    [ticksMax, 1, ticksMax],
    [ticksMax + 1, 1, ticksMax],
    [3e17, 1e8, ticksMax],
  ] as const)
    assert.equal(mark.indexTicks(index, indexPerTick), ticks, `${index}`)
})

test('a mark is never above 2^31 − 1 or below one tick', () => {
  assert.equal(mark.markPrice(3e15, 1e6, 0, 1000, 10_000), ticksMax)
  assert.equal(mark.markPrice(1, 1e8, 0, 1000, 10_000), 1)
})

test('a sample of the basis is the middle of the book, rounded down, within the clamp', () => {
  for (const [bid, ask, sample] of [
    [10, 20, 15],
    [10, 21, 15],
    [-10, -21, -16],
    [20_000_000, 30_000_000, 10_000_000],
    [-20_000_000, -30_000_000, -10_000_000],
  ] as const)
    assert.equal(mark.basisSample(bid, ask, 10_000), sample, `${bid} ${ask}`)
})

test('a premium is how far the bid lies above the index, less how far the ask lies below it', () => {
  for (const [bid, ask, premium] of [
    [5, 9, 5],
    [-9, -5, -5],
    [-5, 5, 0],
    [5, -3, 2],
    [200_000_000, 200_000_001, 100_000_000],
    [-200_000_001, -200_000_000, -100_000_000],
  ] as const)
    assert.equal(mark.premium(bid, ask), premium, `${bid} ${ask}`)
})

test('a funding rate or payment of zero is never −0, and a short position pays at a negative rate', () => {
  const terms = { fundingInterest: 0, fundingStretch: 500_000, fundingCap: 7_500_000 } as Parameters<typeof mark.fundingRate>[0]
  assert.equal(Object.is(mark.fundingRate(terms, 0, 0), 0), true)
  assert.equal(Object.is(mark.fundingPayment(1, 0, 1), 0), true)
  assert.equal(mark.fundingPayment(-1, 1_000_000_000, -3), -3)
})
