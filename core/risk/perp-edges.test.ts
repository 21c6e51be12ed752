import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as ordersRules from './orders.ts'
import * as perpMarkRules from './perp-mark.ts'
import * as perpRankRules from './perp-rank.ts'
import * as perpRules from './perp.ts'
import { plain } from '../money/test/plain.ts'

// These functions take plain numbers, so that the tests can use literals.
const risk = plain(perpRules)
const { ticksMax } = plain(ordersRules)
const { fundingPayment, fundingRate } = plain(perpMarkRules)
const { compareScores, rankOf, scoreOf } = plain(perpRankRules)

test('PERP-RISK-007: a part of a cost is rounded down, and the last lots take the remainder', () => {
  assert.deepEqual([risk.shareOf(10, 3, 4), risk.shareOf(10, 4, 4), risk.shareOf(10, 5, 4), risk.shareOf(10, 0, 4)], [7, 10, 10, 0])
})

test('PERP-RISK-008: a position above the last tier belongs to the last tier', () => {
  const tiers = [1, 2, 3].map((valueMax) => ({ valueMax, initialPpm: 0, maintenancePpm: 0 })) as Parameters<typeof risk.tierFor>[0]
  assert.equal(risk.tierFor(tiers, 4), undefined)
  assert.deepEqual([risk.tierOfPosition(tiers, 3), risk.tierOfPosition(tiers, 4)], [tiers[2], tiers[2]])
})

test('PERP-RISK-001: a maintenance margin is exact and rounded up for any size of the position', () => {
  for (let less = 0; less < 500; less++) {
    const [value, ppm] = [2 ** 46 - less, 333_333 + less]
    assert.equal(risk.maintenanceMargin(value, ppm), Number((BigInt(value) * BigInt(ppm) + 999_999n) / 1_000_000n), `${value}`)
  }
})

test('a position is watched up to 1.25 times its maintenance and calm above 1.5 times, rounded up and below the whole value', () => {
  assert.deepEqual([25_000, 5, 900_000].map(risk.watchPpm), [31_250, 7, 999_999])
  assert.deepEqual([25_000, 5, 700_000].map(risk.calmPpm), [37_500, 8, 999_999])
})

test('a limit moves towards the mark as far as the room for losses requires', () => {
  for (const [side, limit, room, expected] of [
    // Ten lots at two quote units a tick lose 20 units a tick.
    [0, 106, 59, 102],
    [0, 106, 20, 101],
    [0, 106, 19, 100],
    [0, 106, 119, 105],
    [0, 106, 120, 106],
    [0, 101, 1000, 101],
    [0, 106, 0, 100],
    [0, 106, -50, 100],
    [1, 95, 59, 98],
    [1, 95, 99, 96],
    [1, 95, 100, 95],
    [1, 99, 1000, 99],
    [1, 95, -50, 100],
  ] as const)
    assert.equal(risk.limitWithin(side, limit, 100, 10, 2, room), expected, `${side} ${limit} ${room}`)
})

test('without a position, profit, prices and return are zero', () => {
  assert.equal(risk.unrealised(0, 5, 10, 1), 0)
  for (const [cost, margin] of [
    [0, 0],
    [5, 1],
  ] as const)
    assert.equal(risk.liquidationPrice(0, cost, margin, 25_000, 1), 0)
  assert.equal(risk.bankruptcyPrice(0, 5, 1, 1), 0)
  assert.equal(risk.entryPrice(0, 5, 1), 0)
  assert.equal(risk.returnPpm(5, 0, 10), 0)
  assert.equal(fundingPayment(0, 1_000_000_000, 3), 0)
  assert.equal(rankOf(0, 0), 1)
})

test('PERP-RISK-006: lots worth ten quote units a tick have the same prices as ten times as many lots worth one', () => {
  for (const lots of [3, -3]) {
    assert.equal(risk.liquidationPrice(lots, 210, 21, 25_000, 10), risk.liquidationPrice(lots * 10, 210, 21, 25_000, 1))
    assert.equal(risk.bankruptcyPrice(lots, 210, 21, 10), 7)
    assert.equal(risk.bankruptcyPrice(lots, 210, 60, 10), lots > 0 ? 5 : 9)
    assert.equal(risk.entryPrice(lots, 210, 10), 7)
  }
})

test('PERP-RISK-006: liquidation and bankruptcy prices stop at their bounds', () => {
  // A short position that owes more than it was ever worth is liquidated at every price; one whose margin covers the highest price
  // at none.
  assert.equal(risk.liquidationPrice(-1, 10, -20, 25_000, 1), 1)
  assert.equal(risk.liquidationPrice(-1, 2 ** 46, 2 ** 40, 25_000, 1), 0)
  assert.equal(risk.liquidationPrice(-1, ticksMax, 0, 0, 1), ticksMax)
  assert.equal(risk.liquidationPrice(-1, ticksMax, 1, 0, 1), 0)
  assert.equal(risk.liquidationPrice(1, ticksMax - 1, 0, 0, 1), ticksMax - 1)
  assert.equal(risk.liquidationPrice(1, 2 ** 46, 0, 25_000, 1), ticksMax)
  assert.equal(risk.liquidationPrice(1, 10, 11, 25_000, 1), 0)
  assert.deepEqual([risk.bankruptcyPrice(3, 10, 20, 1), risk.bankruptcyPrice(3, 10, 10, 1)], [0, 0])
  assert.deepEqual([risk.bankruptcyPrice(-3, 10, -20, 1), risk.bankruptcyPrice(-3, 2, 0, 1), risk.bankruptcyPrice(-3, 2, 1, 1)], [0, 0, 1])
})

test('PERP-RISK-006: a short position’s liquidation price is exact where a quotient in floating point would round up', () => {
  const [size, ppm] = [1001, 25_001]
  const divisor = BigInt(size) * BigInt(1_000_000 + ppm)
  // The covered value × 10^6 is one less than a multiple of the divisor: its factor is the inverse of 10^6, found by Euclid.
  let [rest, next, inverse, other] = [1_000_000n, divisor, 1n, 0n]
  while (next !== 0n) [rest, next, inverse, other] = [next, rest % next, other, inverse - (rest / next) * other]
  const covered = (((-inverse % divisor) + divisor) % divisor) + divisor * 1000n
  for (let more = 0n; more < 200n; more++) {
    const cost = Number(covered + more * divisor) + 1
    const price = (BigInt(cost - 1) * 1_000_000n) / divisor + 1n
    assert.equal(risk.liquidationPrice(-size, cost, 0, ppm, 1), Number(price))
  }
})

test('a funding rate with a cap of 0 is 0 and never −0', () => {
  const terms = { fundingInterest: 0, fundingStretch: 0, fundingCap: 0 } as Parameters<typeof fundingRate>[0]
  for (const sum of [-5, 0, 5]) assert.ok(Object.is(fundingRate(terms, sum, 1), 0))
})

test('PERP-RISK-009: scores that agree in fifteen digits are compared exactly, in both orders, by profit, cost, value and equity', () => {
  type Sums = readonly [profit: number, cost: number, value: number, equity: number]
  const sign = (a: Sums, b: Sums): number => {
    const [one, other] = [Math.sign(compareScores(scoreOf(...a), scoreOf(...b))), Math.sign(compareScores(scoreOf(...b), scoreOf(...a)))]
    assert.equal(one + other, 0)
    return one
  }
  const big = 2 ** 45
  for (const [a, b, order] of [
    [[100, 1000, 1000, 1000], [50, 400, 1000, 1000], 1],
    [[big + 1, big, 2 * big, 3], [big + 2, big, 2 * big, 3], 1],
    [[big, big + 1, 2 * big, 3], [big, big + 2, 2 * big, 3], -1],
    [[big, big, 2 * big + 1, 3], [big, big, 2 * big + 2, 3], 1],
    [[1, 1, 1, big + 1], [1, 1, 1, big + 2], -1],
    [[-big - 1, big, 2 * big, 3], [-big - 2, big, 2 * big, 3], -1],
    [[-5, 7, big + 1, 3], [-5, 7, big + 2, 3], 1],
    [[-5, 7, big, big + 1], [-5, 7, big, big + 2], -1],
    [[-5, big + 1, 7, 3], [-5, big + 2, 7, 3], 1],
    // Equal scores from different numbers: 0.1 × 3 and 0.3 × 1 differ in floating point.
    [[1, 10, 3, 1], [3, 10, 1, 1], 0],
    [[1, 10, 10_000_001, 1], [10_000_001, 10, 1, 1], 0],
    [[7, 21, 28, 3], [14, 42, 28, 3], 0],
    [[-7, 21, 28, 3], [-14, 42, 28, 3], 0],
  ] as const)
    assert.equal(sign(a, b) + 0, order, `${a} ${b}`)
})
