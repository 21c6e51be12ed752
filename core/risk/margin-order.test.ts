import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AssetId } from '../protocol/ids.ts'
import * as marginRules from './margin.ts'
import * as marginOrderRules from './margin-order.ts'
import type { OrderAsset } from './margin-order.ts'
import { firstMarginTerms } from './margin-terms.ts'
import { type Loose, plain } from '../money/test/plain.ts'

// Tests count in literals.
const { checkOrder, isReducing, liquidationSlippage, protection } = plain(marginOrderRules)
const { addValues, assetValue, debtValue, divisorOf, levelPpm, weightOf, doubtPrice } = plain(marginRules)

const terms = firstMarginTerms(6, [{ id: 2 as AssetId, symbol: 'BTC' }])
const usdt = (whole: number): number => Math.round(whole * 1e6)
const btc = (whole: number): number => Math.round(whole * 1e8)

const cash = (units: number, owed: number): Loose<OrderAsset> => ({
  price: 1e8,
  divisor: divisorOf(6, 6),
  weightPpm: 1_000_000,
  isGood: true,
  isUsdt: true,
  units: usdt(units),
  owed: usdt(owed),
})
const coin = (units: number, owed: number): Loose<OrderAsset> => ({
  price: 5e12,
  divisor: divisorOf(8, 6),
  weightPpm: 950_000,
  isGood: true,
  isUsdt: false,
  units: btc(units),
  owed: btc(owed),
})
const value = (assets: number, debt: number) => ({
  assets: usdt(assets),
  debt: usdt(debt),
  wantedAssets: usdt(assets),
  wantedDebt: usdt(debt),
})

test('MARGIN-ORDER-005: what an order may do, worked examples', () => {
  // An isolated account with so much USDT and BTC (at 50,000) that owes so much USDT: it buys (+) or sells (−) BTC at a price.
  const examples: readonly (readonly [has: number, coins: number, owes: number, lots: number, at: number, refusal: string | undefined])[] =
    [
      [100_000, 0, 90_000, 1, 50_000, undefined],
      // 3,700 may be lost: 1.07 × 90,000 is 96,300.
      [100_000, 0, 90_000, 1, 53_700, undefined],
      [100_000, 0, 90_000, 1, 53_701, 'MARGIN_LEVEL_LOW'],
      // Below the border and its cushion nothing opens, whatever the price.
      [96_299, 0, 90_000, 1, 50_000, 'MARGIN_LEVEL_LOW'],
      [96_299, 0, 90_000, 1, 40_000, 'MARGIN_LEVEL_LOW'],
      // Closing goes down to the bankruptcy price: 90,000 ÷ 1.9 BTC.
      [0, 1.9, 90_000, -1, 47_369, undefined],
      [0, 1.9, 90_000, -1, 47_368, 'MARGIN_LEVEL_LOW'],
      [0, 1.9, 90_000, -1.9, 47_369, undefined],
    ]
  for (const [has, coins, owes, amount, at, refusal] of examples) {
    const [quote, base] = [cash(has, owes), coin(coins, 0)]
    const fill = { give: amount > 0 ? usdt(at * amount) : btc(-amount), get: amount > 0 ? btc(amount) : usdt(-amount * at), borrowed: 0 }
    const now = value(has + coins * 50_000, owes)
    const found = amount > 0 ? checkOrder(terms, true, now, quote, base, fill) : checkOrder(terms, true, now, base, quote, fill)
    assert.equal(found, refusal, `${[has, coins, owes, amount, at]}`)
  }
})

test('MARGIN-ORDER-005: an order that reduces leaves the level of a repaid account no lower, and no debt uncovered', () => {
  const some = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(some, some, fc.integer({ min: 1_000_001, max: 3_000_000 }), some, (units, part, level, worse) => {
      const base = coin(units / 10_000, 0)
      const assets = assetValue(base.units, base)
      const owed = Math.floor((assets * 1_000_000) / level)
      const quote = { ...cash(0, 0), owed }
      const give = Math.max(1, Math.floor((base.units * part) / 1_000_000))
      const get = Math.floor((assetValue(give, base) * worse) / 1_000_000)
      const now = { assets, debt: owed, wantedAssets: assets, wantedDebt: owed }
      if (!isReducing(terms, now, base, quote, { give, get, borrowed: 0 })) return
      const left = assetValue(base.units - give, base)
      const paid = Math.min(get, owed)
      assert.ok(addValues(left, get - paid) + 1 >= owed - paid)
      if (get <= owed && left > 1e7) assert.ok(levelPpm(left + 1, owed - paid) >= levelPpm(assets, owed) - 1)
    }),
    { numRuns: 5_000 },
  )
})

test('MARGIN-ORDER-005: buying back brings in no more than is owed and what fees and lots need', () => {
  const now = value(110_000, 50_000)
  const buys = (amount: number) =>
    isReducing(terms, now, cash(110_000, 0), coin(0, 1), { give: usdt(50_000 * amount), get: btc(amount), borrowed: 0 })
  assert.deepEqual([buys(1), buys(1.01), buys(1.011)], [true, true, false])
  assert.equal(isReducing(terms, now, cash(110_000, 0), coin(0.5, 1), { give: usdt(50_000), get: btc(1), borrowed: 0 }), false)
})

test('MARGIN-LIQ-015: how far a liquidation may trade from the index, worked examples', () => {
  const examples: readonly (readonly [level: number, cost: number, slippage: number])[] = [
    [1_050_000, 6_000, 1_000_000 - 952_381 - 6_000 - 5_000],
    [1_100_000, 6_000, 1_000_000 - 909_091 - 11_000],
    [1_000_000, 6_000, -11_000],
    [0, 0, -1_000_000],
  ]
  for (const [level, cost, slippage] of examples) assert.equal(liquidationSlippage(level, cost), slippage)
})

test('MARGIN-ORDER-005: the protection price is the last that is allowed', () => {
  for (const [best, worst, bound] of [
    [100, 200, 150],
    [100, 200, 300],
    [200, 100, 150],
  ] as const) {
    const isAllowed = (price: number): boolean => (best < worst ? price <= bound : price >= bound)
    assert.equal(protection(best, worst, isAllowed), isAllowed(worst) ? worst : bound)
  }
  assert.equal(
    protection(100, 200, () => false),
    0,
  )
})

test('MARGIN-WEIGHT-001: weights and prices in doubt, worked examples', () => {
  assert.deepEqual(
    [weightOf(terms, false, 1, 1), weightOf(terms, false, 2, 1), weightOf(terms, false, 3, 1), weightOf(terms, true, 3, 1)],
    [1_000_000, 950_000, 850_000, 1_000_000],
  )
  assert.deepEqual([doubtPrice(100), doubtPrice(101), doubtPrice(1)], [110, 112, 2])
  assert.equal(debtValue(1, { price: doubtPrice(5e12), divisor: divisorOf(8, 6) }), 550)
})
