import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given, type Told, type World } from './world.ts'

const falls = { direction: 'falls-to' } as const

function set(world: World, isTrading: boolean): Told {
  const { terms } = world.exchange.listing().markets[0]!
  return world.do({ type: 'market.set', market: 1, terms: { ...terms, isTrading } }).isAccepted()
}

test('SPOT-HALT-002: stops survive a halt: an order whose trigger was reached waits, and acts when the market matches again', () => {
  const world = given({ alice: { BTC: '3' }, bob: { USDT: '10000' } }).prints(100)
  for (let n = 0; n < 40; n++) world.market('alice', 'sell', { lots: 60, trigger: { kind: 'stop', price: 90, ...falls } }).isAccepted()
  world.buy('bob', 90, 5000)
  world.index(90)
  assert.equal(world.sell('maker', 90, 100).of('order.triggered').length, 32)
  const halted = set(world, false)
  assert.deepEqual([halted.of('order.triggered'), halted.of('order.closed')], [[], []])
  assert.equal(world.open('alice').length, 8)
  assert.equal(world.exchange.nextDueAtMs, Infinity)
  world.atMs += 60_000
  assert.equal(world.tick().of('order.triggered').length, 0)
  world.isReplayable()
  // A waiting order can be cancelled.
  world.cancel('alice', world.open('alice')[0]!.order).isAccepted()
  set(world, true)
  assert.equal(world.exchange.nextDueAtMs, world.atMs + 5000)
  assert.equal(world.tick().of('order.triggered').length, 0)
  world.isReplayable()
  world.atMs += 5000
  assert.equal(world.tick().of('order.triggered').length, 7)
  world.isReplayable()
  assert.equal(world.open('alice').length, 0)
})

test('SPOT-HALT-003: for 5 s after a halt the market takes only cancels and resting orders; a halt under 3 s ends at once', () => {
  const world = given({ alice: { USDT: '1000' }, bob: { BTC: '1' } }).prints(100)
  const resting = world.buy('alice', 99, 100).isAccepted().order
  const other = world.buy('alice', 98, 100).isAccepted().order
  set(world, false)
  world.atMs += 2_999
  world.buy('alice', 97, 100).isRefused('MARKET_HALTED')
  set(world, true)
  world.buy('alice', 97, 100).isAccepted()
  set(world, false)
  world.atMs += 3_000
  set(world, true)
  world.isReplayable()
  for (const wait of [0, 4_999]) {
    world.atMs += wait
    world.buy('alice', 97, 100, { timeInForce: 'IOC' }).isRefused('MARKET_HALTED')
    world.market('alice', 'buy', { lots: 100 }).isRefused('MARKET_HALTED')
    world.sell('bob', 99, 100).isRefused('MARKET_HALTED')
    world.sell('bob', 103 + (wait > 0 ? 1 : 0), 100).isAccepted()
    world.amend('alice', resting, { lots: 90 }).isRefused('MARKET_HALTED')
    world.oco('alice', { side: 'buy', lots: 100, limitPrice: 90, stopPrice: 110 }).isRefused('MARKET_HALTED')
  }
  world.cancel('alice', other).isAccepted()
  // A short halt meanwhile does not extend the wait.
  set(world, false)
  set(world, true)
  world.atMs += 1
  world.amend('alice', resting, { lots: 90 }).isAccepted()
})

test('SPOT-HALT-004: while the market is closed, orders that are being retried pause; then their five minutes start again', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } }).prints(100)
  const stop = world.market('alice', 'sell', { lots: 200, trigger: { kind: 'stop', price: 97, ...falls } }).order
  world.buy('bob', 97, 100)
  world.sell('maker', 97, 100)
  world.buy('bob', 97, 100)
  set(world, false)
  world.atMs += 600_000
  assert.deepEqual([world.index(97).of('traded'), world.tick().of('order.closed')], [[], []])
  world.isReplayable()
  set(world, true)
  world.atMs += 5_000
  assert.equal(world.exchange.nextDueAtMs, world.atMs + 300_000)
  world.index(97).traded('97×100')
  assert.equal(world.open('alice')[0]?.order, stop)
})

test('SPOT-HALT-004: a halt ends a round of retries on either side at once, and other new terms do not', () => {
  for (const side of ['sell', 'buy'] as const) {
    for (const isHalted of [true, false]) {
      const world = given({ alice: { BTC: '10', USDT: '10000' }, bob: { USDT: '10000', BTC: '10' } }).prints(100)
      const [reached, direction, beyond] = side === 'sell' ? [97, 'falls-to', 96] : [103, 'rises-to', 104]
      const trigger = { kind: 'stop', price: reached, direction }
      for (let n = 0; n < 40; n++) world.market('alice', side, { lots: 60, trigger }).isAccepted()
      const other = side === 'sell' ? 'buy' : 'sell'
      world.place('bob', { side: other, price: reached, lots: 60 }).isAccepted()
      world.place('maker', { side, price: reached, lots: 60 }).isAccepted().traded(`${reached}×60`)
      world.tick()
      assert.deepEqual(new Set(world.open('alice').map(({ status }) => status)), new Set(['open']))
      world.place('bob', { side: other, price: beyond, lots: 5_000 }).isAccepted()
      assert.equal(world.index(100).of('traded').length, 32)
      const { terms } = world.exchange.listing().markets[0]!
      const told = world.do({ type: 'market.set', market: 1, terms: { ...terms, openOrdersMax: 100, isTrading: !isHalted } }).isAccepted()
      assert.equal(told.of('traded').length, isHalted ? 0 : 8)
      world.isReplayable()
      if (!isHalted) continue
      set(world, true)
      assert.deepEqual(world.tick().of('traded'), [])
      assert.equal(world.index(100).of('traded').length, 8)
    }
  }
})
