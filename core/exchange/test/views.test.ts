/** Tests the views of the exchange: open orders, books, prices, due times, and how far requests are remembered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeptRequest } from '../requests/kept.ts'
import type { Millis } from '../../money/brand.ts'
import { encodeCommand } from '../../protocol/codec/command.ts'
import { AT } from '../../protocol/codec/layout.ts'
import { Records } from '../../protocol/codec/records.ts'
import type { MarketId, UserId } from '../../protocol/ids.ts'
import { Exchange } from '../exchange.ts'
import { btcusdt, free, open as givenMargin } from '../margin/test/world.ts'
import { given as givenOption } from '../option/test/world.ts'
import { givenPerp } from '../perp/test/world.ts'
import { given, start, type World } from './world.ts'

/** Checks a user's open orders, now and after a restart. */
function shows(world: World, name: string, ...expected: readonly object[]): void {
  assert.deepEqual(world.open(name), expected)
  const copy = Exchange.restore(world.exchange.dump())
  assert.deepEqual(copy.openOrders(world.user(name)), expected)
}

const plain = {
  clientId: '',
  market: 1,
  timeInForce: 'GTC',
  isPostOnly: false,
  display: 0,
  spend: 0,
  list: 0,
  executedLots: 0,
  executedQuote: 0,
}

test('SPOT-LIMIT-001: an open order shows what was ordered, what was filled at which value, and when', () => {
  const world = given({ alice: { USDT: '10000', BTC: '10' }, bob: { BTC: '10' } }).prints(100)
  const user = world.user('alice')
  world.atMs += 1_000
  const order = world.buy('alice', 99, 300, { clientId: 'mine', isPostOnly: true, selfTrade: 'expire-both', strategy: { id: 7 } }).order
  const whole = { ...plain, order, user, clientId: 'mine', side: 'buy', orderType: 'limit', isPostOnly: true, price: 99, lots: 300 }
  const more = { selfTrade: 'expire-both', strategy: { id: 7 } }
  shows(world, 'alice', { ...whole, ...more, status: 'open', placedAt: start + 1_000, updatedAt: start + 1_000 })
  world.atMs += 500
  world.sell('bob', 99, 120).traded('99×120')
  const filled = { executedLots: 120, executedQuote: 99 * 120 * 1_000, status: 'open', placedAt: start + 1_000, updatedAt: start + 1_500 }
  shows(world, 'alice', { ...whole, ...more, ...filled })
  world.atMs += 500
  world.amend('alice', order, { lots: 200 }).isAccepted()
  const iceberg = world.sell('alice', 110, 1_000, { display: 100 }).order
  const second = { ...plain, order: iceberg, user, side: 'sell', orderType: 'limit', price: 110, lots: 1_000, display: 100, status: 'open' }
  const now = start + 2_000
  shows(world, 'alice', { ...whole, ...more, ...filled, lots: 200, updatedAt: now }, { ...second, placedAt: now, updatedAt: now })
  assert.deepEqual(
    world.exchange.openOrders(user, 1 as MarketId).map((one) => one.order),
    [order, iceberg],
  )
  world.place('alice', { market: 2, price: 5_000, lots: 100 }).isAccepted()
  assert.deepEqual(
    [1, 2, 3].map((market) => world.exchange.openOrders(user, market as MarketId).length),
    [2, 1, 0],
  )
})

test('SPOT-STOP-001: a sleeping order shows its trigger, and a triggered one that is tried again its time and its filled part', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' }, bob: { USDT: '10000' } }).prints(100)
  const user = world.user('alice')
  const stop = { kind: 'stop', price: 95, direction: 'falls-to' }
  const trail = { kind: 'trailing', trailPpm: 50_000, activation: 120, direction: 'falls-to' }
  const first = world.market('alice', 'sell', { lots: 200, trigger: stop }).isAccepted().order
  const second = world.market('alice', 'sell', { lots: 90, trigger: trail, strategy: { type: 1_000_000 } }).isAccepted().order
  const third = world
    .market('alice', 'buy', { spend: 9_000_000, trigger: { kind: 'stop', price: 130, direction: 'rises-to' } })
    .isAccepted().order
  const base = { ...plain, user, orderType: 'market', timeInForce: 'IOC', price: 0, status: 'pending', placedAt: start, updatedAt: start }
  const [a, b, c] = [
    { ...base, order: first, side: 'sell', lots: 200, trigger: stop },
    { ...base, order: second, side: 'sell', lots: 90, trigger: trail, strategy: { type: 1_000_000 } },
    { ...base, order: third, side: 'buy', lots: 0, spend: 9_000_000, trigger: { kind: 'stop', price: 130, direction: 'rises-to' } },
  ]
  shows(world, 'alice', a, b, c)
  world.atMs += 700
  world.buy('bob', 95, 150)
  world.sell('maker', 95, 100).traded('95×100', '95×50')
  const woken = { status: 'open', triggeredAt: start + 700, updatedAt: start + 700, executedLots: 50, executedQuote: 95 * 50 * 1_000 }
  shows(world, 'alice', { ...a, ...woken }, b, c)
  world.atMs += 100
  world.index(125)
  world.sell('maker', 130, 160).isAccepted()
  world.buy('taker', 130, 100).isAccepted().traded('130×100', '130×60')
  const [spent] = world.open('alice').filter(({ order }) => order === third)
  const partly = { status: 'open', triggeredAt: start + 800, updatedAt: start + 800, executedLots: 60, executedQuote: 130 * 60 * 1_000 }
  assert.deepEqual(spent, { ...c, ...partly })
})

test('SPOT-STP-003: a quantity that self-trade prevention removed still belongs to the order and is shown', () => {
  const world = given({ alice: { BTC: '1', USDT: '1000' } })
  const order = world.sell('alice', 100, 300).order
  world.buy('alice', 100, 100, { selfTrade: 'decrement' }).isAccepted().traded()
  const [open] = world.open('alice')
  assert.deepEqual([open!.order, open!.lots, open!.preventedLots, open!.executedLots], [order, 300, 100, 0])
  world.shows([], ['100×200'])
  shows(world, 'alice', open!)
})

test('PERP-EXITS-001: an order of a contract shows its account’s fields and its exits', () => {
  const perp = givenPerp({ alice: '1000' })
  const exits = { takeProfit: { price: 110, by: 'last' }, stopLoss: { price: 90, by: 'mark' } }
  const carrying = perp.buy('alice', 95, 100, { exits }).isAccepted().order
  const bare = perp.buy('alice', 94, 100).isAccepted().order
  const fields = { position: 'both', isReduceOnly: false, isClosing: false, triggerBy: 'last', isLiquidation: false }
  const [first, second] = perp.world.open('alice')
  assert.deepEqual([first!.order, first!.perp, second!.order, second!.perp], [carrying, { ...fields, exits }, bare, fields])
  shows(perp.world, 'alice', first!, second!)
})

test('MARGIN-ORDER-001: an order of a margin account shows its account and its loan', () => {
  const desk = givenMargin(free).user('alice', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000', btcusdt).isAccepted()
  const margin = { account: 'margin-isolated', borrow: 'borrow', repaysAtEnd: true }
  desk.world.buy('alice', 49_000, 30, { margin }).isAccepted()
  const [order] = desk.world.open('alice')
  assert.deepEqual(order!.margin, margin)
  shows(desk.world, 'alice', order!)
})

test('SPOT-LIST-001: markets, their books and their prices are shown by number, and an unknown market has none', () => {
  const world = given({ alice: { USDT: '1000' } }).prints(100)
  world.index(90, false)
  world.buy('alice', 98, 100)
  const book = world.exchange.book(1 as MarketId)
  assert.deepEqual([book.market, book.bids, book.asks], [1, [{ price: 98, lots: 100 }], []])
  world.buy('alice', 97, 100)
  assert.equal(world.exchange.book(1 as MarketId).update, book.update + 1)
  assert.deepEqual(world.exchange.prices(1 as MarketId), { last: 100, index: 90 * 1e8, isIndexGood: false })
  for (const number of [0, 3]) {
    assert.throws(() => world.exchange.book(number as MarketId), /no market/)
    assert.throws(() => world.exchange.prices(number as MarketId), /no market/)
  }
  assert.deepEqual([world.exchange.tickedAtMs, world.exchange.atMs, world.exchange.blocksLeft > 1_000_000], [start, start, true])
})

test('SPOT-ONCE-007: the exchange tells every request before it remembers it, except those of its own programs', () => {
  const world = given({ alice: { USDT: '1000' }, house: { USDT: '1000' } })
  world.do({ type: 'user.house', user: world.user('house'), isHouse: true }).isAccepted()
  const told: KeptRequest[] = []
  world.exchange.watchRequests((request) => told.push(request))
  const order = world.buy('alice', 100, 100, { clientId: 'a' }).isAccepted().order
  world.buy('house', 100, 100, { clientId: 'b' }).isAccepted()
  world.buy('alice', 100, 1_000_000, { clientId: 'c' }).isRefused('INSUFFICIENT_BALANCE')
  const opened = world.do({ type: 'user.open', requestId: 'r', class: 'retail', referrer: 0 }).isAccepted().outcome.user
  const [alice, house] = [world.user('alice') as UserId, world.user('house') as UserId]
  assert.deepEqual(
    told.map(({ user, number, refusal }) => [user, number, refusal === 0]),
    [
      [alice, order, true],
      [alice, 0, false],
      [0, opened, true],
    ],
  )
  const kept = [...world.exchange.requests()].map(({ user, number }) => [user, number])
  assert.deepEqual(kept.length, 4)
  assert.deepEqual(
    [...world.exchange.requests(new Set([alice]))].map(({ number }) => number),
    [order, 0],
  )
  const room = { isCrowded: false, ring: 1_000, ownRing: 1_000, left: 998, ownLeft: 998, next: 2 }
  assert.deepEqual(world.exchange.requestRoom(alice), room)
  const all = 2 ** 40
  assert.deepEqual(world.exchange.requestRoom(house), { isCrowded: false, ring: all, ownRing: all, left: all, ownLeft: all, next: 0 })
  assert.deepEqual(world.exchange.requestRoom(0 as UserId), {
    ...{ isCrowded: false, ring: 20_000, ownRing: 20_000, left: 19_999, ownLeft: 19_999, next: 1 },
  })
  world.do({ type: 'user.house', user: house, isHouse: false }).isAccepted()
  assert.equal(world.exchange.requestRoom(house).ring, 1_000)
})

test('SPOT-CORE-003: a command that does not follow the last one stops the exchange, and an earlier time does too', () => {
  const world = given()
  const { exchange } = world
  const send = (seq: number, at: number): void => {
    const commands = new Records()
    encodeCommand({ type: 'clock.tick' }, { seq, at: start as Millis, keyId: 0 }, commands)
    commands.data[AT] = at
    exchange.execute(commands.data, 0, new Records())
  }
  const next = exchange.seq + 1
  for (const [seq, at] of [
    [next - 1, start],
    [next + 1, start],
    [next, start - 1],
    [next, Number.NaN],
  ] as const)
    assert.throws(() => send(seq, at), /does not follow/)
  send(next, start)
  send(next + 1, start + 5)
  assert.deepEqual([exchange.seq, exchange.atMs], [next + 1, start + 5])
})

test('SPOT-CANCEL-002: the clock is due at once while a sweep is unfinished, else with the first product that waits', () => {
  const world = given({ alice: { USDT: '100000' } }, { openOrdersMax: 500 })
  assert.equal(world.exchange.nextDueAtMs, Infinity)
  for (let n = 0; n < 250; n++) world.buy('alice', 100, 50)
  world.do({ type: 'spot.cancelAll', user: world.user('alice'), clientId: '', market: 0 }).isAccepted()
  assert.equal(world.exchange.nextDueAtMs, start)
  const copy = Exchange.restore(world.exchange.dump())
  assert.equal(copy.nextDueAtMs, start)
  world.tick()
  assert.deepEqual([world.exchange.nextDueAtMs, world.exchange.orderCount], [Infinity, 0])
  const option = givenOption()
  option.trader('alice')
  option.open('alice', 'up').isAccepted()
  assert.ok(option.world.exchange.nextDueAtMs < Infinity)
  option.silence(60_000)
  assert.equal(option.settled.size, 1)
})
