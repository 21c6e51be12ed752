import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { coins } from '@candor/core/protocol/coins.ts'
import { locales } from '@candor/core/protocol/locales.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { readNumber } from '../parts/fields/read.ts'
import { decimalFormats, learnPlaces, placesOf, sumPlaces } from './formats.ts'

const listed = coins.flatMap(({ symbol, scale }) => (scale === undefined ? [] : [{ symbol, scale }]))
learnPlaces(listed)

const anySum = fc.record({
  units: fc.oneof(fc.bigInt(-(2n ** 70n), 2n ** 70n), fc.bigInt(-1_000_000n, 1_000_000n)),
  coin: fc.constantFrom(...listed),
  tag: fc.constantFrom(...locales.map((locale) => locale.tag)),
})

/** A shown sum as a plain decimal, with its sign. */
function readBack(text: string, tag: string): string {
  const isNegative = text.startsWith('-') || text.startsWith('−')
  const value = readNumber(isNegative ? text.slice(1) : text, decimalFormats(tag).marks)
  assert.ok(value !== undefined, text)
  return isNegative ? `-${value}` : value
}

const unitsOf = (text: string, scale: number): bigint => {
  const [whole = '0', part = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole + part.padEnd(scale, '0'))
  return text.startsWith('-') ? -size : size
}

test('UI-NUMBER-010: a sum has the places of its coin, in every language, and digits beyond them are cut off', () => {
  assert.deepEqual([sumPlaces('USDT'), sumPlaces('BTC'), sumPlaces('DOGE'), sumPlaces('PRACT')], [2, 8, 4, undefined])
  const [en, de] = [decimalFormats('en'), decimalFormats('de')]
  assert.equal(en.sum('1234.567', 'USDT'), '1,234.56')
  assert.equal(en.sum('0.15', 'BTC'), '0.15000000')
  assert.equal(de.sum('-1234567.999999', 'USDT'), '-1.234.567,99')
  assert.equal(de.sum('9007199254740993.5', 'DOGE'), '9.007.199.254.740.993,5000')
  assert.equal(en.sum('12.5', 'PRACT'), '12.5')
  fc.assert(
    fc.property(anySum, ({ units, coin: { symbol, scale }, tag }) => {
      const places = sumPlaces(symbol)!
      const exact = formatUnits(units, scale)
      const shown = readBack(decimalFormats(tag).sum(exact, symbol), tag)
      const lost = unitsOf(exact, scale) - unitsOf(shown, scale)
      const step = 10n ** BigInt(scale - places)
      const isTiny = units !== 0n && units > -step && units < step
      assert.equal(lost, isTiny ? 0n : units % step)
      if (!isTiny) assert.equal(placesOf(shown), places)
    }),
  )
})

test('UI-NUMBER-011: a sum is never shown as zero unless it is zero, and a receipt loses no digit', () => {
  assert.equal(decimalFormats('en').sum('0.004', 'USDT'), '0.004')
  assert.equal(decimalFormats('de').sum('-0.000001', 'USDT'), '-0,000001')
  assert.equal(decimalFormats('en').sum('0', 'USDT'), '0.00')
  assert.equal(decimalFormats('en').sum('12.345678', 'USDT', true), '12.345678')
  assert.equal(decimalFormats('en').sum('12', 'USDT', true), '12.00')
  fc.assert(
    fc.property(anySum, ({ units, coin: { symbol, scale }, tag }) => {
      const format = decimalFormats(tag)
      const exact = formatUnits(units, scale)
      assert.equal(/[1-9]/.test(format.sum(exact, symbol)), units !== 0n)
      assert.equal(unitsOf(readBack(format.sum(exact, symbol, true), tag), scale), units)
    }),
  )
})

test('UI-NUMBER-012: a price has the places of its tick, and an average between two ticks at most one more', () => {
  const format = decimalFormats('en')
  assert.equal(format.price('59700', 1), '59,700.0')
  assert.equal(format.price('59926.4937', 1), '59,926.49')
  assert.equal(format.price('0.08125', 5), '0.08125')
  assert.equal(format.price('59700.50'), '59,700.50')
})
