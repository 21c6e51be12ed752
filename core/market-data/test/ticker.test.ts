import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Millis, Ticks, Units } from '../../money/brand.ts'
import type { AssetId } from '../../protocol/ids.ts'
import type { Candle, Market } from '../../protocol/market.ts'
import type { Print } from '../candle.ts'
import { CandleSet } from '../candle-set.ts'
import { RollingSum } from '../rolling-sum.ts'
import { changePercent, RollingTicker } from '../ticker.ts'
import { valueOf, VolumeCounter } from '../volume.ts'
import { prints } from './given.ts'

const minute = (at: number): number => Math.floor(at / 60_000)

/** The 24 hours up to `now`, computed from all trades at once. */
function naiveTicker(trades: readonly Print[], now: number): object | undefined {
  const past = trades.filter(({ at }) => at <= now)
  const last = past.at(-1)
  if (last === undefined) return undefined
  const inside = past.filter(({ at }) => minute(at) > minute(now) - 1440)
  const before = past.filter(({ at }) => minute(at) <= minute(now) - 1440).at(-1)
  const prices = inside.length > 0 ? inside.map(({ price }) => price) : [last.price]
  return {
    open: (before ?? inside[0])!.price,
    high: Math.max(...prices),
    low: Math.min(...prices),
    last: last.price,
    lots: inside.reduce((sum, { lots }) => sum + BigInt(lots), 0n),
    quote: inside.reduce((sum, { quote }) => sum + BigInt(quote), 0n),
    trades: inside.length,
    at: last.at,
  }
}

test('MARKET-TICKER-001: the rolling day equals the one computed from all its trades at once', () => {
  fc.assert(
    fc.property(prints(), fc.nat({ max: 3 * 86_400_000 }), (trades, later) => {
      const ticker = new RollingTicker()
      trades.forEach((trade, i) => {
        ticker.add(trade)
        assert.deepEqual(ticker.read(trade.at), naiveTicker(trades.slice(0, i + 1), trade.at))
      })
      const now = (trades.at(-1)?.at ?? 0) + later
      assert.deepEqual(ticker.read(now as Millis), naiveTicker(trades, now))
    }),
    { numRuns: 300 },
  )
})

test('MARKET-TICKER-002: stored minutes, with the trades after them, give the same day', () => {
  fc.assert(
    fc.property(prints(), fc.nat(), (trades, cut) => {
      const split = trades.length === 0 ? 0 : cut % trades.length
      const stored = new CandleSet()
      const whole = new RollingTicker()
      for (const trade of trades.slice(0, split)) stored.add(trade)
      for (const trade of trades) whole.add(trade)
      const ticker = new RollingTicker()
      ticker.restore(stored.newest('1m', 1000))
      for (const trade of trades.slice(split)) ticker.add(trade)
      const now = trades.at(-1)?.at ?? 0
      assert.deepEqual(ticker.read(now as Millis), whole.read(now as Millis))
    }),
    { numRuns: 300 },
  )
})

test('MARKET-TICKER-003: reference history gives the day its prices and no volume', () => {
  const ticker = new RollingTicker()
  const reference = { openTime: 60_000, open: 5, high: 9, low: 4, close: 8, lots: 100, quote: 800, trades: 9, isReference: true }
  ticker.restore([reference as Candle])
  const { open, high, low, last, lots, quote, trades } = ticker.read(70_000 as Millis)!
  assert.deepEqual([open, high, low, last, lots, quote, trades], [5, 9, 4, 8, 0n, 0n, 0])
})

test('MARKET-TICKER-004: the change is a percentage with two digits, rounded half up', () => {
  const change = (open: number, last: number): string => changePercent(open as Ticks, last as Ticks)
  assert.equal(change(10_000, 9_876), '-1.24')
  assert.equal(change(200, 207), '3.50')
  assert.equal(change(3, 3), '0.00')
  assert.equal(change(100_000, 99_995), '0.00')
  assert.equal(change(100_000, 99_994), '-0.01')
  assert.equal(change(100_000, 100_005), '0.01')
  assert.equal(change(2 ** 50, 2 ** 51), '100.00')
})

test('MARKET-VOLUME-001: a rolling sum is the sum of its newest buckets, exact beyond 2^53 too', () => {
  const step = fc.record({ pause: fc.nat({ max: 40 }), amount: fc.bigInt({ min: 0n, max: 2n ** 60n }) })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const sum = new RollingSum(10, 6)
      const all: { at: number; amount: bigint }[] = []
      let at = 0
      for (const { pause, amount } of steps) {
        at += pause
        all.push({ at, amount })
        sum.add(at as Millis, amount)
        const inside = all.filter((one) => Math.floor(one.at / 10) > Math.floor(at / 10) - 6)
        assert.equal(
          sum.total(at as Millis),
          inside.reduce((total, one) => total + one.amount, 0n),
        )
      }
      assert.equal(sum.total((at + 60) as Millis), 0n)
    }),
  )
})

test('MARKET-VOLUME-002: volumes of 24 hours, 7 days and 30 days drop older trades', () => {
  const volume = new VolumeCounter()
  volume.add(0 as Millis, 5n)
  const day = 86_400_000
  const sums = [0.5, 2, 8, 31].map((days) => volume.read((days * day) as Millis))
  assert.deepEqual(sums, [
    { h24: 5n, d7: 5n, d30: 5n },
    { h24: 0n, d7: 5n, d30: 5n },
    { h24: 0n, d7: 0n, d30: 5n },
    { h24: 0n, d7: 0n, d30: 0n },
  ])
})

test('MARKET-VOLUME-003: volume in another quote asset counts at that asset’s last price, rounded down', () => {
  const [usdt, btc] = [1 as AssetId, 2 as AssetId]
  const market = { basePerLot: 1000, quotePerTickLot: 1 } as Market
  assert.equal(valueOf(777 as Units, usdt, usdt, undefined), 777)
  assert.equal(valueOf(777 as Units, btc, usdt, undefined), 0)
  // 0.5 BTC at 67,412.5 USDT.
  assert.equal(valueOf(50_000_000 as Units, btc, usdt, { market, price: 674_125 as Ticks }), 33_706_250_000)
  assert.equal(valueOf(1 as Units, btc, usdt, { market, price: 674_125 as Ticks }), 674)
})
