import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mulDivCeil, mulDivFloor } from './mul-div.ts'
import { basePerLot, formatLots, formatTicks, notional, parseLots, parseTicks, quotePerTickLot, stepOf } from './price.ts'
import { scaleOf } from './scale.ts'
import { formatFixed, formatUnits, fractionDigits, isDecimal, parseUnits } from './units.ts'

const safe = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -1000, max: 1000 }), fc.constantFrom(2 ** 53 - 1, -(2 ** 53) + 1, 0, 1, -1))
const scales = fc.integer({ min: 0, max: 18 })

test('MONEY-PARSE-001: text is refused when it has more digits than the scale or is not a plain decimal number', () => {
  const refused = ['', ' ', '.', '-', '+1', '1.', '.1', '1e3', '1E3', '0x10', '1_000', '1,000', ' 1', '1 ', '1\n', '--1', '1.2.3', 'NaN']
  for (const text of [
    ...refused,
    'Infinity',
    '١',
    '１',
    '1.1١',
    '−1',
    '1.1234567',
    '9007199254740992',
    '-9007199254740992',
    '1'.repeat(400),
  ]) {
    assert.equal(parseUnits(text, 6), undefined, JSON.stringify(text))
  }
  assert.equal(parseUnits('1.000', 2), undefined)
  assert.equal(parseUnits('9007199254.740991', 6), 2 ** 53 - 1)
  assert.equal(parseUnits('9007199254.740992', 6), undefined)
  assert.equal(parseUnits('9007199254740993', 0), undefined)
  assert.ok(Object.is(parseUnits('-0', 6), 0))
  assert.equal(parseUnits('007.5', 1), 75)
  assert.equal(parseUnits('-0.000001', 6), -1)
  // Text of 48 characters is read, text of 49 is not.
  assert.equal(parseUnits(`${'0'.repeat(47)}7`, 0), 7)
  assert.equal(parseUnits(`${'0'.repeat(48)}7`, 0), undefined)
})

test('MONEY-PARSE-002: a printed amount reads back as the same amount, at every scale', () => {
  fc.assert(
    fc.property(safe, scales, (units, scale) => {
      assert.equal(parseUnits(formatUnits(units, scale), scale), units)
      assert.equal(parseUnits(formatFixed(units, scale), scale), units)
      assert.equal(fractionDigits(formatFixed(units, scale)), scale)
      assert.doesNotMatch(formatUnits(units, scale), /\.\d*0$|\.$/)
    }),
    { numRuns: 2000 },
  )
})

test('MONEY-PARSE-003: any decimal text is read as exactly the amount that it states, or as undefined', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^-?[0-9]{1,20}(\.[0-9]{1,10})?$/), scales, (text, scale) => {
      const digits = fractionDigits(text)
      const exact = digits > scale ? undefined : BigInt(text.replace('.', '')) * 10n ** BigInt(scale - digits)
      const isSafe = exact !== undefined && exact >= -(2n ** 53n) + 1n && exact <= 2n ** 53n - 1n
      assert.equal(parseUnits(text, scale), isSafe ? Number(exact) : undefined)
    }),
    { numRuns: 5000 },
  )
})

test('MONEY-PARSE-004: for any text the parser returns a safe integer or undefined, and does not throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[-+0-9.eE_ ]*$/)), scales, (text, scale) => {
      const units = parseUnits(text, scale)
      if (units === undefined) return
      assert.ok(isDecimal(text) && Number.isSafeInteger(units))
    }),
    { numRuns: 5000 },
  )
})

test('MONEY-FORMAT-001: a number that is not a safe integer is never printed', () => {
  for (const value of [0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) assert.throws(() => formatUnits(value, 6))
  assert.equal(formatUnits(-0, 6), '0')
  assert.equal(formatFixed(-0, 0), '0')
  assert.equal(formatFixed(-5, 2), '-0.05')
  assert.equal(formatUnits(1200, 2), '12')
  assert.equal(formatUnits(-(2n ** 70n), 6), '-1180591620717411.303424')
})

test('MONEY-ROUND-001: mulDivFloor and mulDivCeil round the exact quotient down and up', () => {
  const floor = (a: bigint, c: bigint): bigint => a / c - (a % c !== 0n && a < 0n !== c < 0n ? 1n : 0n)
  const isSafe = (value: bigint): boolean => value >= -(2n ** 53n) + 1n && value <= 2n ** 53n - 1n
  const agree = (actual: () => number, expected: bigint): void => {
    if (!isSafe(expected)) assert.throws(actual, /beyond 2\^53/)
    else assert.ok(Object.is(actual(), Number(expected)))
  }
  fc.assert(
    fc.property(safe, safe, safe, (a, b, c) => {
      fc.pre(c !== 0)
      const [product, divisor] = [BigInt(a) * BigInt(b), BigInt(c)]
      agree(() => mulDivFloor(a, b, c), floor(product, divisor))
      agree(() => mulDivCeil(a, b, c), -floor(-product, divisor))
    }),
    { numRuns: 20_000 },
  )
  // Quotients at, just below and just above a whole number.
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 2 ** 40 }), fc.integer({ min: -2, max: 2 }), (whole, c, off) => {
      const a = Math.floor(2 ** 53 / c - 3) * c + off
      const [product, divisor] = [BigInt(a) * BigInt(whole), BigInt(c)]
      agree(() => mulDivFloor(a, whole, c), floor(product, divisor))
      agree(() => mulDivCeil(-a, whole, c), -floor(product, divisor))
    }),
    { numRuns: 20_000 },
  )
})

test('MONEY-ROUND-002: both functions throw on numbers that are not safe integers, and on division by zero', () => {
  for (const bad of [0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
    for (const mulDiv of [mulDivFloor, mulDivCeil]) {
      assert.throws(() => mulDiv(bad, 1, 1))
      assert.throws(() => mulDiv(1, bad, 1))
      assert.throws(() => mulDiv(1, 1, bad))
      assert.throws(() => mulDiv(1, 1, 0), /division by zero/)
    }
  }
  assert.throws(() => mulDivFloor(0.5, 2, 1))
  // 2^53 is refused also where the result would be a safe integer.
  for (const mulDiv of [mulDivFloor, mulDivCeil]) {
    assert.throws(() => mulDiv(2 ** 53, 1, 2), /not safe integers/)
    assert.throws(() => mulDiv(1, 2 ** 53, 2), /not safe integers/)
    assert.throws(() => mulDiv(2, 2 ** 53 - 1, 2 ** 53), /not safe integers/)
  }
})

test('MONEY-PRICE-001: a price is a whole number of ticks above zero, a quantity a whole number of lots', () => {
  assert.equal(parseTicks('67412.5', '0.1'), 674125)
  assert.equal(parseTicks('67412.50000000', '0.1'), 674125)
  assert.equal(parseTicks('67412.55', '0.1'), undefined)
  assert.equal(parseTicks('0', '0.1'), undefined)
  assert.equal(parseTicks('-1', '0.1'), undefined)
  assert.equal(parseTicks('10', '5'), 2)
  assert.equal(parseTicks('11', '5'), undefined)
  assert.equal(parseTicks('1.25', '0.05'), 25)
  assert.equal(parseTicks('1.00', '1'), 1)
  assert.equal(parseLots('0.00001', '0.00001'), 1)
  assert.equal(parseLots('0.000010000', '0.00001'), 1)
  assert.equal(parseLots('0.000001', '0.00001'), undefined)
  assert.ok(Object.is(parseLots('-0.0', '0.1'), 0))
  assert.equal(parseLots('-0.1', '0.1'), undefined)
  assert.equal(parseLots('1.', '0.1'), undefined)
  assert.equal(parseTicks('10.00', '5'), 2)
  assert.equal(parseLots('12.0', '1'), 12)
  assert.equal(parseLots(`1.${'0'.repeat(46)}`, '1'), 1)
  assert.equal(parseLots(`1.${'0'.repeat(47)}`, '1'), undefined)
  assert.equal(formatTicks(674125, '0.1'), '67412.5')
  assert.equal(formatTicks(674120, '0.1'), '67412.0')
  assert.equal(formatLots(3, '1'), '3')
  assert.equal(formatLots(2n ** 60n, '0.25'), '288230376151711744.00')
})

test('MONEY-PRICE-002: printed ticks and lots read back as the same number', () => {
  const step = fc.constantFrom('0.1', '0.01', '0.05', '0.00001', '1', '5', '0.25', '100')
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 }), step, (count, text) => {
      assert.equal(parseTicks(formatTicks(count, text), text), count)
      assert.equal(parseLots(formatLots(count, text), text), count)
    }),
  )
})

test('MONEY-PRICE-003: a notional is exact, or the function throws', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 45 }), fc.integer({ min: 0, max: 2 ** 45 }), fc.integer({ min: 1, max: 1e9 }), (t, l, q) => {
      const exact = BigInt(t) * BigInt(l) * BigInt(q)
      if (exact > 2n ** 53n - 1n) assert.throws(() => notional(t, l, { quotePerTickLot: q }))
      else assert.equal(notional(t, l, { quotePerTickLot: q }), Number(exact))
    }),
    { numRuns: 5000 },
  )
})

test('MONEY-PRICE-004: one tick times one lot is a whole number of quote units, or the pair is refused', () => {
  assert.equal(quotePerTickLot('0.1', '0.00001', 6), 1)
  assert.equal(quotePerTickLot('0.00001', '0.001', 8), 1)
  assert.equal(quotePerTickLot('0.0001', '0.1', 6), 10)
  assert.equal(quotePerTickLot('0.01', '0.00001', 6), undefined)
  assert.equal(quotePerTickLot('5', '2', 6), 10_000_000)
  assert.equal(quotePerTickLot('0.5', '0.2', 1), 1)
  assert.equal(quotePerTickLot('0.5', '0.3', 1), undefined)
  assert.equal(quotePerTickLot('0.5', '0.3', 2), 15)
  assert.equal(basePerLot('0.00001', 8), 1000)
  assert.equal(basePerLot('1', 4), 10_000)
  assert.equal(basePerLot('0.00001', 4), undefined)
})

test('MONEY-PRICE-005: a tick or lot is a decimal number above zero; other text throws', () => {
  for (const text of ['0', '0.00', '-1', '-0.5', '', 'abc', '1.', '1e3', '9007199254740992']) {
    assert.throws(() => stepOf(text), /not a tick or lot/, text)
    assert.throws(() => parseTicks('1', text), /not a tick or lot/, text)
  }
  assert.deepEqual(stepOf('0.05'), { units: 5, scale: 2 })
  assert.deepEqual(stepOf('100'), { units: 100, scale: 0 })
})

test('the scale of an asset is the listed one; the scale of an unlisted asset throws', () => {
  const listed = [
    { symbol: 'USDT', scale: 6 },
    { symbol: 'SHIB', scale: 0 },
  ]
  assert.equal(scaleOf(listed, 'USDT'), 6)
  assert.equal(scaleOf(listed, 'SHIB'), 0)
  assert.throws(() => scaleOf(listed, 'BTC'), /scale of BTC is not known/)
  assert.throws(() => scaleOf([], 'USDT'), /scale of USDT is not known/)
})
