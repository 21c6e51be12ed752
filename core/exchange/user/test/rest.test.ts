/** The customer's own pause, across all products. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '../../../protocol/command/index.ts'
import { type Listed, mayOpen } from '../../../risk/opening.ts'
import { Exchange } from '../../exchange.ts'
import { btcusdt, free, open as givenMargin } from '../../margin/test/world.ts'
import { given as givenOption } from '../../option/test/world.ts'
import { contract, givenPerp } from '../../perp/test/world.ts'
import { given, terms, type Told, type World } from '../../test/world.ts'

const dayMs = 86_400_000

/** Whatever is refused from now on because of a pause must be known to open. */
function rest(world: World, name: string, ms = dayMs): Told {
  const told = world.do({ type: 'user.rest', user: world.user(name), until: world.atMs + ms })
  const send = world.do.bind(world)
  world.do = (command) => {
    const answer = send(command)
    if (answer.outcome.refusal === 'RESTING') assert.ok(mayOpen(command as Command, listedIn(world)), JSON.stringify(command))
    return answer
  }
  return told
}

function listedIn(world: World): Listed {
  const { assets, markets } = world.exchange.listing()
  return {
    usdt: assets.find(({ symbol }) => symbol === 'USDT')!.id,
    pairOf: (id) => markets.find((market) => market.id === id),
  }
}

const restUntil = (world: World, name: string): number => world.exchange.standing(world.user(name)).restUntil

test('USER-REST-001: the end of a pause only moves later, and an earlier or past one has no effect', () => {
  const world = given({ alice: { USDT: '1000' } })
  assert.equal(restUntil(world, 'alice'), 0)
  for (const ms of [0, -1, -dayMs]) assert.equal(rest(world, 'alice', ms).isAccepted().events.length, 1)
  const until = world.atMs + dayMs
  assert.deepEqual(rest(world, 'alice').isAccepted().of('user.rested'), [{ type: 'user.rested', user: world.user('alice'), until }])
  for (const ms of [dayMs, dayMs - 1, 1]) assert.equal(rest(world, 'alice', ms).isAccepted().events.length, 1)
  assert.equal(restUntil(world, 'alice'), until)
  rest(world, 'alice', dayMs + 1).isAccepted()
  assert.equal(restUntil(world, 'alice'), until + 1)
  world.exchange = Exchange.restore(world.exchange.dump())
  assert.equal(restUntil(world, 'alice'), until + 1)
  world.atMs = until
  world.buy('alice', 100, 100).isRefused('RESTING')
  world.atMs++
  world.buy('alice', 100, 100).isAccepted()
  world.do({ type: 'user.rest', user: 99, until: world.atMs + 1 }).isRefused('USER_UNKNOWN')
})

test('USER-REST-002: during a pause, spot orders that spend USDT are refused; selling, cancelling and amending down stay possible', () => {
  const world = given({ alice: { USDT: '10000', BTC: '1' } }).prints(100)
  rest(world, 'alice').isAccepted()
  world.buy('alice', 90, 100).isRefused('RESTING')
  world.market('alice', 'buy', { spend: 10_000_000 }).isRefused('RESTING')
  world.buy('alice', 120, 100, { trigger: { kind: 'stop', price: 120, direction: 'rises-to' } }).isRefused('RESTING')
  world.oco('alice', { side: 'buy', lots: 100, limitPrice: 90, stopPrice: 110 }).isRefused('RESTING')
  // A refusal for the pause comes before those of the order, but after those of market and user.
  world.buy('alice', 0, 0).isRefused('RESTING')
  world.buy('alice', 90, 100, { market: 9 }).isRefused('MARKET_UNKNOWN')
  const { order } = world.sell('alice', 110, 200).isAccepted()
  world.amend('alice', order, { price: 111 }).isAccepted()
  world.oco('alice', { side: 'sell', lots: 100, limitPrice: 110, stopPrice: 90 }).isAccepted()
  world.cancel('alice', order).isAccepted()
  world.gives('alice', 'ETH', '1').buy('alice', 1000, 100, { market: 2 }).isAccepted()
})

test('FIRM-ACT-009: what members may not open for a firm is what the core refuses during a pause, order by order', () => {
  const world = given({ alice: { USDT: '10000', BTC: '1', ETH: '1' } }).prints(100)
  world.do({ type: 'market.list', symbol: 'USDTBTC', base: 1, quote: 2, tick: '0.00001', lot: '0.001', terms }).isAccepted()
  rest(world, 'alice').isAccepted()
  const plain = { clientId: '', orderType: 'limit', timeInForce: 'GTC', isPostOnly: false, selfTrade: 'expire-taker' }
  const user = world.user('alice')
  let refused = 0
  for (const market of [1, 2, 3])
    for (const side of ['buy', 'sell'])
      for (const order of [
        { type: 'spot.place', ...plain, price: 90, lots: 100 },
        { type: 'spot.place', ...plain, orderType: 'market', timeInForce: 'IOC', lots: 100 },
        { type: 'spot.placeOco', clientId: '', lots: 100, limitPrice: 90, stopPrice: 110, selfTrade: 'expire-taker' },
        { type: 'spot.placeList', clientId: '', legs: [{ ...plain, side, price: 90, lots: 100 }], selfTrade: 'expire-taker' },
      ]) {
        const command = { ...order, user, market, side } as unknown as Command
        const isRefused = world.do(command).outcome.refusal === 'RESTING'
        assert.equal(mayOpen(command, listedIn(world)), isRefused, JSON.stringify(command))
        if (isRefused) refused++
      }
  assert.equal(refused, 8)
})

test('USER-REST-003: a pause cancels what rests or sleeps and would open risk, oldest first, and leaves the rest', () => {
  const world = given({ alice: { USDT: '10000', BTC: '2' } }).prints(100)
  const sell = world.sell('alice', 110, 100).isAccepted().order
  const bid = world.buy('alice', 90, 100).isAccepted().order
  const stop = world.buy('alice', 120, 100, { trigger: { kind: 'stop', price: 120, direction: 'rises-to' } }).isAccepted().order
  const list = world.oco('alice', { side: 'buy', lots: 100, limitPrice: 91, stopPrice: 111 }).isAccepted().order
  const told = rest(world, 'alice').isAccepted()
  assert.deepEqual(
    told.of('order.closed').map(({ order, reason }) => [order, reason]),
    [
      [bid, 'resting'],
      [stop, 'resting'],
      [list + 2, 'oco'],
      [list + 1, 'resting'],
    ],
  )
  assert.deepEqual(
    world.open('alice').map(({ order }) => order),
    [sell],
  )
  world.has('alice', 'USDT', '10000').isReplayable()
})

test('USER-REST-003: a long list of orders is cancelled by clock ticks, and what wakes meanwhile does not trade', () => {
  const world = given({ alice: { USDT: '100000', BTC: '2' }, bob: { BTC: '10', USDT: '10000' } }, { openOrdersMax: 500 }).prints(100)
  for (let n = 0; n < 250; n++) world.buy('alice', 90, 100).isAccepted()
  const limit = world.buy('alice', 105, 100, { trigger: { kind: 'stop', price: 102, direction: 'rises-to' } }).isAccepted().order
  const market = world.place('alice', {
    orderType: 'market',
    timeInForce: 'IOC',
    lots: 100,
    trigger: { kind: 'stop', price: 102, direction: 'rises-to' },
  })
  assert.equal(rest(world, 'alice').isAccepted().of('order.closed').length, 200)
  world.sell('bob', 102, 300).isAccepted()
  const told = world.buy('taker', 102, 100).isAccepted()
  told.closed(limit, 'resting').closed(market.order, 'resting')
  assert.equal(world.exchange.nextDueAtMs, world.atMs)
  assert.equal(world.tick().isAccepted().of('order.closed').length, 50)
  assert.deepEqual(world.open('alice'), [])
  world.isReplayable()
})

test('USER-REST-004: during a pause, Futures accept only orders that reduce or close', () => {
  const perp = givenPerp({ alice: '10000', bob: '10000' })
  const { world } = perp
  perp.index(100)
  perp.sell('bob', 100, 500).isAccepted()
  perp.buy('alice', 100, 500).isAccepted()
  const opening = perp.buy('alice', 95, 100).isAccepted().order
  const exit = perp.closes('alice', 'sell', 80, 'falls-to').isAccepted().order
  const reducing = perp.sell('alice', 110, 100, { isReduceOnly: true }).isAccepted().order
  rest(world, 'alice').isAccepted().closed(opening, 'resting')
  assert.deepEqual(
    world.open('alice').map(({ order }) => order),
    [exit, reducing],
  )
  perp.buy('alice', 95, 100).isRefused('RESTING')
  perp.sell('alice', 110, 100).isRefused('RESTING')
  perp.market('alice', 'buy', 100).isRefused('RESTING')
  perp.buy('alice', 95, 100, { trigger: { kind: 'stop', price: 95, direction: 'falls-to' } }).isRefused('RESTING')
  perp.do({ type: 'perp.reverse', user: perp.id('alice'), clientId: '', market: contract }).isRefused('RESTING')
  perp.buy('bob', 99, 500).isAccepted()
  perp.market('alice', 'sell', 500, { isReduceOnly: true }).isAccepted()
  world.isReplayable()
})

test('USER-REST-005: during a pause, nothing is borrowed or lent, and money only moves back to spot', () => {
  const margin = givenMargin(free)
  const { world } = margin
  margin.user('alice', { USDT: '10000', BTC: '1' })
  margin.enter('alice', 'USDT', '5000').isAccepted()
  margin.borrow('alice', 'USDT', '100').isAccepted()
  margin.supply('alice', 'BTC', '0.1').isAccepted()
  rest(world, 'alice').isAccepted()
  margin.borrow('alice', 'USDT', '100').isRefused('RESTING')
  margin.supply('alice', 'BTC', '0.1').isRefused('RESTING')
  for (const to of ['perp', 'margin-cross', 'option']) margin.transfer('alice', 'USDT', '1', 'spot', to).isRefused('RESTING')
  margin.transfer('alice', 'USDT', '1', 'margin-cross', 'perp').isRefused('RESTING')
  margin.repay('alice', 'USDT', '50').isAccepted()
  margin.leave('alice', 'USDT', '10').isAccepted()
  margin.withdraw('alice', 'BTC', '0.1').isAccepted()
  world.isReplayable()
})

test('USER-REST-006: during a pause, margin orders may only sell what the account owns or buy back what it owes', () => {
  const margin = givenMargin(free)
  const { world } = margin
  world.prints(50_000, 1)
  margin.user('alice', { USDT: '200000', BTC: '2' })
  for (const asset of ['USDT', 'BTC'] as const) margin.enter('alice', asset, asset === 'USDT' ? '100000' : '1').isAccepted()
  margin.borrow('alice', 'BTC', '0.5').isAccepted()
  const order = (side: 'buy' | 'sell', borrow: string, lots: number, more: object = {}): Told =>
    world.place('alice', { market: btcusdt, side, price: 50_000, lots, margin: { account: 'margin-cross', borrow }, ...more })
  const borrowing = order('sell', 'borrow', 10, { price: 51_000 }).isAccepted().order
  const covering = order('buy', 'repay', 100, { price: 49_000 }).isAccepted().order
  const buying = order('buy', 'none', 10, { price: 49_000 }).isAccepted().order
  rest(world, 'alice').isAccepted().closed(borrowing, 'resting').closed(buying, 'resting')
  assert.deepEqual(
    world.open('alice').map((one) => one.order),
    [covering],
  )
  for (const borrow of ['borrow', 'both', 'none']) order('buy', borrow, 10).isRefused('RESTING')
  order('sell', 'borrow', 10).isRefused('RESTING')
  order('buy', 'repay', 402).isRefused('RESTING')
  world
    .place('alice', {
      orderType: 'market',
      timeInForce: 'IOC',
      side: 'buy',
      spend: 100e6,
      margin: { account: 'margin-cross', borrow: 'repay' },
    })
    .isRefused('RESTING')
  world.amend('alice', covering, { lots: 502 }).isRefused('RESTING')
  world.amend('alice', covering, { lots: 90 }).isAccepted()
  order('buy', 'repay', 400, { price: 49_000 }).isAccepted()
  order('sell', 'none', 10, { price: 51_000 }).isAccepted()
  world.isReplayable()
})

test('USER-REST-007: during a pause, Second accepts no order and settles those already running', () => {
  const second = givenOption()
  second.trader('alice')
  const { order } = second.open('alice', 'up').isAccepted()
  rest(second.world, 'alice').isAccepted()
  second.open('alice', 'up').isRefused('RESTING')
  second.run(40_000, () => 60_000)
  assert.ok(second.settled.has(order))
})

test('USER-STAFF-001: staff, house users and makers can’t use Second, until they are none any more', () => {
  const second = givenOption()
  const user = second.trader('alice')
  const mark = (isStaff: boolean): Told => second.do({ type: 'user.staff', user, isStaff }).isAccepted()
  assert.deepEqual(mark(true).of('user.staffed'), [{ type: 'user.staffed', user, isStaff: true }])
  second.world.exchange = Exchange.restore(second.world.exchange.dump())
  assert.equal(second.world.exchange.standing(user).isStaff, true)
  second.open('alice', 'up').isRefused('STAFF_BARRED')
  mark(false)
  second.open('alice', 'up').isAccepted()
  for (const isHouse of [true, false]) {
    second.do({ type: 'user.house', user, isHouse }).isAccepted()
    assert.equal(second.open('alice', 'up').outcome.refusal, isHouse ? 'STAFF_BARRED' : undefined)
  }
  const maker = second.do({ type: 'user.open', requestId: '', class: 'maker', referrer: 0 }).isAccepted().outcome.user
  second
    .do({ type: 'option.open', user: maker, clientId: '', market: 1, direction: 'up', stake: 5e6, seconds: 30, guardPpm: 0 })
    .isRefused('STAFF_BARRED')
})
