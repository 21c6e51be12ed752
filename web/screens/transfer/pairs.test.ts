import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireRecord } from '@candor/core/protocol/wire/funds.ts'
import { transfersIn } from './pairs.ts'

test('UI-TRANSFER-004: two entries with one journal position are a transfer between the two accounts', () => {
  const entry = (id: string, account: WireRecord['account'], amount: string): WireRecord => ({
    id,
    type: 'transfer',
    account,
    asset: 'USDT',
    amount,
    balance: '0',
    status: 'completed',
    time: 7,
  })
  const records = [
    entry('12-2', 'perp', '50'),
    entry('12-1', 'spot', '-50'),
    entry('9-2', 'spot', '3'),
    entry('9-1', 'option', '-3'),
    entry('4-2', 'spot', '1'),
  ]
  assert.deepEqual(
    transfersIn(records).map(({ from, to, amount }) => `${from} ${to} ${amount}`),
    ['spot perp 50', 'option spot 3'],
  )
})
