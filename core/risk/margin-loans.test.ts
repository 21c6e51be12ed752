import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ppm, Units } from '../money/brand.ts'
import type { MarginTerms } from '../protocol/command/margin.ts'
import * as marginRules from './margin.ts'
import * as marginTermsRules from './margin-terms.ts'
import { noCeiling } from './policy.ts'
import { plain } from '../money/test/plain.ts'

// These functions take plain numbers, so that the tests can use literals.
const risk = plain(marginRules)
const { firstMarginTerms } = plain(marginTermsRules)

/** Terms without interest, smallest loan or share of a pool: only levels limit a loan. */
const terms: MarginTerms = {
  ...firstMarginTerms(6, []),
  rateZero: 0,
  rateKink: 0,
  rateFull: 0,
  loanMin: 0 as Units,
  userSharePpm: 1_000_000 as Ppm,
  borrowStopPpm: 1_000_000 as Ppm,
}
const pool = { supplied: 1_000_000, borrowed: 0 }
const usdt = { price: 1e8, divisor: risk.divisorOf(6, 6) }
const coin = { price: 5e12, divisor: risk.divisorOf(8, 6) }
/** An account with `units` of USDT, which owes `owed` of them. */
const holding = (units: number, owed = 0) => ({
  ...usdt,
  weightPpm: 1_000_000,
  debtPrice: usdt.price,
  units,
  owed,
  otherAssets: 0,
  otherDebt: 0,
})

test('own money of 10 can borrow 89 at a leverage of 10, and less where pool, user or leverage allow less', () => {
  const most = (changed: object, sums = pool, userOwed = 0, leverageMax = noCeiling): number =>
    risk.borrowable({ ...terms, ...changed }, true, holding(10), sums, userOwed, leverageMax)
  assert.equal(most({}), 89)
  assert.deepEqual(
    [89, 90].map((amount) => risk.mayBorrow(terms, true, holding(10), pool, amount)),
    [true, false],
  )
  assert.equal(most({}, { supplied: 50, borrowed: 0 }), 50)
  assert.equal(most({}, { supplied: 50, borrowed: 20 }), 30)
  assert.equal(most({ userSharePpm: 250_000 }, { supplied: 200, borrowed: 0 }, 10), 40)
  assert.equal(most({}, pool, 0, 5), 40)
  assert.equal(most({}, pool, 0, 1), 0)
  assert.deepEqual([most({ loanMin: 89 }), most({ loanMin: 90 })], [89, 0])
})

test('an asset without a price or with a weight of 0 is not lent', () => {
  for (const changed of [{ price: 0 }, { weightPpm: 0 }])
    assert.equal(risk.borrowable(terms, true, { ...holding(10), otherAssets: 1_000, ...changed }, pool, 0, noCeiling), 0)
})

test('a loan that would reach the bound of all values is refused, however rich the account is', () => {
  const rich = { ...holding(0), units: 0, otherAssets: risk.valueMax }
  assert.equal(risk.mayBorrow(terms, false, { ...rich, otherDebt: risk.valueMax - 2 }, pool, 2), false)
})

test('a loan owes its first hour at once', () => {
  const dear = { ...terms, rateZero: 200_000_000, rateKink: 200_000_000, rateFull: 200_000_000 }
  assert.deepEqual(risk.afterLoan(dear, { ...holding(7, 3), otherAssets: 100, otherDebt: 50 }, pool, 10_000), {
    assets: 100 + 7 + 10_000,
    debt: 50 + 3 + 10_000 + 2,
  })
  assert.deepEqual(risk.afterLeaving({ ...holding(7, 3), otherAssets: 100, otherDebt: 50 }, 5), { assets: 102, debt: 53 })
})

test('a transfer out of an account keeps its threshold and the ceiling of its owner', () => {
  const free = (leverageMax: number, owed = 300): number => risk.transferable(terms, true, holding(1_000, owed), 1_000, leverageMax)
  assert.deepEqual([free(noCeiling), free(2), free(1), free(1, 0)], [666, 400, 0, 1_000])
  assert.deepEqual(
    [666, 667].map((amount) => risk.mayLeave(terms, true, holding(1_000, 300), amount)),
    [true, false],
  )
  assert.equal(risk.mayLeave(terms, true, holding(1_000), 1_000), true)
})

test('a leverage is kept when own money covers its part to the unit; with a leverage of 1 nothing may be owed', () => {
  for (const [assets, debt, leverageMax, isWithin] of [
    [125, 100, 5, true],
    [124, 100, 5, false],
    [200, 100, 2, true],
    [199, 100, 2, false],
    [0, 0, 1, true],
    [1_000, 1, 1, false],
  ] as const)
    assert.equal(risk.isWithinLeverage(assets, debt, leverageMax), isWithin, `${assets} ${debt} ${leverageMax}`)
})

test('sums of values stop at their bound, weights round down, units for a value round up', () => {
  assert.deepEqual([risk.addValues(2, 3), risk.addValues(risk.valueMax, 1)], [5, risk.valueMax])
  assert.deepEqual([risk.weighted(101, 500_000), risk.weighted(101, 1_000_000), risk.weighted(101, 0)], [50, 101, 0])
  assert.deepEqual([risk.unitsWorth(1e8, coin), risk.unitsWorth(1, coin), risk.unitsWorth(0, coin)], [200_000, 1, 0])
})

test('the price of a pair is base price ÷ quote price, rounded down, and 0 without a price of the quote', () => {
  const at = (price: number) => ({ price, divisor: 1 })
  assert.equal(risk.pairPrice(at(3_000e8), at(60_000e8)), 5_000_000)
  assert.equal(risk.pairPrice(at(2e8), at(3e8)), 66_666_666)
  assert.equal(risk.pairPrice(at(1e8), at(0)), 0)
})

test('an account without debt has the highest level; an account on one side of its threshold at every price has no liquidation price', () => {
  assert.equal(risk.levelPpm(0, 0), risk.levelMax)
  assert.equal(risk.levelPpm(5, -1), risk.levelMax)
  const value = { baseDivisor: 1e10, quoteDivisor: 1e8, quotePrice: 1e8 }
  for (const pair of [
    { base: 5, quote: 5, baseOwed: 0, quoteOwed: 0 },
    { base: 0, quote: 0, baseOwed: 1, quoteOwed: 0 },
    { base: 0, quote: 100, baseOwed: 0, quoteOwed: 99 },
    { base: 0, quote: 200, baseOwed: 0, quoteOwed: 100 },
  ])
    assert.equal(risk.liquidationPrice(terms, pair, value), 0, JSON.stringify(pair))
})

test('the searches find the largest number that a rule allows, and the edge of a rule from either side', () => {
  for (const [most, bound, found] of [
    [5, 3, 3],
    [5, 5, 5],
    [5, 9, 5],
    [5, 0, 0],
    [1, 1, 1],
    [0, 9, 0],
    [-1, 9, 0],
  ] as const)
    assert.equal(
      risk.largest(most, (n) => n <= bound),
      found,
      `${most} ${bound}`,
    )
  assert.equal(
    risk.edge(0, 10, (n) => n <= 7),
    7,
  )
  assert.equal(
    risk.edge(10, 0, (n) => n >= 4),
    4,
  )
})

test('a liquidation sells the amount that brings the level back to the warning, rounded up, or everything', () => {
  for (const [assets, debt, call, cost, sold] of [
    // (1.1 × 100,000 − 105,000) ÷ (1.1 × 0.994 − 1)
    [105_000, 100_000, 1_100_000, 6_000, 53_534],
    [109_999, 100_000, 1_100_000, 6_000, 11],
    [110_000, 100_000, 1_100_000, 6_000, 0],
    [101_000, 100_000, 1_010_000, 10_000, 0],
    // A quotient far beyond 2^53.
    [2 ** 50 + 1, 2 ** 50, 1_500_000, 333_332, 2 ** 50 + 1],
    [120_000, 100_000, 1_100_000, 6_000, 0],
    // The cost is as large as the gain or larger: selling a part does not raise the level.
    [100_001, 100_000, 1_010_000, 10_000, 100_001],
    [120_000, 100_000, 1_250_000, 200_000, 120_000],
    [100_000, 100_000, 1_500_000, 0, 100_000],
    [100_001, 100_000, 1_500_000, 0, 99_998],
    [90_000, 100_000, 1_500_000, 0, 90_000],
  ] as const)
    assert.equal(risk.amountToSell(assets, debt, call, cost), sold, `${assets} ${debt} ${call} ${cost}`)
})

test('a cross account’s threshold for loans is the higher of its own and that of its leverage', () => {
  for (const [changed, open] of [
    [{ crossLeverage: 3 }, 1_500_000],
    [{ crossBorrowPpm: 1_300_000 as Ppm }, 1_300_000],
  ] as const)
    assert.equal(risk.thresholds({ ...terms, ...changed }, false, 5).open, open)
})
