import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usdtAccounts } from './account.ts'

test('Futures and Second accounts hold only USDT', () => {
  assert.deepEqual(usdtAccounts, ['perp', 'option'])
})
