import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type PlanForm, planOf } from './plan.ts'

const market = {
  ...{ symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', tick: '0.1', lot: '0.00001', kind: 'spot' },
  ...{ notionalMin: '5', quantityMin: '0.00001', quantityMax: '1000' },
} as unknown as WireMarket

const form = (changed: Partial<PlanForm>): PlanForm => ({
  ...{ kind: 'twap', side: 'buy', quantity: '0.1', parts: '60', seconds: 3600, worst: '', from: '60000', to: '58000', shape: 'flat' },
  isReduceOnly: false,
  ...changed,
})

const plan = (changed: Partial<PlanForm>, position?: 'both') => planOf(form(changed), market, '60000', position)

test('ALGO-FORM-001: the sheet previews parts, interval, average and value with the core’s own functions, exactly', () => {
  assert.deepEqual(plan({ worst: '61000.5' }), {
    body: { symbol: 'BTCUSDT', side: 'buy', quantity: '0.1', parts: 60, plan: { kind: 'twap', seconds: 3600, worst: '61000.5' } },
    preview: { kind: 'twap', each: '0.00167', everySeconds: 60, seconds: 3600 },
  })
  assert.deepEqual(plan({ kind: 'scaled', parts: '3', shape: 'rising' }, 'both'), {
    body: {
      ...{ symbol: 'BTCUSDT', side: 'buy', quantity: '0.1', parts: 3, position: 'both', reduceOnly: false },
      plan: { kind: 'scaled', from: '60000', to: '58000', shape: 'rising' },
    },
    preview: {
      kind: 'scaled',
      orders: [
        { price: '60000.0', quantity: '0.01666' },
        { price: '59000.0', quantity: '0.03334' },
        { price: '58000.0', quantity: '0.05000' },
      ],
      value: '5866.66',
      average: '58666.6',
    },
  })
})

test('ALGO-FORM-002: the first wrong field is named, with the refusal that the exchange would give', () => {
  const wrong: readonly [Partial<PlanForm>, string, string][] = [
    [{ quantity: '' }, 'quantity', 'QUANTITY_INVALID'],
    [{ quantity: '0.000001' }, 'quantity', 'QUANTITY_INVALID'],
    [{ parts: '1' }, 'parts', 'ALGO_SCHEDULE_INVALID'],
    [{ parts: '501' }, 'parts', 'ALGO_SCHEDULE_INVALID'],
    [{ quantity: '0.004' }, 'parts', 'ALGO_PART_TOO_SMALL'],
    [{ worst: '60000.05' }, 'worst', 'PRICE_INVALID'],
    [{ kind: 'scaled', parts: '5', from: '' }, 'from', 'PRICE_INVALID'],
    [{ kind: 'scaled', parts: '5', to: '0' }, 'to', 'PRICE_INVALID'],
    [{ kind: 'scaled', parts: '31' }, 'parts', 'ALGO_SCHEDULE_INVALID'],
    [{ kind: 'scaled', parts: '5', quantity: '0.0003' }, 'parts', 'ALGO_PART_TOO_SMALL'],
  ]
  for (const [changed, field, refusal] of wrong) assert.deepEqual(plan(changed), { field, refusal }, JSON.stringify(changed))
})
