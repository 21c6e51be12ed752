import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Lots, Millis, Ticks } from '../../../money/brand.ts'
import { smallestLots, twapPart } from '../../../risk/algo.ts'
import type { Parts } from '../../../protocol/ids.ts'
import type { Market } from '../../../protocol/market.ts'
import { given, start, terms, type Told, type World } from '../../test/world.ts'
import { slowPart, slowTwap } from './twin.ts'
import { comes, ends, minute, passes, twap } from './world.ts'

/** A market in which `maker` sells up to 1,000 lots at 100, and `ann` has 100 USDT. */
function market(changed: object = {}): World {
  const world = given({ ann: { USDT: '100' }, bob: { USDT: '100' }, maker: { BTC: '10' } }, { notionalMin: 100_000, ...changed })
  world.prints(100, 50)
  world.sell('maker', 100, 1000).isAccepted()
  return world
}

const part = (told: Told): readonly unknown[] => {
  const [event, ...others] = told.of('algo.part')
  assert.ok(event !== undefined && others.length === 0, 'one part was placed')
  const closed = told.of('order.closed').find(({ order }) => order === event.order)
  return [closed?.executedLots, event.partsLeft, event.nextAtMs === 0 ? 0 : (event.nextAtMs - start) / minute]
}

const ended = (told: Told): readonly unknown[] => told.of('algo.ended').map(({ reason, executedLots }) => [reason, executedLots])

test('ALGO-TWAP-001: a TWAP order places a part at once and one at each interval, each an immediate order of the user that names it', () => {
  const world = market()
  const placed = twap(world, 'ann').isAccepted().traded('100×10')
  const [facts] = placed.of('algo.placed')
  assert.deepEqual([facts?.kind, facts?.lots, facts?.parts, facts?.everyMs, facts?.side], ['twap', 60, 6, minute, 'buy'])
  assert.equal(placed.order, facts?.algo)
  const [link] = placed.of('algo.part')
  assert.deepEqual([link?.algo, link?.user, link?.market], [facts?.algo, world.user('ann'), 1])
  const [order] = placed.of('order.accepted')
  assert.deepEqual([order?.order, order?.user, order?.orderType, order?.timeInForce], [link?.order, world.user('ann'), 'market', 'IOC'])
  assert.deepEqual(part(placed), [10, 5, 1])
  assert.equal(world.exchange.nextDueAtMs, start + minute)
  for (let n = 2; n <= 5; n++) assert.deepEqual(part(comes(world)), [10, 6 - n, n], `part ${n}`)
  const last = comes(world)
  assert.deepEqual(part(last), [10, 0, 0])
  assert.deepEqual(ended(last), [['filled', 60]])
  assert.equal(last.of('algo.ended')[0]?.executedQuote, 60 * 100 * 1000)
  assert.equal(world.exchange.nextDueAtMs, Infinity)
  assert.equal(last.outcome.order, 0)
  world.has('ann', 'BTC', '0.05994')
  world.isReplayable()
})

const sizes = fc.record({
  lots: fc.integer({ min: 1, max: 2 ** 40 }),
  parts: fc.integer({ min: 2, max: 60 }),
  smallest: fc.integer({ min: 1, max: 2 ** 20 }),
  largest: fc.integer({ min: 1, max: 2 ** 41 }),
})

test('ALGO-TWAP-002: a part is the rest divided by the parts left, rounded up and at most three even shares, and the parts add up exactly', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 2 ** 40 }), fc.nat(59), ({ lots, parts, smallest, largest }, rest, gone) => {
      const state = {
        lots: lots as Lots,
        parts: parts as Parts,
        left: Math.min(rest, lots) as Lots,
        partsLeft: (1 + (gone % parts)) as Parts,
      }
      const even = BigInt(Math.ceil(lots / parts))
      const slow = slowPart(BigInt(state.left), BigInt(state.partsLeft), even, BigInt(smallest), BigInt(largest))
      assert.equal(BigInt(twapPart(state, smallest as Lots, largest as Lots)), slow)
    }),
  )
  fc.assert(
    fc.property(sizes, ({ lots, parts, smallest }) => {
      const [made, left] = [[] as number[], { lots: lots as Lots, parts: parts as Parts, left: lots as Lots, partsLeft: parts }]
      for (; left.partsLeft > 0; left.partsLeft--) {
        const size = twapPart({ ...left, partsLeft: left.partsLeft as Parts }, smallest as Lots, (2 ** 50) as Lots)
        if (size === 0) break
        made.push(size)
        left.left = (left.left - size) as Lots
      }
      assert.deepEqual(made.map(BigInt), slowTwap(BigInt(lots), BigInt(parts), BigInt(smallest), 2n ** 50n))
      if (Math.floor(lots / parts) >= smallest) assert.equal(left.left, 0)
      assert.ok(made.every((size) => size >= smallest))
    }),
  )
})

test('ALGO-TWAP-003: a part that is refused or executes in part leaves its quantity to the later ones, and what is left at the end is told', () => {
  const world = market()
  const placed = twap(world, 'ann').isAccepted()
  world.cancel('maker', world.open('maker')[0]!.order).isAccepted()
  const missed = comes(world).of('algo.missed')
  assert.deepEqual(
    missed.map(({ algo, refusal, partsLeft, nextAtMs }) => [algo, refusal, partsLeft, nextAtMs - start]),
    [[placed.order, 'NO_LIQUIDITY', 4, 2 * minute]],
  )
  world.sell('maker', 100, 5).isAccepted()
  assert.deepEqual(part(comes(world)), [5, 3, 3])
  world.sell('maker', 100, 1000).isAccepted()
  assert.deepEqual(part(comes(world)), [15, 2, 4], '45 lots in three parts')
  world.cancel('maker', world.open('maker')[0]!.order).isAccepted()
  comes(world)
  world.sell('maker', 100, 1000).isAccepted()
  const last = comes(world)
  assert.deepEqual(part(last), [30, 0, 0])
  assert.deepEqual(ended(last), [['filled', 60]])

  const poor = market()
  twap(poor, 'ann').isAccepted()
  poor.cancel('maker', poor.open('maker')[0]!.order).isAccepted()
  for (let n = 2; n <= 5; n++) comes(poor)
  poor.sell('maker', 100, 1000).isAccepted()
  const end = comes(poor)
  assert.deepEqual(part(end), [30, 0, 0], 'three even shares')
  assert.deepEqual(ended(end), [['done', 40]])
})

test('ALGO-TWAP-004: no part trades at a price worse than the user’s own or that of a market order, whichever is better', () => {
  const world = market()
  twap(world, 'ann', {}, { worst: 99 }).isAccepted().traded()
  const [order] = comes(world).of('order.accepted')
  assert.deepEqual([order?.orderType, order?.price, order?.timeInForce], ['limit', 99, 'IOC'])
  world.sell('maker', 98, 3).isAccepted()
  assert.deepEqual(comes(world).traded('98×3').of('algo.missed'), [])

  const wide = market()
  twap(wide, 'ann', {}, { worst: 115 }).isAccepted()
  wide.cancel('maker', wide.open('maker')[0]!.order).isAccepted()
  wide.sell('maker', 106, 500).isAccepted()
  assert.deepEqual(
    comes(wide)
      .traded()
      .of('order.accepted')
      .map(({ price }) => price),
    [105],
    'five per cent from the average price',
  )
  twap(wide, 'bob', {}, { worst: -1 }).isRefused('PRICE_INVALID')
  twap(wide, 'bob', {}, { worst: 2 ** 31 }).isRefused('PRICE_INVALID')
})

test('ALGO-TWAP-005: a schedule whose even part is smaller than the market’s smallest order is refused, and a rest that small ends the order', () => {
  const world = market({ notionalMin: 950_000 })
  twap(world, 'ann', { lots: 59 }).isRefused('ALGO_PART_TOO_SMALL')
  twap(world, 'ann', { lots: 60, parts: 7 }, { durationMs: 7 * minute }).isRefused('ALGO_PART_TOO_SMALL')
  twap(world, 'ann').isAccepted()
  world.cancel('maker', world.open('maker')[0]!.order).isAccepted()
  for (let n = 2; n <= 5; n++) comes(world)
  world.sell('maker', 100, 1000).isAccepted()
  comes(world)

  const rest = market({ lotsMin: 10 })
  rest.cancel('maker', rest.open('maker')[0]!.order).isAccepted()
  rest.sell('maker', 100, 55).isAccepted()
  twap(rest, 'ann').isAccepted()
  for (let n = 2; n <= 5; n++) comes(rest)
  const last = comes(rest)
  assert.deepEqual(part(last), [5, 0, 0])
  assert.deepEqual(ended(last), [['done', 55]])
  const early = market()
  twap(early, 'ann').isAccepted()
  early.do({ type: 'market.set', market: 1, terms: { ...terms, notionalMin: 100_000, lotsMin: 51 } }).isAccepted()
  assert.deepEqual(ended(comes(early)), [['small', 10]])
  const smallest = (lotsMin: number): number =>
    smallestLots({ terms: { ...terms, lotsMin, notionalMin: 1001 }, quotePerTickLot: 1 } as unknown as Market, 100 as Ticks)
  assert.deepEqual([smallest(2), smallest(20)], [11, 20])
})

test('ALGO-TWAP-006: while its market is halted the order waits and keeps its parts, for a day at most', () => {
  const world = market()
  twap(world, 'ann').isAccepted()
  const halt = (isTrading: boolean): Told =>
    world.do({ type: 'market.set', market: 1, terms: { ...terms, notionalMin: 100_000, isTrading } }).isAccepted()
  halt(false)
  const missed = comes(world).of('algo.missed')
  assert.deepEqual(
    missed.map(({ refusal, partsLeft, nextAtMs }) => [refusal, partsLeft, nextAtMs - start]),
    [['MARKET_HALTED', 5, 2 * minute]],
  )
  comes(world)
  halt(true)
  passes(world, 3 * minute)
  assert.deepEqual(part(comes(world)).slice(0, 2), [10, 4])
  halt(false)
  let told = comes(world)
  for (let n = 0; n < 1500 && ended(told).length === 0; n++) told = comes(world)
  assert.deepEqual(ended(told), [['halted', 20]])
  assert.ok(world.atMs > start + 24 * 60 * minute && world.atMs < start + 25 * 60 * minute)
})

test('ALGO-TWAP-007: a frozen account and the customer’s own pause end the order with the reason', () => {
  const world = market()
  twap(world, 'ann').isAccepted()
  twap(world, 'bob').isAccepted()
  world.do({ type: 'user.set', user: world.user('ann'), isFrozen: true }).isAccepted()
  world.do({ type: 'user.rest', user: world.user('bob'), until: world.atMs + 3_600_000 }).isAccepted()
  assert.deepEqual(ended(comes(world)), [
    ['frozen', 10],
    ['resting', 10],
  ])
  twap(world, 'ann').isRefused('USER_FROZEN')
  twap(world, 'bob').isRefused('RESTING')
  assert.equal(world.exchange.nextDueAtMs, Infinity)
})

test('ALGO-TWAP-008: after a standstill the schedule moves on, so that parts never come closer together', () => {
  const world = market()
  twap(world, 'ann').isAccepted()
  passes(world, 61 * minute)
  assert.deepEqual(part(world.tick()), [10, 4, 62])
  assert.deepEqual(world.tick().of('algo.part'), [])
  passes(world, minute + 7)
  assert.deepEqual(part(world.tick()), [10, 3, 63], 'a little lateness is not added up')
})

test('ALGO-TWAP-009: a schedule outside the bounds is refused: 5 minutes to a day, 2 to 500 parts, 10 seconds or more between them', () => {
  const world = market()
  const plan = (parts: number, durationMs: number): Told => twap(world, 'ann', { parts, lots: 2000 }, { durationMs })
  for (const [parts, durationMs] of [
    [1, minute * 6],
    [2, 5 * minute - 1],
    [2, 24 * 60 * minute + 1],
    [501, 24 * 60 * minute],
    [31, 5 * minute],
  ] as const)
    plan(parts, durationMs).isRefused('ALGO_SCHEDULE_INVALID')
  twap(world, 'ann', { lots: 0 }).isRefused('QUANTITY_INVALID')
  twap(world, 'ann', { market: 9 }).isRefused('MARKET_UNKNOWN')
  twap(world, 'ann', { isReduceOnly: true }).isRefused('ORDER_TYPE_INVALID')
  twap(world, 'ann', { position: 'both' }).isRefused('ORDER_TYPE_INVALID')
  twap(world, 'ann', { parts: 30 }, { durationMs: (5 * minute) as Millis }).isAccepted()
})

test('ALGO-TWAP-010: what refuses the first part refuses the whole order, and no number is used', () => {
  const world = market()
  world.gives('poor', 'USDT', '0.5')
  twap(world, 'poor').isRefused('INSUFFICIENT_BALANCE')
  assert.equal(world.exchange.nextDueAtMs, Infinity)
  const { order } = world.buy('bob', 90, 10).isAccepted()
  const placed = twap(world, 'ann').isAccepted()
  assert.deepEqual([placed.order, placed.of('order.accepted')[0]?.order], [order + 1, order + 2])
})

test('ALGO-LIMIT-001: a user has at most ten running orders in parts', () => {
  const world = market()
  const all = [...Array(10)].map(() => twap(world, 'ann', { lots: 6, parts: 2 }, { durationMs: 5 * minute }).isAccepted().order)
  twap(world, 'ann').isRefused('ALGO_LIMIT')
  assert.equal(world.exchange.standing(world.user('ann')).runningAlgos, 10)
  twap(world, 'bob').isAccepted()
  ends(world, 'ann', all[3]!).isAccepted()
  twap(world, 'ann').isAccepted()
})

test('ALGO-LIMIT-002: one clock tick places at most eight parts, earliest first, and the next one goes on', () => {
  const world = market()
  const placed = [...Array(10)].map(() => twap(world, 'ann', { lots: 6, parts: 2 }, { durationMs: 5 * minute }).isAccepted().order)
  const bob = twap(world, 'bob', { lots: 6, parts: 2 }, { durationMs: 5 * minute }).isAccepted().order
  const first = comes(world)
  assert.deepEqual(
    first.of('algo.part').map(({ algo }) => algo),
    placed.slice(0, 8),
  )
  assert.ok(world.exchange.nextDueAtMs <= world.atMs, 'work is left')
  assert.deepEqual(
    comes(world)
      .of('algo.part')
      .map(({ algo }) => algo),
    [...placed.slice(8), bob],
  )
  assert.equal(world.exchange.nextDueAtMs, Infinity)
})

test('ALGO-CANCEL-001: a user ends their own order at any time, also while frozen; the same request twice has one answer', () => {
  const world = market()
  const { order } = twap(world, 'ann', { clientId: 'slow' }).isAccepted()
  const again = twap(world, 'ann', { clientId: 'slow' })
  assert.deepEqual([again.outcome.order, again.outcome.isRepeat, again.events.length], [order, true, 1])
  twap(world, 'ann', { clientId: 'slow', lots: 66 }).isRefused('CLIENT_ID_REUSED')
  ends(world, 'bob', order).isRefused('ALGO_UNKNOWN')
  world.do({ type: 'user.set', user: world.user('ann'), isFrozen: true }).isAccepted()
  const told = ends(world, 'ann', order).isAccepted()
  assert.deepEqual([told.order, ended(told)], [order, [['cancelled', 10]]])
  ends(world, 'ann', order).isRefused('ALGO_UNKNOWN')
  assert.equal(world.exchange.nextDueAtMs, Infinity)
})

test('ALGO-MONEY-001: nothing is held for parts to come, and a part that can’t be paid is missed until it can', () => {
  const world = market()
  twap(world, 'ann').isAccepted()
  world.has('ann', 'USDT', '99')
  world.buy('ann', 90, 1099).isAccepted()
  assert.deepEqual(
    comes(world)
      .of('algo.missed')
      .map(({ refusal }) => refusal),
    ['INSUFFICIENT_BALANCE'],
  )
  world.cancel('ann', world.open('ann')[0]!.order).isAccepted()
  assert.deepEqual(part(comes(world)), [13, 3, 3])
})
