import type { Ppm, Units } from '../money/brand.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatUnits, parseUnits } from '../money/units.ts'
import { breakEvenPermille, exposureMax, optionProfit, worstCase } from '../risk/option.ts'
import { outcomeOf, pointsOf, resultOf, settlementOf, strikeOf, windowMsOf } from './second.ts'
import type { SecondTerms, TapePoint } from './second.ts'

/** Stake in USDT, rate in percent, and the profit of a win, computed by hand. */
const payouts: readonly (readonly [stake: string, percent: number, profit: string])[] = [
  ['10', 84, '8.4'],
  ['5', 80, '4'],
  ['1000', 88, '880'],
  ['12.34', 82, '10.1188'],
  ['7.777777', 85, '6.61111'],
  ['5.000001', 86, '4.3'],
  ['5.000003', 86, '4.300002'],
  ['999.999999', 88, '879.999999'],
  ['0.000001', 84, '0'],
  ['0.000002', 84, '0.000001'],
  ['33.333333', 81, '26.999999'],
  ['100', 100, '100'],
]

/** Rate in percent, and the break-even share of wins in percent. */
const breakEvens: readonly (readonly [percent: number, share: string])[] = [
  [80, '55.6'],
  [82, '54.9'],
  [84, '54.3'],
  [85, '54.1'],
  [86, '53.8'],
  [88, '53.2'],
  [100, '50'],
  [50, '66.7'],
  [25, '80'],
  [60, '62.5'],
]

/** Milliseconds for which each price stands in the window, and the lower weighted median. */
const medians: readonly (readonly [times: readonly (readonly [ms: number, price: number])[], median: number])[] = [
  [[[3000, 100]], 100],
  [
    [
      [1500, 100],
      [1500, 101],
    ],
    100,
  ],
  [
    [
      [1499, 100],
      [1501, 101],
    ],
    101,
  ],
  [
    [
      [1501, 101],
      [1499, 100],
    ],
    101,
  ],
  [
    [
      [1000, 103],
      [1000, 101],
      [1000, 102],
    ],
    102,
  ],
  [
    [
      [750, 1],
      [750, 2],
      [750, 3],
      [750, 4],
    ],
    2,
  ],
  [
    [
      [1, 1],
      [2998, 50],
      [1, 99],
    ],
    50,
  ],
  [
    [
      [900, 10],
      [1200, 1_000_000],
      [900, 10],
    ],
    10,
  ],
  [
    [
      [250, 5],
      [250, 9],
      [250, 5],
      [250, 9],
      [250, 7],
    ],
    7,
  ],
  [
    [
      [2, 8],
      [1, 4],
    ],
    8,
  ],
  [
    [
      [1, 8],
      [1, 4],
    ],
    4,
  ],
  [[[1, 6_741_250_000_000]], 6_741_250_000_000],
]

const usdt = (text: string): number => parseUnits(text, 6)!

test('OPTION-EXAMPLES-001: payouts, break-even shares and medians equal those computed by hand and with exact fractions', () => {
  assert.ok(payouts.length + breakEvens.length + medians.length >= 30)
  for (const [stake, percent, profit] of payouts) {
    const units = BigInt(usdt(stake))
    assert.equal(optionProfit(usdt(stake) as Units, (percent * 10_000) as Ppm), usdt(profit), `${stake} at ${percent} %`)
    // stake × percent ÷ 100, rounded down.
    assert.equal(BigInt(usdt(profit)), (units * BigInt(percent)) / 100n)
  }
  for (const [percent, share] of breakEvens) {
    assert.equal(formatUnits(breakEvenPermille((percent * 10_000) as Ppm), 1), share, `${percent} %`)
    // The share is 100 ÷ (100 + percent), to the nearest thousandth.
    const [top, bottom] = [100_000n, BigInt(100 + percent)]
    const distance = (thousandths: bigint): bigint => {
      const far = thousandths * bottom - top
      return far < 0n ? -far : far
    }
    const said = BigInt(parseUnits(share, 1)!)
    assert.ok(distance(said) <= distance(said - 1n) && distance(said) <= distance(said + 1n))
  }
  for (const [times, median] of medians) {
    const { points, terms } = windowOf(times)
    assert.deepEqual(settlementOf(points, terms), { price: median, reason: 'none' }, JSON.stringify(times))
    const total = times.reduce((sum, [ms]) => sum + BigInt(ms), 0n)
    const below = (price: number): bigint => times.reduce((sum, [ms, one]) => (one <= price ? sum + BigInt(ms) : sum), 0n)
    assert.ok(2n * below(median) >= total, 'at least half the time it is this or less')
    assert.ok(2n * below(median - 1) < total, 'and of no smaller price')
  }
})

/** Points of the tape whose prices stand for the given times, one after the other, and a window that they fill. */
function windowOf(times: readonly (readonly [ms: number, price: number])[]): { points: TapePoint[]; terms: SecondTerms } {
  const points: TapePoint[] = []
  let at = 1_000_000
  for (const [ms, price] of times) {
    points.push({ tick: points.length + 1, at, price, isGood: true })
    at += ms
  }
  points.push({ tick: points.length + 1, at, price: 7, isGood: false })
  const terms = { ...plain, windowMs: at - 1_000_000, expiresAt: at }
  return { points, terms }
}

const plain: SecondTerms = {
  direction: 'up',
  strikeFrom: 0,
  expiresAt: 0,
  windowMs: 3000,
  gapMaxMs: 3000,
  guardPpm: 0,
  reference: 100,
}

test('OPTION-SETTLE-006: the median is the lower middle of the prices of all milliseconds, sorted, wherever the ticks lie', () => {
  const step = fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 12 }))
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 3, maxLength: 30 }),
      fc.nat(500),
      fc.integer({ min: 1, max: 2500 }),
      (steps, lead, windowMs) => {
        const points: TapePoint[] = []
        let at = 10_000
        for (const [ms, price] of steps) {
          points.push({ tick: points.length + 1, at, price, isGood: true })
          at += ms
        }
        const from = 10_000 + lead
        const expiresAt = from + windowMs
        points.push({ tick: points.length + 1, at: Math.max(at, expiresAt), price: 1, isGood: true })
        const settled = settlementOf(points, { ...plain, windowMs, expiresAt, gapMaxMs: 60_000 })
        const stood: number[] = []
        for (let ms = from; ms < expiresAt; ms++) stood.push(points.findLast((point) => point.at <= ms)!.price)
        stood.sort((a, b) => a - b)
        assert.deepEqual(settled, { price: stood[Math.ceil(stood.length / 2) - 1], reason: 'none' })
      },
    ),
    { numRuns: 300 },
  )
})

test('OPTION-SETTLE-007: Up and Down with the same terms have opposite results, and a tie is a tie for both', () => {
  const price = fc.integer({ min: 1, max: 5 })
  fc.assert(
    fc.property(price, price, (strike, settled) => {
      const both = [resultOf('up', strike, settled), resultOf('down', strike, settled)].sort()
      assert.deepEqual(both, strike === settled ? ['tie', 'tie'] : ['lose', 'win'])
    }),
  )
})

test('the window is a share of the duration, rounded down, and at most its maximum', () => {
  assert.deepEqual(
    [1, 30, 49, 50, 51, 900].map((seconds) => windowMsOf(seconds, 100_000, 5000)),
    [100, 3000, 4900, 5000, 5000, 5000],
  )
  assert.equal(windowMsOf(7, 33_333, 5000), 233)
})

test('a tape that ends too early gives no outcome, and a tape that begins too late throws', () => {
  const points = [
    { tick: 1, at: 1000, price: 100, isGood: true },
    { tick: 2, at: 1500, price: 101, isGood: true },
    { tick: 3, at: 5000, price: 102, isGood: true },
  ]
  const terms = { ...plain, strikeFrom: 1200, expiresAt: 5001, windowMs: 1000 }
  assert.deepEqual(strikeOf(points, terms), { point: points[1], reason: 'none' })
  assert.equal(settlementOf(points, terms), undefined)
  assert.equal(outcomeOf(points, terms), undefined)
  assert.equal(outcomeOf([], terms), undefined)
  assert.throws(() => settlementOf(points.slice(2), { ...terms, expiresAt: 5000 }), /begins after/)
})

test('a market keeps the price of its last tick through ticks that contain only other markets', () => {
  const named = (market: number, price: number, isGood = true) => ({ market, price, sources: 3, isGood, quotes: [] })
  const ticks = [
    { tick: 1, at: 10, prices: [named(2, 5)] },
    { tick: 2, at: 20, prices: [named(1, 7)] },
    { tick: 3, at: 30, prices: [] },
    { tick: 4, at: 40, prices: [named(2, 6), named(1, 8, false)] },
  ]
  assert.deepEqual(pointsOf(ticks, 1), [
    { tick: 2, at: 20, price: 7, isGood: true },
    { tick: 3, at: 30, price: 7, isGood: true },
    { tick: 4, at: 40, price: 8, isGood: false },
  ])
})

test('OPTION-EXPOSURE-001: the worst case of a market is the profit of the more expensive direction less the stakes of the other', () => {
  const sides = (upStake: number, upProfit: number, downStake: number, downProfit: number) => ({ upStake, upProfit, downStake, downProfit })
  assert.equal(worstCase(sides(0, 0, 0, 0)), 0)
  assert.equal(worstCase(sides(100, 84, 0, 0)), 84)
  assert.equal(worstCase(sides(100, 84, 100, 84)), 0)
  assert.equal(worstCase(sides(100, 84, 300, 252)), 152)
  assert.equal(worstCase(sides(500, 420, 50, 42)), 370)
  assert.equal(exposureMax(1_000_000_000_000 as Units, 30_000 as Ppm), 30_000_000_000)
  assert.equal(exposureMax(33 as Units, 30_000 as Ppm), 0)
})
