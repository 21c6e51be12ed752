import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Units } from '@candor/core/money/brand.ts'
import type { WireConvertTerms } from '@candor/core/protocol/wire/convert.ts'
import { errorOf } from './errors.ts'
import { type Form, reduce, requestOf, startOf } from './form.ts'
import { leftOf, summaryOf, typedUnits } from './summary.ts'

const assets = [
  { symbol: 'USDT', name: 'Tether', scale: 6 },
  { symbol: 'BTC', name: 'Bitcoin', scale: 8 },
  { symbol: 'ETH', name: 'Ether', scale: 8 },
]
const terms: WireConvertTerms = {
  ...{ isOpen: true, spreadPercent: '0.1', driftPercent: '0.08', validMs: 8000, delayMs: 1500, min: '5', max: '50000' },
  assets: [
    { asset: 'USDT', price: '1' },
    { asset: 'BTC', price: '60000' },
    { asset: 'ETH', price: null },
  ],
}
const given: Form = { from: 'USDT', to: 'BTC', side: 'give', amount: '600' }
const start = (query: string) => startOf(new URLSearchParams(query), terms.assets)

test('UI-CONVERT-001: the query chooses the coins; what is missing, unknown or twice the same is filled in', () => {
  const coins = (query: string) => [start(query)?.from, start(query)?.to]
  assert.deepEqual(coins('from=BTC&to=USDT'), ['BTC', 'USDT'])
  assert.deepEqual(coins(''), ['USDT', 'BTC'])
  assert.deepEqual(coins('from=ETH'), ['ETH', 'USDT'])
  assert.deepEqual(coins('to=USDT'), ['BTC', 'USDT'])
  assert.deepEqual(coins('from=BTC&to=BTC'), ['BTC', 'USDT'])
  assert.deepEqual(coins('from=NONE&to=ETH'), ['USDT', 'ETH'])
  assert.equal(startOf(new URLSearchParams(), terms.assets.slice(0, 1)), undefined)
})

test('UI-CONVERT-002: the sum typed last decides, and it moves with its coin', () => {
  const typed = reduce(given, { type: 'amount', side: 'get', amount: '0.5' })
  assert.deepEqual(requestOf(typed), { from: 'USDT', to: 'BTC', get: '0.5' })
  assert.deepEqual(requestOf({ ...given, amount: '600.' }), { from: 'USDT', to: 'BTC', give: '600' })
  const turned = reduce(typed, { type: 'turn' })
  assert.deepEqual(requestOf(turned), { from: 'BTC', to: 'USDT', give: '0.5' })
  assert.deepEqual(reduce(typed, { type: 'coin', side: 'give', asset: 'BTC' }), turned)
  assert.equal(reduce(given, { type: 'coin', side: 'get', asset: 'ETH' }).amount, '600')
  assert.deepEqual(reduce(given, { type: 'coin', side: 'give', asset: 'ETH' }), { from: 'ETH', to: 'BTC', side: 'give', amount: '' })
  assert.equal(reduce(given, { type: 'coin', side: 'give', asset: 'USDT' }), given)
})

test('UI-CONVERT-003: the estimate follows from index prices and spread as the core computes them', () => {
  const summary = summaryOf(given, terms, assets)
  assert.deepEqual([summary.give, summary.get, summary.value], [600_000_000, 999_000, 600_000_000])
  // A rate for large sums: 1 ÷ 60,000 less 0.1 %, and its inverse.
  assert.deepEqual([summary.rate, summary.inverse], ['0.00001665', '60060.06'])
  const inverse = summaryOf({ ...given, side: 'get', amount: '0.00999' }, terms, assets)
  assert.deepEqual([inverse.give, inverse.get], [600_000_000, 999_000])
  const unpriced = summaryOf({ ...given, to: 'ETH' }, terms, assets)
  assert.deepEqual([unpriced.isPriced, unpriced.give, unpriced.get, unpriced.rate], [false, 600_000_000, undefined, undefined])
})

test('UI-CONVERT-004: the first thing that stands against the form is named', () => {
  const of = (amount: string, available = 100_000_000_000, left?: string) => {
    const form = { ...given, amount }
    const isTyped = typedUnits(form, assets) !== undefined
    return errorOf(summaryOf(form, terms, assets), isTyped, terms, { available: available as Units, left })
  }
  assert.equal(of(''), 'missing')
  assert.equal(of('0'), 'missing')
  assert.equal(of('4.999999'), 'tooSmall')
  assert.equal(of('5'), undefined)
  assert.equal(of('50000'), undefined)
  assert.equal(of('50000.000001'), 'tooLarge')
  assert.equal(of('600', 599_999_999), 'INSUFFICIENT_BALANCE')
  assert.equal(of('600', undefined, '599.99'), 'daily')
  assert.equal(of('600', undefined, '600'), undefined)
  assert.equal(leftOf({ limit: '200000', used: '199400.5' }), '599.5')
  assert.equal(leftOf({ limit: '200000', used: '200000.000001' }), '0')
})
