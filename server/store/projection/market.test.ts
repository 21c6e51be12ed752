import type { Millis } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Known } from './known.ts'
import { MarketProjection } from './market.ts'

const assets = [
  { id: 1, symbol: 'USDT', scale: 6 },
  { id: 2, symbol: 'BTC', scale: 8 },
]
const market = { id: 1, symbol: 'BTCUSDT', base: 2, quote: 1, tick: '0.1', lot: '0.00001', basePerLot: 1000, quotePerTickLot: 1 }
const at = 1_750_000_000_000 as Millis

/** Tables that a trade writes to. */
function tablesOf(trade: object): readonly string[] {
  const projection = new MarketProjection(new Known(), at, new Map())
  for (const asset of assets) projection.apply({ type: 'asset.listed', asset } as Event, at)
  projection.apply({ type: 'market.listed', market } as unknown as Event, at)
  projection.take()
  const event = { type: 'traded', market: 1, trade: 1, price: 100, lots: 2, quote: 200, takerSide: 'buy', makerUser: 8, takerUser: 9 }
  projection.apply({ ...event, ...trade } as Event, at)
  return projection.take().flatMap((statement) => /into (\w+)/.exec(statement?.text ?? '')?.[1] ?? [])
}

test('MARKET-VIEW-006: stored candles count no trade of a user with themselves, and no volume within the house', () => {
  const candles = ['candles_1s', 'candles_1m', 'candles_1h']
  assert.deepEqual(tablesOf({}), [...candles, 'volume_hours'])
  assert.deepEqual(tablesOf({ isHouse: true }), candles)
  assert.deepEqual(tablesOf({ takerUser: 8 }), [])
})
