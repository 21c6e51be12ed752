/** Orders that end at a date or take their price from the book, and countdowns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PriceMatch } from '../../../protocol/command/perp.ts'
import { Exchange } from '../../exchange.ts'
import type { Told } from '../../test/world.ts'
import { endsMax } from '../handlers/countdown.ts'
import { contract, givenPerp } from './world.ts'
import type { PerpWorld } from './world.ts'

const two = { alice: '1000', bob: '1000' }
const minutes = (count: number): number => count * 60_000

function tick(world: PerpWorld): Told {
  return world.do({ type: 'clock.tick' }).isAccepted()
}

function ends(told: Told): (readonly [order: number, reason: string])[] {
  return told.of('order.closed').map(({ order, reason }) => [order, reason])
}

function count(world: PerpWorld, name: string, duration: number, market: number = contract): Told {
  return world.do({ type: 'perp.countdown', user: world.id(name), market, duration })
}

function opens(world: PerpWorld, name: string): number[] {
  return world.world.open(name).map(({ order }) => order)
}

test('PERP-GTD-001: an order with a date shows it, and expires with the first clock tick at or after it', () => {
  const world = givenPerp(two)
  const goodTill = world.world.atMs + minutes(20)
  const told = world.buy('alice', 98, 1000, { goodTill }).isAccepted()
  assert.equal(told.of('order.accepted')[0]!.perp?.goodTill, goodTill)
  assert.equal(world.world.open('alice')[0]?.perp?.goodTill, goodTill)
  assert.ok(world.exchange.nextDueAtMs <= goodTill)
  world.isReplayable().passes(minutes(20) - 1)
  assert.deepEqual(ends(tick(world)), [])
  world.passes(1)
  assert.deepEqual(ends(tick(world)), [[told.order, 'expired']])
  world.has('alice', '1000').isReplayable()
})

test('PERP-GTD-001: an order with exits keeps both, and one that sleeps expires asleep', () => {
  const world = givenPerp(two)
  const goodTill = world.world.atMs + minutes(20)
  const exits = { takeProfit: { price: 110, by: 'last' } }
  const both = world.buy('alice', 98, 1000, { goodTill, exits }).isAccepted()
  assert.deepEqual(both.of('order.accepted')[0]!.perp?.exits, exits)
  assert.deepEqual([world.world.open('alice')[0]?.perp?.exits, world.world.open('alice')[0]?.perp?.goodTill], [exits, goodTill])
  const asleep = world.buy('bob', 104, 100, { goodTill, trigger: { kind: 'stop', price: 105, direction: 'rises-to' } }).isAccepted()
  world.isReplayable().passes(minutes(21))
  assert.deepEqual(ends(tick(world)), [
    [both.order, 'expired'],
    [asleep.order, 'expired'],
  ])
  world.has('alice', '1000').has('bob', '1000').isReplayable()
})

test('PERP-GTD-002: a date within ten minutes or after the year 9999 is refused, and so is one of an order that does not rest', () => {
  const world = givenPerp(two)
  const now = world.world.atMs
  for (const goodTill of [1, now - 1, now, now + minutes(10), 253_402_300_799_000, Number.MAX_SAFE_INTEGER])
    world.buy('alice', 98, 1000, { goodTill }).isRefused('TIME_OUT_OF_RANGE')
  world.buy('alice', 98, 1000, { goodTill: now + minutes(10) + 1 }).isAccepted()
  world.buy('alice', 98, 1000, { goodTill: 253_402_300_798_999 }).isAccepted()
  const goodTill = now + minutes(20)
  for (const shape of [{ timeInForce: 'IOC' }, { timeInForce: 'FOK' }, { isPostOnly: true }])
    world.buy('alice', 98, 1000, { goodTill, ...shape }).isRefused('ORDER_TYPE_INVALID')
  world.market('alice', 'buy', 1000, { goodTill }).isRefused('ORDER_TYPE_INVALID')
  const trigger = { kind: 'stop', price: 105, direction: 'rises-to' }
  world.buy('bob', 104, 100, { goodTill: now + minutes(10), trigger }).isRefused('TIME_OUT_OF_RANGE')
  world.isReplayable()
})

test('PERP-GTD-003: an order that was filled, cancelled or made smaller meanwhile does not expire a second time', () => {
  const world = givenPerp(two)
  const goodTill = world.world.atMs + minutes(20)
  const filled = world.buy('alice', 98, 1000, { goodTill }).isAccepted().order
  const cancelled = world.buy('alice', 97, 1000, { goodTill }).isAccepted().order
  const kept = world.buy('alice', 96, 1000, { goodTill }).isAccepted().order
  world.sell('bob', 98, 1000).isAccepted().closed(filled, 'filled')
  world.sell('bob', 99, 100).isAccepted()
  world.buy('alice', 99, 100, { goodTill }).isAccepted()
  world.cancel('alice', cancelled).isAccepted()
  world.amend('alice', kept, { lots: 500 }).isAccepted()
  world.amend('alice', kept, { price: 95 }).isAccepted()
  world.isReplayable().passes(minutes(30))
  assert.deepEqual(ends(tick(world)), [[kept, 'expired']])
  assert.deepEqual(opens(world, 'alice'), [])
  world.isReplayable()
})

test('PERP-GTD-004: one clock tick ends 200 orders, by date and then by number, and the next one continues', () => {
  const names = ['alice', 'bob', 'carol']
  const world = givenPerp(Object.fromEntries(names.map((name) => [name, '10000'])))
  const now = world.world.atMs
  const placed: { readonly order: number; readonly goodTill: number }[] = []
  for (let n = 0; n < 100; n++) {
    for (const name of names) {
      const goodTill = now + minutes(11 + (n % 7))
      placed.push({ order: world.buy(name, 95, 100, { goodTill }).isAccepted().order, goodTill })
    }
  }
  const expected = placed.sort((a, b) => a.goodTill - b.goodTill || a.order - b.order).map(({ order }) => order)
  world.isReplayable().passes(minutes(60))
  const first = ends(tick(world)).map(([order]) => order)
  assert.deepEqual(first, expected.slice(0, endsMax))
  assert.ok(world.exchange.nextDueAtMs <= world.world.atMs)
  world.isReplayable()
  assert.deepEqual(
    ends(tick(world)).map(([order]) => order),
    expected.slice(endsMax),
  )
  world.isReplayable()
})

test('PERP-GTD-005: reduce-only orders and orders of both positions of hedge mode expire, and leave the positions alone', () => {
  const world = givenPerp({ ...two, carol: '5000' })
  world.hedge('alice', true).isAccepted()
  world.sell('carol', 100, 1000)
  world.buy('alice', 100, 1000, { position: 'long' }).isAccepted()
  world.buy('carol', 99, 500)
  world.sell('alice', 99, 500, { position: 'short' }).isAccepted()
  const goodTill = world.world.atMs + minutes(20)
  const long = world.sell('alice', 105, 1000, { position: 'long', goodTill }).isAccepted().order
  const short = world.buy('alice', 95, 500, { position: 'short', goodTill }).isAccepted().order
  world.passes(minutes(20)).isReplayable()
  assert.deepEqual(ends(tick(world)), [
    [long, 'expired'],
    [short, 'expired'],
  ])
  world.isReplayable()
})

test('PERP-COUNTDOWN-001: a countdown that ends cancels the user’s orders in the book of its market, and no sleeping ones', () => {
  const world = givenPerp(two)
  const first = world.buy('alice', 98, 1000).isAccepted().order
  const asleep = world.buy('alice', 104, 100, { trigger: { kind: 'stop', price: 105, direction: 'rises-to' } }).isAccepted().order
  const other = world.buy('bob', 98, 1000).isAccepted().order
  count(world, 'alice', 5000).isAccepted()
  const second = world.sell('alice', 106, 300).isAccepted().order
  assert.ok(world.exchange.nextDueAtMs <= world.world.atMs + 5000)
  world.isReplayable().passes(4999)
  assert.deepEqual(ends(tick(world)), [])
  world.passes(1)
  assert.deepEqual(ends(tick(world)), [
    [first, 'countdown'],
    [second, 'countdown'],
  ])
  assert.deepEqual([opens(world, 'alice'), opens(world, 'bob')], [[asleep], [other]])
  world.isReplayable()
  // It acts once: an order placed afterwards stays.
  const later = world.buy('alice', 97, 1000).isAccepted().order
  world.passes(minutes(10))
  assert.deepEqual(ends(tick(world)), [])
  assert.ok(opens(world, 'alice').includes(later))
  world.isReplayable()
})

test('PERP-COUNTDOWN-002: a new countdown replaces the running one, 0 stops it, and a restored exchange counts on', () => {
  const world = givenPerp(two)
  const order = world.buy('alice', 98, 1000).isAccepted().order
  count(world, 'alice', 5000).isAccepted()
  world.passes(4000)
  count(world, 'alice', 5000).isAccepted()
  world.passes(4000)
  assert.deepEqual(ends(tick(world)), [])
  count(world, 'alice', 0).isAccepted()
  world.passes(minutes(60))
  assert.deepEqual(ends(tick(world)), [])
  count(world, 'alice', 0).isAccepted()
  count(world, 'alice', 1000).isAccepted()
  // Renewed after its time but before the tick: the command that came first counts.
  world.passes(2000)
  count(world, 'alice', 1000).isAccepted()
  assert.deepEqual(ends(tick(world)), [])
  const restored = Exchange.restore(world.exchange.dump())
  assert.equal(restored.nextDueAtMs, world.exchange.nextDueAtMs)
  world.passes(1000)
  assert.deepEqual(ends(tick(world)), [[order, 'countdown']])
  world.isReplayable()
})

test('PERP-COUNTDOWN-003: a countdown is refused for an unknown market or when it is longer than a week', () => {
  const world = givenPerp(two)
  count(world, 'alice', 1000, 1).isRefused('MARKET_UNKNOWN')
  count(world, 'alice', 1000, 99).isRefused('MARKET_UNKNOWN')
  count(world, 'alice', -1).isRefused('TIME_OUT_OF_RANGE')
  count(world, 'alice', 604_800_001).isRefused('TIME_OUT_OF_RANGE')
  count(world, 'alice', 604_800_000).isAccepted()
  world.do({ type: 'user.set', user: world.id('alice'), isFrozen: true }).isAccepted()
  count(world, 'alice', 1000).isAccepted()
  world.isReplayable()
})

test('PERP-COUNTDOWN-004: one clock tick cancels 200 orders of ended countdowns; a new countdown does not stop the rest', () => {
  const world = givenPerp({ alice: '100000', bob: '100000' })
  for (const name of ['alice', 'bob']) {
    for (let n = 0; n < 150; n++) world.buy(name, 95, 100).isAccepted()
    count(world, name, 1000).isAccepted()
  }
  world.passes(1000)
  assert.equal(ends(tick(world)).length, endsMax)
  count(world, 'bob', minutes(5)).isAccepted()
  const late = world.buy('bob', 94, 100).isAccepted().order
  world.isReplayable()
  assert.equal(ends(tick(world)).length, 300 - endsMax)
  assert.deepEqual([opens(world, 'alice'), opens(world, 'bob')], [[], [late]])
  world.passes(minutes(5))
  assert.deepEqual(ends(tick(world)), [[late, 'countdown']])
  world.isReplayable()
})

/** Bids at 97, 96 … 88 and asks at 101, 102 … 106 of carol. */
function deep(): PerpWorld {
  const world = givenPerp({ ...two, carol: '50000' })
  for (let n = 0; n < 10; n++) world.buy('carol', 97 - n, 1000).isAccepted()
  for (let n = 0; n < 6; n++) world.sell('carol', 101 + n, 1000).isAccepted()
  return world
}

function matched(world: PerpWorld, name: string, side: 'buy' | 'sell', priceMatch: PriceMatch, more: object = {}): Told {
  return world.place(name, { side, lots: 100, priceMatch, ...more })
}

test('PERP-MATCH-001: an order without a price takes that of a level of the book, of the other side or of its own', () => {
  const prices: readonly (readonly [side: 'buy' | 'sell', match: PriceMatch, price: number])[] = [
    ['buy', 'opponent', 101],
    ['buy', 'opponent-5', 105],
    ['buy', 'queue', 97],
    ['buy', 'queue-5', 93],
    ['buy', 'queue-10', 88],
    ['sell', 'opponent', 97],
    ['sell', 'queue', 101],
    ['sell', 'queue-5', 105],
  ]
  for (const [side, match, price] of prices) {
    const world = deep()
    const [accepted] = matched(world, 'alice', side, match).isAccepted().of('order.accepted')
    assert.deepEqual([match, accepted!.price, accepted!.perp?.priceMatch], [match, price, match])
    world.isReplayable()
  }
  const world = deep()
  matched(world, 'alice', 'buy', 'queue').isAccepted()
  assert.equal(world.world.open('alice')[0]?.perp?.priceMatch, 'queue')
})

test('PERP-MATCH-002: an order whose level the book does not have is refused, and so is one with a price or at the market', () => {
  const world = deep()
  matched(world, 'alice', 'buy', 'opponent-10').isRefused('PRICE_LEVEL_MISSING')
  matched(world, 'alice', 'sell', 'queue-20').isRefused('PRICE_LEVEL_MISSING')
  matched(world, 'alice', 'buy', 'queue', { price: 97 }).isRefused('ORDER_TYPE_INVALID')
  matched(world, 'alice', 'buy', 'queue', { orderType: 'market', timeInForce: 'IOC' }).isRefused('ORDER_TYPE_INVALID')
  matched(world, 'alice', 'buy', 'opponent', { isPostOnly: true }).isRefused('POST_ONLY_WOULD_TAKE')
  const empty = givenPerp(two)
  for (const side of ['buy', 'sell'] as const) {
    for (const match of ['opponent', 'queue'] as const) matched(empty, 'alice', side, match).isRefused('PRICE_LEVEL_MISSING')
  }
  empty.isReplayable()
})

test('PERP-MATCH-002: the level may be the user’s own order: self-trade prevention decides', () => {
  const world = givenPerp(two)
  world.sell('alice', 101, 1000).isAccepted()
  const told = matched(world, 'alice', 'buy', 'opponent').isAccepted()
  told.closed(told.order, 'self-trade')
  world.isReplayable()
})

test('PERP-MATCH-003: a conditional order takes the price of the book when it is triggered, or ends without one', () => {
  const world = deep()
  const trigger = { kind: 'stop', price: 102, direction: 'rises-to' }
  const first = matched(world, 'alice', 'buy', 'queue-5', { trigger }).isAccepted().order
  const second = matched(world, 'alice', 'buy', 'opponent-20', { trigger }).isAccepted().order
  assert.equal(world.world.open('alice')[0]?.price, 0)
  world.isReplayable()
  const told = world.buy('bob', 102, 1001).isAccepted()
  const amended = told.of('order.amended').find(({ order }) => order === first)
  assert.deepEqual([amended?.price, amended?.lots], [93, 100])
  assert.ok(ends(told).some(([order, reason]) => order === second && reason === 'no-level'))
  world.isReplayable()
})

test('PERP-MATCH-004: an amend takes the price of the book, and is refused where the book has no such level', () => {
  const world = deep()
  const order = world.buy('alice', 90, 100).isAccepted().order
  const [amended] = world.amend('alice', order, { priceMatch: 'queue-5', lots: 200 }).isAccepted().of('order.amended')
  assert.deepEqual([amended!.price, amended!.lots], [93, 200])
  world.amend('alice', order, { priceMatch: 'opponent-20' }).isRefused('PRICE_LEVEL_MISSING')
  world.amend('alice', order, { priceMatch: 'queue-5' }).isRefused('AMEND_UNCHANGED')
  world.amend('alice', order, { priceMatch: 'opponent' }).isAccepted().traded('101×200')
  world.amend('alice', order, { priceMatch: 'queue' }).isRefused('ORDER_UNKNOWN')
  world.isReplayable()
})
