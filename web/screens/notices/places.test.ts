import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf } from './places.ts'

test('UI-LINK-001: a notice opens the list or the desk that it is about, with its market or ticket', () => {
  const to = (kind: Parameters<typeof placeOf>[0]['kind'], values: Readonly<Record<string, string>> = {}) => placeOf({ kind, values })
  assert.equal(to('support-answered', { ticket: '7&8' }), '/support?ticket=7%268')
  assert.equal(to('support-answered'), '/support')
  assert.equal(to('order-filled', { symbol: 'BTCUSDTPERP', product: 'perp' }), '/entrust?product=perp&tab=history')
  assert.equal(to('order-filled', { symbol: 'BTCUSDT', product: 'margin' }), '/entrust?product=spot&tab=history')
  assert.equal(to('algo-ended', { symbol: 'BTCUSDTPERP', product: 'perp' }), '/entrust?product=perp&tab=history')
  assert.equal(to('algo-ended', { symbol: 'BTCUSDT', product: 'spot' }), '/entrust?product=spot&tab=history')
  assert.equal(to('futures-warning', { symbol: 'ETHUSDTPERP' }), '/contract?symbol=ETHUSDTPERP')
  assert.equal(to('futures-warning'), '/contract')
  assert.equal(to('margin-warning', { symbol: 'ETHUSDT' }), '/lever?symbol=ETHUSDT')
  assert.equal(to('margin-liquidated', { symbol: 'ETHUSDT' }), '/lever?symbol=ETHUSDT&tab=liquidations')
  assert.equal(to('margin-liquidated'), '/lever?tab=liquidations')
  assert.equal(to('withdrawal-rejected', { asset: 'USDT' }), '/propertyRecord?type=withdrawal')
  assert.equal(to('coins-moved', { cause: 'transfer', symbol: 'ETHUSDT' }), '/propertyRecord?type=transfer')
  assert.equal(to('coins-moved', { cause: 'received' }), '/propertyRecord?type=firm-move')
  assert.equal(to('loan-taken', { symbol: 'ETHUSDT', count: '1' }), '/lever?symbol=ETHUSDT&tab=loans')
  assert.equal(to('loan-repaid', { symbol: 'ETHUSDT', count: '2' }), '/lever?tab=loans')
  assert.equal(to('deposit-final', { asset: 'USDT' }), '/propertyRecord?type=deposit')
})
