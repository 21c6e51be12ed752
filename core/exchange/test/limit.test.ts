import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MarketId } from '../../protocol/ids.ts'
import { given, start } from './world.ts'

test('SPOT-LIMIT-001: a limit order trades at its price or better, at the maker’s price, and its remainder rests in the book', () => {
  const world = given({ alice: { BTC: '1' }, bob: { USDT: '1000' } })
  world.sell('alice', 100, 400).isAccepted()
  world.sell('alice', 101, 400).isAccepted()
  world.buy('bob', 101, 1000).isAccepted().traded('100×400', '101×400')
  world.shows(['101×200'], [])
  // Bob paid 40 + 40.4, holds 20.2, and received 0.8 BTC less 0.1 %.
  world.has('bob', 'USDT', '899.4', '20.2').has('bob', 'BTC', '0.7992')
  world.has('alice', 'BTC', '0.2').has('alice', 'USDT', '80.3196')
  world.isReplayable()
})

test('SPOT-LIMIT-002: an order that the balance can’t pay is refused, and an accepted one holds exactly its value', () => {
  const world = given({ alice: { USDT: '10', BTC: '0.1' } })
  world.buy('alice', 100, 101).isRefused('INSUFFICIENT_BALANCE')
  world.sell('alice', 100, 101).isRefused('INSUFFICIENT_BALANCE')
  world.buy('alice', 100, 100).isAccepted()
  world.has('alice', 'USDT', '0', '10')
  world.sell('alice', 101, 100).isAccepted()
  world.has('alice', 'BTC', '0', '0.1')
})

test('SPOT-LIMIT-003: IOC cancels the part that can’t fill at once, FOK fills in full or is refused, post-only never takes', () => {
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

test('SPOT-LIMIT-006: an order that may expire is accepted and ends at once, unfilled, where another one would be refused as not fillable', () => {
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

test('SPOT-BAND-001: a price outside the band around the five-minute average is refused; without a reference every price passes', () => {
  const world = given({ alice: { USDT: '100000', BTC: '10' } })
  world.buy('alice', 1, 50_000).isAccepted()
  world.exchange.book(1 as MarketId)
  world.prints(100)
  world.buy('alice', 79, 100).isRefused('PRICE_OUTSIDE_BAND')
  world.buy('alice', 80, 100).isAccepted()
  world.sell('alice', 121, 100).isRefused('PRICE_OUTSIDE_BAND')
  world.sell('alice', 120, 100).isAccepted()
  // After five minutes the reference is the index, or the last price while there is no index.
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

test('SPOT-LIMIT-005: the market’s terms limit a user’s open orders in it, sleeping ones included', () => {
  const world = given({ alice: { USDT: '1000', ETH: '10', BTC: '1' } }, { openOrdersMax: 3 })
  world.buy('alice', 100, 50)
  world.buy('alice', 99, 60)
  world.buy('alice', 50, 100, { trigger: { kind: 'stop', price: 50, direction: 'falls-to' } }).isAccepted()
  world.buy('alice', 98, 60).isRefused('TOO_MANY_OPEN_ORDERS')
  world.place('alice', { market: 2, side: 'sell', price: 5000, lots: 100 }).isAccepted()
})

test('SPOT-ICEBERG-002: an iceberg shows a part, holds money for its whole quantity, and trades in full', () => {
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

test('SPOT-STP-002: by default the taker’s remainder ends when it meets an order of its owner, and fills made before stay', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' }, bob: { BTC: '1' } })
  world.sell('bob', 100, 100)
  const own = world.sell('alice', 101, 100).order
  const taker = world.buy('alice', 101, 300).isAccepted().traded('100×100')
  taker.closed(taker.order, 'self-trade')
  world.shows([], ['101×100']).has('alice', 'USDT', '990')
  world.buy('alice', 101, 100, { selfTrade: 'expire-both' }).isAccepted().traded().closed(own, 'self-trade')
  world.hasNoOrders().has('alice', 'USDT', '990')
})

test('SPOT-STP-003: a decrement reduces both orders without a trade; an order that reaches zero ends, and a maker keeps its place', () => {
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
  // The maker reaches zero, and the taker's remainder rests in the book.
  const second = world.buy('alice', 100, 700, { selfTrade: 'decrement' }).isAccepted().traded().closed(maker, 'self-trade')
  world.shows(['100×300'], []).has('alice', 'USDT', '970', '30').has('alice', 'BTC', '1')
  assert.deepEqual(
    world.open('alice').map(({ order, lots, preventedLots }) => [order, lots, preventedLots]),
    [[second.order, 700, 400]],
  )
  world.isReplayable()
  // When the remainder has traded, the order ends with `self-trade` and not as filled, because a part of it never traded.
  world.gives('bob', 'BTC', '1').sell('bob', 100, 300).isAccepted().traded('100×300').closed(second.order, 'self-trade')
  world.has('alice', 'USDT', '970').hasNoOrders()
  assert.equal(world.exchange.prices(1 as MarketId).last, 100)
})

test('SPOT-STP-003: two orders of equal size both end, and no last price is made', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' } }).prints(90)
  const maker = world.buy('alice', 100, 500).order
  const taker = world.sell('alice', 100, 500, { selfTrade: 'decrement' }).isAccepted().traded()
  taker.closed(maker, 'self-trade').closed(taker.order, 'self-trade')
  assert.equal(world.exchange.prices(1 as MarketId).last, 90)
  world.has('alice', 'BTC', '1').has('alice', 'USDT', '1000').hasNoOrders()
})

test('SPOT-STP-003: a decrement reduces an iceberg’s hidden part too, and the amount of a market order by amount', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' }, bob: { BTC: '1' } }).prints(100)
  const iceberg = world.sell('alice', 100, 600, { display: 100 }).order
  world.buy('alice', 100, 450, { selfTrade: 'decrement' }).isAccepted()
  world.shows([], ['100×100']).has('alice', 'BTC', '0.85', '0.15')
  world.sell('bob', 101, 600).isAccepted()
  // Of an amount of 50, 15 are prevented at 100, and 35 buy 346 lots at 101.
  const spent = world.market('alice', 'buy', { spend: 50_000_000, selfTrade: 'decrement' }).isAccepted().traded('101×346')
  spent.closed(iceberg, 'self-trade').closed(spent.order, 'self-trade')
  assert.equal(spent.of('order.prevented')[0]!.lots, 150)
  world.has('alice', 'BTC', '1.345654').has('alice', 'USDT', '965.054')
})

test('SPOT-STP-003: prevented quantity does not help to fill a FOK order, and counts in the new total of an amend', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' } })
  const maker = world.sell('alice', 100, 600).order
  world.buy('alice', 100, 200, { selfTrade: 'decrement', timeInForce: 'FOK' }).isRefused('FOK_NOT_FILLABLE')
  world.buy('alice', 100, 200, { selfTrade: 'decrement', timeInForce: 'IOC' }).isAccepted()
  world.amend('alice', maker, { lots: 200 }).isRefused('QUANTITY_INVALID')
  world.amend('alice', maker, { lots: 500 }).isAccepted()
  world.shows([], ['100×300']).has('alice', 'BTC', '0.7', '0.3')
  // An amend of the price keeps the prevented part.
  world.amend('alice', maker, { price: 110 }).isAccepted()
  world.shows([], ['110×300']).has('alice', 'BTC', '0.7', '0.3')
  assert.deepEqual([world.open('alice')[0]!.lots, world.open('alice')[0]!.preventedLots], [500, 200])
  world.isReplayable()
})

test('SPOT-STP-003: a decrement of one leg closes the other as a trade does, and a triggered leg may decrement other orders', () => {
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

test('SPOT-HALT-001: a halted market refuses new orders and amends, and accepts cancels', () => {
  const world = given({ alice: { USDT: '1000' } })
  const { order } = world.buy('alice', 100, 100)
  const { terms } = world.exchange.listing().markets[0]!
  world.do({ type: 'market.set', market: 1, terms: { ...terms, isTrading: false } }).isAccepted()
  world.buy('alice', 100, 100).isRefused('MARKET_HALTED')
  world.amend('alice', order, { lots: 90 }).isRefused('MARKET_HALTED')
  world.cancel('alice', order).isAccepted().closed(order, 'cancelled')
  world.has('alice', 'USDT', '1000')
})

test('SPOT-CORE-003: commands have consecutive numbers, and their time never goes back', () => {
  const world = given()
  world.atMs = start - 1
  assert.throws(() => world.tick())
})
