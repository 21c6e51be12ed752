import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Traded } from '@candor/core/protocol/event/index.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { MarketView } from '@candor/core/market-data/market-view.ts'
import type { Asset, Market } from '@candor/core/protocol/market.ts'
import { shapeOf } from '../../programs/intervals.ts'
import type { ListedMarket } from '../../live/listing.ts'
import { RolledKlines } from '../rolled-klines.ts'
import type { PublicStream } from '../streams.ts'

const market = {
  id: 1,
  symbol: 'BTCUSDT',
  base: 2,
  quote: 1,
  tick: '0.1',
  lot: '0.001',
  basePerLot: 100_000,
  quotePerTickLot: 100,
} as Market
const listed = { market, base: { scale: 8 } as Asset, quote: { scale: 6 } as Asset } as ListedMarket
const named = { key: 'spot btcusdt@kline_3m', name: 'btcusdt@kline_3m', family: 'spot', said: 'BTCUSDT' }
const stream = { ...named, market: 1, kind: { type: 'rolledKline', interval: '3m', shape: shapeOf('3m') } } as PublicStream
const start = Date.UTC(2026, 0, 5, 12, 0, 0)
const minute = 60_000

test('GATEWAY-STREAM-006: candles of 3m, 2h, 6h, 8h, 12h and 3d are sent as they change and once more when they are complete', () => {
  const view = new MarketView(market)
  const rolled = new RolledKlines()
  let trade = 0
  const tick = (at: number, price?: number, side: 'buy' | 'sell' = 'buy'): readonly unknown[] => {
    if (price !== undefined) {
      const event = {
        type: 'traded',
        market: 1,
        trade: ++trade,
        price,
        lots: 5,
        quote: price * 500,
        takerSide: side,
        makerUser: 1,
        takerUser: 2,
      }
      view.trade(event as Traded, at as Millis)
    }
    const texts = rolled.texts(listed, view, stream, price !== undefined, at as Millis)
    return texts.map((text) => {
      const { t, T, i, o, h, l, c, v, V, n, x } = JSON.parse(text).k
      assert.deepEqual([i, T - t], ['3m', 3 * minute - 1])
      return [(t - start) / minute, o, h, l, c, v, V, n, x]
    })
  }
  assert.deepEqual(tick(start), [])
  assert.deepEqual(tick(start + 10, 100), [[0, '10.0', '10.0', '10.0', '10.0', '0.005', '0.005', 1, false]])
  assert.deepEqual(tick(start + 2 * minute, 90, 'sell'), [[0, '10.0', '10.0', '9.0', '9.0', '0.010', '0.005', 2, false]])
  assert.deepEqual(tick(start + 2.5 * minute), [])
  assert.deepEqual(tick(start + 3 * minute), [[0, '10.0', '10.0', '9.0', '9.0', '0.010', '0.005', 2, true]])
  assert.deepEqual(tick(start + 3 * minute + 100), [], 'once')
  assert.deepEqual(tick(start + 4 * minute, 110), [[3, '11.0', '11.0', '11.0', '11.0', '0.005', '0.005', 1, false]])
  assert.deepEqual(
    tick(start + 6 * minute + 5, 120),
    [
      [3, '11.0', '11.0', '11.0', '11.0', '0.005', '0.005', 1, true],
      [6, '12.0', '12.0', '12.0', '12.0', '0.005', '0.005', 1, false],
    ],
    'the old one ends before the new one begins',
  )
  rolled.forget(stream.key)
  assert.deepEqual(tick(start + 20 * minute), [], 'bars that ended before anybody listened')
})
