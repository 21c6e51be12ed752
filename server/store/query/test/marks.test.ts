import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Candle, Market } from '@candor/core/protocol/market.ts'
import type { Store } from '../../open.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { markCandles } from '../market/marks.ts'
import { copyReferenceMarks, insertReferenceCandles } from '../market/reference.ts'
import { markets, Scenario } from './scenario.ts'

/** Ten minutes before a full hour. */
const start = Date.UTC(2026, 0, 15, 9, 50)
const minute = 60_000
const hour = 60 * minute
const [btcUsdt] = markets
const contract = { ...btcUsdt, id: 4, symbol: 'BTCUSDTPERP', perp: { index: 1 } } as Market as typeof btcUsdt

let server: ScratchServer
let store: Store
before(async () => {
  server = await startScratchServer()
  store = await server.store()
})
after(() => server[Symbol.asyncDispose]())

/** Marks in ticks of 0.1; the index stands half a tick above. */
function marked(mark: number): object {
  return { type: 'perp.marked', market: contract.id, mark, index: mark * 10_000_000 + 5_000_000, fundingRate: 0, fundingAt: start + hour }
}

const shown = async (price: 'mark' | 'index', interval: '1m' | '5m' | '1h' | '1d', options = {}) =>
  (await markCandles(store.pool, contract.symbol, price, interval, options)).candles.map(
    ([time, open, high, low, close, volume, , trades, own]) => [
      (time - start) / minute,
      ...[open, high, low, close].map(Number),
      ...[volume, trades, own],
    ],
  )

test('PERP-MARK-002: mark and index have candles: a minute is written when it is over, longer ones are built from minutes, and the current one counts', async () => {
  const world = new Scenario(start)
  world.command({ type: 'market.listed', market: contract })
  const [btcMinute, btcHour] = [reference(start - minute, 590_000), reference(start - hour - 50 * minute, 580_000)]
  for (const [after, mark] of [
    [1, 600_000],
    [20, 610_000],
    [40, 595_000],
    [50, 601_000],
    [60, 602_000],
    // A minute without a mark has no bar.
    [190, 603_000],
    [600, 604_000],
    [610, 590_000],
  ] as const) {
    world.at = start + after * 1000
    world.command(marked(mark))
  }
  await world.write(store.pool)
  assert.deepEqual(await shown('mark', '1m'), [
    [0, 60_000, 61_000, 59_500, 60_100, '0', 0, 0],
    [1, 60_200, 60_200, 60_200, 60_200, '0', 0, 0],
    [3, 60_300, 60_300, 60_300, 60_300, '0', 0, 0],
    [10, 60_400, 60_400, 59_000, 59_000, '0', 0, 0],
  ])
  assert.deepEqual((await shown('index', '1m'))[0], [0, 60_000.05, 61_000.05, 59_500.05, 60_100.05, '0', 0, 0])
  assert.deepEqual(await shown('mark', '5m'), [
    [0, 60_000, 61_000, 59_500, 60_300, '0', 0, 0],
    [10, 60_400, 60_400, 59_000, 59_000, '0', 0, 0],
  ])
  assert.deepEqual(await shown('mark', '1h'), [
    [-50, 60_000, 61_000, 59_500, 60_300, '0', 0, 0],
    [10, 60_400, 60_400, 59_000, 59_000, '0', 0, 0],
  ])
  assert.deepEqual(await shown('mark', '1d'), [[-9 * 60 - 50, 60_000, 61_000, 59_000, 59_000, '0', 0, 0]])
  assert.deepEqual(await shown('mark', '1m', { limit: 2, endTime: start + 3 * minute }), [
    [1, 60_200, 60_200, 60_200, 60_200, '0', 0, 0],
    [3, 60_300, 60_300, 60_300, 60_300, '0', 0, 0],
  ])

  // Before the first own mark, the bars are those of the spot market.
  await insertReferenceCandles(store.pool, btcUsdt.id, '1m', [btcMinute, reference(start, 1)])
  await insertReferenceCandles(store.pool, btcUsdt.id, '1h', [btcHour])
  for (let n = 0; n < 2; n++) await copyReferenceMarks(store.pool, btcUsdt.id, contract.id)
  assert.deepEqual((await shown('mark', '1m'))[0], [-1, 59_000, 59_000, 59_000, 59_000, '0', 0, 1])
  assert.equal((await shown('mark', '1m')).length, 5)
  assert.deepEqual((await shown('index', '1h'))[0], [-110, 58_000, 58_000, 58_000, 58_000, '0', 0, 1])
})

function reference(openTime: number, price: number): Candle {
  const prices = { open: price, high: price, low: price, close: price }
  return { openTime, ...prices, lots: 1, quote: price, trades: 1, isReference: true } as Candle
}
