import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Records } from '../../../protocol/codec/records.ts'
import { Exchange } from '../../exchange.ts'
import { contract, givenPerp } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '5000' }
const falls = (price: number): object => ({ trigger: { kind: 'stop', price, direction: 'falls-to' } })
const rises = (price: number): object => ({ trigger: { kind: 'stop', price, direction: 'rises-to' } })

test('PERP-STOP-001: conditional orders trigger by the last trade or the mark, and close with `margin` when they can’t be paid', () => {
  const world = givenPerp(three)
  const byMark = world.buy('alice', 96, 1000, { ...falls(95), triggerBy: 'mark' }).isAccepted().order
  const byLast = world.sell('alice', 94, 500, falls(95)).isAccepted().order
  const large = world.buy('alice', 114, 9000, { ...falls(95), triggerBy: 'mark' }).isAccepted().order
  // The holds are 10,500 lots at 95 and the taker's fee.
  world.has('alice', '2.00125', '997.99875')
  world.buy('alice', 100, 100, { ...rises(100), triggerBy: 'mark' }).isRefused('TRIGGER_IMMEDIATE')
  world
    .buy('alice', 100, 100, { trigger: { kind: 'trailing', trailPpm: 999, direction: 'falls-to' }, triggerBy: 'mark' })
    .isRefused('TRAIL_INVALID')
  world.sell('alice', 94, 500, { trigger: { kind: 'trailing', trailPpm: 50_000, direction: 'falls-to' } }).isRefused('NO_REFERENCE_PRICE')
  world.isReplayable()
  const woken = world.index(95)
  assert.deepEqual(
    woken.of('order.triggered').map(({ order }) => order),
    [byMark, large],
  )
  woken.closed(large, 'margin')
  world.world.shows(['96×1000'], [], contract)
  const traded = world.sell('bob', 95, 200).isAccepted().traded('96×200')
  assert.equal(traded.of('order.triggered').length, 0)
  world.cancel('alice', byMark)
  world.buy('carol', 94, 2000)
  world.sell('bob', 94, 200).isAccepted().traded('94×200', '94×500')
  assert.equal(
    world.world.open('alice').find(({ order }) => order === byLast),
    undefined,
  )
  world.isReplayable()
})

test('PERP-STOP-001: a trigger at the price that it follows is already reached, and one tick further it sleeps, in both directions', () => {
  for (const triggerBy of ['last', 'mark'] as const) {
    const world = givenPerp(three)
    world.sell('carol', 100, 100)
    world.buy('bob', 100, 100).isAccepted().traded('100×100')
    assert.equal(world.mark(), 100)
    for (const side of ['buy', 'sell'] as const) {
      const place = (trigger: object) => world.place('alice', { side, price: 100, lots: 100, triggerBy, ...trigger })
      for (const reached of [falls(100), falls(101), rises(100), rises(99)]) place(reached).isRefused('TRIGGER_IMMEDIATE')
      for (const sleeps of [falls(99), rises(101)]) place(sleeps).isAccepted().traded()
    }
    assert.equal(world.world.open('alice').length, 4)
    world.isReplayable()
  }
})

test('PERP-STOP-001: a trail is 0.1 % to 20 %', () => {
  const world = givenPerp(three)
  const trails = (trailPpm: number) =>
    world.buy('alice', 100, 100, { trigger: { kind: 'trailing', trailPpm, direction: 'rises-to' }, triggerBy: 'mark' })
  for (const wrong of [0, 999, 200_001]) trails(wrong).isRefused('TRAIL_INVALID')
  for (const right of [1_000, 200_000]) trails(right).isAccepted()
})

test('PERP-STOP-001: a trailing order follows the mark and triggers when the mark comes back by its trail', () => {
  const world = givenPerp(three)
  world.sell('bob', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  const trigger = { kind: 'trailing', trailPpm: 50_000, activation: 103, direction: 'falls-to' }
  const order = world.market('alice', 'sell', 1000, { trigger, triggerBy: 'mark', isReduceOnly: true }).isAccepted().order
  world.buy('carol', 90, 5000)
  world.index(102)
  world.index(96)
  world.index(110)
  world.isReplayable()
  world.index(106)
  assert.equal(world.world.open('alice').length, 1)
  const told = world.index(104).traded()
  assert.deepEqual([told.of('order.triggered').length, told.of('order.closed').length], [1, 0])
  world.index(91).traded('90×1000').closed(order, 'filled')
  world.isReplayable()
})

test('PERP-STOP-002: take profit and stop loss close the position that exists when they trigger, and end together with it', () => {
  const world = givenPerp(three)
  world.closes('alice', 'sell', 90, 'falls-to').isRefused('POSITION_UNKNOWN')
  world.sell('carol', 100, 3000)
  world.buy('alice', 100, 1000).isAccepted()
  world.closes('alice', 'buy', 90, 'falls-to').isRefused('REDUCE_ONLY_REJECTED')
  world.closes('alice', 'sell', 101, 'falls-to').isRefused('TRIGGER_IMMEDIATE')
  const loss = world.closes('alice', 'sell', 95, 'falls-to', { triggerBy: 'mark' }).isAccepted().order
  const gain = world.closes('alice', 'sell', 110, 'rises-to').isAccepted().order
  world.buy('alice', 100, 500).isAccepted()
  assert.equal(world.world.open('alice').length, 2)
  world.buy('carol', 94, 5000)
  // The book is above the index, so the mark is 94.
  const told = world.index(93).traded('94×1500')
  told.closed(loss, 'filled').closed(gain, 'position-closed')
  assert.equal(told.of('perp.closed').find(({ user }) => user === world.id('alice'))?.cause, 'order')
  world.holds('alice', '')
  assert.equal(world.world.open('alice').length, 0)
  // They also end when the position reverses.
  world.sell('carol', 96, 1000)
  world.buy('alice', 96, 1000).isAccepted()
  const next = world.closes('alice', 'sell', 80, 'falls-to').isAccepted().order
  const reducing = world.sell('alice', 79, 500, { ...falls(80), isReduceOnly: true }).isAccepted().order
  world.sell('alice', 94, 2000).isAccepted().closed(next, 'position-closed').closed(reducing, 'reduce-only')
  world.holds('alice', '-1000@94').isReplayable()
})

test('PERP-REDUCE-001: a reduce-only order that triggers closes no more than the position', () => {
  const world = givenPerp(three)
  world.sell('carol', 100, 3000)
  world.buy('alice', 100, 3000).isAccepted()
  const order = world.market('alice', 'sell', 3000, { ...falls(95), triggerBy: 'mark', isReduceOnly: true }).isAccepted().order
  world.buy('carol', 94, 5000)
  world.sell('alice', 94, 2000).isAccepted().traded('94×2000')
  world.index(95).traded('94×1000').closed(order, 'filled')
  world.holds('alice', '').isReplayable()
})

test('PERP-STOP-003: when a closing or reduce-only order triggers, its event reports the size that it may close', () => {
  const world = givenPerp(three)
  // Another order has the first place.
  world.buy('bob', 80, 100).isAccepted()
  world.sell('carol', 100, 3000)
  world.buy('alice', 100, 3000).isAccepted()
  const reducing = world.sell('alice', 96, 3000, { ...falls(95), triggerBy: 'mark', isReduceOnly: true }).isAccepted().order
  world.buy('carol', 94, 2000)
  world.sell('alice', 94, 2000).isAccepted().traded('94×2000')
  const amended = (told: ReturnType<typeof world.index>): unknown =>
    told.of('order.amended').map(({ order, price, lots }) => [order, price, lots])
  assert.deepEqual(amended(world.index(95)), [[reducing, 96, 1000]])
  const [open] = world.world.open('alice')
  assert.deepEqual([open?.lots, open?.executedLots], [1000, 0])
  world.cancel('alice', reducing).isAccepted()
  const closing = world.closes('alice', 'sell', 90, 'falls-to', { triggerBy: 'mark' }).isAccepted().order
  world.buy('carol', 89, 5000).isAccepted()
  const woken = world.index(90)
  assert.deepEqual(amended(woken), [[closing, 0, 1000]])
  woken.closed(closing, 'filled')
  world.isReplayable()
})

test('PERP-STOP-004: the unfilled rest of a triggered market order is retried at each index tick for five minutes, and never rests', () => {
  const world = givenPerp(three)
  world.sell('carol', 100, 3000)
  world.buy('alice', 100, 3000).isAccepted()
  world.buy('carol', 94, 500).isAccepted()
  const order = world.closes('alice', 'sell', 95, 'falls-to', { triggerBy: 'mark' }).isAccepted().order
  const woken = world.index(94).traded('94×500')
  assert.deepEqual([woken.of('order.triggered').length, woken.of('order.closed').filter((one) => one.order === order).length], [1, 0])
  world.world.shows([], [], contract)
  world.amend('alice', order, { lots: 100 }).isRefused('ORDER_NOT_AMENDABLE')
  world.isReplayable()
  world.buy('carol', 93, 1000).isAccepted()
  const again = world.index(94).traded('93×1000')
  assert.equal(again.of('order.triggered').length, 0)
  const [open] = world.world.open('alice')
  assert.deepEqual([open?.status, open?.lots, open?.executedLots], ['open', 3000, 1500])
  // Time in which the market is not open does not count.
  world.index(94, 2)
  world.passes(400_000).index(94)
  world.passes(10_000).index(94)
  world.passes(280_000)
  assert.equal(world.index(94).of('order.closed').length, 0)
  world.passes(20_000)
  const told = world.index(94)
  assert.deepEqual(
    told.of('order.closed').map(({ reason, executedLots }) => [reason, executedLots]),
    [['ioc', 1500]],
  )
  world.holds('alice', '1500@100').isReplayable()
})

test('PERP-STOP-004: an order that is being retried can be cancelled, and ends with its position', () => {
  const world = givenPerp(three)
  world.sell('carol', 100, 3000)
  world.buy('alice', 100, 3000).isAccepted()
  const first = world.closes('alice', 'sell', 95, 'falls-to', { triggerBy: 'mark' }).isAccepted().order
  const second = world.closes('alice', 'sell', 94, 'falls-to', { triggerBy: 'mark' }).isAccepted().order
  world.index(94)
  world.cancel('alice', first).isAccepted()
  world.buy('carol', 94, 3000)
  world.sell('alice', 94, 3000, { isReduceOnly: true }).isAccepted().closed(second, 'position-closed')
  assert.equal(world.world.open('alice').length, 0)
  world.isReplayable()
})

test('PERP-STOP-005: a sleeping order that may open holds margin at its trigger, a trailing one at the mark; without money it is refused', () => {
  const world = givenPerp({ ...three, dave: '1' })
  world.sell('carol', 100, 1000).isAccepted()
  world.buy('bob', 100, 1000).isAccepted()
  // Otherwise accounts without money could keep thousands of sleeping orders in front of a customer's stop.
  const trailing = { trigger: { kind: 'trailing', trailPpm: 50_000, direction: 'falls-to' }, triggerBy: 'mark' }
  world.market('dave', 'buy', 1000, { ...rises(105), triggerBy: 'mark' }).isRefused('MARGIN_INSUFFICIENT')
  world.market('dave', 'sell', 1000, trailing).isRefused('MARGIN_INSUFFICIENT')
  world.leverage('alice', 10).isAccepted()
  const stop = world.buy('alice', 110, 1000, { ...rises(105), triggerBy: 'mark' }).isAccepted().order
  world.has('alice', '989.4475', '10.5525')
  world.market('alice', 'sell', 1000, trailing).isAccepted()
  world.has('alice', '979.3975', '20.6025')
  // The hold follows the leverage, and is released when the order ends.
  world.leverage('alice', 5).isAccepted()
  world.has('alice', '958.8975', '41.1025')
  world.cancel('alice', stop).isAccepted()
  world.has('alice', '979.95', '20.05')
  // A reduce-only order needs a position and holds nothing.
  world.closes('bob', 'sell', 90, 'falls-to').isAccepted()
  world.has('bob', '899.95', '100')
  world.isReplayable()
  // When the order triggers, its hold pays for it.
  world.moves('alice', '979.95', 'perp', 'spot')
  world.buy('carol', 90, 5000).isAccepted()
  // Its trade at 90 triggers bob's stop.
  const told = world.index(94).traded('90×1000', '90×1000')
  assert.equal(told.of('order.closed').filter(({ reason }) => reason === 'margin').length, 0)
  world.isReplayable()
})

test('PERP-STOP-005: the unfilled rest of an opening stop holds its part of the margin', () => {
  const world = givenPerp(three)
  world.sell('carol', 100, 400).isAccepted()
  const order = world.market('alice', 'buy', 1000, { ...rises(101), triggerBy: 'mark' }).isAccepted().order
  world.has('alice', '898.9495', '101.0505')
  world.index(102).traded('100×400')
  // The position has 40 margin and 0.02 fee was paid; the hold is that of 600 lots at 101.
  world.has('alice', '899.3497', '100.6303')
  world.isReplayable()
  world.cancel('alice', order).isAccepted()
  world.has('alice', '959.98', '40').isReplayable()
})

test('PERP-STOP-006: a user has at most 20 sleeping orders in a market; a market as a whole has no limit', () => {
  const world = givenPerp({ ...three, carol: '50000' })
  for (let n = 0; n < 20; n++) world.buy('carol', 110, 100, rises(105 + n)).isAccepted()
  world.buy('carol', 110, 100, rises(104)).isRefused('TOO_MANY_OPEN_ORDERS')
  world.buy('alice', 110, 100, rises(104)).isAccepted()
  const [first] = world.world.open('carol')
  world.cancel('carol', first!.order).isAccepted()
  world.buy('carol', 110, 100, rises(104)).isAccepted()
  world.isReplayable()
})

test('PERP-STOP-006: orders that are cancelled or triggered no longer count, and a restored exchange counts the same', () => {
  const world = givenPerp({ ...three, carol: '50000' })
  const byMark = (price: number) => ({ ...rises(price), triggerBy: 'mark' })
  const next = () => world.buy('carol', 110, 100, byMark(105))
  const all = () => ({ type: 'spot.cancelAll', user: world.id('carol'), clientId: '', market: contract })
  const fill = (): void => {
    for (let n = 0; n < 20; n++) next().isAccepted()
    next().isRefused('TOO_MANY_OPEN_ORDERS')
  }
  fill()
  world.do(all()).isAccepted()
  fill()
  assert.ok(world.index(106).of('order.triggered').length > 0)
  while (world.exchange.nextDueAtMs <= world.world.atMs) world.tick()
  world.do(all()).isAccepted()
  assert.equal(world.world.open('carol').length, 0)
  world.index(100)
  fill()

  const { exchange, log } = world.world
  const restored = Exchange.restore(exchange.dump())
  const before = log.length
  next().isRefused('TOO_MANY_OPEN_ORDERS')
  // If the restored exchange accepted the order, its state would differ.
  restored.executeAll(log.data, before, log.length, new Records())
  assert.equal(restored.hash(), exchange.hash())
})

test('PERP-STOP-004: many orders that are being retried delay no order by an index tick', () => {
  const crowd = Array.from({ length: 12 }, (_, n) => `c${n}`)
  const world = givenPerp({ ...three, ...Object.fromEntries(crowd.map((name) => [name, '100'])) })
  for (const name of [...crowd, 'alice']) {
    world.sell('carol', 100, 60).isAccepted()
    world.buy(name, 100, 60).isAccepted()
  }
  for (const name of crowd) for (let n = 0; n < 10; n++) world.closes(name, 'sell', 98, 'falls-to', { triggerBy: 'mark' }).isAccepted()
  const stop = world.closes('alice', 'sell', 98, 'falls-to', { triggerBy: 'mark' }).isAccepted().order
  // The book has no bids, so all of them wait.
  world.index(97)
  while (world.exchange.nextDueAtMs <= world.world.atMs) world.tick()
  assert.deepEqual(
    world.world.open('alice').map(({ order }) => order),
    [stop],
  )
  world.isReplayable()
  world.buy('carol', 96, 10_000).isAccepted()
  world.index(97)
  world.isReplayable()
  for (let ticks = 0; world.exchange.nextDueAtMs <= world.world.atMs; ticks++) {
    assert.ok(ticks < 10)
    world.tick()
  }
  assert.deepEqual(world.world.open('alice'), [])
  world.isReplayable()
})
