import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given, type Told, type World } from './world.ts'

const falls = { direction: 'falls-to' } as const
const rises = { direction: 'rises-to' } as const

test('SPOT-STOP-001: a stop sleeps outside the book, holds its money, and triggers when the last price reaches it', () => {
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

test('SPOT-STOP-001: a command that trades at several prices reaches the triggers from its first price to its last', () => {
  const world = given({ alice: { BTC: '1', USDT: '100' } }).prints(105)
  const stop = (price: number, direction: object) =>
    world.sell('alice', 120, 63, { trigger: { kind: 'stop', price, ...direction } }).isAccepted().order
  const [rising, beyond] = [stop(108, rises), stop(111, rises)]
  const [falling, below] = [stop(101, falls), stop(100, falls)]
  world.sell('maker', 101, 100).isAccepted()
  world.sell('maker', 110, 100).isAccepted()
  const told = world.buy('taker', 110, 200, { timeInForce: 'IOC' }).isAccepted().traded('101×100', '110×100')
  assert.deepEqual(
    told.of('order.triggered').map(({ order }) => order),
    [falling, rising],
  )
  assert.deepEqual(
    world.open('alice').map(({ order, status }) => [order, status]),
    [
      [rising, 'open'],
      [beyond, 'pending'],
      [falling, 'open'],
      [below, 'pending'],
    ],
  )
  world.isReplayable()
})

test('SPOT-STOP-002: a trigger that is already reached, or that is not a valid price, is refused', () => {
  const world = given({ alice: { BTC: '1' } }).prints(100)
  world.sell('alice', 94, 500, { trigger: { kind: 'stop', price: 100, ...falls } }).isRefused('TRIGGER_IMMEDIATE')
  world.sell('alice', 94, 500, { trigger: { kind: 'stop', price: 0, ...falls } }).isRefused('TRIGGER_INVALID')
  world.sell('alice', 110, 500, { trigger: { kind: 'stop', price: 99, ...rises } }).isRefused('TRIGGER_IMMEDIATE')
  world.sell('alice', 110, 500, { trigger: { kind: 'trailing', trailPpm: 500, ...falls } }).isRefused('TRAIL_INVALID')
})

test('SPOT-STOP-002: a trigger at the last price is already reached; one tick further the order sleeps, in both directions', () => {
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

test('SPOT-STOP-002: a trail is 0.1 % to 20 %', () => {
  const world = given({ alice: { BTC: '1' } }).prints(100)
  const trails = (trailPpm: number) => world.sell('alice', 100, 100, { trigger: { kind: 'trailing', trailPpm, ...falls } })
  for (const wrong of [0, 999, 200_001]) trails(wrong).isRefused('TRAIL_INVALID')
  for (const right of [1_000, 200_000]) trails(right).isAccepted()
})

test('SPOT-STOP-003: a stop-market buy holds its quantity at its worst price, and the excess is released', () => {
  const world = given({ alice: { USDT: '100' }, bob: { BTC: '1' } }).prints(100)
  const told = world.market('alice', 'buy', { lots: 500, trigger: { kind: 'stop', price: 110, ...rises } }).isAccepted()
  // The hold is 500 lots × 115 (5 % above 110, in whole ticks) × 0.001.
  world.has('alice', 'USDT', '42.5', '57.5')
  world.sell('bob', 110, 1000)
  world.buy('taker', 110, 100).traded('110×100', '110×500').closed(told.order, 'filled')
  world.has('alice', 'USDT', '45')
})

test('SPOT-STOP-004: one command triggers at most 32 orders, and the others follow with the clock', () => {
  const world = given({ alice: { BTC: '3' }, bob: { USDT: '1000' } }).prints(100)
  for (let n = 0; n < 40; n++) world.sell('alice', 80, 63, { price: 82, trigger: { kind: 'stop', price: 90, ...falls } }).isAccepted()
  world.buy('bob', 90, 100)
  assert.equal(world.exchange.nextDueAtMs, Infinity)
  const first = world.sell('maker', 90, 100)
  assert.equal(first.of('order.triggered').length, 32)
  assert.equal(world.exchange.nextDueAtMs, world.atMs)
  world.isReplayable()
  // A refused command lets none of them act.
  world.buy('bob', 0, 100).isRefused('PRICE_INVALID')
  assert.equal(world.tick().of('order.triggered').length, 8)
  assert.equal(world.exchange.nextDueAtMs, Infinity)
})

test('SPOT-TRAIL-001: a trailing stop follows the best price and triggers when the price comes back by the trail', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } }).prints(100)
  const order = world.market('alice', 'sell', { lots: 300, trigger: { kind: 'trailing', trailPpm: 50_000, ...falls } }).isAccepted().order
  world.prints(110)
  world.buy('bob', 104, 1000)
  world.prints(105)
  assert.equal(world.open('alice').length, 1)
  world.sell('maker', 104, 100).traded('104×100', '104×300').closed(order, 'filled')
})

test('SPOT-TRAIL-002: a trailing order with an activation price starts to follow when the price reaches it', () => {
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

test('SPOT-OCO-001: one hold covers both legs; when one starts to trade, the other closes', () => {
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

test('SPOT-OCO-002: when the stop leg triggers and trades, the limit leg closes and passes its hold on', () => {
  const world = given({ alice: { USDT: '100' }, bob: { BTC: '1' } }).prints(100)
  const list = world.oco('alice', { side: 'buy', lots: 500, limitPrice: 90, stopPrice: 110 }).isAccepted().order
  world.has('alice', 'USDT', '42.5', '57.5').shows(['90×500'], [])
  world.sell('bob', 110, 600)
  const woken = world.buy('taker', 110, 100).traded('110×100', '110×500')
  woken.closed(list + 1, 'oco').closed(list + 2, 'filled')
  world.has('alice', 'USDT', '45').hasNoOrders()
})

test('SPOT-OCO-003: prices on the wrong side of the last price are refused, and cancelling one leg cancels both', () => {
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

test('SPOT-OCO-004: both legs may sleep with one hold; when the take-profit leg triggers, it closes the stop leg', () => {
  const world = given({ alice: { USDT: '100' }, bob: { BTC: '1', USDT: '1000' } }).prints(100)
  const legs = { side: 'buy', lots: 500, stopPrice: 110, stopLimit: 112 }
  // The hold is that of the more expensive leg, 500 lots at 112.
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
  // The part that only the stop leg needed is released.
  world.has('alice', 'USDT', '54.5', '45.5').shows(['91×500'], [])
  world.cancel('alice', gain!.order).isAccepted()
  world.has('alice', 'USDT', '100').hasNoOrders().isReplayable()
})

test('SPOT-OCO-004: a take-profit leg can act as a market order, which pays no more than the hold of the list', () => {
  const world = given({ alice: { USDT: '100' }, bob: { BTC: '1', USDT: '1000' } }).prints(100)
  const list = world.oco('alice', { side: 'buy', lots: 500, limitTrigger: 90, stopPrice: 110 }).isAccepted().order
  // The stop at 110 can cost up to 115 by slippage, more than the take-profit leg.
  world.has('alice', 'USDT', '42.5', '57.5')
  world.sell('bob', 92, 600).isAccepted()
  world.buy('maker', 90, 100).isAccepted()
  const woken = world.sell('bob', 90, 100).isAccepted().traded('90×100', '92×500')
  woken.closed(list + 2, 'oco').closed(list + 1, 'filled')
  world.has('alice', 'USDT', '54')
  assert.deepEqual(world.open('alice'), [])
  world.isReplayable()
})

test('SPOT-OCO-007: a leg that goes back to sleep alone holds what it needs itself', () => {
  const world = given({ dave: { USDT: '100' }, carol: { BTC: '10' }, bob: { USDT: '1000' } }).prints(100)
  const legs = { side: 'buy', lots: 100, limitTrigger: 90, limitPrice: 91, stopPrice: 101, stopLimit: 101, stopTimeInForce: 'FOK' }
  const list = world.oco('dave', legs).isAccepted().order
  world.has('dave', 'USDT', '89.9', '10.1')
  world.sell('carol', 102, 100).isAccepted()
  world
    .buy('bob', 102, 100)
    .isAccepted()
    .closed(list + 2, 'fok')
  world.has('dave', 'USDT', '90.9', '9.1')
  world.cancel('dave', list + 1).isAccepted()
  world.has('dave', 'USDT', '100').isReplayable()
})

test('SPOT-OCO-004: when the stop leg triggers, it closes a sleeping take-profit leg; cancelling one leg cancels both', () => {
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

test('SPOT-OCO-004: when one command reaches both triggers, only one leg triggers', () => {
  const world = given({ alice: { BTC: '1' }, bob: { BTC: '1', USDT: '1000' } }).prints(100)
  const list = world.oco('alice', { lots: 100, limitTrigger: 101, limitPrice: 101, stopPrice: 99 }).isAccepted().order
  world.sell('maker', 101, 100).isAccepted()
  world.sell('maker', 98, 100).isAccepted()
  // One command trades at 98 and at 101: it reaches the stop first, then the take profit.
  const both = world.buy('bob', 101, 200, { timeInForce: 'IOC' }).isAccepted().traded('98×100', '101×100')
  assert.deepEqual(
    both.of('order.triggered').map(({ order }) => order),
    [list + 2],
  )
  // The book has no bids: the stop leg is retried, and the take-profit leg, whose trigger was reached too, waits for its outcome.
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

test('SPOT-OCO-004: triggers on the wrong side and contradictory legs are refused', () => {
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

test('SPOT-OCO-005: a triggered leg may be IOC or FOK: the part that it can’t fill at once ends', () => {
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
    // When a leg ends unfilled, the other one keeps sleeping.
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

/** Alice’s list of 100 lots: a take-profit leg at 101, and a stop leg at 99 that ends where it can’t fill at once. */
const impatient = { lots: 100, limitTrigger: 101, limitPrice: 101, stopPrice: 99, stopLimit: 99, stopTimeInForce: 'IOC' } as const
/** Bob trades at 98, then at 101: both triggers are reached, the stop first. */
const swings = (world: World): Told => {
  world.sell('maker', 98, 100).isAccepted()
  world.sell('maker', 101, 100).isAccepted()
  return world.buy('bob', 101, 200, { timeInForce: 'IOC' }).isAccepted()
}
const at99 = { trigger: { kind: 'stop', price: 99, ...falls } } as const

test('SPOT-OCO-005: a leg sleeps again if the other ends unfilled and the price is no longer at its trigger', () => {
  const funds = { alice: { BTC: '1' }, bob: { USDT: '1000' }, carol: { BTC: '1' }, dave: { USDT: '1000' } }
  const world = given(funds).prints(100)
  // Both act before the list, and bring the price back to 100.
  world.sell('carol', 100, 100, at99).isAccepted()
  world.buy('dave', 100, 100, at99).isAccepted()
  const list = world.oco('alice', impatient).isAccepted().order
  swings(world)
    .traded('98×100', '101×100', '100×100')
    .closed(list + 2, 'ioc')
  assert.deepEqual(
    world.open('alice').map(({ order, status }) => [order, status]),
    [[list + 1, 'pending']],
  )
  world.isReplayable()
  world.cancel('alice', list + 1).closed(list + 1, 'cancelled')
  world.has('alice', 'BTC', '1').hasNoOrders()
})

test('SPOT-OCO-005: a leg that waits for its turn after the other ended unfilled can be cancelled', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' }, carol: { USDT: '1000' } }).prints(100)
  for (let n = 0; n < 31; n++) world.buy('carol', 80, 63, at99).isAccepted()
  const list = world.oco('alice', impatient).isAccepted().order
  const told = swings(world).closed(list + 2, 'ioc')
  assert.equal(told.of('order.triggered').length, 32)
  world.isReplayable()
  const cancelled = world.cancel('alice', list + 1).closed(list + 1, 'cancelled')
  assert.deepEqual([...cancelled.of('order.triggered'), ...world.tick().of('order.triggered')], [])
  world.has('alice', 'BTC', '1').isReplayable()
})

test('SPOT-OCO-005: the band for the price of a sleeping leg is measured from its trigger', () => {
  const world = given({ alice: { BTC: '1' } }).prints(100)
  const legs = { lots: 500, limitTrigger: 200, limitPrice: 190, stopPrice: 40, stopLimit: 39 }
  world.oco('alice', { ...legs, limitPrice: 159 }).isRefused('PRICE_OUTSIDE_BAND')
  world.oco('alice', { ...legs, stopLimit: 31 }).isRefused('PRICE_OUTSIDE_BAND')
  world.oco('alice', legs).isAccepted()
})
