import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { decimalFormats } from '../../app/formats.ts'
import type { Translate } from '../../app/translate.ts'
import { resultOf } from './result.ts'
import { statusOf } from './words.ts'

const t = ((key: string, values: object = {}) => [key.replace('orders.', ''), ...Object.values(values)].join(' ')) as Translate
const format = decimalFormats('en')
const market = { symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' } as WireMarket
const sale: WireOrder = {
  ...{ id: '1', clientId: 'a', symbol: 'BTCUSDT', side: 'sell', type: 'limit', timeInForce: 'IOC', postOnly: false },
  ...{ quantity: '0.15000', executed: '0.03004', executedQuote: '3139.549492', average: '104512.3', status: 'expired' },
  ...{ closeReason: 'ioc', placedAt: 0, updatedAt: 0 },
}
const told = (changes: Partial<WireOrder>): readonly (string | undefined)[] => {
  const { text, detail, tone } = resultOf({ ...sale, ...changes }, market, t, format)
  return [text, detail, tone]
}

test('UI-RESULT-001: an order of which a part was filled tells the part, the whole, its price and the rest, and never failure', () => {
  assert.deepEqual(told({}), ['soldPart partOf 0.03004 0.15 BTC 104,512.3 USDT', 'restCancelled', 'plain'])
  assert.deepEqual(told({ side: 'buy', closeReason: 'slippage' }), [
    'boughtPart partOf 0.03004 0.15 BTC 104,512.3 USDT',
    'restCancelled · reason.slippage',
    'plain',
  ])
  assert.equal(told({ closeReason: 'self-trade' })[1], 'restCancelled · reason.self-trade')
  assert.deepEqual(told({ status: 'partially-filled' }), ['soldPart partOf 0.03004 0.15 BTC 104,512.3 USDT', 'restWaits', 'good'])
  const { quantity: _, ...byAmount } = sale
  const spent = resultOf({ ...byAmount, spend: '20000' }, market, t, format)
  assert.equal(spent.text, 'soldPart 0.03004 BTC (partOf 3,139.54 20,000.00 USDT) 104,512.3 USDT')
})

test('UI-RESULT-002: a filled order tells its average, a waiting one that it is placed, and one without a fill its reason', () => {
  assert.deepEqual(told({ status: 'filled', closeReason: 'filled', executed: '0.15000' }), [
    'sold 0.15000 BTC',
    'atAverage 104,512.3 USDT',
    'good',
  ])
  const { average: _, ...unfilled } = { ...sale, executed: '0.00000', executedQuote: '0' }
  const of = (order: WireOrder): readonly (string | undefined)[] => {
    const { text, detail, tone } = resultOf(order, market, t, format)
    return [text, detail, tone]
  }
  assert.deepEqual(of({ ...unfilled, status: 'open' }), ['placed', undefined, 'good'])
  assert.deepEqual(of(unfilled), ['notFilled', 'reason.ioc', 'bad'])
})

test('UI-RESULT-003: in lists, the status of such an order is that it was partly filled and the rest cancelled, whoever cancelled it', () => {
  assert.equal(statusOf(sale, t), 'cut')
  assert.equal(statusOf({ ...sale, status: 'cancelled' }, t), 'cut')
  assert.equal(statusOf({ ...sale, executed: '0.00000' }, t), 'is.expired')
  assert.equal(statusOf({ ...sale, status: 'partially-filled' }, t), 'is.partially-filled')
})
