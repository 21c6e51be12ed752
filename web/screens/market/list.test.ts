import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coins } from '@candor/core/protocol/coins.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { Quote } from '../../app/quotes.ts'
import { categories, categoriesOf } from './categories.ts'
import { nextSort, usualSort } from '../../parts/market/sort.ts'
import { hasColumns, shownMarkets, type View, withRecent } from './list.ts'

const market = (id: number, base: string, kind: 'spot' | 'perp' = 'spot'): WireMarket =>
  ({ id, symbol: `${base}USDT${kind === 'perp' ? 'PERP' : ''}`, base, quote: 'USDT', kind }) as WireMarket
const markets = [market(1, 'BTC'), market(2, 'ETH'), market(3, 'DOGE'), market(4, 'BTC', 'perp'), market(5, 'AAVE')]
const quote = (price: string, change: string, high: string, low: string, quoteVolume: string) =>
  ({ price, change, high, low, quoteVolume }) as Quote
const quotes = new Map([
  ['BTCUSDT', quote('67000', '-1.2', '68000', '66000', '900')],
  ['ETHUSDT', quote('3000', '10.5', '3100', '2700', '1000')],
  ['DOGEUSDT', quote('0.1', '2.5', '0.11', '0.09', '50')],
])
const view = (change: Partial<View>): View => ({
  ...{ tab: 'spot', category: 'majors', text: '', sort: usualSort, favourites: [], names: new Map([['DOGE', 'Dogecoin']]) },
  ...change,
})
const symbols = (change: Partial<View>) => shownMarkets(markets, quotes, view(change)).map(({ symbol }) => symbol)

test('UI-MARKETS-001: the largest volume comes first until a column was chosen, and markets without prices come last', () => {
  assert.deepEqual(symbols({}), ['ETHUSDT', 'BTCUSDT', 'DOGEUSDT', 'AAVEUSDT'])
  assert.deepEqual(symbols({ sort: { by: 'volume', isRising: true } }), ['DOGEUSDT', 'BTCUSDT', 'ETHUSDT', 'AAVEUSDT'])
})

test('UI-MARKETS-001: a market that is sent with zeros, because it has no price yet, comes last both ways', () => {
  const known = new Map([...quotes, ['AAVEUSDT', quote('0', '0.00', '0', '0', '0')]])
  for (const by of ['price', 'change', 'high', 'low', 'volume'] as const)
    for (const isRising of [true, false])
      assert.equal(shownMarkets(markets, known, view({ sort: { by, isRising } })).at(-1)?.symbol, 'AAVEUSDT', by)
})

test('UI-MARKETS-001: every column sorts both ways by its value, and the third tap ends it', () => {
  const first = {
    name: ['AAVEUSDT', 'BTCUSDT', 'DOGEUSDT', 'ETHUSDT'],
    price: ['BTCUSDT', 'ETHUSDT', 'DOGEUSDT', 'AAVEUSDT'],
    change: ['ETHUSDT', 'DOGEUSDT', 'BTCUSDT', 'AAVEUSDT'],
    high: ['BTCUSDT', 'ETHUSDT', 'DOGEUSDT', 'AAVEUSDT'],
    low: ['BTCUSDT', 'ETHUSDT', 'DOGEUSDT', 'AAVEUSDT'],
  } as const
  for (const [by, expected] of Object.entries(first)) {
    const once = nextSort({ by: null, isRising: true }, by as keyof typeof first)
    assert.deepEqual(symbols({ sort: once }), expected, by)
    const twice = nextSort(once, by as keyof typeof first)
    assert.equal(twice.isRising, !once.isRising)
    assert.deepEqual(nextSort(twice, by as keyof typeof first), { by: null, isRising: true })
  }
  assert.deepEqual(symbols({ sort: { by: null, isRising: true } }), ['BTCUSDT', 'ETHUSDT', 'DOGEUSDT', 'AAVEUSDT'])
})

test('UI-MARKETS-002: favourites keep their owner’s order, new listings are newest first', () => {
  assert.deepEqual(symbols({ tab: 'favourites', favourites: ['DOGEUSDT', 'GONEUSDT', 'BTCUSDTPERP'] }), ['DOGEUSDT', 'BTCUSDTPERP'])
  assert.deepEqual(symbols({ tab: 'new' }), ['AAVEUSDT', 'BTCUSDTPERP', 'DOGEUSDT', 'ETHUSDT', 'BTCUSDT'])
  assert.deepEqual(symbols({ tab: 'perp' }), ['BTCUSDTPERP'])
  assert.deepEqual(symbols({ tab: 'categories', category: 'defi' }), ['AAVEUSDT'])
  assert.deepEqual([hasColumns({ tab: 'new', text: '' }), hasColumns({ tab: 'new', text: 'b' })], [false, true])
})

test('UI-MARKETS-002: a search finds pairs in any notation and coins by name, in all tabs', () => {
  assert.deepEqual(symbols({ tab: 'favourites', text: ' btc/usd' }), ['BTCUSDT', 'BTCUSDTPERP'])
  assert.deepEqual(symbols({ text: 'dogec' }), ['DOGEUSDT'])
  assert.deepEqual(symbols({ text: 'nosuch' }), [])
  assert.deepEqual(withRecent(['A', 'B', 'C'], 'C', 2), ['C', 'A'])
})

test('categories name known coins, each once, and only those with markets are shown', () => {
  const known = new Set(coins.map(({ symbol }) => symbol))
  for (const [name, list] of Object.entries(categories)) {
    assert.deepEqual(
      list.filter((coin) => !known.has(coin)),
      [],
      name,
    )
    assert.equal(new Set(list).size, list.length, name)
  }
  assert.deepEqual(categoriesOf(new Set(['AAVE'])), ['defi'])
})
