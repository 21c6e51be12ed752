import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digitsOf, inCurrency } from './currency.ts'
import { inOrder } from './unit-order.ts'

test('UI-RATES-002: a sum in a currency is rounded down to the currency’s decimal places', () => {
  assert.equal(inCurrency('1000', '0.8558712769', 2), '855.87')
  assert.equal(inCurrency('1000', '159.8339609722', digitsOf('JPY', 'en')), '159833')
  assert.equal(inCurrency('-0.01', '0.5', 2), '-0.01')
  assert.equal(inCurrency('12.345678', '1', 2), '12.34')
  assert.equal(inCurrency('7', '2', 2), '14')
  assert.equal(inCurrency('9007199254740993.999999', '1', 2), '9007199254740993.99')
  assert.equal(digitsOf('EUR', 'de'), 2)
})

test('the usual currencies are offered first', () => {
  assert.deepEqual(inOrder(['AUD', 'CNY', 'BRL', 'USD', 'EUR']), ['USD', 'EUR', 'CNY', 'AUD', 'BRL'])
})
