import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireSignalTemplate } from '@candor/core/protocol/wire/own/signals.ts'
import { Refused } from '../refused.ts'
import { alertOf } from './alert.ts'
import { stepsIn } from './steps.ts'

const template: WireSignalTemplate = {
  ...{ symbol: 'data.pair', action: 'signal', quantity: 'size', id: 'order.id', time: 'at' },
  ...{ buy: ['Long', 'go long'], sell: ['short'], close: ['flat'] },
}
const read = (alert: object, by?: WireSignalTemplate) => alertOf(JSON.stringify(alert), by)
const refusal = (text: string, by?: WireSignalTemplate): string => {
  try {
    alertOf(text, by)
  } catch (error) {
    assert.ok(error instanceof Refused, `${text.slice(0, 60)}: ${String(error)}`)
    return error.field === undefined ? error.refusal : `${error.refusal} ${error.field}`
  }
  return 'read'
}

test('SIGNAL-ALERT-001: an alert is read in the exchange’s own format, TradingView’s or by a template of its own', () => {
  const market = { orderType: 'market', quantity: '0.5' }
  assert.deepEqual(read({ symbol: 'btcusdt', side: 'BUY', quantity: 0.5 }), { symbol: 'BTCUSDT', action: 'buy', ...market })
  assert.deepEqual(
    read({ symbol: 'CANDOR:BTCUSDT.P', side: 'sell', type: 'limit', quote: '10', price: '7', id: 'a', time: 1_700_000_000 }),
    {
      ...{ symbol: 'BTCUSDTPERP', action: 'sell', orderType: 'limit', quote: '10', price: '7', id: 'a', at: 1_700_000_000_000 },
    },
  )
  assert.deepEqual(read({ symbol: 'BTCUSDTPERP', side: 'close' }), { symbol: 'BTCUSDTPERP', action: 'close', orderType: 'market' })
  const strategy = { ticker: 'BTCUSDT.P', action: 'sell', contracts: '0.5', price: '60000.5', time: '2024-05-01T12:00:00Z' }
  const at = Date.parse(strategy.time)
  assert.deepEqual(read({ ...strategy, position: '-0.5', more: true }), { symbol: 'BTCUSDTPERP', action: 'sell', ...market, at })
  assert.deepEqual(read({ ...strategy, position: '-0.00' }), { symbol: 'BTCUSDTPERP', action: 'close', orderType: 'market', at })
  // Spot has no position to close: the order itself is placed.
  assert.deepEqual(read({ ...strategy, ticker: 'BTCUSDT', position: '0' }), { symbol: 'BTCUSDT', action: 'sell', ...market, at })
  assert.equal(alertOf('{"symbol":"ETHUSDT","side":"buy","quantity":0.99999999999999999}', undefined).quantity, '0.99999999999999999')
  const own = { data: { pair: 'ETHUSDT' }, signal: 'go long', size: '0.5', order: { id: 7 }, at: '1700000000000' }
  assert.deepEqual(read(own, template), { symbol: 'ETHUSDT', action: 'buy', ...market, id: '7', at: 1_700_000_000_000 })
  assert.equal(read({ ...own, signal: 'FLAT' }, template).action, 'close')
})

test('SIGNAL-ALERT-002: quantities are cut to whole lots and prices rounded as told, exactly', () => {
  for (const [text, step, down, up] of [
    ['0.1234567', '0.0001', 1234, 1235],
    ['0.00009', '0.0001', 0, 1],
    ['5', '0.0001', 50_000, 50_000],
    ['0.3', '0.1', 3, 3],
    ['3000.123456789012345678', '0.05', 60_002, 60_003],
    ['999999999999999', '0.000001', undefined, undefined],
  ] as const) {
    assert.equal(stepsIn(text, step, 'down'), down, text)
    assert.equal(stepsIn(text, step, 'up'), up, text)
  }
})

test('SIGNAL-ALERT-003: no text makes the reader fail otherwise than with a refusal, and no path leaves the alert’s own fields', () => {
  const buy = { symbol: 'ETHUSDT', side: 'buy', quantity: '1' }
  for (const [text, said] of [
    ['', 'BODY_MALFORMED'],
    ['[]', 'BODY_MALFORMED'],
    ['{"a":'.repeat(99), 'BODY_MALFORMED'],
    ['{"symbol":"ETHUSDT","side":"buy","side":"sell"}', 'BODY_MALFORMED side'],
    [`"${'x'.repeat(2_048)}"`, 'BODY_TOO_LARGE'],
    [JSON.stringify({ ...buy, side: 'constructor' }), 'FIELD_INVALID side'],
    [JSON.stringify({ ...buy, symbol: '../BTC' }), 'MARKET_UNKNOWN'],
    [JSON.stringify({ ...buy, quantity: 1e-9 }), 'FIELD_INVALID quantity'],
    [JSON.stringify({ ...buy, quantity: 1e300 }), 'FIELD_INVALID quantity'],
    [JSON.stringify({ ...buy, quantity: '0.000' }), 'FIELD_INVALID quantity'],
    [JSON.stringify({ ...buy, quantity: ['1'] }), 'FIELD_INVALID quantity'],
    [JSON.stringify({ ...buy, quantity: undefined }), 'FIELD_MISSING quantity'],
    [JSON.stringify({ ...buy, type: 'limit' }), 'FIELD_MISSING price'],
    [JSON.stringify({ ...buy, price: '1' }), 'FIELD_INVALID price'],
    [JSON.stringify({ ...buy, pricee: '1' }), 'FIELD_UNKNOWN pricee'],
    [JSON.stringify({ ...buy, id: 'x'.repeat(65) }), 'FIELD_INVALID id'],
    [JSON.stringify({ ...buy, id: 'a\u202eb' }), 'FIELD_INVALID id'],
    [JSON.stringify({ ...buy, time: '12:00' }), 'FIELD_INVALID time'],
  ] as const)
    assert.equal(refusal(text), said, text.slice(0, 80))
  // Numbers that a computer would round, or write without an exponent.
  for (const number of ['1e2', '1E2', '0.1e1', '100000000000000000000', '-0'])
    assert.equal(refusal(`{"symbol":"ETHUSDT","side":"buy","quantity":${number}}`), 'FIELD_INVALID quantity', number)
  assert.equal(refusal('{"data":[1,2,3],"signal":"go long","size":1}', { ...template, symbol: 'data.length' }), 'FIELD_MISSING data.length')
  const reaching = { ...template, symbol: 'constructor.name', action: 'toString.length' }
  assert.equal(refusal('{"size":"1"}', reaching), 'FIELD_MISSING constructor.name')
  // Every cut and every changed letter of an alert is read or refused.
  const whole = JSON.stringify({ ...buy, type: 'limit', price: '3000', id: 'a', time: 1_700_000_000 })
  for (let n = 0; n < whole.length; n++)
    for (const letter of ['', '"', '\\', '{', '\u0000', '9', 'é']) {
      const said = refusal(whole.slice(0, n) + letter + whole.slice(n + 1))
      assert.ok(said === 'read' || /^[A-Z_]+( [^]*)?$/u.test(said), said)
    }
})
