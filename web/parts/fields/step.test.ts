import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { floored, portion, stepped, typed } from './step.ts'

test('a step goes to the next multiple, never below zero', () => {
  assert.equal(stepped('67412.5', '0.1', 1), '67412.6')
  assert.equal(stepped('67412.55', '0.1', 1), '67412.6')
  assert.equal(stepped('67412.55', '0.1', -1), '67412.5')
  assert.equal(stepped('', '0.00001', 1), '0.00001')
  assert.equal(stepped('0', '0.1', -1), '0.0')
  assert.equal(stepped('9', '1', 1), '10')
})

test('a portion is rounded down to the step', () => {
  assert.equal(portion('0.46213', 25, '0.00001'), '0.11553')
  assert.equal(portion('100', 100, '0.01'), '100.00')
  assert.equal(portion('1', 0, '0.1'), '0.0')
})

test('any amount is rounded down to a multiple of the step, by less than one step', () => {
  const amount = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.integer({ min: 0, max: 8 })).map(([units, places]) => {
    const digits = units.toString().padStart(places + 1, '0')
    return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  })
  fc.assert(
    fc.property(amount, fc.constantFrom('1', '0.1', '0.01', '0.00001', '5', '0.25'), (value, step) => {
      const scale = 10n ** 10n
      const exact = (text: string): bigint => {
        const [whole, part = ''] = text.split('.')
        return BigInt(whole) * scale + BigInt(part.padEnd(10, '0'))
      }
      const result = exact(floored(value, step))
      assert.equal(result % exact(step), 0n)
      assert.ok(result <= exact(value) && exact(value) - result < exact(step))
    }),
  )
})

test('only text that can become an amount may be typed', () => {
  assert.equal(typed('12,5', 2), '12.5')
  assert.equal(typed('.5', 2), '0.5')
  assert.equal(typed('007', 2), '7')
  assert.equal(typed('', 2), '')
  assert.equal(typed('1.234', 2), undefined)
  assert.equal(typed('1.', 0), undefined)
  assert.equal(typed('1e5', 2), undefined)
  assert.equal(typed('-1', 2), undefined)
})
