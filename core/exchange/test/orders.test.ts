import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from './world.ts'

test('SPOT-AMEND-001: an amend to a smaller quantity at the same price keeps the order’s place and releases the difference', () => {
  const world = given({ alice: { BTC: '1' }, bob: { BTC: '1' }, carol: { USDT: '1000' } })
  const first = world.sell('alice', 100, 300).order
  world.sell('bob', 100, 300)
  const told = world.amend('alice', first, { lots: 200 }).isAccepted()
  assert.equal(told.of('order.amended')[0]!.keepsPriority, true)
  world.has('alice', 'BTC', '0.8', '0.2').shows([], ['100×500'])
  world.buy('carol', 100, 200).closed(first, 'filled')
})

test('SPOT-AMEND-002: an amend to a larger quantity or another price moves the order to the end of its level, and may take', () => {
  const world = given({ alice: { BTC: '1' }, bob: { BTC: '1' }, carol: { USDT: '1000' } })
  const first = world.sell('alice', 100, 300).order
  const second = world.sell('bob', 100, 300).order
  world.amend('alice', first, { lots: 301 }).isAccepted()
  world.buy('carol', 100, 300).closed(second, 'filled')
  const bid = world.buy('carol', 99, 100).order
  const taken = world.amend('alice', first, { price: 99 }).isAccepted().traded('99×100')
  taken.closed(bid, 'filled')
  assert.equal(world.open('alice')[0]!.executedLots, 100)
  world.shows([], ['99×201']).has('alice', 'BTC', '0.699', '0.201').isReplayable()
})

test('SPOT-AMEND-003: a refused amend leaves no trace, whichever check refuses it', () => {
  const hashes = [{ price: 0 }, { lots: 0 }, { price: 100, lots: 200 }, { lots: 20_000 }].map((change) => {
    const world = given({ alice: { USDT: '100' } })
    const { order } = world.buy('alice', 100, 200).isAccepted()
    assert.ok(world.amend('alice', order, change).outcome.refusal !== undefined)
    return world.exchange.hash()
  })
  assert.equal(new Set(hashes).size, 1)
})

test('SPOT-AMEND-003: the new quantity includes fills, and an amend that can’t be paid changes nothing', () => {
  const world = given({ alice: { USDT: '30' }, bob: { BTC: '1' } })
  const { order } = world.buy('alice', 100, 200)
  world.sell('bob', 100, 100)
  world.amend('alice', order, { lots: 100 }).isRefused('QUANTITY_INVALID')
  world.amend('alice', order, { lots: 200 }).isRefused('AMEND_UNCHANGED')
  world.amend('alice', order, { lots: 301 }).isRefused('INSUFFICIENT_BALANCE')
  world.amend('bob', order, { lots: 150 }).isRefused('ORDER_UNKNOWN')
  world.amend('alice', order, { lots: 300 }).isAccepted()
  world.has('alice', 'USDT', '0', '20')
})

test('SPOT-AMEND-003: an amend of the price alone by which a post-only order would take is refused, and the order stays', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' }, bob: { BTC: '1', USDT: '1000' } })
  world.buy('bob', 98, 300).isAccepted()
  world.sell('bob', 102, 300).isAccepted()
  const bid = world.buy('alice', 97, 200, { isPostOnly: true }).isAccepted().order
  const ask = world.sell('alice', 103, 200, { isPostOnly: true }).isAccepted().order
  for (const change of [{ price: 102 }, { price: 105 }, { price: 102, lots: 100 }])
    world.amend('alice', bid, change).isRefused('POST_ONLY_WOULD_TAKE')
  for (const change of [{ price: 98 }, { price: 90 }, { price: 98, lots: 100 }])
    world.amend('alice', ask, change).isRefused('POST_ONLY_WOULD_TAKE')
  world.shows(['98×300', '97×200'], ['102×300', '103×200'])
  world.amend('alice', bid, { price: 101 }).isAccepted().traded()
  world.amend('alice', ask, { price: 102 }).isAccepted().traded()
  world.shows(['101×200', '98×300'], ['102×500']).isReplayable()
})

test('SPOT-AMEND-004: an amend that requires the order’s place in the queue is refused if the order would lose it', () => {
  const world = given({ alice: { BTC: '1' } })
  const { order } = world.sell('alice', 100, 300)
  const keepsPriority = { keepsPriority: true }
  world.amend('alice', order, { lots: 301, ...keepsPriority }).isRefused('ORDER_NOT_AMENDABLE')
  world.amend('alice', order, { lots: 200, price: 101, ...keepsPriority }).isRefused('ORDER_NOT_AMENDABLE')
  world.amend('alice', order, { lots: 300, ...keepsPriority }).isRefused('AMEND_UNCHANGED')
  world.amend('alice', order, { lots: 200, ...keepsPriority }).isAccepted()
  world.shows([], ['100×200']).isReplayable()
})

test('SPOT-CANCEL-004: a cancel that names a state is refused while the order is in another state', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } })
  const { order } = world.sell('alice', 100, 300)
  world.cancel('alice', order, { only: 'partly-filled' }).isRefused('ORDER_NOT_AMENDABLE')
  world.buy('bob', 100, 100)
  world.cancel('alice', order, { only: 'unfilled' }).isRefused('ORDER_NOT_AMENDABLE')
  world.cancel('alice', order, { only: 'partly-filled' }).isAccepted().closed(order, 'cancelled')
  world.cancel('alice', world.sell('alice', 100, 100).order, { only: 'unfilled' }).isAccepted()
  world.hasNoOrders().isReplayable()
})

test('SPOT-CANCEL-001: an owner cancels by number or by client id, which releases the hold', () => {
  const world = given({ alice: { USDT: '100' }, bob: {} })
  const { order } = world.buy('alice', 100, 100, { clientId: 'mine' })
  world.cancel('bob', order).isRefused('ORDER_UNKNOWN')
  world.cancel('alice', order, { market: 2 }).isRefused('ORDER_UNKNOWN')
  world.cancel('alice', 0, { orderClientId: 'other' }).isRefused('ORDER_UNKNOWN')
  assert.equal(world.cancel('alice', 0, { orderClientId: 'mine' }).isAccepted().order, order)
  world.cancel('alice', order).isRefused('ORDER_UNKNOWN')
  world.has('alice', 'USDT', '100').hasNoOrders()
})

test('SPOT-CANCEL-002: cancel-all cancels 200 orders at once and the others with the clock; orders placed after it stay', () => {
  const world = given({ alice: { USDT: '100000', BTC: '10' } }, { openOrdersMax: 500 })
  for (let n = 0; n < 250; n++) world.buy('alice', 100, 50 + n)
  world.place('alice', { market: 2, price: 5000, lots: 100 }).isAccepted()
  const all = { type: 'spot.cancelAll', user: world.user('alice'), clientId: '', market: 1 }
  assert.equal(world.do(all).isAccepted().of('order.closed').length, 200)
  const later = world.buy('alice', 100, 60).order
  world.isReplayable()
  assert.equal(world.tick().of('order.closed').length, 50)
  assert.equal(world.exchange.nextDueAtMs, Infinity)
  assert.deepEqual(
    world.open('alice').map(({ market, order }) => [market, order === later]),
    [
      [2, false],
      [1, true],
    ],
  )
})

test('SPOT-CANCEL-001: the client id of a request that made no order names no order', () => {
  const world = given({ alice: { USDT: '100' } })
  const orders = [world.buy('alice', 100, 200, { display: 100 }), world.buy('alice', 99, 200, { display: 100 })]
  assert.deepEqual(
    orders.map((told) => told.isAccepted().order),
    [1, 2],
  )
  world.do({ type: 'spot.cancelAll', user: world.user('alice'), clientId: 'all', market: 2 }).isAccepted()
  world.cancel('alice', 0, { orderClientId: 'all' }).isRefused('ORDER_UNKNOWN')
  world.amend('alice', 0, { orderClientId: 'all', lots: 150 }).isRefused('ORDER_UNKNOWN')
  assert.equal(world.open('alice').length, 2)
})

test('SPOT-ONCE-001: a request with the same client id and body returns the first outcome and changes nothing', () => {
  const world = given({ alice: { USDT: '100' }, bob: { BTC: '1', USDT: '100' } })
  const { order } = world.buy('alice', 100, 100, { clientId: 'one' })
  const repeat = (): void => {
    const told = world.buy('alice', 100, 100, { clientId: 'one' }).isAccepted()
    assert.deepEqual([told.order, told.outcome.isRepeat, told.events.length], [order, true, 1])
  }
  repeat()
  world.sell('bob', 100, 100).closed(order, 'filled')
  repeat()
  world.has('alice', 'USDT', '90')
  // The same client id of another user is a different one.
  assert.notEqual(world.buy('bob', 90, 100, { clientId: 'one' }).isAccepted().order, order)
})

test('SPOT-ONCE-002: the same client id with another body, or for another kind of request, is refused', () => {
  const world = given({ alice: { USDT: '100' } })
  const { order } = world.buy('alice', 100, 100, { clientId: 'one' })
  world.buy('alice', 100, 101, { clientId: 'one' }).isRefused('CLIENT_ID_REUSED')
  world.cancel('alice', order, { clientId: 'one' }).isRefused('CLIENT_ID_REUSED')
  const amend = { clientId: 'two', lots: 90 }
  world.amend('alice', order, amend).isAccepted()
  assert.equal(world.amend('alice', order, amend).isAccepted().outcome.isRepeat, true)
  world.cancel('alice', 0, { orderClientId: 'two' }).isRefused('ORDER_UNKNOWN')
})

test('SPOT-ONCE-003: a refused request stays refused under its client id, and a new try needs a new one', () => {
  const world = given({ alice: { USDT: '1' } })
  world.buy('alice', 100, 100, { clientId: 'one' }).isRefused('INSUFFICIENT_BALANCE')
  world.gives('alice', 'USDT', '100')
  assert.equal(world.buy('alice', 100, 100, { clientId: 'one' }).isRefused('INSUFFICIENT_BALANCE').outcome.isRepeat, true)
  world.buy('alice', 100, 100, { clientId: 'two' }).isAccepted()
})

test('SPOT-ONCE-004: the legs of an OCO have client ids of their own, which no other request can use', () => {
  const world = given({ alice: { BTC: '1' } }).prints(100)
  const pair = { lots: 100, limitPrice: 110, stopPrice: 95, clientId: 'p' }
  const list = world.oco('alice', pair).isAccepted().order
  const again = world.oco('alice', pair).isAccepted()
  assert.deepEqual([again.order, again.outcome.isRepeat], [list, true])
  world.sell('alice', 110, 100, { clientId: 'p-limit' }).isRefused('CLIENT_ID_REUSED')
  assert.deepEqual(
    world.open('alice').map((order) => order.clientId),
    ['p-limit', 'p-stop'],
  )
})

test('SPOT-ONCE-004: an OCO is remembered under the client ids that it and its legs have', () => {
  for (const [ids, expected] of [
    [{}, []],
    [{ limitClientId: 'l' }, [1]],
    [{ stopClientId: 's' }, [2]],
    [{ clientId: 'p' }, [0, 1, 2]],
    [{ clientId: 'p', limitClientId: 'l', stopClientId: 's' }, [0, 1, 2]],
  ] as const) {
    const world = given({ alice: { BTC: '1' } }).prints(100)
    const list = world.oco('alice', { lots: 100, limitPrice: 110, stopPrice: 95, ...ids }).isAccepted().order
    const numbers = [...world.exchange.requests(new Set([world.user('alice')]))].map(({ number }) => number - list)
    assert.deepEqual(numbers.toSorted(), expected, JSON.stringify(ids))
  }
})

test('SPOT-STRATEGY-001: the strategy of an order appears in its event and in the open order', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' } }).prints(100)
  const both = { id: 7, type: 1_000_000 }
  const resting = world.buy('alice', 96, 100, { strategy: both, clientId: 'one' }).isAccepted()
  assert.deepEqual(resting.of('order.accepted')[0]?.strategy, both)
  const sleeping = world.sell('alice', 80, 100, {
    strategy: { id: 0 },
    display: 50,
    trigger: { kind: 'stop', price: 85, direction: 'falls-to' },
  })
  assert.deepEqual(sleeping.isAccepted().of('order.accepted')[0]?.strategy, { id: 0 })
  const ended = world.sell('alice', 99, 100, { strategy: { type: 1_000_001 }, timeInForce: 'IOC' }).isAccepted()
  assert.deepEqual(ended.of('order.accepted')[0]?.strategy, { type: 1_000_001 })
  const unfilled = world.sell('alice', 99, 200, { strategy: both, timeInForce: 'FOK', expires: true }).isAccepted()
  assert.deepEqual(unfilled.of('order.accepted')[0]?.strategy, both)
  const market = world.market('alice', 'sell', { lots: 100, strategy: both, expires: true, selfTrade: 'none' }).isAccepted()
  assert.deepEqual(market.of('order.accepted')[0]?.strategy, both)
  assert.equal(market.of('traded').length, 1)
  const another = world.buy('alice', 96, 100, { strategy: both }).isAccepted().order
  assert.equal(world.buy('alice', 97, 100).isAccepted().of('order.accepted')[0]?.strategy, undefined)
  assert.deepEqual(
    world.open('alice').map(({ order, strategy }) => [order, strategy]),
    [
      [sleeping.order, { id: 0 }],
      [another, both],
      [another + 1, undefined],
    ],
  )
  world.isReplayable()
  // A request with another strategy has another body.
  world.buy('alice', 96, 100, { strategy: { id: 8, type: 1_000_000 }, clientId: 'one' }).isRefused('CLIENT_ID_REUSED')
  assert.ok(world.buy('alice', 96, 100, { strategy: both, clientId: 'one' }).outcome.isRepeat)
})
