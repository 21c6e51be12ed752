import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leftOf } from './turnover.ts'

test('what is left of a daily limit is exact, and never below 0', () => {
  assert.equal(leftOf({ limit: '10000', used: '7250.500001', open: '1749.25' }), '1000.249999')
  assert.equal(leftOf({ limit: '10000', used: '9999', open: '10000' }), '0')
})
