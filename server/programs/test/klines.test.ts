import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Traded } from '@candor/core/protocol/event/index.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { MarketView } from '@candor/core/market-data/market-view.ts'
import { formatLots, formatTicks, notional } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Asset, Candle } from '@candor/core/protocol/market.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { migrate } from '../../store/migrate.ts'
import { publicHistory } from '../../store/query/market/history.ts'
import { insertReferenceCandles } from '../../store/query/market/reference.ts'
import { markets, Scenario } from '../../store/query/test/scenario.ts'
import { nextOf, openOf } from '../../live/intervals.ts'
import { inZone, shapeOf } from '../intervals.ts'
import { klines } from '../market/klines.ts'
import type { Seen } from '../names.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 30, 22, 58, 30)
const [btcUsdt] = markets
const [alice, bob] = [1, 2]
const quote = { id: btcUsdt.quote, symbol: 'USDT', scale: 6 } as Asset
let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

type Print = { readonly at: number; readonly price: number; readonly lots: number; readonly isBought: boolean }

/** Trades over 40 days with gaps of all lengths. */
function prints(): readonly Print[] {
  let dice = 23
  const roll = (sides: number) => (dice = (dice * 48_271) % 2_147_483_647) % sides
  const list: Print[] = []
  for (let at = start; at < start + 40 * 24 * hour; at += [200, 900, 20_000, 70_000, hour, 9 * hour][roll(6)] as number) {
    list.push({ at, price: 600_000 + roll(9_000), lots: 1 + roll(500), isBought: roll(2) === 0 })
  }
  return list
}

type Row = readonly (string | number)[]

/** All bars from the first trade on, computed directly from the trades. */
function oracle(list: readonly Print[], interval: string, zone: string, now: number): readonly Row[] {
  const shape = inZone(shapeOf(interval), zone, 'timeZone')
  const groups = Map.groupBy(list, ({ at }) => openOf(shape, at))
  const rows: Row[] = []
  let close = 0
  for (let open = openOf(shape, start); open <= now; open = nextOf(shape, open)) {
    const group = groups.get(open) ?? []
    const prices = group.length === 0 ? [close] : group.map(({ price }) => price)
    close = prices.at(-1) as number
    const lots = (some: readonly Print[]) =>
      formatLots(
        some.reduce((sum, one) => sum + one.lots, 0),
        btcUsdt.lot,
      )
    const value = (some: readonly Print[]) =>
      formatUnits(
        some.reduce((sum, one) => sum + notional(one.price, one.lots, btcUsdt), 0),
        6,
      )
    const bought = group.filter(({ isBought }) => isBought)
    const four = [prices[0] as number, Math.max(...prices), Math.min(...prices), close].map((ticks) => formatTicks(ticks, btcUsdt.tick))
    rows.push([open, ...four, lots(group), nextOf(shape, open) - 1, value(group), group.length, lots(bought), value(bought), '0'])
  }
  return rows
}

test('API-KLINES-003: bars of every interval and zone are those of the trades, however memory and tables share them', async () => {
  const scenario = new Scenario(start)
  scenario.open(alice)
  scenario.open(bob)
  const store = await server.store()
  const list = prints()
  const view = new MarketView(btcUsdt)
  const cut = Math.floor(list.length * 0.6)
  const trade = ({ at, price, lots, isBought }: Print) => {
    scenario.at = at
    const [maker, taker] = isBought ? (['sell', 'buy'] as const) : (['buy', 'sell'] as const)
    const [one, other] = [scenario.place(alice, btcUsdt, maker, price, lots), scenario.place(bob, btcUsdt, taker, price, lots)]
    scenario.trade(one, other, lots)
  }
  for (const one of list.slice(0, cut)) trade(one)
  await scenario.write(store.pool)
  view.restore((await publicHistory(store.pool)).markets.get(btcUsdt.id)!)
  // Later trades are in memory, and in the tables as well once these follow.
  for (const [index, one] of list.slice(cut).entries()) {
    trade(one)
    const { price, lots, at, isBought } = one
    const value = notional(price, lots, btcUsdt)
    view.trade(
      { ...event, trade: cut + index + 1, price, lots, quote: value, takerSide: isBought ? 'buy' : 'sell' } as Traded,
      at as Millis,
    )
  }
  const seen = { market: { market: btcUsdt, quote }, view, name: 'BTCUSDT' } as unknown as Seen
  const now = scenario.at + 3 * hour
  for (const isWritten of [false, true]) {
    if (isWritten) await scenario.write(store.pool)
    for (const interval of ['1m', '3m', '30m', '1h', '2h', '6h', '8h', '12h', '1d', '3d', '1w', '1M']) {
      for (const zone of ['0', '8', '-3:00']) {
        const all = oracle(list, interval, zone, now)
        const shape = inZone(shapeOf(interval), zone, 'timeZone')
        const read = (from: number | undefined, end: number | undefined, limit: number) =>
          klines(store.pool, seen, shape, { start: from, end, limit, now })
        const place = `${interval} ${zone} ${isWritten}`
        assert.deepEqual(await read(undefined, undefined, 1_000), all.slice(-1_000), place)
        assert.deepEqual(await read(0, undefined, 1_000), all.slice(0, 1_000), place)
        for (const part of [0.2, 0.55, 0.62, 0.9]) {
          const index = Math.floor(all.length * part)
          const open = all[index]![0] as number
          assert.deepEqual(await read(open, undefined, 7), all.slice(index, index + 7), `${place} from ${part}`)
          assert.deepEqual(await read(open - 1, open, 7), [all[index]], `${place} at ${part}`)
          assert.deepEqual(await read(undefined, open, 7), all.slice(Math.max(0, index - 6), index + 1), `${place} to ${part}`)
        }
      }
    }
  }
})

test('API-KLINES-005: bars from before takers’ volumes were stored have them as well', async () => {
  const scenario = new Scenario(start)
  scenario.open(alice)
  scenario.open(bob)
  const store = await server.store()
  for (const [index, { at, price, lots, isBought }] of prints().slice(0, 60).entries()) {
    scenario.at = at
    const [maker, taker] = isBought ? (['sell', 'buy'] as const) : (['buy', 'sell'] as const)
    scenario.trade(scenario.place(alice, btcUsdt, maker, price, lots), scenario.place(bob, btcUsdt, taker, price, lots), lots)
    if (index % 7 === 0) await scenario.write(store.pool)
  }
  await scenario.write(store.pool)
  const tables = ['candles_1s', 'candles_1m', 'candles_1h'] as const
  const read = async () => {
    const all = tables.map((table) => store.pool.query(`select * from ${table} order by market, open_time`))
    return (await Promise.all(all)).map(({ rows }) =>
      rows.map(({ open_time, taker_volume, taker_quote_volume }) => [open_time, Number(taker_volume), Number(taker_quote_volume)]),
    )
  }
  const before = await read()
  assert.ok(before.every((rows) => rows.some(([, volume]) => volume > 0)))
  for (const table of tables) await store.pool.query(`alter table ${table} drop column taker_volume, drop column taker_quote_volume`)
  await store.pool.query("delete from migrations where name like '061-%'")
  await migrate(store)
  assert.deepEqual(await read(), before)
})

const event = { type: 'traded', market: btcUsdt.id, makerUser: alice, takerUser: bob }

test('API-KLINES-004: trades on other venues before the first own trade give prices and no volume', async () => {
  const scenario = new Scenario(start)
  scenario.open(alice)
  const store = await server.store()
  await scenario.write(store.pool)
  const minute = Math.floor(start / 60_000) * 60_000
  const bar = { open: 500_000, high: 500_009, low: 499_990, close: 500_001, lots: 70, quote: 4_200_000, takerLots: 0, takerQuote: 0 }
  await insertReferenceCandles(store.pool, btcUsdt.id, '1m', [
    { openTime: minute - 60_000, ...bar, trades: 3, isReference: true } as Candle,
  ])
  const view = new MarketView(btcUsdt)
  const seen = { market: { market: btcUsdt, quote }, view, name: 'BTCUSDT' } as unknown as Seen
  const range = { start: undefined, end: undefined, limit: 10, now: minute }
  const expected = [
    ['50000.0', '50000.9', '49999.0', '50000.1', '0.00000', '0', 0],
    ['50000.1', '50000.1', '50000.1', '50000.1', '0.00000', '0', 0],
  ]
  for (const isRestored of [false, true]) {
    if (isRestored) view.restore((await publicHistory(store.pool)).markets.get(btcUsdt.id)!)
    const rows = await klines(store.pool, seen, shapeOf('1m'), range)
    assert.deepEqual(
      rows.map((row) => [1, 2, 3, 4, 5, 7, 8].map((field) => row[field])),
      expected,
    )
  }
})
