/** Orders that sleep: what they need to be accepted, and what they do when they wake. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Told } from '../../test/world.ts'
import { contract, givenPerp } from './world.ts'
import type { PerpWorld } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '5000' }
const falls = (price: number): object => ({ trigger: { kind: 'stop', price, direction: 'falls-to' } })
const rises = (price: number): object => ({ trigger: { kind: 'stop', price, direction: 'rises-to' } })
const byMark = { triggerBy: 'mark' }
const trails = (trailPpm: number, more: object = {}): object => ({
  trigger: { kind: 'trailing', trailPpm, direction: 'rises-to', ...more },
})

/** Opens a long of alice against carol at 100. */
function longs(world: PerpWorld, lots: number): PerpWorld {
  world.sell('carol', 100, lots).isAccepted()
  world.buy('alice', 100, lots).isAccepted().traded(`100×${lots}`)
  return world
}

const closed = (told: Told): readonly unknown[] => told.of('order.closed').map(({ order, reason }) => [order, reason])

test('PERP-STOP-001: price, quantity and trigger of a sleeping order are valid, a market order counts at the mark', () => {
  const world = longs(givenPerp(three), 1000)
  for (const price of [0, 2 ** 31]) world.buy('bob', price, 0, rises(105)).isRefused('PRICE_INVALID')
  world.buy('bob', 105, 0, rises(0)).isRefused('QUANTITY_INVALID')
  for (const price of [0, 2 ** 31]) world.buy('bob', 105, 100, rises(price)).isRefused('TRIGGER_INVALID')
  // The smallest value is 5 USDT: at the limit of 105, or at the mark of 100, wherever the trigger is.
  world.buy('bob', 105, 47, rises(120)).isRefused('NOTIONAL_TOO_SMALL')
  world.buy('bob', 105, 48, rises(120)).isAccepted()
  world.market('bob', 'buy', 49, rises(120)).isRefused('NOTIONAL_TOO_SMALL')
  world.market('bob', 'buy', 50, rises(120)).isAccepted()
  world.closes('alice', 'sell', 0, 'falls-to').isRefused('TRIGGER_INVALID')
  world.closes('alice', 'sell', 2 ** 31 - 1, 'rises-to').isAccepted()
  world.closes('alice', 'sell', 1, 'falls-to').isAccepted()
})

test('PERP-ORDER-004: the limit of a sleeping order lies in the band around its trigger, its activation, or the price that it follows', () => {
  const world = longs(givenPerp(three), 1000)
  world.index(120)
  // The last trade was at 100, and the mark is 120; the band is 20 %.
  for (const [around, more] of [
    [140, { ...rises(140), ...byMark }],
    [150, rises(150)],
    [130, { ...trails(50_000, { activation: 130 }), ...byMark }],
    [100, trails(50_000)],
    [120, { ...trails(50_000), ...byMark }],
  ] as const) {
    const [low, high] = [Math.ceil(around * 0.8), Math.floor(around * 1.2)]
    for (const price of [low - 1, high + 1]) world.buy('bob', price, 100, more).isRefused('PRICE_OUTSIDE_BAND')
    for (const price of [low, high]) world.buy('bob', price, 100, more).isAccepted()
  }
})

test('PERP-STOP-001: a trailing order needs a price to follow and a valid activation, a stop needs neither', () => {
  const world = givenPerp(three)
  world.buy('bob', 100, 100, trails(50_000)).isRefused('NO_REFERENCE_PRICE')
  world.buy('bob', 100, 100, trails(50_000, { activation: 99 })).isRefused('NO_REFERENCE_PRICE')
  for (const activation of [0, 2 ** 31])
    world.buy('bob', 100, 100, { ...trails(50_000, { activation }), ...byMark }).isRefused('TRIGGER_INVALID')
  world.buy('bob', 100, 100, { ...trails(50_000, { activation: 99 }), ...byMark }).isAccepted()
  world.buy('bob', 100, 100, rises(101)).isAccepted()
  // Before any trade, every trigger of the last price sleeps.
  world.buy('bob', 100, 100, rises(99)).isAccepted()
})

test('PERP-STOP-001: a sleeping order is reported with its trigger, and a market order as IOC', () => {
  const world = longs(givenPerp(three), 1000)
  const told = world.market('alice', 'sell', 400, { ...falls(95), timeInForce: 'GTC', clientId: 'stop', isReduceOnly: true }).isAccepted()
  const [accepted] = told.of('order.accepted')
  const { order, clientId, user, market, orderType, timeInForce, price, lots, trigger, perp } = accepted!
  assert.deepEqual([order, clientId, user, market], [told.order, 'stop', world.id('alice'), contract])
  assert.deepEqual([orderType, timeInForce, price, lots, perp!.triggerBy, perp!.isReduceOnly], ['market', 'IOC', 0, 400, 'last', true])
  assert.deepEqual(trigger, { kind: 'stop', price: 95, direction: 'falls-to' })
  const trailing = { kind: 'trailing', trailPpm: 20_000, activation: 110, direction: 'falls-to' }
  const second = world.sell('alice', 108, 300, { trigger: trailing, ...byMark }).isAccepted()
  const [limit] = second.of('order.accepted')
  assert.deepEqual(
    [limit!.orderType, limit!.timeInForce, limit!.price, limit!.trigger, limit!.perp!.triggerBy],
    ['limit', 'GTC', 108, trailing, 'mark'],
  )
  const open = world.world.open('alice')
  assert.deepEqual(
    open.map((one) => [one.order, one.clientId, one.status, one.timeInForce, one.lots, one.executedLots]),
    [
      [told.order, 'stop', 'pending', 'IOC', 400, 0],
      [second.order, '', 'pending', 'GTC', 300, 0],
    ],
  )
  world.isReplayable()
})

test('PERP-STOP-002: a closing order needs a position that it closes, a reduce-only one too', () => {
  const world = longs(givenPerp(three), 1000)
  const reducing = { isReduceOnly: true }
  world.closes('bob', 'sell', 95, 'falls-to').isRefused('POSITION_UNKNOWN')
  world.sell('bob', 95, 100, { ...falls(95), ...reducing }).isRefused('REDUCE_ONLY_REJECTED')
  world.closes('alice', 'buy', 105, 'rises-to').isRefused('REDUCE_ONLY_REJECTED')
  world.buy('alice', 105, 100, { ...rises(105), ...reducing }).isRefused('REDUCE_ONLY_REJECTED')
  world.sell('alice', 95, 100, { ...falls(95), ...reducing }).isAccepted()
  world.closes('carol', 'buy', 105, 'rises-to').isAccepted()
})

test('PERP-STOP-005: a trailing order is valued at the mark, also when it follows the last trade', () => {
  const world = longs(givenPerp(three), 1000)
  world.index(120)
  world.market('bob', 'buy', 1000, trails(50_000)).isAccepted()
  // 120 and a fee of 0.06.
  world.has('bob', '879.94', '120.06')
  world.market('bob', 'buy', 1000, rises(110)).isAccepted()
  world.has('bob', '769.885', '230.115')
})

test('PERP-STOP-001: a triggered limit order takes what its price allows and rests with its fills; it reports the trigger once', () => {
  const world = longs(givenPerp(three), 1000)
  const { order } = world.sell('alice', 95, 1000, { ...falls(96), ...byMark, isReduceOnly: true, clientId: 'rest' }).isAccepted()
  world.buy('carol', 96, 300).isAccepted()
  const told = world.index(96).traded('96×300')
  assert.deepEqual(
    told.of('order.triggered').map((one) => [one.order, one.user, one.market]),
    [[order, world.id('alice'), contract]],
  )
  assert.deepEqual(told.of('order.amended'), [])
  const [open] = world.world.open('alice')
  assert.deepEqual([open!.order, open!.clientId, open!.status, open!.lots, open!.executedLots], [order, 'rest', 'open', 1000, 300])
  world.world.shows([], ['95×700'], contract)
  world.isReplayable()
})

test('PERP-STOP-001: a triggered order that would close beyond bankruptcy ends with `margin`', () => {
  const world = givenPerp(three)
  world.leverage('alice', 10).isAccepted()
  longs(world, 1000)
  const { order } = world.sell('alice', 89, 500, { ...falls(97), ...byMark, isReduceOnly: true }).isAccepted()
  const stays = world.sell('alice', 90, 500, { ...falls(97), ...byMark, isReduceOnly: true }).isAccepted().order
  assert.deepEqual(closed(world.index(97)), [[order, 'margin']])
  assert.deepEqual(
    world.world.open('alice').map((one) => one.order),
    [stays],
  )
  world.isReplayable()
})

test('PERP-STOP-004: what is left of a triggered market order is tried for exactly five minutes, with the lots that are left', () => {
  const world = longs(givenPerp(three), 1000)
  const { order } = world.market('alice', 'sell', 800, { ...falls(97), ...byMark, isReduceOnly: true }).isAccepted()
  world.index(97).traded()
  const since = world.world.atMs
  world.buy('carol', 97, 300).isAccepted()
  world.index(97).traded('97×300')
  const [open] = world.world.open('alice')
  assert.deepEqual([open!.lots, open!.executedLots, open!.executedQuote, open!.updatedAt], [800, 300, 29_100_000, world.world.atMs])
  world.world.atMs = since + 300_000 - 251
  assert.deepEqual(closed(world.index(97)), [])
  world.world.atMs = since + 300_000 - 250
  const last = world.index(97)
  assert.deepEqual(
    last.of('order.closed').map((one) => [one.order, one.reason, one.executedLots, one.executedQuote]),
    [[order, 'ioc', 300, 29_100_000]],
  )
  world.isReplayable()
})

test('PERP-STOP-004: a triggered market order that is filled, or meets an order of its user, is not tried again', () => {
  const world = longs(givenPerp(three), 1000)
  const first = world.market('alice', 'sell', 300, { ...falls(97), ...byMark, isReduceOnly: true }).isAccepted().order
  const second = world.market('alice', 'sell', 300, { ...falls(96), ...byMark, isReduceOnly: true }).isAccepted().order
  world.buy('carol', 97, 300).isAccepted()
  assert.deepEqual(closed(world.index(97).traded('97×300')).at(-1), [first, 'filled'])
  world.buy('alice', 96, 300).isAccepted()
  assert.deepEqual(closed(world.index(96).traded()), [[second, 'self-trade']])
  world.world.shows(['96×300'], [], contract)
  world.isReplayable()
})
