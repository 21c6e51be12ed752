import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AssetId } from '../protocol/ids.ts'
import * as marginRules from './margin.ts'
import * as marginOrderRules from './margin-order.ts'
import type { OrderAsset } from './margin-order.ts'
import { firstMarginTerms } from './margin-terms.ts'
import { type Loose, plain } from '../money/test/plain.ts'

// These functions take plain numbers, so that the tests can use literals.
const { checkOrder, isReducing, liquidationSlippage, orderLoan, protection } = plain(marginOrderRules)
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

test('MARGIN-ORDER-005: worked examples of accepted and refused orders', () => {
  // An isolated account that has USDT and BTC (at 50,000) and owes USDT buys (+) or sells (−) BTC at a price.
  const examples: readonly (readonly [has: number, coins: number, owes: number, lots: number, at: number, refusal: string | undefined])[] =
    [
      [100_000, 0, 90_000, 1, 50_000, undefined],
      // The order may lose 100,000 − 1.07 × 90,000 = 3,700.
      [100_000, 0, 90_000, 1, 53_700, undefined],
      [100_000, 0, 90_000, 1, 53_701, 'MARGIN_LEVEL_LOW'],
      // Below threshold plus cushion no order opens, at any price.
      [96_299, 0, 90_000, 1, 50_000, 'MARGIN_LEVEL_LOW'],
      [96_299, 0, 90_000, 1, 40_000, 'MARGIN_LEVEL_LOW'],
      // An order that closes may trade down to the bankruptcy price, 90,000 ÷ 1.9 BTC.
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

test('MARGIN-ORDER-005: an order that buys back brings in at most the debt plus a margin for fees and lots', () => {
  const now = value(110_000, 50_000)
  const buys = (amount: number) =>
    isReducing(terms, now, cash(110_000, 0), coin(0, 1), { give: usdt(50_000 * amount), get: btc(amount), borrowed: 0 })
  assert.deepEqual([buys(1), buys(1.01), buys(1.011)], [true, true, false])
  assert.equal(isReducing(terms, now, cash(110_000, 0), coin(0.5, 1), { give: usdt(50_000), get: btc(1), borrowed: 0 }), false)
})

test('MARGIN-LIQ-015: worked examples of how far from the index a liquidation may trade', () => {
  const examples: readonly (readonly [level: number, cost: number, slippage: number])[] = [
    [1_050_000, 6_000, 1_000_000 - 952_381 - 6_000 - 5_000],
    [1_100_000, 6_000, 1_000_000 - 909_091 - 11_000],
    [1_000_000, 6_000, -11_000],
    [0, 0, -1_000_000],
  ]
  for (const [level, cost, slippage] of examples) assert.equal(liquidationSlippage(level, cost), slippage)
})

test('MARGIN-ORDER-005: the protection price is the last allowed price', () => {
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

test('MARGIN-WEIGHT-001: worked examples of weights and of prices that are not good', () => {
  assert.deepEqual(
    [weightOf(terms, false, 1, 1), weightOf(terms, false, 2, 1), weightOf(terms, false, 3, 1), weightOf(terms, true, 3, 1)],
    [1_000_000, 950_000, 850_000, 1_000_000],
  )
  assert.deepEqual([doubtPrice(100), doubtPrice(101), doubtPrice(1)], [110, 112, 2])
  assert.equal(debtValue(1, { price: doubtPrice(5e12), divisor: divisorOf(8, 6) }), 550)
})

test('MARGIN-ORDER-005: without good prices of both assets only orders that reduce are allowed', () => {
  const [now, fill] = [value(130_000, 50_000), { give: usdt(50_000), get: btc(1), borrowed: 0 }]
  assert.equal(checkOrder(terms, true, now, cash(100_000, 50_000), coin(0, 0), fill), undefined)
  for (const [give, get] of [
    [{ ...cash(100_000, 50_000), isGood: false }, coin(0, 0)],
    [cash(100_000, 50_000), { ...coin(0, 0), isGood: false }],
  ] as const)
    assert.equal(checkOrder(terms, true, now, give, get, fill), 'NO_INDEX_PRICE')
  const back = { ...coin(1, 0), isGood: false }
  assert.equal(checkOrder(terms, true, now, back, cash(0, 50_000), { give: btc(1), get: usdt(50_000), borrowed: 0 }), undefined)
})

test('MARGIN-ORDER-005: a cross account keeps its threshold for loans when its assets come to count for less, or when it borrows', () => {
  /** Assets of 130,000 against a debt of 100,000; `wanted` of the assets counts for the owner's own actions. */
  const counting = (wanted: number) => ({ ...value(130_000, 100_000), wantedAssets: usdt(wanted) })
  const buys = (wanted: number) =>
    checkOrder(terms, false, counting(wanted), cash(100_000, 100_000), coin(0, 0), { give: usdt(50_000), get: btc(1), borrowed: 0 })
  // 50,000 USDT become BTC that counts for 47,500, so assets of 127,500 end at the threshold, 1.25 × 100,000.
  assert.deepEqual([buys(127_500), buys(127_499.999999)], [undefined, 'MARGIN_LEVEL_LOW'])
  // USDT counts for more than the BTC sold for it, another coin for the same: both orders are allowed below the threshold.
  const sells = (get: Loose<OrderAsset>, amount: number) =>
    checkOrder(terms, false, counting(110_000), coin(2, 0), get, { give: btc(1), get: amount, borrowed: 0 })
  assert.deepEqual([sells(cash(0, 0), usdt(50_000)), sells(coin(0, 0), btc(1))], [undefined, undefined])
  const sellsShort = (wanted: number) =>
    checkOrder(terms, false, counting(wanted), coin(1, 0), cash(0, 0), { give: btc(1), get: usdt(50_000), borrowed: btc(1) })
  // 137,500 plus 50,000 from the sale against a debt of 150,000 is 1.25.
  assert.deepEqual([sellsShort(137_500), sellsShort(137_499.999999)], [undefined, 'MARGIN_LEVEL_LOW'])
})

test('MARGIN-ORDER-005: an order that reduces buys an owed asset with assets that are not owed, and borrows nothing', () => {
  const now = value(100_000, 50_000)
  const sale = { give: btc(1), get: usdt(50_000), borrowed: 0 }
  assert.equal(isReducing(terms, now, coin(1, 0), cash(0, 50_000), sale), true)
  assert.equal(isReducing(terms, now, coin(1, 0), cash(0, 50_000), { ...sale, borrowed: 1 }), false)
  assert.equal(isReducing(terms, now, coin(1, 0), cash(0, 0), sale), false)
  assert.equal(isReducing(terms, now, coin(2, 1), cash(0, 50_000), sale), true)
  assert.equal(isReducing(terms, now, coin(2, 1.00000001), cash(0, 50_000), sale), false)
  // More USDT than the debt may come in.
  assert.equal(isReducing(terms, now, coin(1, 0), cash(0, 100), sale), true)
  // The debt is half of the assets, so a coin worth 50,000 must bring in at least 25,000.
  assert.equal(isReducing(terms, now, coin(1, 0), cash(0, 50_000), { ...sale, get: usdt(25_000) }), true)
  assert.equal(isReducing(terms, now, coin(1, 0), cash(0, 50_000), { ...sale, get: usdt(25_000) - 1 }), false)
  // A small debt may be exceeded by a smallest loan, 10 USDT.
  const buys = (amount: number) =>
    isReducing(terms, now, cash(1_000, 0), coin(0, 0.0001), { give: usdt(50_000 * amount), get: btc(amount), borrowed: 0 })
  assert.deepEqual([buys(0.00029), buys(0.0003), buys(0.00031)], [true, true, false])
})

test('MARGIN-ORDER-005: an order borrows up to the threshold that it must keep, and at least a smallest loan', () => {
  const loan = (borrowable: number, give = cash(10_000, 0), get = coin(0, 0)): number =>
    orderLoan(terms, true, value(10_000, 0), { give, get, available: usdt(10_000), borrowable })
  // (10,000 + 125,000) ÷ 125,000 is 1.08: the threshold of loans above 100,000 plus the cushion.
  assert.deepEqual([loan(usdt(200_000)), loan(usdt(500)), loan(usdt(10)), loan(usdt(10) - 1)], [usdt(125_000), usdt(500), usdt(10), 0])
  assert.equal(loan(usdt(500), { ...cash(10_000, 0), price: 0 }), 0)
  assert.equal(loan(usdt(500), cash(10_000, 0), { ...coin(0, 0), price: 0 }), 0)
})
