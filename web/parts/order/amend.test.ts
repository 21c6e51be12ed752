import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf } from './amend.ts'

const order = { price: '100.0', quantity: '0.5', executed: '0.2', status: 'open' } as const
const market = { tick: '0.1', lot: '0.001' }
const change = (price: string, quantity: string) => changeOf(order, { price, quantity, trigger: '' }, market)

test('UI-ORDERS-008: a changed order keeps its place only at the same price with a smaller quantity', () => {
  assert.deepEqual(change('100', '0.50'), { wrong: {}, isSame: true, keepsPlace: false })
  assert.equal(change('100', '0.4').keepsPlace, true)
  assert.equal(change('100', '0.6').keepsPlace, false)
  assert.equal(change('99.9', '0.4').keepsPlace, false)
})

test('UI-ORDERS-008: no change is sent that misses a value, leaves the steps of the market, or ends below what is filled', () => {
  assert.deepEqual(change('', '').wrong, { price: 'FIELD_MISSING', amount: 'FIELD_MISSING' })
  assert.deepEqual(change('100.05', '0.0001').wrong, { price: 'PRICE_INVALID', amount: 'QUANTITY_INVALID' })
  assert.deepEqual(change('0', '0').wrong, { price: 'PRICE_INVALID', amount: 'QUANTITY_INVALID' })
  assert.deepEqual(change('100', '0.2').wrong, { amount: 'filled' })
})

test('UI-ORDERS-008: a stop that sleeps has a trigger, no price if it acts at the market, and no quantity if it closes a position', () => {
  const stop = { executed: '0', status: 'pending', trigger: { kind: 'stop', price: '90.0', direction: 'falls-to' } } as const
  const of = (trigger: string) => changeOf(stop, { price: '', quantity: '', trigger }, market)
  assert.deepEqual(of('90'), { wrong: {}, isSame: true, keepsPlace: false })
  assert.deepEqual(of('91'), { wrong: {}, isSame: false, keepsPlace: false })
  assert.deepEqual([of('').wrong, of('90.05').wrong], [{ stop: 'FIELD_MISSING' }, { stop: 'PRICE_INVALID' }])
})
