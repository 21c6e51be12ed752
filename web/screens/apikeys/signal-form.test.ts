import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf, sampleOf, termsOf, wrongFields } from './signal-form.ts'

const good = { ...draftOf(undefined), symbols: 'btcusdt, ETHUSDTPERP', password: 'a password' }

test('UI-SIGNAL-002: a draft has an error for each field that can’t be sent, and the request has what the form shows', () => {
  assert.deepEqual([...wrongFields(draftOf(undefined))], ['symbols', 'password'])
  assert.deepEqual([...wrongFields(good)], [])
  for (const [change, fields] of [
    [{ symbols: 'BTC/USDT' }, ['symbols']],
    [{ maxQuote: '0' }, ['maxQuote']],
    [{ maxQuote: '1000001' }, ['maxQuote']],
    [{ maxQuote: '1e3' }, ['maxQuote']],
    [{ perMinute: '61', perDay: '1001', maxAgeSeconds: '0' }, ['perMinute', 'perDay', 'maxAgeSeconds']],
    [{ perDay: '2.5' }, ['perDay']],
    [{ ips: 'everywhere' }, ['ips']],
    [{ symbol: 'a b' }, []],
    [{ format: 'own', symbol: 'a b', action: '', id: '1' }, ['symbol', 'action', 'id']],
    [{ format: 'own', buy: ' , ', sell: '', close: '' }, ['buy']],
  ] as const)
    assert.deepEqual([...wrongFields({ ...good, ...change })], fields, JSON.stringify(change))

  const shared = { symbols: ['BTCUSDT', 'ETHUSDTPERP'], maxQuote: '100', perMinute: 5, perDay: 50, maxAgeSeconds: 60, ips: [] }
  assert.deepEqual(termsOf(good), shared)
  const own = termsOf({ ...good, format: 'own', symbol: ' data.pair ', id: 'id', buy: 'long,  go long', ips: '192.0.2.1 192.0.2.2' })
  const template = { symbol: 'data.pair', action: 'action', quantity: 'quantity', id: 'id' }
  const words = { buy: ['long', 'go long'], sell: ['sell', 'short'], close: ['close'] }
  assert.deepEqual(own, { ...shared, ips: ['192.0.2.1', '192.0.2.2'], template: { ...template, ...words } })
  // The terms of an address come back as they were.
  assert.deepEqual(termsOf(draftOf({ ...own, isOn: true, madeAt: 0 })), own)
  assert.deepEqual(JSON.parse(sampleOf(own)), { data: { pair: 'BTCUSDT' }, action: 'long', quantity: '0.001' })
})
