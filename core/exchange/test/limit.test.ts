import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given, start } from './world.ts'

test('SPOT-LIMIT-001: a limit order takes what is at its price or better, at the maker’s price, and rests with the remainder', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } })
  world.sell('alice', 100, 400).isAccepted()
  world.sell('alice', 101, 400).isAccepted()
  world.buy('bob', 101, 1000).isAccepted().traded('100×400', '101×400')
  world.shows(['101×200'], [])
  // 40 + 40.4 paid, 20.2 held; 0.8 BTC less 0.1 % received.
  world.has('bob', 'USDT', '899.4', '20.2').has('bob', 'BTC', '0.7992')
  world.has('alice', 'BTC', '0.2').has('alice', 'USDT', '80.3196')
  world.isReplayable()
})

test('SPOT-LIMIT-002: an order that can’t be paid for is refused, and holds exactly its value when it can', () => {
  const world = given({ alice: { USDT: '10', BTC: '0.1' } })
  world.buy('alice', 100, 101).isRefused('INSUFFICIENT_BALANCE')
  world.sell('alice', 100, 101).isRefused('INSUFFICIENT_BALANCE')
  world.buy('alice', 100, 100).isAccepted()
  world.has('alice', 'USDT', '0', '10')
  world.sell('alice', 101, 100).isAccepted()
  world.has('alice', 'BTC', '0', '0.1')
})

test('SPOT-LIMIT-003: IOC cancels what it can’t take at once, FOK takes all or is refused, post-only never takes', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } })
  world.sell('alice', 100, 300)
  world.buy('bob', 100, 301, { timeInForce: 'FOK' }).isRefused('FOK_NOT_FILLABLE')
  world.buy('bob', 100, 300, { isPostOnly: true }).isRefused('POST_ONLY_WOULD_TAKE')
  const ioc = world.buy('bob', 100, 400, { timeInForce: 'IOC' }).isAccepted().traded('100×300')
  ioc.closed(ioc.order, 'ioc')
  world.sell('alice', 100, 300)
  const fok = world.buy('bob', 100, 300, { timeInForce: 'FOK' }).isAccepted().traded('100×300')
  fok.closed(fok.order, 'filled')
  world.buy('bob', 99, 300, { isPostOnly: true }).isAccepted()
  world.shows(['99×300'], [])
})

test('SPOT-LIMIT-006: an order that may expire is accepted and ends at once where it would be refused as not fillable', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } })
  world.sell('alice', 100, 300)
  const killed = world.buy('bob', 100, 301, { timeInForce: 'FOK', expires: true, clientId: 'fok' }).isAccepted().traded()
  killed.closed(killed.order, 'fok')
  assert.equal(world.buy('bob', 100, 301, { timeInForce: 'FOK', expires: true, clientId: 'fok' }).order, killed.order)
  const filled = world.buy('bob', 100, 300, { timeInForce: 'FOK', expires: true }).isAccepted().traded('100×300')
  filled.closed(filled.order, 'filled')
  const market = { orderType: 'market', timeInForce: 'IOC', lots: 100 }
  world.place('bob', market).isRefused('NO_LIQUIDITY')
  const lost = world
    .place('bob', { ...market, expires: true })
    .isAccepted()
    .traded()
  lost.closed(lost.order, 'ioc')
  world.buy('bob', 100, 100_000_000, { timeInForce: 'FOK', expires: true }).isRefused('INSUFFICIENT_BALANCE')
  world.has('bob', 'USDT', '970').isReplayable()
})

test('SPOT-LIMIT-004: quantities, values and prices outside the market’s filters are refused', () => {
  const world = given({ alice: { USDT: '1000000', BTC: '10' } }, { lotsMin: 10, lotsMax: 100_000 })
  for (const [price, lots, refusal] of [
    [0, 100, 'PRICE_INVALID'],
    [-1, 100, 'PRICE_INVALID'],
    [2 ** 31, 100, 'PRICE_INVALID'],
    [100, 0, 'QUANTITY_INVALID'],
    [100, -5, 'QUANTITY_INVALID'],
    [100, 9, 'QUANTITY_TOO_SMALL'],
    [100, 100_001, 'QUANTITY_TOO_LARGE'],
    [100, 49, 'NOTIONAL_TOO_SMALL'],
    [2 ** 31 - 1, 100_000, 'NOTIONAL_TOO_LARGE'],
    [2 ** 31 - 1, 100_001, 'QUANTITY_TOO_LARGE'],
  ] as const) {
    world.buy('alice', price, lots).isRefused(refusal)
  }
  world.buy('alice', 100, 50).isAccepted()
  world.place('alice', { price: 100 }).isRefused('ORDER_TYPE_INVALID')
  world.buy('alice', 100, 50, { spend: 5_000_000 }).isRefused('ORDER_TYPE_INVALID')
  world.buy('alice', 100, 50, { timeInForce: 'IOC', isPostOnly: true }).isRefused('ORDER_TYPE_INVALID')
  world.buy('alice', 100, 50, { market: 9 }).isRefused('MARKET_UNKNOWN')
})

test('SPOT-BAND-001: a price more than the band away from the five-minute average is refused; without any reference it is not', () => {
  const world = given({ alice: { USDT: '100000', BTC: '10' } })
  world.buy('alice', 1, 50_000).isAccepted()
  world.exchange.book(1 as never)
  world.prints(100)
  world.buy('alice', 79, 100).isRefused('PRICE_OUTSIDE_BAND')
  world.buy('alice', 80, 100).isAccepted()
  world.sell('alice', 121, 100).isRefused('PRICE_OUTSIDE_BAND')
  world.sell('alice', 120, 100).isAccepted()
  // Five minutes later the index takes over, and without one the last price.
  world.atMs += 400_000
  world.sell('alice', 121, 100).isRefused('PRICE_OUTSIDE_BAND')
  world.do({ type: 'index.tick', prices: [{ market: 1, price: 200_00000000, sources: 3, isGood: true }] }).isAccepted()
  world.sell('alice', 121, 100).isRefused('PRICE_OUTSIDE_BAND')
  world.sell('alice', 240, 100).isAccepted()
})

test('SPOT-BAND-001: in a fast market a price near a good index passes, however far the average lags behind', () => {
  const world = given({ alice: { USDT: '100000', BTC: '10' } })
  world.prints(100)
  const index = (price: number, isGood: boolean) =>
    world.do({ type: 'index.tick', prices: [{ market: 1, price: price * 1e8, sources: 3, isGood }] })
  index(150, true).isAccepted()
  world.sell('alice', 181, 100).isRefused('PRICE_OUTSIDE_BAND')
  world.sell('alice', 180, 100).isAccepted()
  world.buy('alice', 80, 100).isAccepted()
  world.buy('alice', 79, 100).isRefused('PRICE_OUTSIDE_BAND')
  index(150, false).isAccepted()
  world.sell('alice', 121, 100).isRefused('PRICE_OUTSIDE_BAND')
  world.isReplayable()
})

test('SPOT-LIMIT-005: a user has at most as many orders in a market as its terms allow, sleeping ones included', () => {
  const world = given({ alice: { USDT: '1000', ETH: '10', BTC: '1' } }, { openOrdersMax: 3 })
  world.buy('alice', 100, 50)
  world.buy('alice', 99, 60)
  world.buy('alice', 50, 100, { trigger: { kind: 'stop', price: 50, direction: 'falls-to' } }).isAccepted()
  world.buy('alice', 98, 60).isRefused('TOO_MANY_OPEN_ORDERS')
  world.place('alice', { market: 2, side: 'sell', price: 5000, lots: 100 }).isAccepted()
})

test('SPOT-ICEBERG-002: an iceberg shows less than it has, holds all of it, and trades in full', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } })
  world.sell('alice', 100, 500, { display: 500 }).isRefused('DISPLAY_INVALID')
  world.sell('alice', 100, 500, { display: 100, timeInForce: 'IOC' }).isRefused('ORDER_TYPE_INVALID')
  const { order } = world.sell('alice', 100, 500, { display: 100 }).isAccepted()
  world.shows([], ['100×100']).has('alice', 'BTC', '0.5', '0.5')
  world.buy('bob', 100, 250).traded('100×100', '100×100', '100×50')
  world.shows([], ['100×50'])
  world.buy('bob', 100, 250).closed(order, 'filled')
  world.hasNoOrders().isReplayable()
})

test('SPOT-ICEBERG-002: an iceberg has at most a hundred parts, also after an amend', () => {
  const world = given({ alice: { BTC: '10' } })
  world.sell('alice', 100, 501, { display: 5 }).isRefused('DISPLAY_INVALID')
  const { order } = world.sell('alice', 100, 500, { display: 5 }).isAccepted()
  world.amend('alice', order, { lots: 501 }).isRefused('DISPLAY_INVALID')
})

test('SPOT-STP-002: the default ends the taker’s remainder where it meets its owner; what it took before stays', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' }, bob: { BTC: '1' } })
  world.sell('bob', 100, 100)
  const own = world.sell('alice', 101, 100).order
  const taker = world.buy('alice', 101, 300).isAccepted().traded('100×100')
  taker.closed(taker.order, 'self-trade')
  world.shows([], ['101×100']).has('alice', 'USDT', '990')
  world.buy('alice', 101, 100, { selfTrade: 'expire-both' }).isAccepted().traded().closed(own, 'self-trade')
  world.hasNoOrders().has('alice', 'USDT', '990')
})

test('SPOT-STP-003: a decrement makes both orders smaller without a trade; what reaches zero ends, the other keeps its place', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' }, bob: { USDT: '1000' } })
  const maker = world.sell('alice', 100, 600).order
  const taker = world.buy('alice', 100, 200, { selfTrade: 'decrement' }).isAccepted().traded()
  assert.deepEqual(taker.of('order.prevented'), [
    { type: 'order.prevented', market: 1, user: world.user('alice'), price: 100, lots: 200, makerOrder: maker, takerOrder: taker.order },
  ])
  taker.closed(taker.order, 'self-trade')
  world.shows([], ['100×400']).has('alice', 'BTC', '0.6', '0.4').has('alice', 'USDT', '1000')
  const [left] = world.open('alice')
  assert.deepEqual([left!.lots, left!.preventedLots, left!.executedLots], [600, 200, 0])
  // The maker reaches zero, the taker rests with what is left of it, and a third takes from that.
  const second = world.buy('alice', 100, 700, { selfTrade: 'decrement' }).isAccepted().traded().closed(maker, 'self-trade')
  world.shows(['100×300'], []).has('alice', 'USDT', '970', '30').has('alice', 'BTC', '1')
  assert.deepEqual(
    world.open('alice').map(({ order, lots, preventedLots }) => [order, lots, preventedLots]),
    [[second.order, 700, 400]],
  )
  world.isReplayable()
  // What trades of it to its end does not make it filled: it did not trade all that it asked for.
  world.gives('bob', 'BTC', '1').sell('bob', 100, 300).isAccepted().traded('100×300').closed(second.order, 'self-trade')
  world.has('alice', 'USDT', '970').hasNoOrders()
  assert.equal(world.exchange.prices(1 as never).last, 100)
})

test('SPOT-STP-003: two orders that are alike both end, and no price is made', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' } }).prints(90)
  const maker = world.buy('alice', 100, 500).order
  const taker = world.sell('alice', 100, 500, { selfTrade: 'decrement' }).isAccepted().traded()
  taker.closed(maker, 'self-trade').closed(taker.order, 'self-trade')
  assert.equal(world.exchange.prices(1 as never).last, 90)
  world.has('alice', 'BTC', '1').has('alice', 'USDT', '1000').hasNoOrders()
})

test('SPOT-STP-003: an iceberg is made smaller from what it hides as well; a market order by amount from its amount', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' }, bob: { BTC: '1' } }).prints(100)
  const iceberg = world.sell('alice', 100, 600, { display: 100 }).order
  world.buy('alice', 100, 450, { selfTrade: 'decrement' }).isAccepted()
  world.shows([], ['100×100']).has('alice', 'BTC', '0.85', '0.15')
  world.sell('bob', 101, 600).isAccepted()
  // 50 to spend: 15 go with what is prevented at 100, 35 buy 346 lots at 101.
  const spent = world.market('alice', 'buy', { spend: 50_000_000, selfTrade: 'decrement' }).isAccepted().traded('101×346')
  spent.closed(iceberg, 'self-trade').closed(spent.order, 'self-trade')
  assert.equal(spent.of('order.prevented')[0]!.lots, 150)
  world.has('alice', 'BTC', '1.345654').has('alice', 'USDT', '965.054')
})

test('SPOT-STP-003: an order that must be filled whole is not, and a smaller total counts what was prevented', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' } })
  const maker = world.sell('alice', 100, 600).order
  world.buy('alice', 100, 200, { selfTrade: 'decrement', timeInForce: 'FOK' }).isRefused('FOK_NOT_FILLABLE')
  world.buy('alice', 100, 200, { selfTrade: 'decrement', timeInForce: 'IOC' }).isAccepted()
  world.amend('alice', maker, { lots: 200 }).isRefused('QUANTITY_INVALID')
  world.amend('alice', maker, { lots: 500 }).isAccepted()
  world.shows([], ['100×300']).has('alice', 'BTC', '0.7', '0.3')
  // At another price it keeps the part that is gone.
  world.amend('alice', maker, { price: 110 }).isAccepted()
  world.shows([], ['110×300']).has('alice', 'BTC', '0.7', '0.3')
  assert.deepEqual([world.open('alice')[0]!.lots, world.open('alice')[0]!.preventedLots], [500, 200])
  world.isReplayable()
})

test('SPOT-STP-003: a leg that is made smaller ends its list as a trade does; one that wakes may make others smaller', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' }, bob: { BTC: '1', USDT: '1000' } }).prints(100)
  const list = world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 90 }).isAccepted().order
  world
    .buy('alice', 110, 200, { selfTrade: 'decrement', timeInForce: 'IOC' })
    .isAccepted()
    .closed(list + 2, 'oco')
  world.shows([], ['110×300']).has('alice', 'BTC', '0.7', '0.3')
  const legs = { side: 'buy', lots: 500, limitTrigger: 95, limitPrice: 110, stopPrice: 120, selfTrade: 'decrement' }
  const waiting = world.oco('alice', legs).isAccepted().order
  world.buy('bob', 95, 100).isAccepted()
  const woken = world.sell('maker', 95, 100).isAccepted()
  woken.closed(waiting + 2, 'oco').closed(list + 1, 'self-trade')
  world.shows(['110×200'], []).has('alice', 'USDT', '978', '22').has('alice', 'BTC', '1')
  world.isReplayable()
})

test('SPOT-HALT-001: a halted market takes no orders and amends, but lets cancel', () => {
  const world = given({ alice: { USDT: '1000' } })
  const { order } = world.buy('alice', 100, 100)
  const { terms } = world.exchange.listing().markets[0]!
  world.do({ type: 'market.set', market: 1, terms: { ...terms, isTrading: false } }).isAccepted()
  world.buy('alice', 100, 100).isRefused('MARKET_HALTED')
  world.amend('alice', order, { lots: 90 }).isRefused('MARKET_HALTED')
  world.cancel('alice', order).isAccepted().closed(order, 'cancelled')
  world.has('alice', 'USDT', '1000')
})

test('SPOT-CORE-003: commands follow each other without gaps and never back in time', () => {
  const world = given()
  world.atMs = start - 1
  assert.throws(() => world.tick())
})
