import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireAlert } from '@candor/core/protocol/wire/own/alerts.ts'
import { faultOf, formOf, newForm, reduced, requestOf, sourcesOf } from './form.ts'

const form = { ...newForm('BTCUSDT'), level: '70000' }

test('only Futures have a mark price, and a change follows trades', () => {
  assert.deepEqual(sourcesOf('spot', 'above'), ['last', 'index'])
  assert.deepEqual(sourcesOf('perp', 'below'), ['last', 'mark', 'index'])
  assert.deepEqual(sourcesOf('perp', 'rise'), ['last'])
  assert.equal(reduced({ ...form, source: 'mark' }, { symbol: 'ETHUSDT' }, 'spot').source, 'last')
})

test('a level belongs to its market and its unit', () => {
  assert.equal(reduced(form, { condition: 'below' }, 'spot').level, '70000')
  assert.equal(reduced(form, { condition: 'rise' }, 'spot').level, '')
  assert.equal(reduced(form, { symbol: 'ETHUSDT' }, 'spot').level, '')
})

test('the first fault is named', () => {
  assert.equal(faultOf(newForm('BTCUSDT')), 'level')
  assert.equal(faultOf({ ...form, condition: 'fall', level: '0.05' }), 'change')
  assert.equal(faultOf({ ...form, repeats: true, rearm: '0.4' }), 'rearm')
  assert.equal(faultOf({ ...form, repeats: true }), undefined)
})

test('what is sent is what the form says, and an alert opens as the form that made it', () => {
  const sent = requestOf({ ...form, repeats: true, note: ' x ' })
  assert.deepEqual(sent, {
    ...{ symbol: 'BTCUSDT', condition: 'above', source: 'last', level: '70000', rearm: '1', note: 'x' },
    ...{ isOn: true, isReachedFine: false },
  })
  assert.equal('rearm' in requestOf(form), false)
  const { isOn: _on, isReachedFine: _fine, ...terms } = sent
  const alert: WireAlert = { ...terms, id: 'a', state: 'armed', createdAt: 1, count: 0 }
  assert.deepEqual(requestOf(formOf(alert)), sent)
})
