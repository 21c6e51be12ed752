import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usdtAccounts } from './account.ts'

test('accounts of Futures and Second hold USDT alone', () => {
  assert.deepEqual(usdtAccounts, ['perp', 'option'])
})
