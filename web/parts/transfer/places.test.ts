import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import { assetsFor, choose, freeIn, movable, needsCertificate } from './places.ts'

const config = {
  assets: [{ symbol: 'BTC' }, { symbol: 'ETH' }, { symbol: 'USDT' }],
  markets: [{ symbol: 'BTCUSDT', kind: 'spot', base: 'BTC', quote: 'USDT' }],
} as unknown as WireConfig
const move = { from: 'spot', to: 'margin-cross', asset: 'ETH', symbol: 'BTCUSDT' } as const

test('UI-TRANSFER-001: only coins that both accounts can hold are offered', () => {
  assert.deepEqual(assetsFor(move, config), ['BTC', 'ETH', 'USDT'])
  assert.deepEqual(assetsFor({ ...move, to: 'margin-isolated' }, config), ['BTC', 'USDT'])
  assert.deepEqual(assetsFor({ ...move, to: 'perp' }, config), ['USDT'])
  assert.deepEqual(assetsFor({ ...move, from: 'margin-isolated', to: 'option' }, config), ['USDT'])
})

test('UI-TRANSFER-002: choosing the account of the other side swaps the two, and a coin that one can’t hold is replaced', () => {
  assert.deepEqual(choose(move, { from: 'margin-cross' }, config), { ...move, from: 'margin-cross', to: 'spot' })
  assert.deepEqual(choose(move, { to: 'spot' }, config), { ...move, from: 'margin-cross', to: 'spot' })
  assert.equal(choose(move, { to: 'margin-isolated' }, config).asset, 'USDT')
  assert.equal(choose({ ...move, asset: 'BTC' }, { to: 'margin-isolated' }, config).asset, 'BTC')
})

test('UI-TRANSFER-001: the available balance is that of the pair’s own account', () => {
  const account = (kind: 'margin-cross' | 'margin-isolated', available: string, symbol?: string) => ({
    kind,
    ...(symbol === undefined ? {} : { symbol }),
    balances: [{ asset: 'USDT', available, held: '0' }],
  })
  const balances = {
    accounts: [account('margin-cross', '5'), account('margin-isolated', '7', 'BTCUSDT')],
    totalUsdt: '12',
    todayProfitUsdt: null,
  }
  const usdt = { ...move, asset: 'USDT' }
  assert.equal(freeIn(balances, 'margin-cross', usdt), '5')
  assert.equal(freeIn(balances, 'margin-isolated', usdt), '7')
  assert.equal(freeIn(balances, 'margin-isolated', { ...usdt, symbol: 'ETHUSDT' }), '0')
  assert.equal(freeIn(balances, 'spot', usdt), '0')
  assert.equal(freeIn(undefined, 'spot', usdt), undefined)
})

test('UI-TRANSFER-005: without verification money can return to the spot account, and nowhere else', () => {
  assert.deepEqual(
    movable.filter((place) => !needsCertificate(place)),
    ['spot'],
  )
})
