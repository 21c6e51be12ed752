import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as perpMarkRules from './perp-mark.ts'
import * as perpRankRules from './perp-rank.ts'
import * as perpRules from './perp.ts'
import * as ordersRules from './orders.ts'
import { plain } from '../money/test/plain.ts'

// These functions take plain numbers, so that the tests can use literals.
const { basisSample, distanceOf, fundingPayment, fundingRate, impactPrice, markPrice, nextFundingMs, premium } = plain(perpMarkRules)
const { ticksMax } = plain(ordersRules)
const risk = plain(perpRules)
const { compareScores, rankOf, scoreOf } = plain(perpRankRules)

/**
 * A fraction of bigints. The functions below state the published formulas again in exact fractions, and find prices by search
 * instead of solving an equation.
 */
type Ratio = readonly [numerator: bigint, denominator: bigint]
const ratio = (n: number | bigint, d: number | bigint = 1n): Ratio => (BigInt(d) < 0n ? [-BigInt(n), -BigInt(d)] : [BigInt(n), BigInt(d)])
const times = (a: Ratio, b: Ratio): Ratio => [a[0] * b[0], a[1] * b[1]]
const minus = (a: Ratio, b: Ratio): Ratio => [a[0] * b[1] - b[0] * a[1], a[1] * b[1]]
const plus = (a: Ratio, b: Ratio): Ratio => [a[0] * b[1] + b[0] * a[1], a[1] * b[1]]
const isAtMost = (a: Ratio, b: Ratio): boolean => minus(a, b)[0] <= 0n
const floor = ([n, d]: Ratio): bigint => n / d - (n % d !== 0n && n < 0n ? 1n : 0n)
const ceil = (a: Ratio): bigint => -floor([-a[0], a[1]])
const worth = (lots: number, price: number | bigint, q: number): Ratio => ratio(BigInt(Math.abs(lots)) * BigInt(price) * BigInt(q))
const profit = (lots: number, cost: number, price: number | bigint, q: number): Ratio =>
  lots > 0 ? minus(worth(lots, price, q), ratio(cost)) : minus(ratio(cost), worth(lots, price, q))
const isLiquidated = (lots: number, cost: number, margin: number, ppm: number, price: bigint, q: number): boolean =>
  isAtMost(plus(ratio(margin), profit(lots, cost, price, q)), ratio(ceil(times(worth(lots, price, q), ratio(ppm, 1_000_000)))))

/** Mark at which a position is liquidated, found by bisection: the condition holds on one side of it only. */
function foundLiquidation(lots: number, cost: number, margin: number, ppm: number, q: number): number {
  const top = 2n ** 31n - 1n
  const holds = (price: bigint): boolean => isLiquidated(lots, cost, margin, ppm, price, q)
  let low = 0n
  let high = top + 1n
  if (lots > 0) {
    while (high - low > 1n) [low, high] = holds((low + high) / 2n) ? [(low + high) / 2n, high] : [low, (low + high) / 2n]
    return Number(low)
  }
  while (high - low > 1n) [low, high] = holds((low + high) / 2n) ? [low, (low + high) / 2n] : [(low + high) / 2n, high]
  return high > top ? 0 : Number(high)
}

/** Tiers of BTC and ETH at first start: value in USDT units, initial and maintenance margin. */
const tiers = [
  { valueMax: 50_000_000_000, initialPpm: 100_000, maintenancePpm: 25_000 },
  { valueMax: 250_000_000_000, initialPpm: 125_000, maintenancePpm: 40_000 },
  { valueMax: 1_000_000_000_000, initialPpm: 200_000, maintenancePpm: 75_000 },
  { valueMax: 2 ** 46, initialPpm: 500_000, maintenancePpm: 200_000 },
]
const terms = {
  tiers,
  leverageMax: 10,
  fundingInterest: 100_000,
  fundingStretch: 500_000,
  fundingCap: 7_500_000,
}

/**
 * Name, lots, entry in ticks, leverage, quote units per tick and lot, mark; then, computed by hand: margin, liquidation price,
 * bankruptcy price, profit at the mark, return in ppm.
 */
const positions: readonly (readonly [string, number, number, number, number, number, number, number, number, number, number])[] = [
  // 0.1 BTC at 67,412.5 (tick 0.1, lot 0.00001) costs 6,741.25; at 10×, (6,741.25 − 674.125) ÷ 0.975 ÷ 0.1 = 62,226.92.
  ['BTC long 10×', 10_000, 674_125, 10, 1, 700_000, 674_125_000, 622_269, 606_713, 258_750_000, 383_830],
  ['BTC short 10×', -10_000, 674_125, 10, 1, 700_000, 674_125_000, 723_452, 741_537, -258_750_000, -383_831],
  ['BTC long 5×', 10_000, 674_125, 5, 1, 650_000, 1_348_250_000, 553_128, 539_300, -241_250_000, -178_936],
  ['BTC short 3×', -10_000, 674_125, 3, 1, 650_000, 2_247_083_334, 876_911, 898_833, 241_250_000, 107_361],
  ['BTC long 1×', 10_000, 674_125, 1, 1, 674_125, 6_741_250_000, 0, 0, 0, 0],
  ['BTC short 1×', -10_000, 674_125, 1, 1, 674_125, 6_741_250_000, 1_315_366, 1_348_250, 0, 0],
  // One coin, 67,412.5 USDT, is in the second tier, with 4 % maintenance.
  ['BTC long, tier 2', 100_000, 674_125, 8, 1, 674_126, 8_426_562_500, 614_436, 589_860, 100_000, 11],
  ['BTC short, tier 2', -100_000, 674_125, 8, 1, 674_124, 8_426_562_500, 729_222, 758_390, 100_000, 11],
  ['BTC long, tier 3', 1_000_000, 674_125, 5, 1, 674_125, 134_825_000_000, 583_027, 539_300, 0, 0],
  ['BTC short, tier 4', -2_000_000, 674_125, 2, 1, 674_125, 674_125_000_000, 842_657, 1_011_187, 0, 0],
  // Small numbers, at which every rounding shows.
  ['three lots at seven', 3, 7, 10, 1, 9, 3, 6, 6, 6, 2_857_142],
  ['three short at seven', -3, 7, 10, 1, 9, 3, 8, 8, -6, -2_857_143],
  ['one lot at one', 1, 1, 10, 1, 5, 1, 1, 0, 4, 40_000_000],
  ['one short at one', -1, 1, 10, 1, 5, 1, 1, 2, -4, -40_000_000],
  ['DOGE long', 5_000_000, 12_345, 10, 1, 12_000, 6_172_500_000, 11_573, 11_111, -1_725_000_000, -279_466],
  ['DOGE short', -5_000_000, 12_345, 10, 1, 12_000, 6_172_500_000, 13_058, 13_579, 1_725_000_000, 279_465],
]

for (const [what, lots, entry, leverage, q, mark, margin, liquidation, bankruptcy, gain, roe] of positions) {
  test(`PERP-RISK-001: margins, prices and profit follow the published formulas to the unit (${what})`, () => {
    const cost = Number(floor(worth(lots, entry, q)))
    const tier = tiers.find(({ valueMax }) => cost <= valueMax)!
    assert.equal(risk.initialMargin(cost, leverage), Number(ceil(ratio(cost, leverage))))
    assert.equal(risk.initialMargin(cost, leverage), margin)
    assert.equal(risk.tierOfPosition(tiers, cost), tier)
    const ppm = tier.maintenancePpm
    assert.equal(risk.liquidationPrice(lots, cost, margin, ppm, q), foundLiquidation(lots, cost, margin, ppm, q))
    assert.equal(risk.liquidationPrice(lots, cost, margin, ppm, q), liquidation)
    const exact = lots > 0 ? ceil(ratio(cost - margin, lots * q)) : floor(ratio(cost + margin, -lots * q))
    assert.equal(risk.bankruptcyPrice(lots, cost, margin, q), Number(exact < 0n ? 0n : exact))
    assert.equal(risk.bankruptcyPrice(lots, cost, margin, q), bankruptcy)
    assert.equal(risk.unrealised(lots, cost, mark, q), Number(floor(profit(lots, cost, mark, q))))
    assert.equal(risk.unrealised(lots, cost, mark, q), gain)
    assert.equal(risk.returnPpm(gain, cost, leverage), Number(floor(ratio(BigInt(gain) * BigInt(leverage) * 1_000_000n, cost))))
    assert.equal(risk.returnPpm(gain, cost, leverage), roe)
    const value = risk.positionValue(lots, mark, q)
    assert.equal(risk.maintenanceMargin(value, ppm), Number(ceil(times(worth(lots, mark, q), ratio(ppm, 1_000_000)))))
  })
}

/** Lots, value at the mark, rate in 1e-9; funding received (+) or paid (−). */
const fundings: readonly (readonly [number, number, number, number])[] = [
  [1, 6_741_250_000, 100_000, -674_125],
  [-1, 6_741_250_000, 100_000, 674_125],
  [1, 6_741_250_001, 100_000, -674_126],
  [-1, 6_741_250_001, 100_000, 674_125],
  [1, 6_741_250_001, -100_000, 674_125],
  [-1, 6_741_250_001, -100_000, -674_126],
  [5, 999, 7_500_000, -8],
  [-5, 999, 7_500_000, 7],
  [5, 1, 1, -1],
  [-5, 1, 1, 0],
  [5, 123_456_789, 0, 0],
  [0, 0, 100_000, 0],
]

test('PERP-RISK-002: a funding payment is value × rate, rounded up for the payer and down for the receiver', () => {
  for (const [lots, value, rate, expected] of fundings) {
    const exact = times(ratio(value), ratio(Math.abs(rate), 1_000_000_000))
    const isPayer = lots > 0 === rate > 0
    const amount = lots === 0 || rate === 0 ? 0 : isPayer ? -Number(ceil(exact)) : Number(floor(exact))
    assert.equal(fundingPayment(lots, value, rate), expected)
    assert.equal(fundingPayment(lots, value, rate), amount + 0)
  }
})

/** Sum of premiums in 1e-9, their count; funding rate in 1e-9. */
const rates: readonly (readonly [number, number, number])[] = [
  [0, 0, 100_000],
  [0, 5760, 100_000],
  [100_000, 1, 100_000],
  [600_000, 1, 100_000],
  [600_001, 1, 100_001],
  [-400_000, 1, 100_000],
  [-400_001, 1, 99_999],
  [2_000_000, 1, 1_500_000],
  [9_000_000, 1, 7_500_000],
  [-9_000_000, 1, -7_500_000],
  [1_200_005, 2, 100_002],
  [-1_000_001, 2, -1],
]

test('PERP-RISK-003: the rate is the mean premium, moved towards the interest by at most 0.05 %, and capped at 0.75 %', () => {
  for (const [sum, count, expected] of rates) {
    const mean = count === 0 ? 0n : floor(ratio(sum, count))
    const gap = 100_000n - mean
    const stretched = gap > 500_000n ? 500_000n : gap < -500_000n ? -500_000n : gap
    const rate = mean + stretched
    const capped = rate > 7_500_000n ? 7_500_000n : rate < -7_500_000n ? -7_500_000n : rate
    assert.equal(fundingRate(terms, sum, count), Number(capped))
    assert.equal(fundingRate(terms, sum, count), expected)
  }
})

test('PERP-RISK-004: the premium compares impact prices of the book with the index; bids are rounded down, asks up', () => {
  const of = (bid: number, ask: number, index: number): number => premium(distanceOf(bid, index), distanceOf(ask, index))
  assert.equal(of(101e8, 102e8, 100e8), 10_000_000)
  assert.equal(of(98e8, 99e8, 100e8), -10_000_000)
  assert.equal(of(99e8, 101e8, 100e8), 0)
  assert.equal(of(310e6 + 1, 4e8, 3e8), 33_333_336)
  // No sample counts as more than 10 %.
  assert.equal(of(150e8, 151e8, 100e8), 100_000_000)
  assert.equal(of(10e8, 11e8, 100e8), -100_000_000)
  assert.deepEqual([distanceOf(2e8, 3e8), distanceOf(4e8, 3e8)], [-333_333_334, 333_333_333])
  // 10 lots at 100 and 5 lots at 99 ticks of 1 USDT average 99 2/3.
  assert.equal(impactPrice(1495, 15, 1e8, true), 9_966_666_666)
  assert.equal(impactPrice(1495, 15, 1e8, false), 9_966_666_667)
  assert.equal(nextFundingMs(Date.UTC(2026, 0, 1, 7, 59, 59, 999), 8), Date.UTC(2026, 0, 1, 8))
  assert.equal(nextFundingMs(Date.UTC(2026, 0, 1, 8), 8), Date.UTC(2026, 0, 1, 16))
})

/** Index in 1e-8; impact bid and ask in USDT, each pair for half of the window; clamp in ppm; mark in ticks. */
const marks: readonly (readonly [number, readonly (readonly [number, number] | undefined)[], number, number])[] = [
  [100e8, [undefined, undefined], 10_000, 100],
  [100.5e8, [undefined, undefined], 10_000, 101],
  [100.49e8, [undefined, undefined], 10_000, 100],
  [
    1000e8,
    [
      [1001, 1003],
      [1001, 1003],
    ],
    10_000,
    1002,
  ],
  [
    1000e8,
    [
      [1001, 1004],
      [1001, 1004],
    ],
    10_000,
    1003,
  ],
  // Without depth for half of the window, the basis counts by half.
  [1000e8, [[1003, 1005], undefined], 10_000, 1002],
  [
    1000e8,
    [
      [1100, 1102],
      [1100, 1102],
    ],
    10_000,
    1010,
  ],
  // A sample counts at most as much as the clamp: 10 for half of the window.
  [1000e8, [[1900, 1902], undefined], 10_000, 1005],
  [
    1000e8,
    [
      [900, 902],
      [900, 902],
    ],
    10_000,
    990,
  ],
  [
    1000e8,
    [
      [1001, 1003],
      [997, 999],
    ],
    10_000,
    1000,
  ],
  [
    1e8,
    [
      [2_000_000_000, 2_000_000_001],
      [2_000_000_000, 2_000_000_001],
    ],
    10_000,
    1,
  ],
]

test('PERP-RISK-005: the mark is the index plus the mean basis over the window, within the clamp, to the nearest tick', () => {
  const half = 15_000
  for (const [index, samples, clampPpm, expected] of marks) {
    let sum = 0
    let exact = ratio(0)
    for (const sample of samples) {
      if (sample === undefined) continue
      const [bid, ask] = [distanceOf(sample[0] * 1e8, index), distanceOf(sample[1] * 1e8, index)]
      sum += basisSample(bid, ask, clampPpm) * half
      const middle = minus(times(ratio(sample[0] + sample[1], 2), ratio(1e8)), ratio(index))
      const limit = times(ratio(index), ratio(clampPpm, 1_000_000))
      const cut = isAtMost(limit, middle) ? limit : isAtMost(middle, minus(ratio(0), limit)) ? minus(ratio(0), limit) : middle
      exact = plus(exact, times(cut, ratio(1, 2)))
    }
    const mark = floor(plus(times(plus(ratio(index), exact), ratio(1, 1e8)), ratio(1, 2)))
    assert.equal(markPrice(index, 1e8, sum, 2 * half, clampPpm), Number(mark < 1n ? 1n : mark))
    assert.equal(markPrice(index, 1e8, sum, 2 * half, clampPpm), expected)
  }
})

test('PERP-RISK-006: any position is liquidated at its liquidation price, and not one tick further towards profit', () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 2 ** 40 }))
  const position = fc.tuple(size, fc.integer({ min: 1, max: 2 ** 22 }), fc.boolean(), fc.integer({ min: 1, max: 10 }), fc.nat(2 ** 20))
  fc.assert(
    fc.property(position, fc.constantFrom(5000, 25_000, 40_000, 200_000, 400_000), ([amount, entry, isShort, leverage, extra], ppm) => {
      fc.pre(amount * entry < risk.positionValueMax)
      const lots = isShort ? -amount : amount
      const cost = amount * entry
      const margin = risk.initialMargin(cost, leverage) + extra
      assert.equal(risk.liquidationPrice(lots, cost, margin, ppm, 1), foundLiquidation(lots, cost, margin, ppm, 1))
      const last = risk.bankruptcyPrice(lots, cost, margin, 1)
      if (last > 0 && last < 2 ** 31 - 1) {
        assert.equal(risk.isBeyondBankruptcy(lots, cost, margin, last, 1), false)
        assert.equal(risk.isBeyondBankruptcy(lots, cost, margin, last + (isShort ? 1 : -1), 1), true)
      }
    }),
    { numRuns: 3000 },
  )
})

test('PERP-RISK-007: parts of a cost or margin sum to the whole, however a position is divided', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 46 }), parts, (whole, closes) => {
      let size = closes.reduce((sum, lots) => sum + lots, 0)
      let left = whole
      for (const lots of closes) {
        const part = risk.shareOf(left, lots, size)
        assert.ok(part >= 0 && part <= left)
        left -= part
        size -= lots
      }
      assert.equal(left, 0)
    }),
  )
})

test('PERP-RISK-008: tiers limit leverage; an order needs its margin and the taker’s fee; liquidation steps come to an end', () => {
  const allowed = [1, 50_000_000_000, 50_000_000_001, 250_000_000_001, 1_000_000_000_001].map((value) => risk.leverageAllowed(terms, value))
  assert.deepEqual(allowed, [10, 10, 8, 5, 2])
  assert.equal(risk.leverageAllowed(terms, 2 ** 46 + 1), 0)
  assert.equal(risk.orderMargin(1_000_000_001, 10, 500), 100_000_001 + 500_001)
  assert.equal(risk.orderMargin(0, 10, 500), 0)
  assert.equal(risk.entryPrice(3, 20, 1, 3), 6666)
  assert.equal(risk.liquidationStep(10_000, 250_000, 50), 2500)
  assert.equal(risk.liquidationStep(10_001, 250_000, 50), 2501)
  assert.equal(risk.liquidationStep(100, 250_000, 50), 50)
  assert.equal(risk.liquidationStep(99, 250_000, 50), 99)
  assert.equal(risk.liquidationStep(7, 250_000, 50), 7)
})

test('PERP-RISK-009: the queue of auto-deleveraging is sorted by profit × effective leverage, exactly', () => {
  const sign = (a: Parameters<typeof scoreOf>, b: Parameters<typeof scoreOf>): number =>
    Math.sign(compareScores(scoreOf(...a), scoreOf(...b)))
  // Same profit in percent, twice the leverage: the second position comes before the first.
  assert.equal(sign([100, 1000, 1100, 600], [100, 1000, 1100, 300]), 1)
  assert.equal(sign([200, 1000, 1200, 300], [100, 1000, 1100, 300]), -1)
  assert.equal(sign([-100, 1000, 900, 300], [1, 1000, 1001, 1000]), 1)
  assert.equal(sign([-100, 1000, 900, 300], [-100, 1000, 900, 600]), -1)
  assert.equal(sign([7, 21, 28, 3], [7, 21, 28, 3]), 0)
  // A difference in the last digit decides, beyond the precision of a float.
  assert.equal(sign([2 ** 45 + 1, 2 ** 45, 2 ** 46, 3], [2 ** 45 + 2, 2 ** 45, 2 ** 46, 3]), 1)
  assert.deepEqual(
    [0, 1, 2, 3, 4, 9].map((before) => rankOf(before, 10)),
    [5, 5, 4, 4, 3, 1],
  )
  assert.equal(rankOf(0, 1), 5)
})

test('PERP-RISK-010: at the last opening price more than maintenance and cushion remain at the mark, and one tick further they do not', () => {
  // Compares the margin left at the mark with the required one, for a size that divides without a remainder.
  const isSound = (side: 0 | 1, price: number, mark: number, ppm: number, leverage: number): boolean => {
    const loss = side === 0 ? price - mark : mark - price
    return BigInt(price - loss * leverage) * 1_000_000n > BigInt(mark) * BigInt(risk.openingPpm(ppm, leverage)) * BigInt(leverage)
  }
  for (const mark of [1, 7, 100, 101, 64_321, 1_999_999_999]) {
    for (const [ppm, leverage] of [
      [25_000, 10],
      [25_000, 2],
      [4000, 125],
      [10_000, 50],
      [200_000, 1],
      [999_999, 1],
    ] as const) {
      for (const side of [0, 1] as const) {
        const limit = risk.openingLimit(side, mark, ppm, leverage)
        const label = `${side} ${mark} ${ppm} ${leverage}`
        assert.ok(isSound(side, limit, mark, ppm, leverage), label)
        const beyond = side === 0 ? limit + 1 : limit - 1
        if (beyond <= ticksMax) assert.ok(!isSound(side, beyond, mark, ppm, leverage), label)
      }
    }
  }
  assert.deepEqual([risk.openingLimit(0, 100, 25_000, 10), risk.openingLimit(1, 100, 25_000, 10)], [106, 96])
  // Maintenance plus 2 %, or half of the gap between initial and maintenance margin when that is smaller.
  assert.deepEqual([risk.openingPpm(25_000, 10), risk.openingPpm(10_000, 50), risk.openingPpm(999_999, 1)], [45_000, 15_000, 999_999])
  assert.equal(risk.openingLimit(0, 100, 25_000, 1), ticksMax)
})
