/** Tests the effects of a match on payments, levels, fee tiers, times and prices. */
import type { MarketId, UserId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given, start, type Told, type World } from './world.ts'

const levels = (told: Told): readonly string[] =>
  told.of('book.level').map(({ update, side, price, lots }) => `${update}: ${side} ${price}×${lots}`)

const updatedAt = (world: World, user: string): readonly number[] => world.open(user).map((order) => order.updatedAt - start)

/** Entries of a command as "account asset reason delta/held delta". */
const entries = (told: Told): readonly string[] =>
  told.of('entry').map(({ account, reason, delta, heldDelta }) => {
    const owner = 'system' in account ? account.system : account.user
    return `${owner} ${account.asset} ${reason} ${delta}/${heldDelta}`
  })

test('SPOT-STP-001: a maker that self-trade prevention expires releases its whole hold, and no more', () => {
  for (const selfTrade of ['expire-maker', 'expire-both']) {
    const world = given({ alice: { BTC: '1', USDT: '1000' }, bob: { BTC: '1', USDT: '1000' } })
    const ask = world.sell('alice', 100, 500).order
    world.buy('bob', 100, 200).isAccepted().traded('100×200')
    world.has('alice', 'BTC', '0.5', '0.3').has('alice', 'USDT', '1019.98')
    const buy = world.buy('alice', 100, 100, { selfTrade, timeInForce: 'IOC' }).isAccepted().traded().closed(ask, 'self-trade')
    assert.deepEqual(
      entries(buy).filter((entry) => !entry.includes(' 1 ')),
      [`${world.user('alice')} 2 release 30000000/-30000000`],
      'no money moves but the one that is released',
    )
    world.has('alice', 'BTC', '0.8').has('alice', 'USDT', '1019.98').hasNoOrders()
    const bid = world.buy('alice', 101, 400).order
    world.has('alice', 'USDT', '979.58', '40.4')
    world.sell('alice', 101, 100, { selfTrade, timeInForce: 'IOC' }).isAccepted().traded().closed(bid, 'self-trade')
    world.has('alice', 'USDT', '1019.98').has('alice', 'BTC', '0.8').hasNoOrders()
    world.isReplayable()
  }
})

test('SPOT-STP-001: when self-trade prevention expires a leg of an OCO, the other leg ends too', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' } }).prints(100)
  const list = world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 90 }).isAccepted().order
  assert.equal(world.open('alice').length, 2)
  const told = world.buy('alice', 110, 100, { selfTrade: 'expire-maker', timeInForce: 'IOC' }).isAccepted().traded()
  assert.deepEqual(
    told
      .of('order.closed')
      .map(({ order, reason }) => [order - list, reason])
      .filter(([, reason]) => reason !== 'ioc'),
    [
      [2, 'oco'],
      [1, 'self-trade'],
    ],
  )
  world.has('alice', 'BTC', '1').has('alice', 'USDT', '1000').hasNoOrders().isReplayable()
})

test('MARKET-DEPTH-001: changes of levels are numbered without gaps, and each names the side of the makers', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' }, bob: { BTC: '1', USDT: '1000' } })
  assert.deepEqual(levels(world.sell('alice', 101, 300)), ['1: sell 101×300'])
  assert.deepEqual(levels(world.buy('alice', 99, 300)), ['2: buy 99×300'])
  assert.deepEqual(levels(world.buy('bob', 101, 100)), ['3: sell 101×200'])
  assert.deepEqual(levels(world.sell('bob', 99, 120)), ['4: buy 99×180'])
  assert.deepEqual(levels(world.sell('bob', 99, 200)), ['5: buy 99×0', '6: sell 99×20'])
})

test('SPOT-FEE-002: a trade that moves maker and taker to another tier emits one event for each of them', () => {
  const world = given({ alice: { BTC: '100' }, bob: { USDT: '100000' } })
  const tiers = [
    { volumeMin: 0, makerPpm: 1000, takerPpm: 1000 },
    { volumeMin: 30_000_000, makerPpm: 500, takerPpm: 300 },
    { volumeMin: 50_000_000, makerPpm: 100, takerPpm: 200 },
  ]
  world.do({ type: 'fees.set', tiers }).isAccepted()
  const trade = (): Told => {
    world.sell('alice', 100, 200)
    return world.buy('bob', 100, 200).isAccepted().traded('100×200')
  }
  const told = [trade(), trade(), trade(), trade()]
  const [alice, bob] = [world.user('alice'), world.user('bob')]
  assert.deepEqual(
    told.map((one) => one.of('user.tierChanged').map(({ user, tier }) => [user, tier])),
    [
      [],
      [
        [alice, 1],
        [bob, 1],
      ],
      [
        [alice, 2],
        [bob, 2],
      ],
      [],
    ],
  )
  assert.deepEqual(
    told.map((one) => one.of('traded').map(({ makerFee, takerFee }) => [makerFee, takerFee])),
    // Each trade is 20 USDT for 0.2 BTC, and its fees are at the rates before it.
    [[[20_000, 20_000]], [[20_000, 20_000]], [[10_000, 6_000]], [[2_000, 4_000]]],
  )
})

test('SPOT-FEE-003: volume in another quote asset is not counted in units of that asset', () => {
  const world = given({ alice: { ETH: '10' }, bob: { BTC: '10' } }).prints(250)
  world.place('alice', { market: 2, side: 'sell', price: 5000, lots: 1000 })
  world.place('bob', { market: 2, side: 'buy', price: 5000, lots: 1000 }).isAccepted()
  // 1 ETH trades for 0.05 BTC, which is 12.5 USDT at the last price of 250.
  assert.equal(world.exchange.tier(world.user('bob') as UserId).volume, 12_500_000)
  assert.equal(world.exchange.tier(world.user('alice') as UserId).volume, 12_500_000)
  world.prints(250)
  assert.equal(world.exchange.tier(world.user('taker') as UserId).volume, 2 * 25_000_000)
})

test('SPOT-FEE-001: at a fee rate of zero, nothing is posted to the account `fees`', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } }, { makerFeePpm: 0, takerFeePpm: 0 })
  world.sell('alice', 100, 300)
  const [alice, bob] = [world.user('alice'), world.user('bob')]
  assert.deepEqual(entries(world.buy('bob', 100, 300, { timeInForce: 'IOC' }).traded('100×300')), [
    `${alice} 2 trade 0/-30000000`,
    `${alice} 1 trade 30000000/0`,
    `${bob} 1 trade -30000000/0`,
    `${bob} 2 trade 30000000/0`,
  ])
})

test('SPOT-AMEND-003: an order shows the time of its last change: a fill or a decrement', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' }, bob: { USDT: '1000' } })
  world.sell('alice', 100, 500)
  world.sell('alice', 101, 500)
  assert.deepEqual(updatedAt(world, 'alice'), [0, 0])
  world.atMs += 70
  world.buy('bob', 100, 100).isAccepted()
  assert.deepEqual(updatedAt(world, 'alice').toSorted(), [0, 70])
  world.atMs += 20
  world.buy('alice', 100, 100, { selfTrade: 'decrement' }).isAccepted()
  assert.deepEqual(updatedAt(world, 'alice').toSorted(), [0, 90])
  world.atMs += 9
  world.buy('alice', 101, 400, { selfTrade: 'decrement' }).isAccepted()
  assert.deepEqual(updatedAt(world, 'alice'), [99])
})

test('SPOT-STP-004: a user’s trades with themselves do not move the band’s average price, even in one command with other trades', () => {
  const world = given({ alice: { BTC: '10', USDT: '100000' }, bob: { BTC: '10' }, carol: { USDT: '1000000' } })
  // Alice trades 100 lots with herself at 100 and 100 lots with Bob at 120: the average is 120.
  world.sell('alice', 100, 100).isAccepted()
  world.sell('bob', 120, 100).isAccepted()
  world.buy('alice', 120, 200, { selfTrade: 'none', timeInForce: 'IOC' }).isAccepted().traded('100×100', '120×100')
  assert.equal(world.exchange.prices(1 as MarketId).last, 120)
  world.buy('carol', 144, 100).isAccepted()
  world.buy('carol', 145, 100).isRefused('PRICE_OUTSIDE_BAND')
  world.buy('carol', 96, 100).isAccepted()
  world.buy('carol', 95, 100).isRefused('PRICE_OUTSIDE_BAND')
})

test('SPOT-MARKET-002: a market order that has a price or a shown part, or is post-only, is refused', () => {
  const world = given({ alice: { USDT: '1000' } }).prints(100)
  world.gives('maker', 'BTC', '1').sell('maker', 100, 500).isAccepted()
  for (const extra of [{ price: 100 }, { display: 50 }, { isPostOnly: true }])
    world.market('alice', 'buy', { lots: 100, ...extra }).isRefused('ORDER_TYPE_INVALID')
  world.market('alice', 'buy', { lots: 100 }).isAccepted().traded('100×100')
})

test('SPOT-LIMIT-005: a user may have as many open orders as the limit, and the next one is refused', () => {
  const world = given({ alice: { USDT: '100000', BTC: '1' } }, { openOrdersMax: 3 })
  // Orders in another market do not count.
  for (let n = 0; n < 2; n++) world.place('alice', { market: 2, price: 5000, lots: 100 }).isAccepted()
  for (let n = 0; n < 3; n++) world.buy('alice', 100 - n, 100).isAccepted()
  world.buy('alice', 97, 100).isRefused('TOO_MANY_OPEN_ORDERS')
  world.cancel('alice', world.open('alice').find(({ market }) => market === 1)!.order).isAccepted()
  world.buy('alice', 97, 100).isAccepted()
})
