import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireAccount } from '@candor/core/protocol/wire/funds.ts'
import { needOf, type Wanted } from './need.ts'

const account = (kind: WireAccount['kind'], asset: string, available: string, symbol?: string): WireAccount => ({
  kind,
  ...(symbol === undefined ? {} : { symbol }),
  balances: [{ asset, available, held: '0' }],
})
const wanted: Wanted = { to: 'option', asset: 'USDT', symbol: 'BTCUSDT' }

test('UI-FUNDED-001: the coin comes from the first account that has some of it, Spot before the others', () => {
  const accounts = [account('margin-cross', 'USDT', '9'), account('perp', 'USDT', '7'), account('spot', 'USDT', '5')]
  assert.deepEqual(needOf({ accounts }, wanted, true), { kind: 'transfer', move: { ...wanted, from: 'spot' } })
  assert.deepEqual(needOf({ accounts: accounts.slice(0, 2) }, wanted, true), { kind: 'transfer', move: { ...wanted, from: 'perp' } })
  const isolated = [account('margin-isolated', 'USDT', '5', 'ETHUSDT')]
  assert.equal(needOf({ accounts: isolated }, wanted, true), undefined, 'an isolated account of another pair is out of reach')
})

test('UI-FUNDED-002: somebody without anything gets practice funds where there are some, and deposits elsewhere', () => {
  assert.deepEqual(needOf({ accounts: [] }, wanted, true), { kind: 'practice' })
  assert.deepEqual(needOf({ accounts: [account('spot', 'USDT', '0')] }, wanted, false), { kind: 'deposit' })
})

test('UI-FUNDED-003: somebody who has only other coins keeps the buttons of the order', () => {
  assert.equal(needOf({ accounts: [account('spot', 'BTC', '1')] }, wanted, true), undefined)
})
