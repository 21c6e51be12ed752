import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { Quote } from '../../app/quotes.ts'
import { listed, nextSort, type Shown } from './list.ts'

const market = (base: string, quote: string): WireMarket => ({ symbol: `${base}${quote}`, base, quote }) as WireMarket
const markets = [market('BTC', 'USDT'), market('ETH', 'USDT'), market('ETH', 'BTC')]
const quotes = new Map([
  ['BTCUSDT', { price: '67000', change: '-1.2', volume: '5' } as Quote],
  ['ETHUSDT', { price: '3000', change: '10.5', volume: '9' } as Quote],
  ['ETHBTC', { price: '0.04', change: '2.5', volume: '1' } as Quote],
])
const shown = (change: Partial<Shown>): Shown => ({ tab: 'all', text: '', sort: { by: 'none', direction: 1 }, favourites: [], ...change })
const symbols = (change: Partial<Shown>): readonly string[] => listed(markets, quotes, shown(change)).map((one) => one.symbol)

test('search finds pairs in any notation', () => {
  assert.deepEqual(symbols({ text: ' eth/u' }), ['ETHUSDT'])
  assert.deepEqual(symbols({ text: 'doge' }), [])
})

test('tabs filter by quote coin and by stars', () => {
  assert.deepEqual(symbols({ tab: 'btc' }), ['ETHBTC'])
  assert.deepEqual(symbols({ tab: 'favourites', favourites: ['ETHUSDT'] }), ['ETHUSDT'])
})

test('columns sort as numbers, not as text', () => {
  assert.deepEqual(symbols({ sort: { by: 'change', direction: -1 } }), ['ETHUSDT', 'ETHBTC', 'BTCUSDT'])
  assert.deepEqual(symbols({ sort: { by: 'price', direction: 1 } }), ['ETHBTC', 'ETHUSDT', 'BTCUSDT'])
})

test('a column’s button cycles through three states', () => {
  const first = nextSort({ by: 'none', direction: 1 }, 'price')
  assert.deepEqual(first, { by: 'price', direction: -1 })
  const second = nextSort(first, 'price')
  assert.deepEqual(second, { by: 'price', direction: 1 })
  assert.deepEqual(nextSort(second, 'price'), { by: 'none', direction: 1 })
})
