import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Closes } from './closes.ts'

function closesOf(...bars: (readonly [number, number])[]): Closes {
  const closes = new Closes()
  closes.put(bars)
  return closes
}

test('UI-CHART-002: a compared market is measured from its price at the first bar in sight', () => {
  const closes = closesOf([10, 100], [20, 110], [40, 99])
  assert.deepEqual(
    [10, 20, 40].map((time) => closes.ratio(time, 10)),
    [1, 1.1, 0.99],
  )
  assert.equal(closes.ratio(40, 20), 0.9)
  // Without a trade it keeps its price.
  assert.deepEqual([closes.ratio(30, 10), closes.ratio(90, 30)], [1.1, 0.9])
  // It began after the first bar in sight.
  assert.deepEqual([closes.ratio(5, 1), closes.ratio(20, 1)], [undefined, 1.1])
})

test('older pages and newer bars take their places, and a bar that forms replaces itself', () => {
  const closes = closesOf([30, 3], [20, 2])
  closes.put([[40, 4]])
  closes.put([[40, 5]])
  closes.put([
    [0, 9],
    [10, 1],
  ])
  assert.equal(closes.first, 0)
  assert.deepEqual(
    [-1, 0, 10, 20, 30, 40, 50].map((time) => closes.at(time)),
    [undefined, 9, 1, 2, 3, 5, 5],
  )
})
