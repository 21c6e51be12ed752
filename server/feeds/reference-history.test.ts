import assert from 'node:assert/strict'
import test from 'node:test'
import type { Candle } from '@candor/core/protocol/market.ts'
import { insertReferenceHistory, type HistoryMarket, type ReferenceHistoryOptions } from './reference-history.ts'
import { keepLog, listing } from './test/world.ts'
import { binance } from './venue/binance.ts'
import { coinbase } from './venue/coinbase.ts'
import { kraken } from './venue/kraken.ts'
import { okx } from './venue/okx.ts'
import type { GetJson, Venue } from './venue/venue.ts'

const pairs = [
  { base: 'BTC', quote: 'USDT' },
  { base: 'ETH', quote: 'USDT' },
  { base: 'ETH', quote: 'BTC' },
]
const markets: readonly HistoryMarket[] = listing.markets.map((market, index) => ({ market, pair: pairs[index] }))
const values: Readonly<Record<string, number>> = { BTC: 60_000, ETH: 2_400, USDT: 1 }
const nowMs = Date.UTC(2026, 0, 15, 10, 20, 30)

async function history(more: Partial<ReferenceHistoryOptions>): Promise<Map<string, readonly Candle[]>> {
  const stored = new Map<string, readonly Candle[]>()
  await insertReferenceHistory({
    markets,
    insert: async (market, interval, candles) => void stored.set(`${market} ${interval}`, candles),
    nowMs,
    seed: '1',
    usdtOf: (symbol) => values[symbol],
    venues: [],
    usdtUsd: undefined,
    log: keepLog(),
    ...more,
  })
  return stored
}

test('FEEDS-HISTORY-002: without venues each market gets three days of minutes and ninety days of hours, consistent up to now', async () => {
  const stored = await history({})
  assert.equal(stored.size, 6)
  for (const { market, pair } of markets) {
    const minutes = stored.get(`${market.id} 1m`) ?? []
    const hours = stored.get(`${market.id} 1h`) ?? []
    assert.equal(minutes.length, 3 * 1_440)
    assert.ok(hours.length >= 60 * 24, `${hours.length} hours`)
    assert.equal(minutes.at(-1)?.openTime, Date.UTC(2026, 0, 15, 10, 19))
    assert.equal(hours.at(-1)?.openTime, Date.UTC(2026, 0, 15, 9))
    const price = values[pair.base] / values[pair.quote] / Number(market.tick)
    assert.equal(minutes.at(-1)?.close, Math.round(price))
    for (const candles of [minutes, hours]) {
      const step = candles === minutes ? 60_000 : 3_600_000
      for (const [index, candle] of candles.entries()) {
        assert.ok(candle.isReference && candle.trades === 0)
        for (const whole of [candle.open, candle.high, candle.low, candle.close, candle.lots, candle.quote])
          assert.ok(Number.isSafeInteger(whole))
        assert.ok(
          candle.low >= 1 && candle.low <= Math.min(candle.open, candle.close) && candle.high >= Math.max(candle.open, candle.close),
        )
        if (index > 0) assert.equal(candle.openTime, candles[index - 1].openTime + step)
        if (index > 0) assert.ok(Math.abs(candle.open - candles[index - 1].close) <= 1, `gap at ${index}`)
      }
    }
    const lastHour = minutes.filter((candle) => candle.openTime >= Date.UTC(2026, 0, 15, 9) && candle.openTime < Date.UTC(2026, 0, 15, 10))
    assert.equal(hours.at(-1)?.high, Math.max(...lastHour.map((candle) => candle.high)))
    assert.equal(hours.at(-1)?.close, lastHour.at(-1)?.close)
  }
})

/** Each venue's answer in its own format: one candle per interval, as far back as asked. */
const answers: readonly [venue: Venue, rows: (time: number, count: number, step: number) => unknown][] = [
  [
    binance,
    (time, count, step) =>
      series(time, count, step)
        .map((at) => [at, '100.5', '101', '99.5', '100', '12.5', at + step - 1, '1', 3, '1', '1', '0'])
        .reverse(),
  ],
  [
    okx,
    (time, count, step) => ({
      code: '0',
      msg: '',
      data: series(time, count, step).map((at) => [String(at), '100.5', '101', '99.5', '100', '12.5', '1', '1', '1']),
    }),
  ],
  [coinbase, (time, count, step) => series(time, count, step).map((at) => [at / 1_000, 99.5, 101, 100.5, 100, 12.5])],
  [
    kraken,
    (time, count, step) => ({
      error: [],
      result: {
        XXBTZUSD: series(time, count, step)
          .map((at) => [at / 1_000, '100.5', '101', '99.5', '100', '100.1', '12.5', 9])
          .reverse(),
        last: 1,
      },
    }),
  ],
]

/** Candles, newest first. */
function series(endMs: number, count: number, step: number): number[] {
  return Array.from({ length: count }, (_, index) => endMs - (index + 1) * step)
}

for (const [venue, rows] of answers) {
  test(`${venue.name}: its candles are requested page by page and become ticks and lots`, async () => {
    const asked: string[] = []
    const get: GetJson = async (url) => {
      asked.push(url)
      const query = new URL(url).searchParams
      const step = /1h|1H|=60$|3600/.test(url) ? 3_600_000 : 60_000
      const end = query.get('endTime') ?? query.get('after')
      const endMs =
        end !== null
          ? Math.ceil(Number(end) / step) * step
          : query.has('end')
            ? Date.parse(query.get('end') ?? '') + step
            : Math.floor(nowMs / step) * step
      return rows(endMs, 50, step)
    }
    const stored = await history({
      markets: markets.slice(0, 1),
      venues: [{ ...venue, restUrl: 'http://loopback' }],
      get,
      usdtUsd: 200_000_000,
    })
    const candles = stored.get('1 1m') ?? []
    assert.ok(candles.length >= 50)
    const half = venue.dollar === 'USD' ? 2 : 1
    assert.deepEqual(
      { ...candles.at(-1) },
      {
        openTime: Math.floor(nowMs / 60_000) * 60_000 - 60_000,
        open: Math.round(1_005 / half),
        high: 1_010 / half,
        low: Math.round(995 / half),
        close: 1_000 / half,
        lots: 1_250_000,
        quote: (1_250_000 * 1_000) / half,
        takerLots: 0,
        takerQuote: 0,
        trades: 0,
        isReference: true,
      },
    )
    for (const [index, candle] of candles.entries()) if (index > 0) assert.equal(candle.openTime, candles[index - 1].openTime + 60_000)
    if (venue !== kraken) assert.ok(candles.length > 50, 'more than one page')
    assert.ok(asked.every((url) => url.startsWith('http://loopback/')))
  })
}

test('a venue that refuses or sends nonsense is skipped for the next, and the walk fills gaps of all', async () => {
  const nonsense: Venue = {
    ...binance,
    name: 'nonsense',
    candles: async () => [
      [1, 'x', null, {}, [], 'y'],
      [Number.NaN, 1, 1, 1, 1, 1],
    ],
  }
  const down: Venue = {
    ...binance,
    name: 'down',
    candles: async () => {
      throw new Error('status 503')
    },
  }
  const some: Venue = {
    ...binance,
    name: 'some',
    candles: async (_get, _url, pair, interval, endMs) => {
      const step = interval === '1h' ? 3_600_000 : 60_000
      return pair.quote === 'BTC'
        ? []
        : [
            [endMs - 2 * step, 5, 5, 5, 5, 1],
            [endMs - step, 5, 6, 4, 5, 1],
          ]
    },
  }
  const log = keepLog()
  const stored = await history({ venues: [down, nonsense, some], log })
  assert.equal(stored.get('1 1m')?.at(-1)?.high, 60)
  assert.equal(stored.get('3 1m')?.length, 3 * 1_440, 'no venue has the cross')
  assert.ok(log.lines.some((line) => line.includes('gives no candles')))
})
