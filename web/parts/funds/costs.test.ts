import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gainOf } from './costs.ts'

const cost = { asset: 'BTC', quantity: '0.5', average: '60000', cost: '30000', realised: '12.5', debt: '0', debtCost: '0' }
const coin = { scale: 8 }

test('UI-PORTFOLIO-001: the gain of a coin is its value at the last price less its cost, in USDT and in percent of the cost', () => {
  assert.deepEqual(gainOf(cost, coin, '66000.5'), { unrealised: '3000.25', percent: '10' })
  assert.deepEqual(gainOf(cost, coin, '59999.99'), { unrealised: '-0.005', percent: '0' })
  assert.deepEqual(gainOf({ ...cost, cost: '0.000001', quantity: '0.00000001', average: '100' }, coin, '50'), {
    unrealised: '-0.000001',
    percent: '-100',
  })
})

test('UI-PORTFOLIO-002: without a price or an average there is no gain, and a coin given for nothing has no percent', () => {
  assert.deepEqual(gainOf(cost, coin, undefined), {})
  assert.deepEqual(gainOf({ ...cost, average: null }, coin, '1'), {})
  assert.deepEqual(gainOf({ ...cost, quantity: '0', average: null, cost: '0' }, coin, '1'), {})
  assert.deepEqual(gainOf({ ...cost, cost: '0', average: '0' }, coin, '2'), { unrealised: '1' })
})

test('UI-PORTFOLIO-003: a coin that is only owed gains while its price falls', () => {
  const owed = { ...cost, quantity: '0', average: null, cost: '0', debt: '1', debtCost: '100' }
  assert.deepEqual(gainOf(owed, coin, '90'), { unrealised: '10' })
})
