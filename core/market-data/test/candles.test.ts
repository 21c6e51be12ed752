import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Lots, Millis, Ticks, Units } from '../../money/brand.ts'
import { type Candle, type Interval, intervals } from '../../protocol/market.ts'
import { endTimeOf, openTimeOf } from '../calendar.ts'
import { fillGaps, type Print, rollUp } from '../candle.ts'
import { CandleSet } from '../candle-set.ts'
import { sparkline } from '../sparkline.ts'
import { prints } from './given.ts'

const utc = (text: string): Millis => Date.parse(`${text}Z`) as Millis

test('MARKET-CANDLE-001: weeks begin on Monday and months on the first day, in UTC', () => {
  assert.equal(openTimeOf('1w', utc('2026-11-22T23:59:59.999')), utc('2026-11-16T00:00:00'))
  assert.equal(openTimeOf('1w', utc('2026-11-23T00:00:00')), utc('2026-11-23T00:00:00'))
  assert.equal(openTimeOf('1M', utc('2024-02-29T12:00:00')), utc('2024-02-01T00:00:00'))
  assert.equal(endTimeOf('1M', utc('2024-02-01T00:00:00')), utc('2024-03-01T00:00:00'))
  assert.equal(endTimeOf('1M', utc('2026-12-01T00:00:00')), utc('2027-01-01T00:00:00'))
  assert.equal(openTimeOf('4h', utc('2026-11-21T07:59:59')), utc('2026-11-21T04:00:00'))
})

test('MARKET-CANDLE-002: months agree with the platform’s calendar, and every moment is in exactly one interval', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: utc('2399-12-31T00:00:00') }), fc.constantFrom(...intervals), (at, interval) => {
      const date = new Date(at)
      assert.equal(openTimeOf('1M', at as Millis), Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1))
      const open = openTimeOf(interval, at as Millis)
      const end = endTimeOf(interval, open)
      assert.ok(open <= at && at < end)
      assert.equal(openTimeOf(interval, end), end)
      assert.equal(openTimeOf(interval, (end - 1) as Millis), open)
    }),
    { numRuns: 3000 },
  )
})

/** The candles of an interval, computed from all trades at once. */
function naiveCandles(trades: readonly Print[], interval: Interval): readonly Candle[] {
  const groups = Map.groupBy(trades, ({ at }) => openTimeOf(interval, at))
  return [...groups].map(([openTime, group]) => ({
    openTime,
    open: group[0]!.price,
    high: Math.max(...group.map(({ price }) => price)) as Ticks,
    low: Math.min(...group.map(({ price }) => price)) as Ticks,
    close: group.at(-1)!.price,
    lots: group.reduce((sum, { lots }) => sum + lots, 0) as Lots,
    quote: group.reduce((sum, { quote }) => sum + quote, 0) as Units,
    takerLots: group.reduce((sum, { lots, takerSide }) => sum + (takerSide === 'buy' ? lots : 0), 0) as Lots,
    takerQuote: group.reduce((sum, { quote, takerSide }) => sum + (takerSide === 'buy' ? quote : 0), 0) as Units,
    trades: group.length,
    isReference: false,
  }))
}

test('MARKET-CANDLE-003: the candles of every interval equal those computed from all trades at once', () => {
  fc.assert(
    fc.property(prints(), (trades) => {
      const set = new CandleSet(1000)
      for (const trade of trades) set.add(trade)
      for (const interval of intervals) {
        const expected = naiveCandles(trades, interval)
        assert.deepEqual(set.newest(interval, 1000), expected)
        assert.deepEqual(set.current(interval), expected.at(-1))
      }
    }),
    { numRuns: 200 },
  )
})

test('MARKET-CANDLE-004: stored seconds, minutes and hours, with the trades after them, give the same candles', () => {
  fc.assert(
    fc.property(prints(), fc.nat(), (trades, cut) => {
      const split = trades.length === 0 ? 0 : cut % trades.length
      const [before, after] = [trades.slice(0, split), trades.slice(split)]
      const set = new CandleSet(1000)
      set.restore({ '1s': naiveCandles(before, '1s'), '1m': naiveCandles(before, '1m'), '1h': naiveCandles(before, '1h') })
      for (const trade of after) set.add(trade)
      for (const interval of intervals) assert.deepEqual(set.newest(interval, 1000), naiveCandles(trades, interval))
    }),
    { numRuns: 200 },
  )
})

test('MARKET-CANDLE-005: a limited number of candles is kept, and each changed candle is reported once', () => {
  const set = new CandleSet(3)
  const at = (seconds: number): Print => ({
    at: (seconds * 1000) as Millis,
    price: (100 + seconds) as Ticks,
    lots: 1 as Lots,
    quote: 100 as Units,
    takerSide: 'sell' as const,
  })
  for (let second = 0; second < 20; second++) set.add(at(second))
  assert.deepEqual(
    set.newest('1s', 100).map(({ openTime }) => openTime),
    [17_000, 18_000, 19_000],
  )
  assert.equal(set.takeChanged('1s').length, 3)
  assert.equal(set.takeChanged('1m').length, 1)
  assert.deepEqual(set.takeChanged('1s'), [])
  set.add(at(19))
  assert.deepEqual(
    set.takeChanged('1s').map(({ openTime, trades }) => [openTime, trades]),
    [[19_000, 2]],
  )
  assert.throws(() => set.add(at(5)), /before/)
})

const bar = (openTime: number, close: number, isReference: boolean): Candle => ({
  openTime: openTime as Millis,
  open: 10 as Ticks,
  high: 30 as Ticks,
  low: 5 as Ticks,
  close: close as Ticks,
  lots: 7 as Lots,
  quote: 70 as Units,
  takerLots: 5 as Lots,
  takerQuote: 50 as Units,
  trades: 2,
  isReference,
})

test('MARKET-CANDLE-006: reference history gives prices and is never counted as volume', () => {
  const set = new CandleSet()
  set.restore({ '1s': [], '1m': [bar(0, 12, true)], '1h': [bar(0, 12, true)] })
  set.add({ at: 30_000 as Millis, price: 40 as Ticks, lots: 3 as Lots, quote: 120 as Units, takerSide: 'buy' })
  for (const interval of ['1m', '1h', '1d'] as const) {
    const { open, high, low, close, lots, quote, takerLots, takerQuote, trades, isReference } = set.current(interval)!
    assert.deepEqual([open, high, low, close, lots, quote, trades, isReference], [10, 40, 5, 40, 3, 120, 1, false])
    assert.deepEqual([takerLots, takerQuote], [3, 120])
  }
  const [mixed] = rollUp([bar(0, 12, true), bar(60_000, 20, false)], '5m')
  assert.deepEqual(mixed, { ...bar(0, 20, false) })
  assert.equal(rollUp([bar(0, 12, true), bar(60_000, 20, true)], '5m')[0]!.lots, 14)
})

test('MARKET-CANDLE-007: an interval in which nothing traded is flat at the last close', () => {
  const filled = fillGaps([bar(0, 12, false), bar(180_000, 20, false)], '1m', 300_000 as Millis, 100)
  assert.deepEqual(
    filled.map(({ openTime, close, trades }) => [openTime, close, trades]),
    [
      [0, 12, 2],
      [60_000, 12, 0],
      [120_000, 12, 0],
      [180_000, 20, 2],
      [240_000, 20, 0],
      [300_000, 20, 0],
    ],
  )
  assert.deepEqual(fillGaps([bar(0, 12, false)], '1m', 1e15 as Millis, 2).length, 2)
  assert.deepEqual(fillGaps([], '1m', 60_000 as Millis, 10), [])
})

test('MARKET-CANDLE-008: a sum above 2^53 − 1 stays at 2^53 − 1', () => {
  const [candle] = rollUp([{ ...bar(0, 12, false), quote: Number.MAX_SAFE_INTEGER as Units }, bar(60_000, 12, false)], '5m')
  assert.equal(candle!.quote, Number.MAX_SAFE_INTEGER)
})

test('MARKET-SPARKLINE-001: a sparkline has 24 hourly closes; an hour without a trade repeats the close before it', () => {
  const hour = 3_600_000
  const closes = sparkline([bar(20 * hour, 1, false), bar(30 * hour, 2, false), bar(47 * hour, 3, false)], (47.5 * hour) as Millis)
  assert.deepEqual(closes, [...Array(6).fill(1), ...Array(17).fill(2), 3])
  assert.deepEqual(sparkline([bar(46 * hour, 2, false)], (47 * hour) as Millis), [2, 2])
  assert.deepEqual(sparkline([], (47 * hour) as Millis), [])
})
