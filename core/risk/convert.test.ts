import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plain } from '../money/test/plain.ts'
import * as convertRules from './convert.ts'

// These functions take plain numbers, so that the tests can use literals.
const { converted, rateText, spreadOf } = plain(convertRules)
const most = Number.MAX_SAFE_INTEGER

test('a rate has eight significant digits, cut off', () => {
  for (const [of, per, rate] of [
    // 0.0999 BTC for 6,001 USDT, and the other way round.
    [{ units: 9_990_000, scale: 8 }, { units: 6_001_000_000, scale: 6 }, '0.000016647225'],
    [{ units: 6_001_000_000, scale: 6 }, { units: 9_990_000, scale: 8 }, '60070.07'],
    [{ units: 1, scale: 0 }, { units: 3, scale: 0 }, '0.33333333'],
    [{ units: 2, scale: 0 }, { units: 3, scale: 0 }, '0.66666666'],
    [{ units: 1, scale: 6 }, { units: 1, scale: 6 }, '1'],
    [{ units: 12_345_678_999, scale: 2 }, { units: 100, scale: 2 }, '123456789'],
  ] as const)
    assert.equal(rateText(of, per), rate)
})

test('a tiny rate keeps at most 18 decimal places, a huge one all digits before the point', () => {
  // The least sum for the largest one: 1.11e-16 at the same scale, and nothing at 18 places more.
  assert.equal(rateText({ units: 1, scale: 0 }, { units: most, scale: 0 }), '0.000000000000000111')
  assert.equal(rateText({ units: 1, scale: 18 }, { units: most, scale: 0 }), '0')
  assert.equal(rateText({ units: 0, scale: 0 }, { units: 1, scale: 0 }), '0')
  assert.equal(rateText({ units: 1, scale: 18 }, { units: 1, scale: 0 }), '0.000000000000000001')
  assert.equal(rateText({ units: most, scale: 0 }, { units: 1, scale: 18 }), `${most}${'0'.repeat(18)}`)
  assert.equal(rateText({ units: most, scale: 0 }, { units: 1, scale: 0 }), String(most))
})

const sum = fc.record({ units: fc.integer({ min: 1, max: most }), scale: fc.integer({ min: 0, max: 18 }) })

/** Decimal text as 1e-18ths. */
function exact(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}

test('a printed rate is never above the exact one, and below it by less than its last place', () => {
  fc.assert(
    fc.property(sum, sum, (of, per) => {
      const text = rateText(of, per)
      const rate = exact(text)
      const [dividend, divisor] = [BigInt(of.units) * 10n ** BigInt(per.scale), BigInt(per.units) * 10n ** BigInt(of.scale)]
      const scaled = dividend * 10n ** 18n
      assert.ok(rate * divisor <= scaled, text)
      // Eight significant digits, or the 18th place.
      assert.ok(scaled - rate * divisor < divisor || (scaled - rate * divisor) * 10_000_000n < scaled, text)
      assert.match(text, /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/)
    }),
  )
})

test('the spread is what the same sum without a spread would bring more, rounded down', () => {
  for (const [get, spread, kept] of [
    [9_990_000, 1_000, 10_000],
    [999, 1_000, 1],
    [998, 1_000, 0],
    [0, 1_000, 0],
    [900_000, 100_000, 100_000],
    [most, 0, 0],
    // get × spread is far beyond a safe integer.
    [most, 100_000, 1_000_799_917_193_443],
  ] as const)
    assert.equal(spreadOf(get, spread), kept, `${get} at ${spread}`)
})

test('a conversion and its spread add up to the sum without a spread, but for what both round off', () => {
  const price = fc.integer({ min: 1, max: 10 ** 13 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), price, price, fc.integer({ min: 0, max: 100_000 }), (give, one, other, spread) => {
      const [from, to] = [
        { price: one, scale: 6 },
        { price: other, scale: 8 },
      ]
      const [whole, get] = [converted(give, from, to, 0), converted(give, from, to, spread)]
      if (whole === undefined || get === undefined) return
      const lost = whole - (get + spreadOf(get, spread))
      assert.ok(lost >= 0 && lost <= 2, `${whole}, ${get}`)
    }),
  )
})
