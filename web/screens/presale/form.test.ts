import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostOf, obstacleOf, totalOf } from './form.ts'

const scale = 6
const none = { subscriptionMin: '10', subscriptionMax: '500', own: null }
const some = { ...none, own: { amount: '450.5' } }

test('UI-PRESALE-004: the maximum is the balance, or what the customer may still subscribe', () => {
  assert.equal(mostOf(none, '120.5', scale), '120.5')
  assert.equal(mostOf(none, '7000', scale), '500')
  assert.equal(mostOf(some, '7000', scale), '49.5')
  assert.equal(mostOf({ ...some, subscriptionMax: '400' }, '7000', scale), '0')
})

test('UI-PRESALE-004: the first thing that stands against an amount is named; only the first subscription has a minimum', () => {
  const of = (text: string, limits = none, available: string | undefined = '7000') => obstacleOf(text, limits, available, scale)
  assert.equal(of(''), 'missing')
  assert.equal(of('0'), 'missing')
  assert.equal(of('9.999999'), 'tooSmall')
  assert.equal(of('10.'), undefined)
  assert.equal(of('500'), undefined)
  assert.equal(of('500.000001'), 'tooLarge')
  assert.equal(of('20', none, '19.999999'), 'INSUFFICIENT_BALANCE')
  assert.equal(obstacleOf('20', none, undefined, scale), undefined)
  assert.equal(obstacleOf('1', some, '7000', scale), undefined)
  assert.equal(obstacleOf('49.500001', some, '7000', scale), 'tooLarge')
})

test('UI-PRESALE-004: the total counts what was subscribed before', () => {
  assert.deepEqual([totalOf('20.', none, scale), totalOf('20', some, scale), totalOf('', some, scale)], ['20', '470.5', '450.5'])
})
