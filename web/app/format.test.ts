import assert from 'node:assert/strict'
import test from 'node:test'
import { decimalFormats, placesOf } from './formats.ts'

const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')

test('amounts are formatted exactly, with any number of digits', () => {
  assert.equal(decimalFormats('en', 'utc').number('9007199254740993.12345678'), '9,007,199,254,740,993.12345678')
  assert.equal(decimalFormats('de', 'utc').exact('67412.50'), '67.412,50')
})

test('UI-MARKETS-004: a price of 0, and one that is not known, is a dash; any other is written with its own digits', () => {
  const { quoted } = decimalFormats('en', 'utc')
  assert.deepEqual(['0', '0.00', undefined].map(quoted), ['–', '–', '–'])
  assert.deepEqual(['67412.50', '0.00000001'].map(quoted), ['67,412.50', '0.00000001'])
})

test('four digits are grouped in every language, so that a column of prices is uniform', () => {
  assert.equal(decimalFormats('it', 'utc').exact('2537.04'), '2.537,04')
  assert.equal(decimalFormats('es', 'utc').exact('2539.20'), '2.539,20')
  assert.equal(decimalFormats('es', 'utc').exact('12539.20'), '12.539,20')
})

test('a change shows its sign, zero has none, and percentages are not multiplied', () => {
  assert.equal(decimalFormats('en', 'utc').change('2.41'), '+2.41%')
  assert.equal(decimalFormats('en', 'utc').change('-1.2'), '-1.20%')
  assert.equal(decimalFormats('en', 'utc').change('0'), '0.00%')
  assert.equal(plain(decimalFormats('de', 'utc').change('2.41')), '+2,41 %')
})

test('a fee in parts per million reads as percent', () => {
  assert.equal(decimalFormats('en', 'utc').ppm(1000), '0.10%')
  assert.equal(decimalFormats('en', 'utc').ppm(250), '0.025%')
})

test('a number field shows the decimal sign of the language, also behind the last digit', () => {
  assert.equal(decimalFormats('en', 'utc').typing('1234.50'), '1234.50')
  assert.equal(decimalFormats('de', 'utc').typing('1234.50'), '1234,50')
  assert.equal(decimalFormats('fr', 'utc').typing('0.'), '0,')
  assert.equal(decimalFormats('zh-Hant-HK', 'utc').typing(''), '')
})

test('small amounts are never scientific', () => {
  for (const tag of ['en', 'zh-Hant-HK', 'zh-Hans', 'es', 'de', 'fr', 'it', 'pt']) {
    assert.match(decimalFormats(tag, 'utc').number('0.00000001'), /^0[.,]00000001$/)
  }
})

test('times follow the chosen zone', () => {
  assert.equal(decimalFormats('de', 'utc').time(Date.UTC(2026, 0, 2, 14, 2)), '14:02')
  assert.equal(decimalFormats('en', 'utc').utc(Date.UTC(2026, 0, 2, 14, 2, 3)), '2026-01-02 14:02:03 UTC')
})

test('the places of a decimal text are its digits after the point', () => {
  assert.equal(placesOf('67412.50'), 2)
  assert.equal(placesOf('12'), 0)
})
