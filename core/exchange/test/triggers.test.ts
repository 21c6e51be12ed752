import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from './world.ts'

const falls = { direction: 'falls-to' } as const
const rises = { direction: 'rises-to' } as const

test('SPOT-STOP-001: a stop sleeps outside the book, holds its money, and acts when the last price reaches it', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } }).prints(100)
  const stop = world.sell('alice', 94, 500, { trigger: { kind: 'stop', price: 95, ...falls } }).isAccepted().order
  world.shows([], []).has('alice', 'BTC', '0.5', '0.5')
  assert.equal(world.open('alice')[0]!.status, 'pending')
  world.buy('bob', 94, 1000)
  const hit = world.sell('maker', 94, 100).traded('94×100', '94×500')
  assert.deepEqual(
    hit.of('order.triggered').map((event) => event.order),
    [stop],
  )
  hit.closed(stop, 'filled')
  world.has('alice', 'BTC', '0.5').isReplayable()
})

test('SPOT-STOP-002: a trigger that is reached already, or no price at all, is refused', () => {
  const world = given({ alice: { BTC: '1' } }).prints(100)
  world.sell('alice', 94, 500, { trigger: { kind: 'stop', price: 100, ...falls } }).isRefused('TRIGGER_IMMEDIATE')
  world.sell('alice', 94, 500, { trigger: { kind: 'stop', price: 0, ...falls } }).isRefused('TRIGGER_INVALID')
  world.sell('alice', 110, 500, { trigger: { kind: 'stop', price: 99, ...rises } }).isRefused('TRIGGER_IMMEDIATE')
  world.sell('alice', 110, 500, { trigger: { kind: 'trailing', trailPpm: 500, ...falls } }).isRefused('TRAIL_INVALID')
})

test('SPOT-STOP-002: a trigger at the last price is reached already, one tick further the order sleeps, above and below', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' } }).prints(100)
  for (const side of ['buy', 'sell'] as const) {
    const place = (price: number, direction: object) =>
      world.place('alice', { side, price: 100, lots: 100, trigger: { kind: 'stop', price, ...direction } })
    place(100, falls).isRefused('TRIGGER_IMMEDIATE')
    place(101, falls).isRefused('TRIGGER_IMMEDIATE')
    place(100, rises).isRefused('TRIGGER_IMMEDIATE')
    place(99, rises).isRefused('TRIGGER_IMMEDIATE')
    place(99, falls).isAccepted().traded()
    place(101, rises).isAccepted().traded()
  }
  assert.equal(world.open('alice').length, 4)
  world.isReplayable()
})

test('SPOT-STOP-002: a trail lies from 0.1 % to 20 %', () => {
  const world = given({ alice: { BTC: '1' } }).prints(100)
  const trails = (trailPpm: number) => world.sell('alice', 100, 100, { trigger: { kind: 'trailing', trailPpm, ...falls } })
  for (const wrong of [0, 999, 200_001]) trails(wrong).isRefused('TRAIL_INVALID')
  for (const right of [1_000, 200_000]) trails(right).isAccepted()
})

test('SPOT-STOP-003: a stop-market buy holds its worst price and gets back what it did not need', () => {
  const world = given({ alice: { USDT: '100' }, bob: { BTC: '1' } }).prints(100)
  const told = world.market('alice', 'buy', { lots: 500, trigger: { kind: 'stop', price: 110, ...rises } }).isAccepted()
  // 500 lots × 115 (5 % above 110, whole ticks) × 0.001
  world.has('alice', 'USDT', '42.5', '57.5')
  world.sell('bob', 110, 1000)
  world.buy('taker', 110, 100).traded('110×100', '110×500').closed(told.order, 'filled')
  world.has('alice', 'USDT', '45')
})

test('SPOT-STOP-004: of many that wake at once one command takes 32; the others follow with the clock', () => {
  const world = given({ alice: { BTC: '3' }, bob: { USDT: '1000' } }).prints(100)
  for (let n = 0; n < 40; n++) world.sell('alice', 80, 63, { price: 82, trigger: { kind: 'stop', price: 90, ...falls } }).isAccepted()
  world.buy('bob', 90, 100)
  assert.equal(world.exchange.nextDueAtMs, Infinity)
  const first = world.sell('maker', 90, 100)
  assert.equal(first.of('order.triggered').length, 32)
  assert.equal(world.exchange.nextDueAtMs, world.atMs)
  world.isReplayable()
  assert.equal(world.tick().of('order.triggered').length, 8)
  assert.equal(world.exchange.nextDueAtMs, Infinity)
})

test('SPOT-TRAIL-001: a trailing stop follows the best price and wakes when it comes back by the trail', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } }).prints(100)
  const order = world.market('alice', 'sell', { lots: 300, trigger: { kind: 'trailing', trailPpm: 50_000, ...falls } }).isAccepted().order
  world.prints(110)
  world.buy('bob', 104, 1000)
  world.prints(105)
  assert.equal(world.open('alice').length, 1)
  world.sell('maker', 104, 100).traded('104×100', '104×300').closed(order, 'filled')
})

test('SPOT-TRAIL-002: with an activation price the trail begins only there', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } }).prints(100)
  const trigger = { kind: 'trailing', trailPpm: 20_000, activation: 105, ...falls }
  world.market('alice', 'sell', { lots: 300, trigger }).isAccepted()
  world.prints(90).prints(104)
  assert.equal(world.open('alice').length, 1)
  world.prints(105).prints(104)
  assert.equal(world.open('alice').length, 1)
  world.buy('bob', 100, 1000)
  assert.equal(world.sell('maker', 100, 100).of('order.triggered').length, 1)
})

test('SPOT-OCO-001: one hold covers both legs; when one begins to trade the other is closed', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } }).prints(100)
  const list = world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 95 }).isAccepted()
  const [limit, stop] = list.of('order.accepted')
  assert.deepEqual([limit!.list, stop!.list, limit!.order, stop!.order], [list.order, list.order, list.order + 1, list.order + 2])
  world.has('alice', 'BTC', '0.5', '0.5').shows([], ['110×500'])
  world.buy('bob', 110, 100).closed(stop!.order, 'oco')
  world.has('alice', 'BTC', '0.5', '0.4').shows([], ['110×400'])
  world.cancel('alice', limit!.order).isAccepted()
  world.has('alice', 'BTC', '0.9')
})

test('SPOT-OCO-002: when the stop wakes the limit leg is closed and its hold goes over', () => {
  const world = given({ alice: { USDT: '100' }, bob: { BTC: '1' } }).prints(100)
  const list = world.oco('alice', { side: 'buy', lots: 500, limitPrice: 90, stopPrice: 110 }).isAccepted().order
  world.has('alice', 'USDT', '42.5', '57.5').shows(['90×500'], [])
  world.sell('bob', 110, 600)
  const woken = world.buy('taker', 110, 100).traded('110×100', '110×500')
  woken.closed(list + 1, 'oco').closed(list + 2, 'filled')
  world.has('alice', 'USDT', '45').hasNoOrders()
})

test('SPOT-OCO-003: prices on the wrong side of the last one are refused; cancelling one leg cancels both', () => {
  const world = given({ alice: { BTC: '1' } })
  world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 95 }).isRefused('NO_REFERENCE_PRICE')
  world.prints(100)
  world.oco('alice', { lots: 500, limitPrice: 99, stopPrice: 95 }).isRefused('OCO_PRICES_INVALID')
  world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 101 }).isRefused('OCO_PRICES_INVALID')
  world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 95, clientId: 'x'.repeat(31) }).isRefused('CLIENT_ID_INVALID')
  const list = world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 95, stopLimit: 94, clientId: 'pair' }).isAccepted().order
  world.amend('alice', list + 1, { lots: 400 }).isRefused('ORDER_NOT_AMENDABLE')
  world
    .cancel('alice', 0, { orderClientId: 'pair-stop' })
    .isAccepted()
    .closed(list + 2, 'cancelled')
    .closed(list + 1, 'oco')
  world.has('alice', 'BTC', '1').hasNoOrders()
})

test('SPOT-OCO-004: both legs may sleep, with one hold; the leg that gains wakes first and closes the other', () => {
  const world = given({ alice: { USDT: '100' }, bob: { BTC: '1', USDT: '1000' } }).prints(100)
  const legs = { side: 'buy', lots: 500, stopPrice: 110, stopLimit: 112 }
  // The dearer leg is held: 500 lots at 112; a market order that waits at 90 could cost 94.
  const limited = world.oco('alice', { ...legs, limitPrice: 91, limitTrigger: 90 }).isAccepted()
  world.has('alice', 'USDT', '44', '56').shows([], [])
  const [gain, loss] = limited.of('order.accepted')
  assert.deepEqual([gain!.order, gain!.price, gain!.trigger], [limited.order + 1, 91, { kind: 'stop', price: 90, direction: 'falls-to' }])
  assert.deepEqual([gain!.isPostOnly, gain!.orderType, loss!.trigger?.direction], [false, 'limit', 'rises-to'])
  assert.deepEqual(
    world.open('alice').map(({ status, list }) => [status, list]),
    [1, 2].map(() => ['pending', limited.order]),
  )
  world.isReplayable()
  world.buy('bob', 90, 100).isAccepted()
  const woken = world.sell('maker', 90, 100).isAccepted()
  woken.closed(loss!.order, 'oco')
  assert.deepEqual(
    woken.of('order.triggered').map(({ order }) => order),
    [gain!.order],
  )
  // What only the dearer leg needed is free again.
  world.has('alice', 'USDT', '54.5', '45.5').shows(['91×500'], [])
  world.cancel('alice', gain!.order).isAccepted()
  world.has('alice', 'USDT', '100').hasNoOrders().isReplayable()
})

test('SPOT-OCO-004: a leg that gains can act as a market order, which pays no more than the list held', () => {
  const world = given({ alice: { USDT: '100' }, bob: { BTC: '1', USDT: '1000' } }).prints(100)
  const list = world.oco('alice', { side: 'buy', lots: 500, limitTrigger: 90, stopPrice: 110 }).isAccepted().order
  // A stop at 110 can cost 115 by slippage: the leg that gains less.
  world.has('alice', 'USDT', '42.5', '57.5')
  world.sell('bob', 92, 600).isAccepted()
  world.buy('maker', 90, 100).isAccepted()
  const woken = world.sell('bob', 90, 100).isAccepted().traded('90×100', '92×500')
  woken.closed(list + 2, 'oco').closed(list + 1, 'filled')
  world.has('alice', 'USDT', '54')
  assert.deepEqual(world.open('alice'), [])
  world.isReplayable()
})

test('SPOT-OCO-004: the stop ends a leg that gains and sleeps; cancelling one leg cancels both', () => {
  const world = given({ alice: { BTC: '1' }, bob: { BTC: '1', USDT: '1000' } }).prints(100)
  const legs = { lots: 500, limitTrigger: 110, limitPrice: 111, stopPrice: 90 }
  const list = world.oco('alice', { ...legs, stopLimit: 95 }).isAccepted().order
  world.has('alice', 'BTC', '0.5', '0.5')
  world.buy('bob', 90, 100).isAccepted()
  const woken = world.sell('maker', 90, 100).isAccepted()
  woken.closed(list + 1, 'oco')
  world.has('alice', 'BTC', '0.5', '0.5').shows([], ['95×500'])
  world.cancel('alice', list + 2).isAccepted()
  const other = world.oco('alice', { ...legs, stopPrice: 80 }).isAccepted().order
  world
    .cancel('alice', other + 1)
    .closed(other + 1, 'cancelled')
    .closed(other + 2, 'oco')
  world.has('alice', 'BTC', '1').hasNoOrders()
})

test('SPOT-OCO-004: of two legs that one command reaches, one wakes; the other never does', () => {
  const world = given({ alice: { BTC: '1' }, bob: { BTC: '1', USDT: '1000' } }).prints(100)
  const list = world.oco('alice', { lots: 100, limitTrigger: 101, limitPrice: 101, stopPrice: 99 }).isAccepted().order
  world.sell('maker', 101, 100).isAccepted()
  world.sell('maker', 98, 100).isAccepted()
  // From 98 to 101 in one command: the stop is reached first, then the leg that gains.
  const both = world.buy('bob', 101, 200, { timeInForce: 'IOC' }).isAccepted().traded('98×100', '101×100')
  assert.deepEqual(
    both.of('order.triggered').map(({ order }) => order),
    [list + 2],
  )
  // There is nobody to sell to: the stop goes on trying, and the other leg, which was reached as well, waits for what comes of it.
  assert.deepEqual(
    both.of('order.closed').filter(({ order }) => order > list && order <= list + 2),
    [],
  )
  world.buy('bob', 99, 60).isAccepted()
  world
    .index(100)
    .traded('99×60')
    .closed(list + 1, 'oco')
  world.cancel('alice', list + 2).isAccepted()
  world.has('alice', 'BTC', '0.94').hasNoOrders().isReplayable()
})

test('SPOT-OCO-004: triggers on the wrong side, and legs that fit together in no way, are refused', () => {
  const world = given({ alice: { BTC: '1' } }).prints(100)
  const legs = { lots: 500, limitPrice: 110, limitTrigger: 110, stopPrice: 90 }
  world.oco('alice', { ...legs, limitTrigger: 99 }).isRefused('OCO_PRICES_INVALID')
  world.oco('alice', { ...legs, limitTrigger: 100 }).isRefused('OCO_PRICES_INVALID')
  world.oco('alice', { ...legs, stopPrice: 101 }).isRefused('OCO_PRICES_INVALID')
  world.oco('alice', { ...legs, limitTrigger: 0 }).isRefused('TRIGGER_INVALID')
  world.oco('alice', { ...legs, limitPrice: 0 }).isRefused('PRICE_INVALID')
  world.oco('alice', { lots: 500, stopPrice: 90 }).isRefused('ORDER_TYPE_INVALID')
  world.oco('alice', { ...legs, limitPrice: undefined, limitTimeInForce: 'FOK' }).isRefused('ORDER_TYPE_INVALID')
  world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 90, limitTimeInForce: 'IOC' }).isRefused('ORDER_TYPE_INVALID')
  world.oco('alice', { ...legs, stopTimeInForce: 'IOC' }).isRefused('ORDER_TYPE_INVALID')
})

test('SPOT-OCO-005: a leg that wakes may be immediate: what it can not take at once ends', () => {
  for (const [timeInForce, lots, reason] of [
    ['IOC', 300, 'ioc'],
    ['FOK', 0, 'fok'],
  ] as const) {
    const world = given({ alice: { BTC: '1' }, bob: { BTC: '1', USDT: '1000' } }).prints(100)
    const legs = { lots: 500, limitTrigger: 110, limitPrice: 109, limitTimeInForce: timeInForce, stopPrice: 90 }
    const list = world.oco('alice', legs).isAccepted().order
    world.buy('bob', 109, 300).isAccepted()
    world.sell('maker', 110, 100).isAccepted()
    const woken = world.buy('taker', 110, 100).isAccepted()
    woken.traded('110×100', ...(lots === 0 ? [] : [`109×${lots}`])).closed(list + 1, reason)
    // A leg that ended unfilled leaves the other where it was.
    world.has('alice', 'BTC', lots === 0 ? '0.5' : '0.7', lots === 0 ? '0.5' : '0')
    assert.deepEqual(
      world.open('alice').map(({ order, status }) => [order, status]),
      lots === 0 ? [[list + 2, 'pending']] : [],
    )
    if (lots === 0)
      world
        .cancel('alice', list + 2)
        .isAccepted()
        .closed(list + 2, 'cancelled')
    world.oco('alice', { lots: 100, limitPrice: 120, stopPrice: 100, stopLimit: 99, stopTimeInForce: timeInForce }).isAccepted()
  }
})

test('SPOT-OCO-005: the price of a leg that sleeps is measured from its trigger', () => {
  const world = given({ alice: { BTC: '1' } }).prints(100)
  const legs = { lots: 500, limitTrigger: 200, limitPrice: 190, stopPrice: 40, stopLimit: 39 }
  world.oco('alice', { ...legs, limitPrice: 159 }).isRefused('PRICE_OUTSIDE_BAND')
  world.oco('alice', { ...legs, stopLimit: 31 }).isRefused('PRICE_OUTSIDE_BAND')
  world.oco('alice', legs).isAccepted()
})
