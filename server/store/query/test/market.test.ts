import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Traded } from '@candor/core/protocol/event/index.ts'
import type { Millis, Ticks } from '@candor/core/money/brand.ts'
import { rollUp } from '@candor/core/market-data/candle.ts'
import { MarketView } from '@candor/core/market-data/market-view.ts'
import { type Candle, type Interval, intervals } from '@candor/core/protocol/market.ts'
import type { WireCandle } from '@candor/core/protocol/wire/market.ts'
import { formatLots, formatTicks, notional } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { Refused } from '../../../refused.ts'
import type { Store } from '../../open.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { publicHistory } from '../market/history.ts'
import { candles, siteVolume, trades } from '../market/market.ts'
import { insertReferenceCandles } from '../market/reference.ts'
import { markets, Scenario } from './scenario.ts'

const start = Date.UTC(2026, 0, 30, 22, 58, 30)
const hour = 3_600_000
const [btcUsdt, ethUsdt, ethBtc] = markets
const [alice, bob] = [1, 2]
let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

type Print = { readonly at: number; readonly price: number; readonly lots: number }

async function world(): Promise<{ scenario: Scenario; store: Store; print: (of: (typeof markets)[number], print: Print) => void }> {
  const scenario = new Scenario(start)
  scenario.open(alice)
  scenario.open(bob)
  const print = (of: (typeof markets)[number], { at, price, lots }: Print) => {
    scenario.at = at
    scenario.trade(scenario.place(alice, of, 'buy', price, lots), scenario.place(bob, of, 'sell', price, lots), lots)
  }
  return { scenario, store: await server.store(), print }
}

/** Trades over 40 days with gaps, written in several parts that divide bars. */
function prints(): readonly Print[] {
  let dice = 11
  const roll = (sides: number) => (dice = (dice * 48_271) % 2_147_483_647) % sides
  const list: Print[] = []
  for (let at = start; at < start + 40 * 24 * hour; at += [200, 900, 20_000, 70_000, hour, 9 * hour][roll(6)] as number) {
    list.push({ at, price: 600_000 + roll(9000), lots: 1 + roll(500) })
  }
  return list
}

function oracle(list: readonly Print[], interval: Interval): readonly WireCandle[] {
  const single = list.map(({ at, price, lots }): Candle => {
    const quote = notional(price, lots, btcUsdt)
    return { openTime: at, open: price, high: price, low: price, close: price, lots, quote, trades: 1, isReference: false } as Candle
  })
  return rollUp(single, interval).map((one) => wire(one))
}

function wire(one: Candle): WireCandle {
  const price = (ticks: number) => formatTicks(ticks, btcUsdt.tick)
  const prices = [price(one.open), price(one.high), price(one.low), price(one.close)] as const
  return [one.openTime, ...prices, formatLots(one.lots, btcUsdt.lot), formatUnits(one.quote, 6), one.trades, one.isReference ? 1 : 0]
}

test('MARKET-HISTORY-001: candles of every interval are those of the trades, in however many parts they were written', async () => {
  const { scenario, store, print } = await world()
  const list = prints()
  for (const [index, one] of list.entries()) {
    print(btcUsdt, one)
    if (index % 17 === 0) await scenario.write(store.pool)
  }
  await scenario.write(store.pool)
  for (const interval of intervals) {
    const all = oracle(list, interval)
    const expected = interval === '1s' ? all.filter(([openTime]) => openTime >= Math.floor(scenario.at / hour) * hour - 48 * hour) : all
    const read = (options: { limit?: number; endTime?: number }) => candles(store.pool, 'BTCUSDT', interval, options)
    assert.deepEqual(await read({ limit: 1000 }), { symbol: 'BTCUSDT', interval, candles: expected.slice(-1000) }, interval)
    assert.deepEqual((await read({ limit: 3 })).candles, expected.slice(-3), interval)
    const middle = expected[Math.floor(expected.length / 2)] as WireCandle
    const upTo = expected.filter(([openTime]) => openTime <= middle[0])
    assert.deepEqual((await read({ endTime: middle[0], limit: 1000 })).candles, upTo.slice(-1000), interval)
    assert.deepEqual((await read({ endTime: middle[0] - 1, limit: 1000 })).candles, upTo.slice(0, -1).slice(-1000), interval)
  }
  assert.deepEqual((await candles(store.pool, 'NONE', '1m')).candles, [])
  for (const limit of [0, 1001, 2.5]) {
    await assert.rejects(candles(store.pool, 'BTCUSDT', '1m', { limit }), (error) => error instanceof Refused && error.field === 'limit')
  }
})

const reference = (openTime: number, price: number): Candle =>
  ({
    openTime,
    open: price,
    high: price + 5,
    low: price - 5,
    close: price + 1,
    lots: 70,
    quote: 4_200_000,
    trades: 3,
    isReference: true,
  }) as Candle

test('MARKET-HISTORY-002: reference candles precede the first own trade, are inserted once, and count as no volume', async () => {
  const { scenario, store, print } = await world()
  await scenario.write(store.pool)
  const minute = Math.floor(start / 60_000) * 60_000
  const past = [3, 2, 1].map((back) => reference(minute - back * 60_000, 500_000 + back))
  await insertReferenceCandles(store.pool, btcUsdt.id, '1m', past)
  await insertReferenceCandles(
    store.pool,
    btcUsdt.id,
    '1m',
    past.map((one) => ({ ...one, close: 1 as Ticks })),
  )
  print(btcUsdt, { at: start, price: 600_000, lots: 10 })
  await scenario.write(store.pool)
  await insertReferenceCandles(store.pool, btcUsdt.id, '1m', [
    reference(minute, 1),
    reference(minute + 60_000, 1),
    reference(minute - 240_000, 500_000),
  ])
  await insertReferenceCandles(store.pool, btcUsdt.id, '1h', [])

  const { candles: minutes } = await candles(store.pool, 'BTCUSDT', '1m')
  assert.deepEqual(
    minutes.map(([openTime, , , , close, volume, , , isReference]) => [(openTime - minute) / 60_000, close, volume, isReference]),
    [
      [-4, '50000.1', '0.00070', 1],
      [-3, '50000.4', '0.00070', 1],
      [-2, '50000.3', '0.00070', 1],
      [-1, '50000.2', '0.00070', 1],
      [0, '60000.0', '0.00010', 0],
    ],
  )
  // The bar of 22:50 has the reference of 22:54 alone; that of 22:55 ends with the own trade.
  assert.deepEqual((await candles(store.pool, 'BTCUSDT', '5m')).candles, [
    [minute - 480_000, '50000.0', '50000.5', '49999.5', '50000.1', '0.00070', '4.2', 3, 1],
    [minute - 180_000, '50000.3', '60000.0', '49999.6', '60000.0', '0.00010', '6', 1, 0],
  ])
  assert.deepEqual(await siteVolume(store.pool, scenario.at), { asset: 'USDT', h24: '6', d7: '6', d30: '6' })
})

test('MARKET-HISTORY-003: site volume is the sum of real trades in USDT, with other quote assets valued at the last price of that time', async () => {
  const { scenario, store, print } = await world()
  print(ethBtc, { at: start, price: 5000, lots: 100 }) // before BTCUSDT had a price: counts nothing
  print(btcUsdt, { at: start + 1, price: 600_000, lots: 100 }) // 0.001 BTC at 60,000: 60
  await scenario.write(store.pool)
  print(ethBtc, { at: start + 2, price: 5000, lots: 100 }) // 0.1 ETH at 0.05 BTC: 0.005 BTC: 300
  print(ethUsdt, { at: start + 26 * hour, price: 300_000, lots: 10 }) // 3
  print(ethUsdt, { at: start + 8 * 24 * hour, price: 300_000, lots: 20 }) // 6
  await scenario.write(store.pool)
  assert.deepEqual(await siteVolume(store.pool, scenario.at), { asset: 'USDT', h24: '6', d7: '9', d30: '369' })
  assert.deepEqual(await siteVolume(store.pool, scenario.at + 40 * 24 * hour), { asset: 'USDT', h24: '0', d7: '0', d30: '0' })
})

test('MARKET-HISTORY-004: the last trades of a market are listed newest first', async () => {
  const { scenario, store, print } = await world()
  print(btcUsdt, { at: start, price: 600_000, lots: 1 })
  print(btcUsdt, { at: start + 5, price: 600_100, lots: 2 })
  print(ethUsdt, { at: start + 9, price: 300_000, lots: 2 })
  await scenario.write(store.pool)
  assert.deepEqual(await trades(store.pool, 'BTCUSDT'), [
    { id: '2', price: '60010.0', quantity: '0.00002', quote: '1.2002', time: start + 5, takerSide: 'sell' },
    { id: '1', price: '60000.0', quantity: '0.00001', quote: '0.6', time: start, takerSide: 'sell' },
  ])
  assert.equal((await trades(store.pool, 'BTCUSDT', 1)).length, 1)
})

test('a public view that starts from the tables equals one that saw all trades', async () => {
  const { scenario, store, print } = await world()
  const list = prints().slice(0, 300)
  const live = new MarketView(btcUsdt)
  for (const [index, { at, price, lots }] of list.entries()) {
    print(btcUsdt, { at, price, lots })
    const quote = notional(price, lots, btcUsdt)
    live.trade(
      { trade: index + 1, price, lots, quote, takerSide: 'sell', market: btcUsdt.id, makerUser: 1, takerUser: 2 } as Traded,
      at as Millis,
    )
  }
  await scenario.write(store.pool)
  const history = await publicHistory(store.pool)
  assert.equal(history.seq, scenario.seq)
  assert.deepEqual([...history.markets.keys()], [1, 2, 3])
  const restored = new MarketView(btcUsdt)
  restored.restore(history.markets.get(btcUsdt.id)!)
  const { at: _liveAt, ...ticker } = live.ticker(scenario.at as Millis) as NonNullable<ReturnType<MarketView['ticker']>>
  const { at: _at, ...restoredTicker } = restored.ticker(scenario.at as Millis) as typeof ticker & { at: number }
  assert.deepEqual(restoredTicker, ticker)
  assert.deepEqual(restored.sparkline(scenario.at as Millis), live.sparkline(scenario.at as Millis))
  assert.deepEqual(restored.trades.newest(50), live.trades.newest(50))
  for (const interval of ['1m', '1h', '1d', '1M'] as const)
    assert.deepEqual(restored.candles.current(interval), live.candles.current(interval))
  const sold = list.reduce((sum, { price, lots }) => sum + BigInt(notional(price, lots, btcUsdt)), 0n)
  assert.equal(
    history.volume.reduce((sum, { units }) => sum + units, 0n),
    sold,
  )
})
