import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beforeTap } from './before-tap.ts'

test('UI-FUNDED-005: before a tap, only filled fields that were left complain', () => {
  const form = { price: '1', amount: '', stop: '3' }
  const wrong = { price: 'PRICE_INVALID', amount: 'FIELD_MISSING', stop: 'TRIGGER_INVALID' }
  assert.deepEqual(beforeTap(wrong, form, [undefined]), { price: 'PRICE_INVALID', stop: 'TRIGGER_INVALID' })
  assert.deepEqual(beforeTap(wrong, form, ['price']), { stop: 'TRIGGER_INVALID' })
  assert.deepEqual(beforeTap({ amount: 'INSUFFICIENT_BALANCE' }, { ...form, amount: '5' }, [undefined, 'amount']), {})
})
