/** Tests the effects of an index tick on contracts: their marks, the events, and the work that it starts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexPrice, Millis, Ticks } from '../../../money/brand.ts'
import { onIndex } from '../mark.ts'
import type { Contract } from '../records/state.ts'
import { Alone } from './alone.ts'
import { contract, givenPerp } from './world.ts'

/** Gives a contract an index in ticks. */
function indexes(contract: Contract, price: number, sources = 5, isGood = true): void {
  contract.source.setIndex((price * 1e8) as IndexPrice, sources, isGood)
}

/** The marks that an index tick reports, with what they are reported with. */
function marked(alone: Alone): readonly unknown[] {
  alone.events.clear()
  onIndex(alone.x)
  return alone.told('perp.marked').map(({ market, mark, index, fundingRate, fundingAt }) => [market, mark, index, fundingRate, fundingAt])
}

test('PERP-MARK-001: a mark is reported when it or its index changes, and only from a good index of three sources', () => {
  const alone = new Alone().at(1000)
  const { contract } = alone
  contract.fundingAtMs = 90_000 as Millis
  contract.basis.add(0 as Millis, 5_000_000)
  for (const [price, sources, isGood] of [
    [110, 2, true],
    [110, 5, false],
    [0, 5, true],
  ] as const) {
    indexes(contract, price, sources, isGood)
    assert.deepEqual([marked(alone), contract.mark, contract.index], [[], 100, 0])
  }
  assert.equal(contract.premium.atMs, 0, 'without a good index the book is not sampled')
  indexes(contract, 110, 3)
  // The basis of 0.5 % counts for one of thirty seconds.
  assert.deepEqual(marked(alone), [[3, 110, 110e8, 100_000, 90_000]])
  assert.deepEqual([contract.mark, contract.index, contract.premium.atMs], [110, 110e8, 1000])
  assert.deepEqual(marked(alone.at(1250)), [])
  indexes(contract, 110.2)
  assert.deepEqual(marked(alone.at(1500)), [[3, 110, 110.2e8, 100_000, 90_000]])
  assert.equal(contract.venue.indexPrice, 110.2e8)
})

test('PERP-MARK-005: the mark counts the basis of its window, and samples that ended before it are forgotten', () => {
  const alone = new Alone().at(40_000)
  const { contract } = alone
  // A basis of 1 % for five seconds, two of them before the window; then none.
  contract.basis.add(8000 as Millis, 10_000_000)
  contract.basis.add(13_000 as Millis, 0)
  indexes(contract, 10_000)
  marked(alone)
  assert.equal(contract.mark, 10_010)
  marked(alone.at(41_500))
  assert.equal(contract.mark, 10_005)
  assert.equal(contract.basis.sum(0 as Millis, alone.x.atMs), 50_000_000_000)
  marked(alone.at(43_001))
  assert.equal(contract.mark, 10_000)
  assert.equal(contract.basis.sum(0 as Millis, alone.x.atMs), 0)
})

test('PERP-HALT-001: the mark of a halted market follows the index, and its book is not sampled', () => {
  const alone = new Alone().at(1000)
  const { contract } = alone
  contract.gate.advance(alone.x.atMs, true, false)
  contract.venue.market = { ...contract.venue.market, terms: { ...contract.venue.market.terms, isTrading: false } }
  indexes(contract, 120)
  assert.equal(marked(alone).length, 1)
  assert.deepEqual([contract.mark, contract.premium.atMs], [120, 0])
})

test('PERP-LIQUIDATION-007: a tick counts the largest move of a mark, up or down, as a part of the mark before, rounded up', () => {
  const moved = (...prices: readonly (readonly [from: number, to: number])[]): number => {
    const alone = new Alone().at(1000)
    for (const [n, [from, to]] of prices.entries()) {
      const contract = n === 0 ? alone.contract : alone.lists(3 + n)
      contract.mark = from as Ticks
      indexes(contract, to)
    }
    onIndex(alone.x)
    return alone.x.perp.moved
  }
  // A tick counts one more, so that each is another time.
  assert.deepEqual([moved([100, 100]), moved([100, 107]), moved([100, 93])], [1, 70_000_001, 70_000_001])
  assert.equal(moved([300, 301]), 3_333_335)
  assert.deepEqual([moved([100, 101], [100, 95]), moved([100, 95], [100, 101])], [50_000_001, 50_000_001])
  // The first mark of a contract is no move.
  assert.equal(moved([0, 95]), 1)
})

test('PERP-STOP-001: an index tick wakes the orders that the mark reaches when it moves, unless the market does not match', () => {
  const world = givenPerp({ alice: '1000' })
  const trigger = { kind: 'stop', price: 105, direction: 'rises-to' }
  const place = (): number => world.buy('alice', 104, 100, { trigger, triggerBy: 'mark' }).isAccepted().order
  const woken = (price: number, sources = 5): readonly number[] =>
    world
      .index(price, sources)
      .of('order.triggered')
      .map(({ order }) => order)
  const first = place()
  assert.deepEqual([woken(104), woken(105), woken(106)], [[], [first], []])
  world.index(100)
  const second = place()
  assert.deepEqual([woken(106, 2), woken(106)], [[], [second]])
  world.isReplayable()
})

test('PERP-OUTAGE-004: a trigger that the mark passed only while the market resumed wakes no order', () => {
  const world = givenPerp({ alice: '1000' })
  const trigger = { kind: 'stop', price: 105, direction: 'rises-to' }
  const { order } = world.buy('alice', 104, 100, { trigger, triggerBy: 'mark' }).isAccepted()
  world.index(100, 2)
  const told = [world.passes(4000).index(106), world.index(100), world.passes(5000).index(100), world.passes(5000).index(100)]
  assert.equal(world.exchange.marks()[0]!.phase, 'open')
  assert.deepEqual(
    told.flatMap((one) => one.of('order.triggered')),
    [],
  )
  assert.deepEqual(
    world
      .index(105)
      .of('order.triggered')
      .map((one) => one.order),
    [order],
  )
  world.isReplayable()
})

test('PERP-MARK-001: the prices of a market show the index that its mark follows', () => {
  const world = givenPerp({})
  for (const price of [110.5, 110.25]) {
    world.index(price)
    assert.deepEqual(world.exchange.prices(contract), { last: 0, index: price * 1e8, isIndexGood: true })
  }
})
