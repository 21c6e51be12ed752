import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Lots, Ticks } from '../../../money/brand.ts'
import { scaledParts } from '../../../risk/algo.ts'
import { scaledShapes } from '../../../protocol/command/algo.ts'
import type { Parts } from '../../../protocol/ids.ts'
import { contract, givenPerp } from '../../perp/test/world.ts'
import { given, start, type Told, type World } from '../../test/world.ts'
import { slowScaled } from './twin.ts'
import { comes, ends, passes, scaled } from './world.ts'

/** A market whose last price is 100, in which `maker` sells at 100 and `ann` has 100 USDT. */
function market(changed: object = {}): World {
  const world = given({ ann: { USDT: '100' }, bob: { USDT: '100' }, maker: { BTC: '10' } }, changed)
  world.prints(100, 50)
  world.sell('maker', 100, 1000).isAccepted()
  return world
}

const ended = (told: Told): readonly string[] => told.of('algo.ended').map(({ reason }) => reason)

test('ALGO-SCALED-001: quantities follow their shape and add up exactly, and prices are at equal distances rounded down to ticks', () => {
  const made = (lots: number, parts: number, from: number, to: number, shape: (typeof scaledShapes)[number]): string =>
    scaledParts(lots as Lots, parts as Parts, from as Ticks, to as Ticks, shape)
      .map(({ price, lots: each }) => `${price}×${each}`)
      .join(' ')
  assert.equal(made(100, 4, 90, 99, 'flat'), '90×25 93×25 96×25 99×25')
  assert.equal(made(100, 4, 90, 99, 'rising'), '90×10 93×20 96×30 99×40')
  assert.equal(made(100, 4, 99, 90, 'falling'), '99×40 96×30 93×20 90×10')
  assert.equal(made(11, 3, 10, 13, 'flat'), '10×3 11×4 13×4')
  const weights = { flat: () => 1n, rising: (n: number) => BigInt(n + 1), falling: (n: number, parts: number) => BigInt(parts - n) }
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 ** 52 }),
      fc.integer({ min: 2, max: 30 }),
      fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      fc.constantFrom(...scaledShapes),
      (lots, parts, from, to, shape) => {
        const all = scaledParts(lots as Lots, parts as Parts, from as Ticks, to as Ticks, shape)
        const slow = slowScaled(
          BigInt(lots),
          [...Array(parts).keys()].map((n) => weights[shape](n, parts)),
        )
        assert.deepEqual(
          all.map((part) => BigInt(part.lots)),
          slow,
        )
        assert.equal(
          all.reduce((sum, part) => sum + part.lots, 0),
          lots,
        )
        assert.deepEqual([all[0]!.price, all.at(-1)!.price], [from, to])
      },
    ),
  )
})

test('ALGO-SCALED-002: all orders of a scaled order are placed at once and hold their money, each a resting order that names it', () => {
  const world = market()
  const placed = scaled(world, 'ann').isAccepted().traded()
  world.shows(['99×60', '96×60', '93×60', '90×60'], ['100×1000'])
  world.has('ann', 'USDT', '77.32', '22.68')
  const parts = placed.of('algo.part')
  assert.deepEqual(
    parts.map(({ algo }) => algo),
    [1, 1, 1, 1].map(() => placed.order),
  )
  assert.deepEqual(
    parts.map(({ order }) => order).toSorted((a, b) => a - b),
    world.open('ann').map(({ order }) => order),
  )
  assert.deepEqual(
    placed.of('algo.placed').map(({ kind, from, to, shape, lots }) => [kind, from, to, shape, lots]),
    [['scaled', 90, 99, 'flat', 240]],
  )
  world.isReplayable()
})

test('ALGO-SCALED-003: one order that may not be placed refuses all of them, with nothing changed', () => {
  const world = market()
  const refused = (name: string, changed: object, plan: object, why: Parameters<Told['isRefused']>[0]): void => {
    scaled(world, name, changed, plan).isRefused(why)
    world.shows([], ['100×1000'])
  }
  refused('ann', { lots: 1100 }, {}, 'INSUFFICIENT_BALANCE')
  refused('ann', {}, { to: 100 }, 'ALGO_WOULD_TRADE')
  refused('ann', { lots: 400 }, { from: 70 }, 'PRICE_OUTSIDE_BAND')
  refused('ann', {}, { from: 0 }, 'PRICE_INVALID')
  refused('ann', { lots: 200 }, {}, 'ALGO_PART_TOO_SMALL')
  refused('ann', { lots: 3 }, {}, 'ALGO_PART_TOO_SMALL')
  refused('ann', { side: 'sell' }, { from: 101, to: 110 }, 'INSUFFICIENT_BALANCE')
  refused('ann', { parts: 31, lots: 9000 }, { from: 60 }, 'ALGO_SCHEDULE_INVALID')
  refused('ann', { parts: 1 }, {}, 'ALGO_SCHEDULE_INVALID')
  refused('ann', { parts: 4 }, { from: 97 }, 'ALGO_SCHEDULE_INVALID')
  const few = market({ openOrdersMax: 5 })
  few.buy('ann', 80, 70).isAccepted()
  few.buy('ann', 80, 70).isAccepted()
  scaled(few, 'ann').isRefused('TOO_MANY_OPEN_ORDERS')
  few.shows(['80×140'], ['100×1000'])
  scaled(world, 'ann', { lots: 1000 }).isAccepted()
})

test('ALGO-SCALED-004: cancelling a scaled order cancels its open orders, and it ends by itself after the last of them', () => {
  const world = market()
  const first = scaled(world, 'ann').isAccepted().order
  world.sell('bob', 99, 60).isRefused('INSUFFICIENT_BALANCE')
  world.gives('bob', 'BTC', '1').sell('bob', 99, 60).isAccepted().traded('99×60')
  const told = ends(world, 'ann', first).isAccepted()
  assert.deepEqual(
    [told.of('order.closed').map(({ reason }) => reason), ended(told)],
    [['cancelled', 'cancelled', 'cancelled'], ['cancelled']],
  )
  world.shows([], ['100×1000'])
  world.has('ann', 'USDT', '94.06')

  const second = scaled(world, 'ann').isAccepted().order
  assert.deepEqual(ended(comes(world)), [])
  world.sell('bob', 90, 240).isAccepted()
  assert.equal(world.exchange.nextDueAtMs, start + 4000)
  const last = comes(world)
  assert.deepEqual(
    last.of('algo.ended').map(({ algo, reason }) => [algo, reason]),
    [[second, 'done']],
  )
  ends(world, 'ann', second).isRefused('ALGO_UNKNOWN')
})

test('ALGO-FUTURES-001: orders in parts open, reduce and hedge Futures positions, and end when there is nothing left to reduce', () => {
  const perp = givenPerp({ ann: '1000', bob: '1000', maker: '100000' })
  perp.sell('maker', 100, 5000).isAccepted()
  const inParts = (name: string, changed: object): Told =>
    perp.do({
      ...{ type: 'algo.place', user: perp.id(name), clientId: '', market: contract, side: 'buy', position: 'both', isReduceOnly: false },
      ...{ lots: 600, parts: 6, plan: { kind: 'twap', durationMs: 360_000, worst: 0 }, ...changed },
    })
  const into = inParts('ann', {}).isAccepted().traded('100×100')
  perp.passes(60_000)
  perp.index(100)
  perp.tick().traded('100×100')
  perp.holds('ann', '200@100')
  inParts('ann', { position: undefined }).isRefused('ORDER_TYPE_INVALID')
  inParts('ann', { position: 'long' }).isRefused('POSITION_SIDE_INVALID')
  perp.do({ type: 'user.certify', user: perp.id('bob'), isCertified: false }).isAccepted()
  inParts('bob', {}).isRefused('NOT_CERTIFIED')
  perp.buy('maker', 99, 5000).isAccepted()
  ends(perp, 'ann', into.order).isAccepted()
  const out = inParts('ann', { side: 'sell', isReduceOnly: true, lots: 300, parts: 2 }).isAccepted().traded('99×150')
  perp.holds('ann', '50@100')
  perp.market('ann', 'sell', 50, { isReduceOnly: true }).isAccepted()
  perp.passes(180_000)
  perp.index(100)
  let told = perp.tick()
  for (let n = 0; n < 5 && told.of('algo.ended').length === 0; n++) told = perp.tick()
  assert.deepEqual(
    told.of('algo.ended').map(({ algo, reason, executedLots }) => [algo, reason, executedLots]),
    [[out.order, 'no-position', 150]],
  )
  perp.isReplayable()
})

test('ALGO-FUTURES-002: the orders of a scaled order in Futures are paid together, and those that only reduce fit the position', () => {
  const perp = givenPerp({ ann: '100', maker: '100000' })
  const ladder = (changed: object, plan: object): Told =>
    perp.do({
      ...{ type: 'algo.place', user: perp.id('ann'), clientId: '', market: contract, side: 'buy', position: 'both', isReduceOnly: false },
      ...{ lots: 400, parts: 4, plan: { kind: 'scaled', from: 90, to: 99, shape: 'flat', ...plan }, ...changed },
    })
  ladder({ lots: 100_000 }, {}).isRefused('MARGIN_INSUFFICIENT')
  const { order } = ladder({}, {}).isAccepted().traded()
  assert.equal(perp.exchange.openOrders(perp.id('ann')).length, 4)
  ends(perp, 'ann', order).isAccepted()
  assert.equal(perp.exchange.openOrders(perp.id('ann')).length, 0)
  perp.sell('maker', 100, 400).isAccepted()
  perp.buy('ann', 100, 400).isAccepted().traded('100×400')
  const above = { from: 101, to: 110 }
  ladder({ side: 'sell', isReduceOnly: true, lots: 404 }, above).isRefused('REDUCE_ONLY_REJECTED')
  ladder({ side: 'sell', isReduceOnly: true }, above).isAccepted()
  ladder({ side: 'sell', isReduceOnly: true }, above).isRefused('REDUCE_ONLY_REJECTED')
  perp.isReplayable()
})

const ladders = fc.record({
  lots: fc.integer({ min: 200, max: 120_000 }),
  parts: fc.integer({ min: 2, max: 12 }),
  ends: fc.tuple(fc.integer({ min: 82, max: 118 }), fc.integer({ min: 82, max: 118 })),
  shape: fc.constantFrom(...scaledShapes),
  side: fc.constantFrom('buy', 'sell'),
  isReduceOnly: fc.boolean(),
  leverage: fc.integer({ min: 1, max: 10 }),
})

test('ALGO-SCALED-005: what passes the check of the whole is placed whole, whatever positions, orders and leverage there are', () => {
  let accepted = 0
  fc.assert(
    fc.property(fc.array(ladders, { minLength: 1, maxLength: 6 }), fc.integer({ min: -300, max: 300 }), (all, held) => {
      const perp = givenPerp({ ann: '5000', maker: '100000' })
      perp.leverage('ann', all[0]!.leverage).isAccepted()
      if (held !== 0) {
        perp.place('maker', { side: held > 0 ? 'sell' : 'buy', price: 100, lots: Math.abs(held) })
        perp.place('ann', { side: held > 0 ? 'buy' : 'sell', price: 100, lots: Math.abs(held) })
      }
      for (const {
        ends: [from, to],
        shape,
        leverage: _leverage,
        ...ladder
      } of all) {
        const whole = { clientId: '', market: contract, position: 'both', ...ladder, plan: { kind: 'scaled', from, to, shape } }
        const told = perp.do({ type: 'algo.place', user: perp.id('ann'), ...whole })
        assert.deepEqual(told.of('algo.ended'), [])
        if (told.outcome.refusal === undefined) accepted += told.of('order.accepted').length
        else assert.equal(told.events.length, 1)
      }
    }),
    { numRuns: 60 },
  )
  assert.ok(accepted > 50, `${accepted} orders were placed`)
})

test('ALGO-BOOKS-001: running orders in parts survive a restore, and go on from there as they would have', () => {
  const world = market()
  world.gives('ann', 'USDT', '100')
  world
    .do({
      ...{ type: 'algo.place', user: world.user('ann'), clientId: '', market: 1, side: 'buy', isReduceOnly: false, lots: 600, parts: 6 },
      plan: { kind: 'twap', durationMs: 360_000, worst: 101 },
    })
    .isAccepted()
  scaled(world, 'ann').isAccepted()
  comes(world)
  world.isReplayable()
  const other = given({})
  other.exchange = (world.exchange.constructor as unknown as { restore(dump: Uint8Array): World['exchange'] }).restore(
    world.exchange.dump(),
  )
  other.atMs = world.atMs
  for (let n = 0; n < 20; n++) {
    const told = [world, other].map((one) => {
      passes(one, 20_000)
      return one.tick().events
    })
    assert.deepEqual(told[0], told[1])
  }
  assert.equal(other.exchange.hash(), world.exchange.hash())
})
