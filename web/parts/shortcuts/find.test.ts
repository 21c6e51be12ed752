import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found } from './find.ts'

const entries = [
  { label: 'ETH/BTC', also: ['ETHBTC', 'Ethereum'] },
  { label: 'BTC/USDT', also: ['BTCUSDT', 'Bitcoin'] },
  { label: 'BTC/USDT Perp', also: ['BTCUSDTPERP', 'Bitcoin'] },
  { label: 'Cancel all open orders', also: [] },
  { label: 'Ordens', also: [] },
  { label: 'Início', also: [] },
  { label: '全部取消', also: [] },
]
const labels = (text: string): readonly string[] => found(entries, text).map(({ label }) => label)

test('UI-SHORTCUT-004: the palette finds by pair, symbol, coin, and any word in any order', () => {
  assert.deepEqual(labels('btc'), ['BTC/USDT', 'BTC/USDT Perp', 'ETH/BTC'])
  assert.deepEqual(labels('btc/us'), ['BTC/USDT', 'BTC/USDT Perp'])
  assert.deepEqual(labels('perp btc'), ['BTC/USDT Perp'])
  assert.deepEqual(labels('ethereum'), ['ETH/BTC'])
  // The start of a label, then the start of a word.
  assert.deepEqual(labels('ord'), ['Ordens', 'Cancel all open orders'])
  assert.deepEqual(labels('nothing'), [])
})

test('UI-SHORTCUT-004: case, accents and scripts don’t matter, and no text finds all', () => {
  assert.deepEqual(labels('INICIO'), ['Início'])
  assert.deepEqual(labels('取消'), ['全部取消'])
  assert.equal(labels('  ').length, entries.length)
})
