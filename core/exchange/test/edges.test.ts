/** Lists, retries, sweeps and refusals of the spot market at their edges. Slot 0 of the memory is always in use. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryForMs } from '../spot/retry.ts'
import { given, start, type Told, type World } from './world.ts'

const falls = { direction: 'falls-to' } as const
const rises = { direction: 'rises-to' } as const
const rich = { zoe: { ETH: '1' }, alice: { BTC: '10', USDT: '10000' }, bob: { BTC: '10', USDT: '10000' } } as const

/** A world in which an order of another market has the first slot. */
function busy(changed: object = {}): World {
  const world = given(rich, changed)
  world.place('zoe', { market: 2, side: 'sell', price: 5000, lots: 100 }).isAccepted()
  return world
}

const updates = (...told: readonly Told[]): readonly number[] => told.flatMap((one) => one.of('book.level').map(({ update }) => update))
const isGapless = (numbers: readonly number[]): boolean => numbers.every((number, n) => number === numbers[0]! + n)
/** Trades that include this user. */
const tradesOf = (world: World, told: Told, name: string): number =>
  told.of('traded').filter(({ makerUser, takerUser }) => [makerUser, takerUser].includes(world.user(name))).length

function cancelAll(world: World, name: string, more: object = {}): Told {
  return world.do({ type: 'spot.cancelAll', user: world.user(name), clientId: '', market: 0, ...more })
}

test('SPOT-OCO-002: a limit leg that comes back rests behind others, never takes, and levels stay numbered', () => {
  const world = busy().prints(100)
  const placed = world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 95, stopLimit: 95, stopTimeInForce: 'FOK' }).isAccepted()
  const list = placed.order
  const behind = world.sell('bob', 110, 100).isAccepted()
  const bid = world.buy('taker', 95, 100).isAccepted()
  world.atMs += 30
  const woken = world
    .sell('maker', 95, 100, { timeInForce: 'IOC' })
    .isAccepted()
    .closed(list + 2, 'fok')
  assert.ok(isGapless(updates(placed, behind, bid, woken)))
  assert.deepEqual(
    woken.of('book.level').map(({ side, price, lots }) => `${side} ${price}×${lots}`),
    ['buy 95×0', 'sell 110×100', 'sell 110×600'],
  )
  const [open] = world.open('alice')
  assert.deepEqual([open?.isPostOnly, open?.updatedAt, open?.placedAt, open?.status], [true, start + 30, start, 'open'])
  world.amend('alice', list + 1, { price: 105 }).isAccepted()
  world.has('alice', 'BTC', '9.5', '0.5').isReplayable()
})

test('SPOT-OCO-004: a sleeping leg that comes back sleeps until its trigger, or acts at once if that was reached', () => {
  for (const [side, gain, stop] of [
    ['sell', 101, 99],
    ['buy', 99, 101],
  ] as const) {
    const other = side === 'sell' ? 'buy' : 'sell'
    for (const reaches of [true, false]) {
      const world = busy().gives('carol', 'BTC', '10').gives('carol', 'USDT', '10000').prints(100)
      const legs = { side, lots: 100, limitTrigger: gain, limitPrice: gain, stopPrice: stop, stopLimit: stop, stopTimeInForce: 'FOK' }
      const list = world.oco('alice', legs).isAccepted().order
      // Orders of `side` at both triggers; one command trades with the stop's price first.
      const beyond = stop + (side === 'sell' ? -1 : 1)
      world.place('bob', { side, price: beyond, lots: 100 }).isAccepted()
      if (reaches) world.place('bob', { side, price: gain, lots: 100 }).isAccepted()
      const sweep = { side: other, price: gain, lots: reaches ? 200 : 100, timeInForce: 'IOC' }
      const told = world
        .place('carol', sweep)
        .isAccepted()
        .closed(list + 2, 'fok')
      const price = reaches ? gain : beyond
      assert.equal(world.exchange.prices(1 as Parameters<typeof world.exchange.prices>[0]).last, price)
      assert.deepEqual(
        told.of('order.triggered').map(({ order }) => order - list),
        reaches ? [2, 1] : [2],
      )
      const [open] = world.open('alice')
      assert.deepEqual([open?.order, open?.status], [list + 1, reaches ? 'open' : 'pending'])
      world.isReplayable()
      if (!reaches) {
        world.place('bob', { side, price: gain, lots: 100 }).isAccepted()
        const later = world.place('carol', { ...sweep, lots: 100 }).isAccepted()
        assert.deepEqual(
          later.of('order.triggered').map(({ order }) => order - list),
          [1],
        )
      }
      world.shows(side === 'buy' ? [`${gain}×100`] : [], side === 'sell' ? [`${gain}×100`] : [])
      world.cancel('alice', list + 1).isAccepted()
      world.has('alice', 'BTC', '10').has('alice', 'USDT', '10000').isReplayable()
    }
  }
})

test('SPOT-CANCEL-002: cancel-all goes from the oldest order to the newest, and takes both legs of a list once', () => {
  const world = busy().prints(100)
  cancelAll(world, 'alice', { market: 9 }).isRefused('MARKET_UNKNOWN')
  const orders = [99, 97, 98].map((price) => world.buy('alice', price, 100).isAccepted().order)
  const list = world.oco('alice', { lots: 100, limitPrice: 110, stopPrice: 90 }).isAccepted().order
  const last = world.buy('alice', 96, 100).isAccepted().order
  assert.deepEqual(
    cancelAll(world, 'alice')
      .isAccepted()
      .of('order.closed')
      .map(({ order, reason }) => [order, reason]),
    [...orders.map((order) => [order, 'cancelled']), [list + 2, 'oco'], [list + 1, 'cancelled'], [last, 'cancelled']],
  )
  assert.deepEqual(world.open('alice'), [])
  for (let n = 0; n < 200; n++) world.buy('bob', 100, 50).isAccepted()
  assert.equal(cancelAll(world, 'bob').isAccepted().of('order.closed').length, 200)
  assert.equal(world.exchange.nextDueAtMs, Infinity)
  world.isReplayable()
})

test('SPOT-CANCEL-001: a cancel names a known market, and a list by its own number', () => {
  const world = busy().prints(100)
  const list = world.oco('alice', { lots: 100, limitPrice: 110, stopPrice: 90 }).isAccepted().order
  world.cancel('alice', list, { market: 9 }).isRefused('MARKET_UNKNOWN')
  world.cancel('alice', list, { only: 'partly-filled' }).isRefused('ORDER_NOT_AMENDABLE')
  const told = world.cancel('alice', list, { only: 'unfilled' }).isAccepted()
  assert.deepEqual([told.order, told.of('order.closed').length], [list, 2])
  world.has('alice', 'BTC', '10').isReplayable()
})

test('SPOT-STOP-002: a trailing sale’s price lies in the band around the last price, and no trail may be out of range', () => {
  const world = busy().prints(100)
  const trails = (price: number, trailPpm: number, direction: object = falls): Told =>
    world.sell('alice', price, 100, { trigger: { kind: 'trailing', trailPpm, ...direction } })
  for (const [price, refusal] of [
    [79, 'PRICE_OUTSIDE_BAND'],
    [80, undefined],
    [120, undefined],
    [121, 'PRICE_OUTSIDE_BAND'],
  ] as const)
    assert.equal(trails(price, 50_000).outcome.refusal, refusal, `${price}`)
  // A trail of 5 % that waits for a rise can wake at 105 from here: 84 to 126.
  for (const [price, refusal] of [
    [83, 'PRICE_OUTSIDE_BAND'],
    [84, undefined],
    [126, undefined],
    [127, 'PRICE_OUTSIDE_BAND'],
  ] as const)
    assert.equal(trails(price, 50_000, rises).outcome.refusal, refusal, `${price}`)
  for (const trail of [2 ** 31 - 1, -1, -2_000_000]) trails(100, trail, rises).isRefused('TRAIL_INVALID')
})

test('SPOT-STOP-003: a sleeping order that the balance can’t pay is refused', () => {
  const world = busy().prints(100).gives('dora', 'BTC', '0.1')
  const stop = { trigger: { kind: 'stop', price: 90, ...falls } }
  world.sell('dora', 90, 101, stop).isRefused('INSUFFICIENT_BALANCE')
  world.sell('dora', 90, 100, stop).isAccepted()
})

test('SPOT-MARKET-002: quantity and amount of a market order are judged before its money', () => {
  const world = busy({ lotsMin: 60, lotsMax: 1000 })
  world.market('alice', 'buy', { lots: 60 }).isRefused('NO_REFERENCE_PRICE')
  world.market('alice', 'buy', { lots: 59 }).isRefused('QUANTITY_TOO_SMALL')
  world.market('alice', 'buy', { lots: 1001 }).isRefused('QUANTITY_TOO_LARGE')
  world.prints(70)
  world.index(70)
  world.buy('bob', 70, 1000).isAccepted()
  // The worst price of a sale is 67: 74 lots are worth 4.958 there, and 75 lots 5.025.
  world.market('alice', 'sell', { lots: 74 }).isRefused('NOTIONAL_TOO_SMALL')
  world.market('alice', 'sell', { lots: 75 }).isAccepted().traded('70×75')
  for (const lots of [0, 1001]) world.market('alice', 'sell', { lots }).isRefused(lots === 0 ? 'QUANTITY_INVALID' : 'QUANTITY_TOO_LARGE')
  world.index(200)
  // At 190, 11.39 brings in at least 59 lots and 11.4 exactly 60.
  world.market('alice', 'sell', { spend: 11_399_000 }).isRefused('QUANTITY_TOO_SMALL')
  world.market('alice', 'sell', { spend: 11_400_000 }).isAccepted()
})

test('SPOT-MARKET-005: a sale by amount needs the quantity that it may sell, and no more', () => {
  const world = busy().prints(100).gives('dora', 'BTC', '0.104').gives('emil', 'BTC', '0.105')
  world.index(100)
  world.buy('bob', 100, 1000).isAccepted()
  // At the worst price of 95, 10 USDT need 105 lots.
  world.market('dora', 'sell', { spend: 10_000_000 }).isRefused('INSUFFICIENT_BALANCE')
  world.market('emil', 'sell', { spend: 10_000_000 }).isAccepted().traded('100×100')
  world.has('emil', 'BTC', '0.005')
})

test('SPOT-STP-003: a reduced order that is immediate ends as `ioc` or `self-trade`, by whether anything is left', () => {
  const world = busy().prints(100)
  const own = { selfTrade: 'decrement', timeInForce: 'IOC' }
  world.sell('alice', 100, 100).isAccepted()
  const part = world.buy('alice', 100, 300, own).isAccepted()
  part.closed(part.order, 'ioc')
  world.sell('alice', 100, 100).isAccepted()
  const all = world.market('alice', 'buy', { lots: 100, selfTrade: 'decrement' }).isAccepted()
  all.closed(all.order, 'self-trade')
  world.sell('alice', 100, 100).isAccepted()
  const rest = world.market('alice', 'buy', { lots: 300, selfTrade: 'decrement' }).isAccepted()
  rest.closed(rest.order, 'ioc')
  // A triggered order that met its owner’s order is not retried.
  const stop = world.market('alice', 'sell', { lots: 200, selfTrade: 'decrement', trigger: { kind: 'stop', price: 97, ...falls } }).order
  world.buy('bob', 97, 100).isAccepted()
  world.buy('alice', 96, 100).isAccepted()
  world.sell('maker', 97, 100, { timeInForce: 'IOC' }).isAccepted().closed(stop, 'ioc')
  world.has('alice', 'BTC', '10').has('alice', 'USDT', '10000')
  assert.deepEqual(world.open('alice'), [])
})

test('SPOT-LIMIT-006: an order that expires at once is reported with its price, quantity and shown part', () => {
  const world = busy()
  const killed = world.buy('bob', 100, 301, { timeInForce: 'FOK', expires: true }).isAccepted()
  const { price, lots, display } = killed.of('order.accepted')[0]!
  assert.deepEqual([price, lots, display ?? 0], [100, 301, 0])
})

test('SPOT-ICEBERG-001: an iceberg shows its part and then what is left, wherever it is stored', () => {
  const world = busy()
  world.sell('alice', 100, 250, { display: 100 }).isAccepted()
  world.shows([], ['100×100'])
  world.buy('bob', 100, 150).isAccepted()
  world.shows([], ['100×50'])
  world.buy('bob', 100, 60).isAccepted()
  world.shows([], ['100×40'])
  // One whose remainder is smaller than its part when it rests shows only the remainder.
  world.cancel('alice', world.open('alice')[0]!.order).isAccepted()
  world.sell('bob', 100, 200).isAccepted()
  world.buy('alice', 100, 250, { display: 100 }).isAccepted()
  world.shows(['100×50'], [])
})

test('SPOT-HALT-003: at the end of the wait after a halt, orders and lists are taken again', () => {
  const world = busy().prints(100)
  const set = (isTrading: boolean): void => {
    const { terms } = world.exchange.listing().markets[0]!
    world.do({ type: 'market.set', market: 1, terms: { ...terms, isTrading } }).isAccepted()
  }
  world.sell('bob', 100, 200).isAccepted()
  set(false)
  world.atMs += 3_000
  set(true)
  world.atMs += 4_999
  world.buy('alice', 100, 100).isRefused('MARKET_HALTED')
  world.oco('alice', { lots: 100, limitPrice: 110, stopPrice: 90 }).isRefused('MARKET_HALTED')
  world.atMs += 1
  world.buy('alice', 100, 100).isAccepted().traded('100×100')
  world.oco('alice', { lots: 100, limitPrice: 110, stopPrice: 90 }).isAccepted()
})

/** `count` stops that woke while there were no bids, and are retried. */
function retried(count: number): World {
  const world = busy().prints(100)
  world.index(100)
  for (let n = 0; n < count; n++) world.market('alice', 'sell', { lots: 100, trigger: { kind: 'stop', price: 97, ...falls } }).isAccepted()
  world.buy('bob', 97, 60).isAccepted()
  world.sell('maker', 97, 60, { timeInForce: 'IOC' }).isAccepted()
  for (let left = count - 32; left > 0; left -= 32) world.tick()
  return world
}

test('SPOT-STOP-007: a round of retries ends where nothing is left to trade with, and untried orders stay as they are', () => {
  const world = retried(40)
  const wokeAtMs = world.atMs
  world.atMs += 100
  world.buy('bob', 96, 150).isAccepted()
  const told = world.index(100).traded('96×100', '96×50')
  assert.deepEqual(
    world
      .open('alice')
      .slice(0, 3)
      .map(({ executedLots, updatedAt }) => [executedLots, updatedAt]),
    [
      [50, wokeAtMs + 100],
      [0, wokeAtMs],
      [0, wokeAtMs],
    ],
  )
  assert.equal(told.of('order.closed').filter(({ user }) => user === world.user('alice')).length, 1)
  assert.equal(world.exchange.nextDueAtMs, wokeAtMs + retryForMs)
  world.isReplayable()
})

test('SPOT-STOP-007: one command retries at most 32 orders, and ends at most 32 whose time is up', () => {
  for (const hasBids of [true, false]) {
    const world = retried(40)
    if (hasBids) world.buy('bob', 96, 5000).isAccepted()
    else world.atMs += retryForMs
    const first = hasBids ? world.index(100) : world.tick()
    assert.equal(first.of('order.closed').length, 32)
    assert.equal(world.exchange.nextDueAtMs, world.atMs)
    assert.equal(world.tick().of('order.closed').length, 8)
    assert.equal(world.exchange.nextDueAtMs, Infinity)
    world.isReplayable()
  }
})

test('SPOT-STOP-007: retried and newly triggered orders take turns within the 32 of one command', () => {
  const world = busy().prints(100)
  world.index(100)
  for (let n = 0; n < 64; n++) world.market('alice', 'sell', { lots: 60, trigger: { kind: 'stop', price: 97, ...falls } }).isAccepted()
  // From an index of 100 the worst price of a sale is 95, from one of 98 it is 94.
  world.buy('bob', 94, 5000).isAccepted()
  world.buy('bob', 97, 60).isAccepted()
  assert.equal(world.sell('maker', 97, 60, { timeInForce: 'IOC' }).of('order.triggered').length, 32)
  const told = world.index(98)
  assert.deepEqual([told.of('order.triggered').length, tradesOf(world, told, 'alice')], [16, 32])
  world.isReplayable()
})

test('SPOT-STOP-007: the five minutes count from the trigger, whatever was traded since; a sale by amount sells its rest', () => {
  const world = busy().prints(100)
  world.index(100)
  const trigger = { kind: 'stop', price: 97, ...falls }
  const bySpend = world.market('alice', 'sell', { spend: 20_000_000, trigger }).isAccepted().order
  const byLots = world.market('bob', 'sell', { lots: 500, trigger }).isAccepted().order
  world.gives('carol', 'USDT', '10000').buy('carol', 97, 60).isAccepted()
  world.sell('maker', 97, 60, { timeInForce: 'IOC' }).isAccepted()
  const wokeAtMs = world.atMs
  world.atMs += 100_000
  world.buy('carol', 96, 100).isAccepted()
  world.index(100).traded('96×100')
  // 9.6 of 20 were brought in; at 95, 10.4 need 109 lots.
  world.atMs += 100_000
  world.buy('carol', 95, 200).isAccepted()
  world.index(100).traded('95×109', '95×91').closed(bySpend, 'filled')
  assert.equal(world.exchange.nextDueAtMs, wokeAtMs + retryForMs)
  world.atMs = (wokeAtMs + retryForMs - 1) as number
  assert.deepEqual(world.tick().of('order.closed'), [])
  world.atMs += 1
  world.tick().closed(byLots, 'ioc')
  assert.equal(world.exchange.nextDueAtMs, Infinity)
  world.has('alice', 'BTC', '9.791').has('bob', 'BTC', '9.909').isReplayable()
})

test('SPOT-HALT-002: an order that waits for the end of a halt can be cancelled, and the others still act', () => {
  const world = busy().prints(100)
  world.index(100)
  const trigger = { kind: 'stop', price: 97, ...falls }
  const orders = Array.from({ length: 35 }, () => world.market('alice', 'sell', { lots: 60, trigger }).isAccepted().order)
  world.buy('bob', 97, 60).isAccepted()
  world.sell('maker', 97, 60, { timeInForce: 'IOC' }).isAccepted()
  const { terms } = world.exchange.listing().markets[0]!
  world.do({ type: 'market.set', market: 1, terms: { ...terms, isTrading: false } }).isAccepted()
  world.cancel('alice', orders[33]!).isAccepted().closed(orders[33]!, 'cancelled')
  world.do({ type: 'market.set', market: 1, terms: { ...terms, isTrading: true } }).isAccepted()
  assert.equal(world.open('alice').length, 34)
  world.isReplayable()
})

test('SPOT-ONCE-004: two legs with the same long client id are refused', () => {
  const world = busy().prints(100)
  const name = 'abcdefghijklmnopqrstuvwxyz0123456789'
  const legs = { lots: 100, limitPrice: 110, stopPrice: 90, limitClientId: name }
  world.oco('alice', { ...legs, stopClientId: name }).isRefused('CLIENT_ID_REUSED')
  world.oco('alice', { ...legs, stopClientId: `${name.slice(0, 35)}x` }).isAccepted()
})

test('SPOT-AMEND-002: an amended order keeps its executed and its prevented part, and shows the time of each change', () => {
  const world = busy().prints(100)
  const { order } = world.sell('alice', 100, 500).isAccepted()
  world.atMs += 10
  world.buy('bob', 100, 100).isAccepted()
  assert.equal(world.open('alice')[0]!.updatedAt, start + 10)
  world.buy('alice', 100, 50, { selfTrade: 'decrement', timeInForce: 'IOC' }).isAccepted()
  world.atMs += 10
  world.amend('alice', order, { lots: 300 }).isAccepted()
  assert.equal(world.open('alice')[0]!.updatedAt, start + 20)
  world.shows([], ['100×150']).has('alice', 'BTC', '9.75', '0.15')
  world.amend('alice', order, { lots: 400, price: 101 }).isAccepted()
  world.shows([], ['101×250']).has('alice', 'BTC', '9.65', '0.25')
  const [open] = world.open('alice')
  assert.deepEqual([open!.lots, open!.executedLots, open!.preventedLots], [400, 100, 50])
  world.amend('alice', order, { lots: 150 }).isRefused('QUANTITY_INVALID')
  world.buy('bob', 101, 250).isAccepted().closed(order, 'self-trade')
  world.has('alice', 'BTC', '9.65').isReplayable()
})

test('SPOT-OCO-001: a leg that has begun to trade, or that a decrement reduced, is an ordinary order', () => {
  for (const [name, more] of [
    ['bob', {}],
    ['alice', { selfTrade: 'decrement' }],
  ] as const) {
    const world = busy().prints(100)
    const list = world.oco('alice', { lots: 300, limitPrice: 110, stopPrice: 90 }).isAccepted().order
    const told = world.buy(name, 110, 100, { ...more, timeInForce: 'IOC' }).isAccepted()
    told.closed(list + 2, 'oco')
    world.amend('alice', list + 1, { lots: 250 }).isAccepted()
    assert.equal(
      world
        .cancel('alice', list + 1)
        .isAccepted()
        .of('order.closed').length,
      1,
    )
    world.has('alice', 'BTC', name === 'bob' ? '9.9' : '10').isReplayable()
  }
  const world = busy().prints(100)
  const list = world.oco('alice', { lots: 300, limitPrice: 110, stopPrice: 90 }).isAccepted().order
  world
    .buy('alice', 110, 100, { selfTrade: 'expire-maker', timeInForce: 'IOC' })
    .isAccepted()
    .closed(list + 2, 'oco')
    .closed(list + 1, 'self-trade')
  world.has('alice', 'BTC', '10').isReplayable()
})
