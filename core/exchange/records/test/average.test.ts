/** The average trade price of a market, in ten buckets of 30 s. */
import type { Lots, Millis } from '../../../money/brand.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Records } from '../../../protocol/codec/records.ts'
import { PriceAverage } from '../average.ts'

const bucketMs = 30_000
const start = 1_750_000_020_000
const ms = (later: number): Millis => (start + later) as Millis

/** Adds trades of `lots` at `price`, by milliseconds after the start. */
function traded(...trades: readonly (readonly [later: number, price: number, lots: number])[]): PriceAverage {
  const average = new PriceAverage()
  for (const [later, price, lots] of trades) average.add(ms(later), price * lots, lots as Lots)
  return average
}

test('SPOT-BAND-001: the average weighs each trade by its quantity and is rounded down to a tick', () => {
  assert.equal(new PriceAverage().price(), 0)
  assert.equal(traded([0, 100, 1]).price(), 100)
  assert.equal(traded([0, 100, 3], [1, 110, 1]).price(), 102)
  assert.equal(traded([0, 100, 1], [bucketMs, 101, 2], [2 * bucketMs, 104, 1]).price(), 101)
})

test('SPOT-BAND-001: a trade counts for five minutes, in steps of 30 s', () => {
  const average = traded([0, 100, 1], [bucketMs, 200, 1], [4 * bucketMs, 300, 2])
  assert.equal(average.roll(ms(4 * bucketMs)), false)
  assert.equal(average.roll(ms(10 * bucketMs - 1)), true, 'the newest bucket moves on')
  assert.equal(average.price(), 225)
  assert.equal(average.roll(ms(10 * bucketMs)), true)
  assert.equal(average.price(), 266)
  assert.equal(average.roll(ms(11 * bucketMs - 1)), false)
  assert.equal(average.price(), 266)
  average.roll(ms(11 * bucketMs))
  assert.equal(average.price(), 300)
  average.roll(ms(14 * bucketMs - 1))
  assert.equal(average.price(), 300)
  average.roll(ms(14 * bucketMs))
  assert.equal(average.price(), 0)
  average.add(ms(14 * bucketMs), 70, 1 as Lots)
  assert.equal(average.price(), 70)
})

test('SPOT-BAND-001: after a silence of any length no old trade is left', () => {
  for (const later of [10, 11, 15, 20, 1_000]) {
    const average = traded([0, 100, 5], [bucketMs, 200, 5], [9 * bucketMs, 300, 5])
    average.add(ms((9 + later) * bucketMs), 40, 1 as Lots)
    assert.deepEqual([average.price(), average.lastMinute(ms((9 + later) * bucketMs))], [40, 1], `${later}`)
  }
})

test('SPOT-BAND-001: trades too large to add up keep their average, and newer ones weigh more', () => {
  const most = 2 ** 49
  const average = new PriceAverage()
  average.add(ms(0), most - 2 ** 20, (2 ** 10) as Lots)
  assert.equal(average.lastMinute(ms(0)), 2 ** 10)
  average.add(ms(0), 2 ** 20, 1 as Lots)
  // The sum reaches the bound and is halved, and so are the lots, rounded down.
  assert.deepEqual([average.price(), average.lastMinute(ms(0))], [2 ** 48 / 2 ** 9, 2 ** 9])
  const light = new PriceAverage()
  light.add(ms(0), 10, most as Lots)
  assert.deepEqual([light.price(), light.lastMinute(ms(0))], [0, most / 2])
  const heavy = new PriceAverage()
  heavy.add(ms(0), most * 4, 1 as Lots)
  assert.deepEqual([heavy.price(), heavy.lastMinute(ms(0))], [most / 2, 1])
  // When its bucket is over, a halved entry leaves nothing behind.
  average.roll(ms(10 * bucketMs))
  assert.deepEqual([average.price(), average.lastMinute(ms(10 * bucketMs))], [0, 0])
})

test('MARGIN-FUND-001: the last minute has the lots of the running and of the previous bucket', () => {
  const average = traded([0, 100, 1], [bucketMs, 100, 20], [2 * bucketMs - 1, 100, 300])
  assert.equal(average.lastMinute(ms(2 * bucketMs - 1)), 321)
  assert.equal(average.lastMinute(ms(2 * bucketMs)), 320)
  average.add(ms(2 * bucketMs), 100, 4_000 as Lots)
  assert.equal(average.lastMinute(ms(3 * bucketMs - 1)), 4_320)
  assert.equal(average.lastMinute(ms(3 * bucketMs)), 4_000)
  assert.equal(average.lastMinute(ms(4 * bucketMs)), 0)
  // Buckets are reused in a circle.
  const circle = new PriceAverage()
  for (let n = 0; n < 25; n++) {
    circle.add(ms(n * bucketMs), 100, (n + 1) as Lots)
    assert.equal(circle.lastMinute(ms(n * bucketMs)), n === 0 ? 1 : 2 * n + 1)
  }
})

test('SPOT-CORE-002: a restored average gives the same prices at all later times', () => {
  const average = traded([0, 100, 1], [bucketMs, 210, 2], [5 * bucketMs, 330, 4])
  const into = new Records()
  into.reserve(3)
  average.dump(into)
  assert.deepEqual([...into.data.subarray(3, 4)], [start / bucketMs + 5])
  const copy = new PriceAverage()
  assert.equal(copy.restore(into.data, 3), into.length)
  for (const later of [5, 6, 9, 10, 11, 14, 15]) {
    for (const one of [average, copy]) one.roll(ms(later * bucketMs))
    assert.deepEqual([copy.price(), copy.lastMinute(ms(later * bucketMs))], [average.price(), average.lastMinute(ms(later * bucketMs))])
  }
  assert.equal(copy.price(), 0)
})
