/** Triggered orders wait per market, and the markets take turns. */
import type { SideNumber } from '../../../book/codes.ts'
import { BUY, SELL_SIDE } from '../../../book/codes.ts'
import type { MarketId, OrderId } from '../../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Records } from '../../../protocol/codec/records.ts'
import { Retries } from '../retries.ts'
import { Wakes } from '../wakes.ts'

const always = (): boolean => true

/** Wakes with these orders by market. */
function waiting(...orders: readonly (readonly [market: number, order: number])[]): Wakes {
  const wakes = new Wakes()
  for (const [market, order] of orders) wakes.add(market as MarketId, order as OrderId)
  return wakes
}

/** The next orders, until there is none. */
function all(wakes: Wakes, isOpen: (market: number) => boolean = always): readonly number[] {
  const orders: number[] = []
  for (let order = wakes.next(isOpen); order !== 0; order = wakes.next(isOpen)) orders.push(order)
  return orders
}

test('SPOT-STOP-006: markets take turns by number, one order each, and a market’s orders keep their order', () => {
  const wakes = waiting([5, 51], [2, 21], [5, 52], [9, 91], [5, 53], [2, 22])
  assert.deepEqual([wakes.count, wakes.markets()], [6, [2, 5, 9]])
  assert.deepEqual(all(wakes), [21, 51, 91, 22, 52, 53])
  assert.deepEqual([wakes.count, wakes.markets(), wakes.next(always)], [0, [], 0])
  // Market 5 had the last turn.
  for (const [market, order] of [
    [5, 54],
    [6, 61],
    [3, 31],
  ] as const)
    wakes.add(market as MarketId, order as OrderId)
  assert.deepEqual(all(wakes), [61, 31, 54])
})

test('SPOT-HALT-002: the orders of a closed market wait and keep their order, while others act', () => {
  const wakes = waiting([1, 11], [2, 21], [1, 12], [2, 22])
  assert.deepEqual(
    all(wakes, (market) => market !== 1),
    [21, 22],
  )
  assert.deepEqual([wakes.count, wakes.markets(), all(wakes)], [2, [1], [11, 12]])
})

test('SPOT-STOP-006: an order that leaves a queue is skipped, and one that does not wait there is refused', () => {
  const wakes = waiting([1, 11], [1, 12], [1, 13], [3, 31])
  wakes.remove(1 as MarketId, 12 as OrderId)
  assert.deepEqual([wakes.count, wakes.next(always)], [3, 11])
  for (const [market, order] of [
    [1, 11],
    [1, 31],
    [2, 31],
    [4, 31],
  ] as const)
    assert.throws(() => wakes.remove(market as MarketId, order as OrderId), /does not wait/)
  wakes.remove(3 as MarketId, 31 as OrderId)
  assert.deepEqual([wakes.count, wakes.markets(), all(wakes)], [1, [1], [13]])
})

test('SPOT-CORE-002: restored queues have the same orders and the same turn', () => {
  const wakes = waiting([1, 11], [2, 21], [2, 22], [2, 23], [7, 71])
  assert.deepEqual([wakes.next(always), wakes.next(always)], [11, 21])
  const into = new Records()
  into.reserve(1)
  wakes.dump(into)
  assert.deepEqual([...into.data.subarray(1, into.length)], [2, 2, 2, 2, 22, 23, 7, 1, 71])
  const copy = new Wakes()
  assert.equal(copy.restore(into.data, 1), into.length)
  assert.deepEqual([copy.count, all(copy)], [3, [71, 22, 23]])
})

test('SPOT-STOP-006: a long queue keeps its order while its orders act and leave it, restored or not', () => {
  let wakes = new Wakes()
  for (let order = 1; order <= 5_000; order++) wakes.add(1 as MarketId, order as OrderId)
  const gone = new Set<number>()
  let expected = 1
  for (let step = 1; expected <= 5_000; step++) {
    if (step % 3 === 0 && expected + 9 <= 5_000 && !gone.has(expected + 9)) {
      wakes.remove(1 as MarketId, (expected + 9) as OrderId)
      gone.add(expected + 9)
    }
    if (step === 300) {
      const into = new Records()
      wakes.dump(into)
      wakes = new Wakes()
      wakes.restore(into.data, 0)
    }
    while (gone.has(expected)) expected++
    assert.equal(wakes.next(always), expected)
    expected++
    while (gone.has(expected)) expected++
  }
  assert.deepEqual([wakes.count, wakes.next(always)], [0, 0])
})

const buy = BUY
const sell = SELL_SIDE

/** Retries with these orders by market and side. */
function trying(...orders: readonly (readonly [market: number, side: SideNumber, order: number])[]): Retries {
  const retries = new Retries()
  for (const [market, side, order] of orders) retries.add(market as MarketId, side, order as OrderId)
  return retries
}

/** Orders in the turns of the running rounds. */
function turns(retries: Retries): readonly number[] {
  const orders: number[] = []
  for (let order = retries.next(); order !== 0; order = retries.next()) orders.push(order)
  return orders
}

const begin = (retries: Retries, ...lines: readonly (readonly [market: number, side: SideNumber])[]): void => {
  for (const [market, side] of lines) retries.begin(market as MarketId, side)
}

const lines = (retries: Retries): readonly (readonly (number | readonly number[])[])[] =>
  retries.lines().map(({ market, side, orders }) => [market, side, orders])

test('SPOT-STOP-007: a round tries each order of its line once, and lines take turns by market and side', () => {
  const retries = trying([3, sell, 31], [1, sell, 13], [1, buy, 11], [3, sell, 32], [1, buy, 12])
  assert.deepEqual(lines(retries), [
    [1, buy, [11, 12]],
    [1, sell, [13]],
    [3, sell, [31, 32]],
  ])
  // Lines without orders have no round.
  begin(retries, [3, buy], [2, sell], [9, sell])
  assert.deepEqual([retries.count, retries.left, retries.next()], [5, 0, 0])
  begin(retries, [1, buy], [1, sell], [3, sell], [3, buy], [2, buy], [9, sell])
  assert.equal(retries.left, 5)
  assert.deepEqual(turns(retries), [11, 13, 31, 12, 32])
  assert.deepEqual([retries.count, retries.left], [5, 0])
  begin(retries, [1, buy], [3, sell])
  assert.deepEqual(turns(retries), [11, 31, 12, 32])
})

test('SPOT-STOP-007: a new round begins with the first order, also when the last one did not reach all', () => {
  const retries = trying([1, buy, 11], [1, buy, 12], [1, buy, 13])
  begin(retries, [1, buy])
  assert.deepEqual([retries.next(), retries.left], [11, 2])
  retries.add(1 as MarketId, buy, 14 as OrderId)
  assert.equal(retries.left, 2, 'an order that comes later waits for the next round')
  begin(retries, [1, buy])
  assert.equal(retries.left, 4)
  assert.deepEqual(turns(retries), [11, 12, 13, 14])
})

test('SPOT-STOP-007: the round of one line can end early, and the others go on', () => {
  const retries = trying([1, buy, 11], [1, buy, 12], [1, sell, 13], [1, sell, 14])
  begin(retries, [1, buy], [1, sell])
  assert.deepEqual([retries.next(), retries.left], [11, 3])
  retries.stop(1 as MarketId, buy)
  retries.stop(2 as MarketId, buy)
  assert.equal(retries.left, 2)
  assert.deepEqual(turns(retries), [13, 14])
  retries.stop(1 as MarketId, buy)
  assert.deepEqual([retries.left, retries.count], [0, 4])
})

test('SPOT-STOP-007: an order that leaves its line takes its try with it, before, at and after the turn', () => {
  const whole = (): Retries => {
    const retries = trying([1, buy, 11], [1, buy, 12], [1, buy, 13], [1, buy, 14])
    begin(retries, [1, buy])
    assert.deepEqual([retries.next(), retries.next()], [11, 12])
    retries.add(1 as MarketId, buy, 15 as OrderId)
    return retries
  }
  for (const [gone, left, rest, next] of [
    [11, 2, [13, 14], [12, 13, 14, 15]],
    [12, 2, [13, 14], [11, 13, 14, 15]],
    [13, 1, [14], [11, 12, 14, 15]],
    [14, 1, [13], [11, 12, 13, 15]],
    [15, 2, [13, 14], [11, 12, 13, 14]],
  ] as const) {
    const retries = whole()
    retries.remove(1 as MarketId, buy, gone as OrderId)
    assert.deepEqual([retries.left, retries.count], [left, 4], `${gone}`)
    assert.deepEqual(turns(retries), rest, `${gone}`)
    begin(retries, [1, buy])
    assert.deepEqual(turns(retries), next, `${gone}`)
  }
})

test('SPOT-STOP-007: a line without orders is gone, and an order that is not in a line is refused', () => {
  const retries = trying([1, buy, 11], [1, sell, 12], [2, buy, 21])
  for (const [market, side, order] of [
    [1, buy, 12],
    [1, sell, 11],
    [2, sell, 21],
    [3, buy, 11],
  ] as const)
    assert.throws(() => retries.remove(market as MarketId, side, order as OrderId), /does not try again/)
  assert.equal(retries.count, 3)
  begin(retries, [1, buy], [1, sell], [2, buy])
  retries.remove(1 as MarketId, sell, 12 as OrderId)
  assert.deepEqual(lines(retries), [
    [1, buy, [11]],
    [2, buy, [21]],
  ])
  assert.deepEqual(turns(retries), [11, 21])
})

test('SPOT-CORE-002: restored retries have the same lines, the same turn and the same tries left', () => {
  const retries = trying([1, buy, 11], [1, buy, 12], [2, sell, 21], [2, sell, 22], [3, buy, 31])
  begin(retries, [1, buy], [2, sell])
  assert.deepEqual([retries.next(), retries.next(), retries.next()], [11, 21, 12])
  const into = new Records()
  into.data[into.reserve(1)] = 7
  retries.dump(into)
  assert.deepEqual([...into.data.subarray(1, into.length)], [2, 3, 1, 0, 2, 2, 2, 11, 12, 2, 1, 1, 2, 2, 21, 22, 3, 0, 0, 0, 1, 31])
  const copy = new Retries()
  assert.equal(copy.restore(into.data, 1), into.length)
  assert.deepEqual([copy.count, copy.left], [5, 1])
  for (const one of [retries, copy]) {
    begin(one, [1, buy], [3, buy])
    assert.deepEqual(turns(one), [22, 31, 11, 12])
  }
})
