import assert from 'node:assert/strict'
import test from 'node:test'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { anewOf } from './anew.ts'

const open: WireOrder = {
  id: '7',
  clientId: 'a',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  status: 'open',
  price: '60000.00',
  quantity: '0.50000',
  executed: '0.20000',
  executedQuote: '12000',
  postOnly: true,
  placedAt: 1,
  updatedAt: 2,
}
const pending: WireOrder = { ...open, executed: '0', status: 'pending', trigger: { kind: 'stop', price: '61000', direction: 'rises-to' } }
const perp = { position: 'both', reduceOnly: true, closing: false, triggerBy: 'mark', liquidation: false } as const
const again = (before: WireOrder, ended: Partial<WireOrder> = {}) => anewOf(before, { ...before, ...ended, status: 'cancelled' })

test('UI-ORDERS-002: an order placed again has what remained of it, at the same price and with the same options', () => {
  const base = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'GTC', price: '60000.00', postOnly: true }
  assert.deepEqual(again(open), { product: 'spot', body: { ...base, quantity: '0.3' } })
  // A fill between the last look and the cancel counts.
  assert.deepEqual(again(open, { executed: '0.49999' })?.body.quantity, '0.00001')
  assert.deepEqual(again(pending), { product: 'spot', body: { ...base, quantity: '0.5', trigger: pending.trigger } })
  // An order that was triggered rests in the book, and would not wait for its trigger again.
  assert.deepEqual(again({ ...pending, status: 'open' })?.body.trigger, undefined)
  const margin = { account: 'margin-cross', borrow: 'borrow' } as const
  assert.deepEqual(again({ ...open, margin })?.body, { ...base, quantity: '0.3', margin })
  assert.deepEqual(again({ ...open, display: '0.1' })?.body, { ...base, quantity: '0.3', display: '0.1' })
  assert.deepEqual(again({ ...open, display: '0.4' })?.body, { ...base, quantity: '0.3' })
  assert.deepEqual(again({ ...open, perp }), { product: 'perp', body: { ...base, quantity: '0.3', reduceOnly: true } })
  assert.deepEqual(again({ ...open, perp: { ...perp, position: 'long', reduceOnly: false } }), {
    product: 'perp',
    body: { ...base, quantity: '0.3', position: 'long' },
  })
  const triggered = again({ ...pending, perp })
  assert.equal(triggered?.product === 'perp' && triggered.body.triggerBy, 'mark')
  const { quantity: _, price: _price, ...byAmount } = pending
  const spending = again({ ...byAmount, type: 'market', postOnly: false, spend: '100', executedQuote: '0' })
  assert.deepEqual(spending?.body, { symbol: 'BTCUSDT', side: 'buy', type: 'market', spend: '100', trigger: pending.trigger })
})

test('UI-ORDERS-003: an order that could not be the same again is not offered', () => {
  assert.equal(again({ ...open, listId: '6' }), undefined)
  assert.equal(again({ ...open, perp: { ...perp, closing: true } }), undefined)
  assert.equal(again({ ...open, perp: { ...perp, goodTill: 5 } }), undefined)
  assert.equal(again({ ...open, type: 'market' }), undefined)
  assert.equal(again(open, { executed: '0.5' }), undefined)
  assert.equal(anewOf(open, { ...open, status: 'filled' }), undefined)
})
