import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lots, Ticks } from '../money/brand.ts'
import type { Side } from '../protocol/command/spot.ts'
import fc from 'fast-check'
import { FastBook } from '../book/test/fast-book.ts'
import { averagePrice, type DepthLevel, slippageOf, takeFrom, type Taking } from './depth.ts'

/** The same, one lot after the other, with exact sums. */
function slowly(levels: readonly DepthLevel[], { side, limit, lots, budget }: Taking) {
  const queue = levels.flatMap(({ ticks, lots: of }) => Array.from({ length: of }, () => ticks))
  let [taken, value, stopped] = [0, 0n, false]
  for (const ticks of queue) {
    if (taken === lots || (side === 'buy' ? ticks > limit : ticks < limit)) break
    if (value + BigInt(ticks) > BigInt(budget === Infinity ? Number.MAX_SAFE_INTEGER : budget)) {
      stopped = true
      break
    }
    taken++
    value += BigInt(ticks)
  }
  const isSpent = budget !== Infinity && value === BigInt(budget)
  return { lots: taken, value, isComplete: taken === lots || stopped || isSpent }
}

function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test('UI-ESTIMATE-001: what an order takes from the book equals taking it lot by lot, by quantity and by amount, up to its limit', () => {
  const below = random(7)
  for (let round = 0; round < 3_000; round++) {
    const side: Side = below(2) === 0 ? 'buy' : 'sell'
    const start = 50 + below(50)
    const levels: DepthLevel[] = []
    for (let at = 0, ticks = start; at < below(8); at++) {
      levels.push({ ticks: ticks as Ticks, lots: (1 + below(6)) as Lots })
      ticks += (side === 'buy' ? 1 : -1) * (1 + below(5))
    }
    const limit = (side === 'buy' ? start + below(40) - 3 : start - below(40) + 3) as Ticks
    const order = { side, limit, lots: (1 + below(30)) as Lots, budget: below(2) === 0 ? Infinity : 1 + below(3_000) }
    const slow = slowly(levels, order)
    const fast = takeFrom(levels, order)
    if (slow.lots === 0) {
      assert.equal(fast, undefined)
      continue
    }
    assert.ok(fast)
    assert.deepEqual({ lots: fast.lots, value: fast.value, isComplete: fast.isComplete }, slow, JSON.stringify({ levels, order }))
    // The average is the exact quotient, rounded against the customer by less than its last digit.
    const [average, lots] = [BigInt(averagePrice(fast, side, '0.1').replace('.', '')), BigInt(fast.lots)]
    const off = side === 'buy' ? average * lots - fast.value * 10n : fast.value * 10n - average * lots
    assert.ok(off >= 0n && off < lots)
    const whole = BigInt(fast.best) * lots
    const far = (fast.value > whole ? fast.value - whole : whole - fast.value) * 1_000_000n
    const ppm = BigInt(slippageOf(fast))
    assert.ok(ppm * whole >= far && (ppm === 0n || (ppm - 1n) * whole < far))
  }
})

test('UI-ESTIMATE-002: sums of the largest books are exact', () => {
  const levels = [
    { ticks: 2_000_000_001 as Ticks, lots: 3_000_001 as Lots },
    { ticks: 2_000_000_003 as Ticks, lots: 3_000_003 as Lots },
  ]
  const taken = takeFrom(levels, { side: 'buy', limit: 2_100_000_000 as Ticks, lots: 6_000_004 as Lots, budget: Infinity })
  assert.equal(taken?.value, 2_000_000_001n * 3_000_001n + 2_000_000_003n * 3_000_003n)
  assert.equal(taken?.isComplete, true)
})

test('UI-ESTIMATE-003: the estimate from the shown levels is what the core’s own book then does, where nothing is hidden', () => {
  const order = fc.record({ price: fc.integer({ min: 90, max: 110 }), left: fc.integer({ min: 1, max: 9 }) })
  const taking = fc.record({
    isBuy: fc.boolean(),
    limit: fc.integer({ min: 88, max: 112 }),
    lots: fc.integer({ min: 1, max: 60 }),
    budget: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 6_000 })),
  })
  fc.assert(
    fc.property(fc.array(order, { maxLength: 12 }), taking, (resting, { isBuy, limit, lots, budget }) => {
      const book = new FastBook()
      for (const [at, { price, left }] of resting.entries())
        book.rest({ id: at + 1, user: 1, side: isBuy ? 1 : 0, price, left, display: 0 })
      const levels = book.levels(isBuy ? 1 : 0).map(({ price, lots: of }) => ({ ticks: price as Ticks, lots: of as Lots }))
      const found = takeFrom(levels, { side: isBuy ? 'buy' : 'sell', limit: limit as Ticks, lots: lots as Lots, budget })
      const { trades, left } = book.match(isBuy ? 0 : 1, limit, lots, budget, 2, 0)
      const value = trades.reduce((sum, { price, lots: of }) => sum + BigInt(price) * BigInt(of), 0n)
      assert.equal(found?.value ?? 0n, value)
      assert.equal(found?.lots ?? 0, lots - left)
      assert.equal(found?.isComplete ?? false, value > 0n && (left === 0 || book.book.isBudgetSpent))
    }),
    { numRuns: 500 },
  )
})
