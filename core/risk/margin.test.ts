import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Ppm, Units } from '../money/brand.ts'
import type { MarginTerms } from '../protocol/command/margin.ts'
import * as marginRules from './margin.ts'
import { noCeiling } from './policy.ts'
import * as rateRules from './margin-rate.ts'
import * as marginTermsRules from './margin-terms.ts'
import { type Loose, plain } from '../money/test/plain.ts'

// These functions take plain numbers, so that the tests can use literals.
const { areMarginTermsValid, firstMarginTerms, openPpm } = plain(marginTermsRules)
const risk = plain(marginRules)
const rate = plain(rateRules)

const terms = firstMarginTerms(6, [])

/** Exact fractions, which compute the tables below independently of the code under test. */
type Fraction = readonly [over: bigint, under: bigint]
const of = (over: bigint | number, under: bigint | number = 1n): Fraction => [BigInt(over), BigInt(under)]
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d]
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d]
const minus = (a: Fraction, [c, d]: Fraction): Fraction => plus(a, [-c, d])
const over = (a: Fraction, [c, d]: Fraction): Fraction => times(a, [d, c])
const floor = ([a, b]: Fraction): number => Number(a >= 0n ? a / b : -((-a + b - 1n) / b))
const ceil = ([a, b]: Fraction): number => -floor([-a, b]) + 0
const least = (a: Fraction, b: Fraction): Fraction => (a[0] * b[1] <= b[0] * a[1] ? a : b)

const usdt = (whole: number): number => Math.round(whole * 1e6)
const btc = (whole: number): number => Math.round(whole * 1e8)
const price = (whole: number): number => Math.round(whole * 1e8)
const asUsdt = { price: price(1), divisor: risk.divisorOf(6, 6) }
const asBtc = (whole: number): Loose<marginRules.IndexValue> => ({ price: price(whole), divisor: risk.divisorOf(8, 6) })

/** Hourly rate as `defaults` has it: 0.0005 %, 0.002 % at 80 %, 0.02 % at 100 %, in 1e-12 and rounded up in two steps. */
function rateAt(borrowed: number, supplied: number): number {
  const used = borrowed === 0 ? of(0) : least(of(ceil(over(of(BigInt(borrowed) * 10n ** 9n), of(supplied))), 10n ** 9n), of(1))
  const kink = of(8, 10)
  if (used[0] * 10n <= used[1] * 8n) return 5_000_000 + ceil(over(times(of(15_000_000), used), kink))
  return 20_000_000 + ceil(over(times(of(180_000_000), minus(used, kink)), of(2, 10)))
}

test('LEND-RATE-001: worked examples of utilization and hourly rate', () => {
  // borrowed, supplied, utilization in 1e-9, rate in 1e-12 where it is a round number
  const examples: readonly (readonly [number, number, number, number?])[] = [
    [0, 0, 0, 5_000_000],
    [0, usdt(1_000_000), 0, 5_000_000],
    [usdt(200_000), usdt(1_000_000), 200_000_000, 8_750_000],
    [usdt(400_000), usdt(1_000_000), 400_000_000, 12_500_000],
    [usdt(800_000), usdt(1_000_000), 800_000_000, 20_000_000],
    [usdt(900_000), usdt(1_000_000), 900_000_000, 110_000_000],
    [usdt(950_000), usdt(1_000_000), 950_000_000, 155_000_000],
    [usdt(1_000_000), usdt(1_000_000), 1_000_000_000, 200_000_000],
    [usdt(1_000_001), usdt(1_000_000), 1_000_000_000, 200_000_000],
    [1, 3, 333_333_334],
    [2, 3, 666_666_667],
    [btc(17.123456), btc(99.9), 171_405_966],
    [123_456_789_012, 987_654_321_098, 124_999_999],
    [1, 2 ** 52, 1],
    [2 ** 52 - 1, 2 ** 52, 1_000_000_000, 200_000_000],
    [5, 0, 1_000_000_000, 200_000_000],
  ]
  for (const [borrowed, supplied, used, round] of examples) {
    const pool = { borrowed, supplied }
    assert.equal(rate.utilization(pool), used, `${borrowed} of ${supplied}`)
    const expected = supplied === 0 && borrowed > 0 ? 200_000_000 : rateAt(borrowed, supplied || 1)
    assert.equal(rate.hourlyRate(terms, pool), expected, `rate of ${borrowed} of ${supplied}`)
    if (round !== undefined) assert.equal(expected, round)
  }
})

test('MARGIN-INTEREST-001: worked examples of an hour’s interest', () => {
  const examples: readonly (readonly [principal: number, rate: number, interest: number])[] = [
    [usdt(1), 5_000_000, 5],
    [usdt(1_000), 5_000_000, 5_000],
    [usdt(1_000), 5_000_001, 5_001],
    [usdt(3_000), 5_056_250, 15_169],
    [usdt(123_456.789012), 20_000_000, 2_469_136],
    [1, 1, 1],
    [1, 200_000_000, 1],
    [0, 200_000_000, 0],
    [btc(0.01), 5_000_000, 5],
    [btc(1.5), 110_000_000, 16_500],
    [2 ** 52, 200_000_000, 900_719_925_475],
    [usdt(1_000), 0, 0],
  ]
  for (const [principal, hourly, interest] of examples) {
    assert.equal(interest, ceil(times(of(principal), of(hourly, 10n ** 12n))))
    assert.equal(rate.hourInterest(principal, hourly), interest, `${principal} at ${hourly}`)
  }
})

test('LEND-INTEREST-001: worked examples of the lenders’ part, and of the amount that a pool can still lend', () => {
  for (const [interest, lenders] of [
    [100, 85],
    [1, 0],
    [7, 5],
    [15_169, 12_893],
    [2 ** 52, 3_828_059_683_264_921],
  ] as const) {
    assert.equal(lenders, floor(times(of(interest), of(85, 100))))
    assert.equal(rate.lendersPart(terms, interest), lenders)
  }
  for (const [borrowed, supplied, room] of [
    [0, 100, 90],
    [0, 1, 0],
    [89, 100, 1],
    [90, 100, 0],
    [95, 100, 0],
    [usdt(1), usdt(1_000_000.000001), 899_999_000_000],
  ] as const) {
    assert.equal(rate.poolRoom(terms, { borrowed, supplied }), room)
  }
  // A user may owe a fifth of 1,003 units, rounded down, whatever amount others owe.
  const fifth = { ...terms, userSharePpm: 200_000 as Ppm }
  for (const [owed, room] of [
    [0, 200],
    [50, 150],
    [199, 1],
    [200, 0],
    [201, 0],
  ] as const) {
    assert.equal(rate.userRoom(fifth, { borrowed: 900, supplied: 1_003 }, owed), room)
  }
  assert.equal(rate.earnRate(terms, { borrowed: 80, supplied: 100 }), 13_600_000)
  assert.equal(rate.firstInterest(terms, { supplied: usdt(1_000_000), borrowed: 0 }, usdt(3_000)), 15_169)
})

test('MARGIN-LEVEL-001: worked examples of values and levels', () => {
  // USDT and BTC of an account, USDT and BTC that it owes, the price of BTC; its level in ppm
  const examples: readonly (readonly [usdtHas: number, btcHas: number, usdtOwes: number, btcOwes: number, price: number, level: number])[] =
    [
      [1_000, 0, 500, 0, 50_000, 2_000_000],
      [0, 1, 40_000, 0, 50_000, 1_250_000],
      [10_000, 0, 0, 0.1, 50_000, 2_000_000],
      [10_000, 0, 0, 0.1, 95_000, 1_052_631],
      [0.000001, 0, 0.000002, 0, 50_000, 500_000],
      [100, 1, 45_000, 0, 50_000.12345678, 1_113_336],
      [0, 0.33333333, 15_000, 0.00000001, 49_999.99999999, 1_111_111],
      [1, 1, 1, 1, 67_412.5, 1_000_000],
      [0, 0, 1, 0, 50_000, 0],
      [5_000_000, 20, 3_000_000, 40, 61_234.56, 1_142_274],
    ]
  for (const [usdtHas, btcHas, usdtOwes, btcOwes, at, level] of examples) {
    const coin = asBtc(at)
    const assets = risk.assetValue(usdt(usdtHas), asUsdt) + risk.assetValue(btc(btcHas), coin)
    const debt = risk.debtValue(usdt(usdtOwes), asUsdt) + risk.debtValue(btc(btcOwes), coin)
    const unit = of(price(at), 10n ** 10n)
    assert.equal(assets, usdt(usdtHas) + floor(times(of(btc(btcHas)), unit)))
    assert.equal(debt, usdt(usdtOwes) + ceil(times(of(btc(btcOwes)), unit)))
    assert.equal(risk.levelPpm(assets, debt), floor(times(of(assets, debt), of(1_000_000))))
    assert.equal(risk.levelPpm(assets, debt), level, `${[usdtHas, btcHas, usdtOwes, btcOwes, at].join(' ')}`)
  }
  assert.equal(risk.levelPpm(1, 0), risk.levelMax)
  assert.equal(risk.levelPpm(2 ** 52, 1), risk.levelMax)
})

test('MARGIN-BORROW-002: worked examples of thresholds by the value of a loan', () => {
  const examples: readonly (readonly [loan: number, leverage: number, open: number, call: number, liquidation: number])[] = [
    [0, 10, 1_111_112, 1_100_000, 1_050_000],
    [100_000, 10, 1_111_112, 1_100_000, 1_050_000],
    [100_000.000001, 9, 1_125_000, 1_110_000, 1_060_000],
    [200_000, 9, 1_125_000, 1_110_000, 1_060_000],
    [400_000, 8, 1_142_858, 1_125_000, 1_075_000],
    [800_000, 7, 1_166_667, 1_140_000, 1_090_000],
    [1_600_000, 6, 1_200_000, 1_170_000, 1_120_000],
    [1_600_001, 5, 1_250_000, 1_200_000, 1_150_000],
    [2_000_000_000, 5, 1_250_000, 1_200_000, 1_150_000],
  ]
  for (const [loan, leverage, open, call, liquidation] of examples) {
    assert.equal(risk.tierOfLoan(terms, usdt(loan)).leverage, leverage)
    assert.deepEqual(risk.thresholds(terms, true, usdt(loan)), { open, leave: open, call, liquidation })
    assert.equal(open, ceil(over(of(leverage * 1_000_000), of(leverage - 1))))
  }
  assert.deepEqual(risk.thresholds(terms, false, usdt(5)), { open: 1_250_000, leave: 2_000_000, call: 1_160_000, liquidation: 1_100_000 })
  assert.equal(openPpm(3), 1_500_000)
})

/** USDT counts in full, and its price is good. */
const full = { weightPpm: 1_000_000, debtPrice: asUsdt.price }
/** Terms without a smallest loan and without a share of a pool. */
const unbound: MarginTerms = { ...terms, loanMin: 0 as Units, userSharePpm: 1_000_000 as Ppm }

test('MARGIN-BORROW-002: worked examples of the amount that may be borrowed', () => {
  // own USDT, own BTC, USDT owed before, whether isolated; the account borrows USDT from a pool of ten million
  const pool = { supplied: usdt(10_000_000), borrowed: usdt(1_000_000) }
  const examples: readonly (readonly [own: number, coins: number, owed: number, isIsolated: boolean])[] = [
    [1_000, 0, 0, true],
    [1_000, 0, 0, false],
    [0, 1, 0, true],
    [0, 1, 0, false],
    [20_000, 0, 0, true],
    [30_000, 0, 0, true],
    [100_000, 2, 150_000, true],
    [100_000, 2, 150_000, false],
    [1_000, 0, 100_000, true],
    [0.01, 0, 0, false],
    [12_345.678901, 0.12345678, 6_789.012345, true],
    [500_000, 10, 1_000_000, false],
  ]
  for (const [own, coins, owed, isIsolated] of examples) {
    const coin = asBtc(50_123.45678901)
    const others = risk.assetValue(btc(coins), coin)
    const holding = { ...asUsdt, units: usdt(own + owed), owed: usdt(owed), otherAssets: others, otherDebt: 0, ...full }
    const found = risk.borrowable(unbound, isIsolated, holding, pool, 0, noCeiling)
    // The rule itself: after borrowing x, (assets + x) ÷ (debt + x + interest of x) must be at least the threshold.
    const isAllowed = (amount: number): boolean => {
      const hour = rateAt(pool.borrowed + amount, pool.supplied)
      const debt = usdt(owed) + amount + ceil(times(of(amount), of(hour, 10n ** 12n)))
      const assets = usdt(own + owed) + floor(times(of(btc(coins)), of(price(50_123.45678901), 10n ** 10n))) + amount
      const leverage = !isIsolated
        ? 5
        : debt <= usdt(100_000)
          ? 10
          : debt <= usdt(200_000)
            ? 9
            : debt <= usdt(400_000)
              ? 8
              : debt <= usdt(800_000)
                ? 7
                : 6
      const threshold = ceil(over(of(leverage * 1_000_000), of(leverage - 1)))
      return debt === 0 || floor(times(of(assets, debt), of(1_000_000))) >= threshold
    }
    assert.ok(found === 0 || isAllowed(found), `${found} of ${[own, coins, owed]}`)
    assert.ok(!isAllowed(found + 1) || found === rate.poolRoom(terms, pool), `${found} + 1 of ${[own, coins, owed]}`)
  }
})

test('MARGIN-TRANSFER-002: worked examples of the amount that may leave', () => {
  // An account with 1,000 USDT: USDT owed, whether isolated, USDT that may leave.
  const examples: readonly (readonly [owed: number, isIsolated: boolean, free: number])[] = [
    [0, false, 1_000],
    [0, true, 1_000],
    [300, false, 400],
    [500, false, 0],
    [600, false, 0],
    [300, true, 666.6664],
    [900, true, 0],
    [0.000001, false, 999.999998],
  ]
  for (const [owed, isIsolated, free] of examples) {
    const holding = { ...asUsdt, units: usdt(1_000), owed: usdt(owed), otherAssets: 0, otherDebt: 0, ...full }
    assert.equal(risk.transferable(terms, isIsolated, holding, usdt(1_000), noCeiling), usdt(free), `${owed} owed`)
  }
  const held = { ...asUsdt, units: usdt(1_000), owed: usdt(300), otherAssets: 0, otherDebt: 0, ...full }
  assert.equal(risk.transferable(terms, false, held, usdt(10), noCeiling), usdt(10))
})

test('MARGIN-LIQ-001: worked examples of the liquidation prices of isolated accounts', () => {
  // BTC (base) and USDT (quote) of the account, the same of its debt, and its liquidation threshold
  const examples: readonly (readonly [base: number, quote: number, baseOwed: number, quoteOwed: number, threshold: number])[] = [
    [1, 0, 0, 45_000, 1_050_000],
    [1, 0, 0, 90_000, 1_050_000],
    [2, 0, 0, 90_000, 1_050_000],
    [2, 1_000, 0, 90_000, 1_050_000],
    [0, 60_000, 1, 0, 1_050_000],
    [0.5, 60_000, 1, 0, 1_060_000],
    [4, 0, 0, 180_000, 1_060_000],
    [0.00012345, 0, 0, 5.4321, 1_050_000],
    [0, 10.5, 0.0002, 0, 1_050_000],
    [10, 0, 0, 390_000, 1_075_000],
    [1, 0, 0.2, 20_000, 1_050_000],
  ]
  const value = { baseDivisor: risk.divisorOf(8, 6), quoteDivisor: risk.divisorOf(6, 6), quotePrice: price(1) }
  for (const [base, quote, baseOwed, quoteOwed, threshold] of examples) {
    const pair = { base: btc(base), quote: usdt(quote), baseOwed: btc(baseOwed), quoteOwed: usdt(quoteOwed) }
    const found = risk.liquidationPrice(terms, pair, value)
    const level = (at: number): number => {
      const unit = of(at, 10n ** 10n)
      const assets = pair.quote + floor(times(of(pair.base), unit))
      return floor(times(of(assets, pair.quoteOwed + ceil(times(of(pair.baseOwed), unit))), of(1_000_000)))
    }
    // The account is liquidated at this price, and not one unit to the better side of it.
    const good = pair.quoteOwed * pair.base > pair.quote * pair.baseOwed ? 1 : -1
    assert.ok(level(found) <= threshold && level(found + good) > threshold, `${found}: ${level(found)}, ${level(found + good)}`)
    // Without rounding: (quote + base × p) = threshold × (quoteOwed + baseOwed × p). The actual price never comes later than this p,
    // and differs by less than a thousandth.
    const ratio = of(threshold, 1_000_000)
    const exact = over(minus(times(ratio, of(pair.quoteOwed)), of(pair.quote)), minus(of(pair.base), times(ratio, of(pair.baseOwed))))
    const atUnit = Number((exact[0] * 10n ** 10n) / exact[1])
    assert.ok(good === 1 ? found >= atUnit - 1 : found <= atUnit + 1, `${found} and ${atUnit}`)
    assert.ok(Math.abs(found / atUnit - 1) < 1e-3)
  }
  assert.equal(risk.liquidationPrice(terms, { base: btc(1), quote: 0, baseOwed: 0, quoteOwed: 0 }, value), 0)
  assert.equal(risk.liquidationPrice(terms, { base: btc(1), quote: usdt(100_000), baseOwed: 0, quoteOwed: usdt(100) }, value), 0)
})

test('MARGIN-LIQ-001: the liquidation price of a pair that is not quoted in USDT is in its quote', () => {
  // 10 ETH against 0.4 BTC: liquidated at 0.042 BTC a coin, whatever BTC is worth.
  const pair = { base: btc(10), quote: 0, baseOwed: 0, quoteOwed: btc(0.4) }
  const found = risk.liquidationPrice(terms, pair, {
    baseDivisor: risk.divisorOf(8, 6),
    quoteDivisor: risk.divisorOf(8, 6),
    quotePrice: price(67_412.5),
  })
  assert.ok(Math.abs(found - 4_200_000) <= 10, `${found}`)
})

test('MARGIN-LIQ-001: worked examples of the amount sold to return to the warning level', () => {
  const examples: readonly (readonly [assets: number, debt: number, call: number, cost: number])[] = [
    [105_000, 100_000, 1_100_000, 6_000],
    [109_999, 100_000, 1_160_000, 6_000],
    [1_050, 1_000, 1_100_000, 0],
    [1_000_001, 1_000_000, 1_200_000, 6_000],
    [5, 4, 1_250_000, 6_000],
  ]
  for (const [assets, debt, call, cost] of examples) {
    const sold = risk.amountToSell(assets, debt, call, cost)
    if (sold === assets) continue
    const level = (amount: number): Fraction =>
      over(of(assets - amount), minus(of(debt), times(of(amount), of(1_000_000 - cost, 1_000_000))))
    const isEnough = (amount: number): boolean => floor(times(level(amount), of(1_000_000))) >= call - 1
    assert.ok(sold === 0 || isEnough(sold), `${sold} of ${assets}`)
  }
  assert.equal(risk.amountToSell(120_000, 100_000, 1_100_000, 6_000), 0)
  assert.equal(risk.amountToSell(90_000, 100_000, 1_100_000, 6_000), 90_000)
})

test('values are exact at any size, and stop at their bound', () => {
  const units = fc.nat(2 ** 31).chain((high) => fc.nat(2 ** 21).map((low) => high * 2 ** 21 + low))
  fc.assert(
    fc.property(units, units, fc.integer({ min: 0, max: 14 }), (amount, at, digits) => {
      const [sum, under] = [BigInt(amount) * BigInt(at), 10n ** BigInt(digits)]
      const low = sum / under
      const high = (sum + under - 1n) / under
      const bounded = (n: bigint): number => (n > BigInt(risk.valueMax) ? risk.valueMax : Number(n))
      const value = { price: at, divisor: 10 ** digits }
      assert.equal(risk.assetValue(amount, value), bounded(low))
      assert.equal(risk.debtValue(amount, value), bounded(high))
    }),
    { numRuns: 20_000 },
  )
})

test('MARGIN-TERMS-001: contradictory terms are invalid', () => {
  assert.ok(areMarginTermsValid(terms))
  const [first, ...rest] = terms.tiers
  const wrong: object[] = [
    { tiers: [] },
    { tiers: [{ ...first, leverage: 11 }, ...rest] },
    { tiers: [...rest, first] },
    { tiers: [{ ...first, liquidationPpm: 1_000_000 }, ...rest] },
    { tiers: [{ ...first, liquidationPpm: 1_070_000 }, ...rest] },
    { isolatedCallPpm: 0 },
    { isolatedCallPpm: 70_000 },
    { crossLeverage: 1 },
    { crossLiquidationPpm: 1_000_000 },
    { crossCallPpm: 1_100_000 },
    { crossBorrowPpm: 1_160_000 },
    { crossTransferPpm: 1_240_000 },
    { rateZero: -1 },
    { rateKink: 4_999_999 },
    { rateFull: 19_999_999 },
    { rateFull: 10_000_000_001 },
    { kinkPpm: 0 },
    { kinkPpm: 1_000_000 },
    { borrowStopPpm: 1_000_001 },
    { reservePpm: 1_000_001 },
    { liquidationFeePpm: 100_001 },
  ]
  for (const changed of wrong) assert.ok(!areMarginTermsValid({ ...terms, ...changed }), JSON.stringify(changed))
})
