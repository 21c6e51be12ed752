import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@candor/client/errors.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { decimalFormats } from '../../app/formats.ts'
import { refusedField, sayFault } from './faults.ts'

const market = {
  ...{ symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', tick: '0.1', lot: '0.00001', quantityMin: '0.0001', quantityMax: '100' },
  ...{ notionalMin: '5', bandPpm: 100_000 },
} as unknown as WireMarket
const refused = (code: Refusal) => refusedField(new ApiError({ code, message: '', status: 400 }))

/** Says the key and its values. */
const say = (field: string, name: Refusal, price = ''): string =>
  sayFault(
    { field, name, market, price, reference: 1_000_000 },
    (key, values) => (values === undefined ? key : `${key} ${Object.values(values).join()}`),
    decimalFormats('en'),
  )

test('UI-ORDERS-009: a sentence names the field and the limit', () => {
  assert.equal(say('price', 'FIELD_MISSING'), 'orders.wrong.price')
  assert.equal(say('amount', 'FIELD_MISSING'), 'orders.wrong.amount')
  assert.equal(say('stopLoss', 'FIELD_MISSING'), 'orders.wrong.exits')
  assert.equal(say('price', 'PRICE_OUTSIDE_BAND', '110000.1'), 'orders.wrong.above 110,000.0')
  assert.equal(say('price', 'PRICE_OUTSIDE_BAND', '1'), 'orders.wrong.below 90,000.0')
  assert.equal(say('price', 'PRICE_OUTSIDE_BAND', '100000'), 'refusals.PRICE_OUTSIDE_BAND', 'the exchange has a newer price')
  assert.equal(say('amount', 'NOTIONAL_TOO_SMALL'), 'orders.wrong.worth 5 USDT')
  assert.equal(say('amount', 'INSUFFICIENT_BALANCE'), 'refusals.INSUFFICIENT_BALANCE')
})

test('UI-ORDERS-009: refusals of the exchange are shown at the field that they are about', () => {
  assert.deepEqual(refused('PRICE_OUTSIDE_BAND'), { field: 'price', name: 'PRICE_OUTSIDE_BAND' })
  assert.equal(refused('TRIGGER_IMMEDIATE')?.field, 'stop')
  assert.equal(refused('QUANTITY_TOO_SMALL')?.field, 'amount')
  assert.equal(refused('INSUFFICIENT_BALANCE')?.field, 'amount')
  assert.equal(refused('MARKET_HALTED'), undefined)
  assert.equal(refusedField(new Error('lost')), undefined)
})
