import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { dividePrice, middle, midPrice, parsePrice } from './price.ts'

test('prices parse strictly to 1e-8; further digits are cut, invalid text gives none', () => {
  for (const [text, price] of [
    ['61837.63000000', 6_183_763_000_000],
    ['0.00000001', 1],
    ['0.000000019', 1],
    ['1', 100_000_000],
    [0.192, 19_200_000],
    [104_500.1, 10_450_010_000_000],
    ['90000000', 9_000_000_000_000_000],
  ] as const) {
    assert.equal(parsePrice(text), price, String(text))
  }
  for (const nonsense of [
    '',
    '0',
    '0.0',
    '-1',
    '+1',
    '1e5',
    ' 1',
    '1.',
    '.5',
    'NaN',
    '1,5',
    '99999999',
    '123456789',
    0,
    -1,
    Number.NaN,
    Infinity,
    1e9,
    null,
    undefined,
    {},
    [],
    true,
  ]) {
    assert.equal(parsePrice(nonsense), undefined, String(nonsense))
  }
})

test('a middle price needs both sides, uncrossed', () => {
  assert.equal(midPrice('100', '100.00000001'), 10_000_000_000)
  assert.equal(midPrice('100', '100'), 10_000_000_000)
  assert.equal(midPrice('101', '100'), undefined)
  assert.equal(midPrice('0', '100'), undefined)
  assert.equal(midPrice(undefined, '100'), undefined)
})

test('dividing never passes 2^53', () => {
  const price = fc.integer({ min: 1, max: 9_000_000_000_000_000 })
  fc.assert(
    fc.property(price, fc.integer({ min: 50_000_000, max: 200_000_000 }), (value, rate) => {
      const exact = (BigInt(value) * 100_000_000n) / BigInt(rate)
      const isPrice = exact > 0n && exact <= BigInt(Number.MAX_SAFE_INTEGER)
      assert.equal(dividePrice(value, rate), isPrice ? Number(exact) : undefined)
    }),
  )
  fc.assert(
    fc.property(price, price, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a]
      const mid = middle(low, high)
      assert.ok(mid >= low && mid <= high && Number.isSafeInteger(mid))
    }),
  )
})
