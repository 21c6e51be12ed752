import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { amend } from '../routes/orders/schema.ts'
import { placeOco, placeOrder } from '../routes/spot/schema.ts'
import { quickCheckOf } from './quick-check.ts'
import { nothing, orderId, queryInteger, symbol } from './schema.ts'

const values = fc.oneof(
  fc.constantFrom(
    'BTCUSDT',
    'btc',
    'buy',
    'sell',
    'limit',
    'market',
    'GTC',
    'IOC',
    '1',
    '0.5',
    '01',
    '-1',
    '1e5',
    '',
    'a b',
    'expire-taker',
  ),
  fc.boolean(),
  fc.constantFrom(undefined, null, 0, 1),
  fc.constant([]),
  fc.record({ kind: fc.constant('stop'), price: fc.constantFrom('1', 'x'), direction: fc.constantFrom('rises-to', 'up') }),
)
const names = [...Object.keys(placeOrder.shape), ...Object.keys(placeOco.shape), 'other', 'constructor', 'toString']
const good = {
  clientId: 'c-1',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '100.5',
  quantity: '0.1',
  limitPrice: '1',
  stopPrice: '2',
}
const data = fc.oneof(
  fc.dictionary(fc.constantFrom(...names), values),
  fc
    .tuple(fc.subarray(Object.keys(good)), fc.dictionary(fc.constantFrom(...names), values, { maxKeys: 1 }))
    .map(([kept, more]) => ({ ...Object.fromEntries(Object.entries(good).filter(([name]) => kept.includes(name))), ...more })),
  values,
)

const schemas = { placeOrder, amend, nothing, params: z.strictObject({ id: orderId }), query: z.strictObject({ symbol }) }

test('whatever the quick check lets pass, the schema lets pass unchanged', () => {
  for (const schema of Object.values(schemas)) {
    const check = quickCheckOf(schema)!
    fc.assert(
      fc.property(data, (value) => {
        if (check(value)) assert.deepEqual({ ...schema.parse(value) }, { ...(value as object) })
      }),
      { numRuns: 2_000 },
    )
  }
})

test('a plain order, amendment and cancellation pass the quick check', () => {
  const { clientId, symbol: name, side, type, price, quantity } = good
  assert.ok(quickCheckOf(placeOrder)!({ clientId, symbol: name, side, type, price, quantity, postOnly: true }))
  assert.ok(quickCheckOf(amend)!({ clientId, symbol: name, price }))
  assert.ok(quickCheckOf(schemas.params)!({ id: '12' }))
  assert.ok(quickCheckOf(schemas.query)!({ symbol: name }))
  assert.ok(quickCheckOf(nothing)!({}))
})

test('what the quick check can not judge is left to the schema', () => {
  const withTrigger = { ...good, trigger: { kind: 'stop', price: '1', direction: 'rises-to' } }
  assert.equal(quickCheckOf(placeOrder)!(withTrigger), false)
  assert.equal(quickCheckOf(z.strictObject({ limit: queryInteger(1, 5) })), undefined)
  assert.equal(quickCheckOf(z.object({ symbol })), undefined)
  assert.equal(quickCheckOf(z.strictObject({ symbol: z.coerce.string() })), undefined)
  assert.equal(quickCheckOf(z.strictObject({ symbol: z.string().trim() })), undefined)
})
