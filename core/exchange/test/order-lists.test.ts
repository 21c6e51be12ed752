import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '../exchange.ts'
import { start, terms, type Told, type World, given } from './world.ts'

type Part = Record<string, unknown>
const order = (part: Part): Part => ({ clientId: '', orderType: 'limit', timeInForce: 'GTC', isPostOnly: false, ...part })
const buy = (price: number, lots = 200, more: Part = {}): Part => order({ side: 'buy', price, lots, ...more })
const sell = (price: number, lots = 200, more: Part = {}): Part => order({ side: 'sell', price, lots, ...more })
const market = (side: 'buy' | 'sell', lots = 200, more: Part = {}): Part =>
  order({ side, orderType: 'market', timeInForce: 'IOC', lots, ...more })
const stop = (price: number, direction = 'falls-to'): Part => ({ trigger: { kind: 'stop', price, direction } })
const trail = (trailPpm: number, more: Part = {}): Part => ({ trigger: { kind: 'trailing', trailPpm, direction: 'falls-to', ...more } })
const maker = { isPostOnly: true }

function place(world: World, name: string, list: Part): Told {
  return world.do({ type: 'spot.placeList', user: world.user(name), clientId: '', market: 1, selfTrade: 'expire-taker', ...list })
}

const entered = (told: Told): number[] => told.of('order.entered').map((event) => event.order)
const closed = (told: Told): string[] => told.of('order.closed').map((event) => `${event.order} ${event.reason}`)

/** Alice buys and waits to sell; the fee of a buy is paid in what is bought, so she owns some already. */
const rich = (): World => given({ alice: { BTC: '1', USDT: '1000' }, bob: { BTC: '10', USDT: '100000' } }).prints(100)

test('SPOT-OTO-001: the waiting order holds nothing and enters when the working order is filled completely', () => {
  const world = rich()
  const list = place(world, 'alice', { working: buy(90), legs: [sell(105)] }).isAccepted().order
  world.has('alice', 'USDT', '982', '18').has('alice', 'BTC', '1')
  assert.deepEqual(
    world.open('alice').map((one) => [one.order, one.list, one.status, one.isWaiting]),
    [
      [list + 3, list, 'open', undefined],
      [list + 4, list, 'pending', true],
    ],
  )
  assert.deepEqual(entered(world.sell('bob', 90, 120).traded('90×120')), [])
  const told = world
    .sell('bob', 90, 80)
    .traded('90×80')
    .closed(list + 3, 'filled')
  assert.deepEqual(entered(told), [list + 4])
  world.shows([], ['105×200']).has('alice', 'BTC', '0.9998', '0.2')
  assert.deepEqual(
    world.open('alice').map(({ status, isWaiting }) => [status, isWaiting]),
    [['open', undefined]],
  )
  world
    .buy('bob', 105, 200)
    .traded('105×200')
    .closed(list + 4, 'filled')
  world.isReplayable()
})

test('SPOT-OTO-001: a working order that is filled when it is placed lets the other enter in the same command', () => {
  const world = rich()
  world.sell('bob', 99, 200).isAccepted()
  const told = place(world, 'alice', { working: buy(100), legs: [market('sell', 60)] })
    .isAccepted()
    .traded('99×200')
  assert.deepEqual(closed(told).slice(-2), [`${told.order + 3} filled`, `${told.order + 4} ioc`])
  assert.deepEqual(entered(told), [told.order + 4])
  world.hasNoOrders().isReplayable()
})

test('SPOT-OTO-002: cancelling any order of the list, or the list, ends all of it; expiry of the working order ends the others', () => {
  const world = rich()
  const pair = [sell(110, 200, maker), market('sell', 200, stop(80))]
  for (const offset of [0, 5, 6, 7]) {
    const list = place(world, 'alice', { working: buy(90), legs: pair }).isAccepted().order
    world.sell('bob', 90, 60).isAccepted()
    const told = world.cancel('alice', list + offset).isAccepted()
    assert.deepEqual(closed(told), [`${list + 5} cancelled`, `${list + 6} cancelled`, `${list + 7} cancelled`])
    world.hasNoOrders()
  }
  world.sell('bob', 90, 60).isAccepted()
  const ioc = place(world, 'alice', { working: buy(90, 200, { timeInForce: 'IOC' }), legs: pair })
    .isAccepted()
    .traded('90×60')
  assert.deepEqual(closed(ioc).slice(-3), [`${ioc.order + 5} ioc`, `${ioc.order + 6} oco`, `${ioc.order + 7} oco`])
  const fok = place(world, 'alice', { working: buy(90, 200, { timeInForce: 'FOK' }), legs: [sell(105)] }).isAccepted()
  assert.deepEqual(closed(fok), [`${fok.order + 3} fok`, `${fok.order + 4} oco`])
  world.hasNoOrders().isReplayable()
})

test('SPOT-OTO-003: an order that can’t be paid when it enters ends with `balance`, and so do both legs of a pair', () => {
  const world = given({ alice: { USDT: '1000' }, bob: { BTC: '10', USDT: '100000' } }).prints(100)
  const list = place(world, 'alice', { working: buy(90), legs: [sell(105)] }).isAccepted().order
  // The fee of the buy is paid in BTC, so 200 lots are not there.
  world
    .sell('bob', 90, 200)
    .closed(list + 3, 'filled')
    .closed(list + 4, 'balance')
  const other = place(world, 'alice', { working: buy(90), legs: [sell(110, 500, maker), market('sell', 500, stop(80))] }).isAccepted().order
  world
    .sell('bob', 90, 200)
    .closed(other + 6, 'balance')
    .closed(other + 7, 'balance')
  world.hasNoOrders().has('alice', 'BTC', '0.3996').isReplayable()
})

test('SPOT-OTO-003: the waiting order may be paid with what the working order brings', () => {
  const world = given({ alice: { USDT: '1000' }, bob: { BTC: '10', USDT: '100000' } }).prints(100)
  const list = place(world, 'alice', { working: buy(90), legs: [sell(105, 199)] }).isAccepted().order
  world.sell('bob', 90, 200).isAccepted()
  world.shows([], ['105×199']).has('alice', 'BTC', '0.0008', '0.199')
  world.cancel('alice', list).isAccepted()
  world.has('alice', 'BTC', '0.1998').hasNoOrders()
})

test('SPOT-OTO-004: the two waiting orders of an OTOCO are a pair with one hold when they enter', () => {
  const world = rich()
  const list = place(world, 'alice', { working: buy(90), legs: [sell(110, 200, maker), market('sell', 200, stop(80))] }).isAccepted().order
  assert.deepEqual(entered(world.sell('bob', 90, 200)), [list + 6, list + 7])
  world.has('alice', 'BTC', '0.9998', '0.2').shows([], ['110×200'])
  const told = world
    .buy('bob', 110, 60)
    .traded('110×60')
    .closed(list + 7, 'oco')
  assert.deepEqual(told.of('order.triggered'), [])
  world.has('alice', 'BTC', '0.9998', '0.14')
  world.cancel('alice', list).isAccepted()
  assert.equal(closed(world.tick()).length, 0)
  world.hasNoOrders().isReplayable()
})

test('SPOT-OTO-004: a leg whose price was passed while it waited acts at once', () => {
  const world = rich()
  const stopped = place(world, 'alice', { working: buy(99), legs: [sell(110, 200, maker), market('sell', 200, stop(98))] }).isAccepted()
    .order
  world.buy('bob', 97, 500).isAccepted()
  const told = world.sell('maker', 97, 300).traded('99×200', '97×100', '97×200')
  assert.deepEqual(entered(told), [stopped + 6, stopped + 7])
  told.closed(stopped + 7, 'filled').closed(stopped + 6, 'oco')
  // The working order sells above the price at which the pair would take its profit, so the first leg is reached when it enters.
  const gained = place(world, 'alice', {
    working: sell(98),
    legs: [buy(99, 200, maker), market('buy', 200, stop(105, 'rises-to'))],
  }).isAccepted().order
  world.sell('bob', 99, 300).isAccepted()
  const both = world.buy('taker', 98, 200).isAccepted().traded('98×200', '99×200')
  both.closed(gained + 7, 'oco').closed(gained + 6, 'filled')
  world.isReplayable()
})

test('SPOT-OTO-005: orders with conditions enter asleep: stops and trailing orders, from the price of then', () => {
  const world = rich()
  const list = place(world, 'alice', { working: buy(98), legs: [market('sell', 200, trail(20_000))] }).isAccepted().order
  world.sell('bob', 98, 200).isAccepted()
  assert.deepEqual(
    world.open('alice').map(({ status, isWaiting }) => [status, isWaiting]),
    [['pending', undefined]],
  )
  world.has('alice', 'BTC', '0.9998', '0.2')
  world.prints(100).buy('bob', 97, 300).isAccepted()
  const told = world.sell('maker', 97, 100).isAccepted()
  assert.deepEqual(
    told.of('order.triggered').map((event) => event.order),
    [list + 4],
  )
  told.closed(list + 4, 'filled')
  world.isReplayable()
})

test('SPOT-OTO-006: self-trade prevention that takes a part of the working order ends the list without the others', () => {
  const world = rich()
  const list = place(world, 'alice', { working: buy(90), legs: [sell(105)] }).isAccepted().order
  world.sell('alice', 90, 80, { selfTrade: 'decrement' }).isAccepted()
  const told = world
    .sell('bob', 90, 120)
    .closed(list + 3, 'self-trade')
    .closed(list + 4, 'oco')
  assert.deepEqual(entered(told), [])
  const expired = place(world, 'alice', { working: buy(90), legs: [sell(105)] }).isAccepted().order
  world
    .sell('alice', 90, 60, { selfTrade: 'expire-maker' })
    .closed(expired + 3, 'self-trade')
    .closed(expired + 4, 'oco')
  world.cancel('alice', world.open('alice')[0]!.order).isAccepted()
  world.hasNoOrders().isReplayable()
})

test('SPOT-OTO-007: the working order can be amended; filled at its smaller quantity, it lets the other enter', () => {
  const world = rich()
  const list = place(world, 'alice', { working: buy(90), legs: [sell(105)] }).isAccepted().order
  world.amend('alice', list + 4, { lots: 50 }).isRefused('ORDER_NOT_AMENDABLE')
  world.sell('bob', 90, 100).isAccepted()
  world.amend('alice', list + 3, { lots: 160, keepsPriority: true }).isAccepted()
  assert.deepEqual(entered(world.sell('bob', 90, 60)), [list + 4])
  world.amend('alice', list + 4, { lots: 60 }).isAccepted()
  world.shows([], ['105×60']).isReplayable()
})

test('SPOT-OTO-008: a frozen user’s list goes on; orders that are due in a halted market wait for its opening, and can be cancelled', () => {
  const world = rich()
  const [one, two] = [0, 0].map(() => place(world, 'alice', { working: buy(90), legs: [sell(105)] }).isAccepted().order) as [number, number]
  world.do({ type: 'user.set', user: world.user('alice'), isFrozen: true }).isAccepted()
  assert.deepEqual(entered(world.sell('bob', 90, 200)), [one + 4])
  world.do({ type: 'market.set', market: 1, terms: { ...terms, isTrading: false } }).isAccepted()
  world.exchange = Exchange.restore(world.exchange.dump())
  world.do({ type: 'market.set', market: 1, terms }).isAccepted()
  world.atMs = start + 60_000
  world.tick()
  assert.deepEqual(entered(world.sell('bob', 90, 200)), [two + 4])
  world.cancel('alice', two).isAccepted()
  world.shows([], ['105×200'])
})

test('SPOT-OTO-008: orders that enter beyond the work of one command wait for their turn, over a restart too', () => {
  const world = given({ alice: { BTC: '9', USDT: '1000' }, bob: { BTC: '10', USDT: '100000' } }).prints(100)
  const lists = Array.from(
    { length: 40 },
    () => place(world, 'alice', { working: buy(90, 80), legs: [sell(105, 80, maker), market('sell', 80, stop(80))] }).order,
  )
  assert.equal(entered(world.sell('bob', 90, 40 * 80)).length, 64)
  world.cancel('alice', lists[38]! + 7).isAccepted()
  world.exchange = Exchange.restore(world.exchange.dump())
  assert.equal(entered(world.tick()).length, 0)
  world.shows([], [`105×${39 * 80}`])
})

test('SPOT-OTO-009: legs that don’t fit together are refused, and so is a list with an id that is used', () => {
  const world = rich()
  const pair = (one: Part, other: Part): Part => ({ working: buy(90), legs: [one, other] })
  const good = [sell(110, 200, maker), market('sell', 200, stop(80))] as const
  for (const [list, refusal] of [
    [{ working: buy(90, 200, stop(95)), legs: [sell(105)] }, 'ORDER_TYPE_INVALID'],
    [{ working: market('buy'), legs: [sell(105)] }, 'ORDER_TYPE_INVALID'],
    [{ legs: [sell(105)] }, 'ORDER_TYPE_INVALID'],
    [pair(sell(110), good[1]), 'ORDER_TYPE_INVALID'],
    [pair(good[0], sell(80)), 'ORDER_TYPE_INVALID'],
    [pair(good[0], market('sell', 190, stop(80))), 'ORDER_TYPE_INVALID'],
    [pair(good[0], market('buy', 200, stop(80))), 'ORDER_TYPE_INVALID'],
    [pair(good[1], good[1]), 'ORDER_TYPE_INVALID'],
    [pair(sell(79, 200, maker), good[1]), 'OCO_PRICES_INVALID'],
    [{ legs: [sell(99, 200, maker), good[1]] }, 'OCO_PRICES_INVALID'],
    [{ working: buy(90), legs: [sell(121)] }, 'PRICE_OUTSIDE_BAND'],
    [{ working: buy(90), legs: [sell(105, 200, { display: 200 })] }, 'DISPLAY_INVALID'],
    [{ working: buy(90), legs: [market('sell', 200, trail(1))] }, 'TRAIL_INVALID'],
    [{ working: buy(90), legs: [sell(105, 10)] }, 'NOTIONAL_TOO_SMALL'],
    [{ working: buy(90, 20_000), legs: [sell(105)] }, 'INSUFFICIENT_BALANCE'],
    [{ working: buy(101, 200, maker), legs: [sell(105)] }, undefined],
    [{ working: buy(90, 200, { clientId: 'a' }), legs: [sell(105, 200, { clientId: 'a' })] }, 'CLIENT_ID_REUSED'],
    [{ clientId: 'a', working: buy(90, 200, { clientId: 'a' }), legs: [sell(105)] }, 'CLIENT_ID_REUSED'],
  ] as const) {
    const told = place(world, 'alice', list)
    if (refusal === undefined) world.cancel('alice', told.isAccepted().order).isAccepted()
    else told.isRefused(refusal)
  }
  const named = { clientId: 'list', working: buy(90, 200, { clientId: 'w' }), legs: [sell(105, 200, { clientId: 'p' })] }
  const list = place(world, 'alice', named).isAccepted().order
  assert.deepEqual([place(world, 'alice', named).isAccepted().order, place(world, 'alice', named).outcome.isRepeat], [list, true])
  world.buy('alice', 90, 100, { clientId: 'p' }).isRefused('CLIENT_ID_REUSED')
  world.cancel('alice', 0, { orderClientId: 'list' }).isAccepted()
  world.hasNoOrders()
})

test('SPOT-OCO-006: legs may trail or be icebergs; the pair has one hold and the leg that acts ends the other', () => {
  const world = rich()
  const list = place(world, 'alice', { legs: [sell(110, 200, { ...maker, display: 40 }), market('sell', 200, trail(50_000))] }).isAccepted()
    .order
  world.has('alice', 'BTC', '0.8', '0.2').shows([], ['110×40'])
  world.prints(108)
  world.buy('bob', 102, 260).isAccepted()
  const told = world.sell('maker', 102, 60).isAccepted()
  told.closed(list + 1, 'oco').closed(list + 2, 'filled')
  const trailing = place(world, 'alice', {
    legs: [market('sell', 200, trail(20_000, { activation: 110 })), market('sell', 200, stop(90))],
  }).isAccepted().order
  world.prints(112)
  world.buy('bob', 108, 260).isAccepted()
  world
    .sell('maker', 108, 60)
    .closed(trailing + 2, 'oco')
    .closed(trailing + 1, 'filled')
  world.isReplayable()
})

test('SPOT-OCO-006: a trailing leg that steps aside for the other goes on from its best price', () => {
  const world = rich()
  const stopLimit = sell(114, 200, { ...stop(110, 'rises-to'), timeInForce: 'FOK' })
  const list = place(world, 'alice', { legs: [stopLimit, market('sell', 200, trail(100_000))] }).isAccepted().order
  world.prints(109)
  // The first leg triggers and finds no bid at its price, so the other returns; its trail of 10 % is measured from 111.
  const back = world.prints(111).exchange
  assert.deepEqual(
    world.open('alice').map((one) => one.order),
    [list + 2],
  )
  world.exchange = Exchange.restore(back.dump())
  world.buy('bob', 99, 260).isAccepted()
  assert.deepEqual(
    world
      .sell('maker', 99, 60)
      .of('order.triggered')
      .map((event) => event.order),
    [list + 2],
  )
})
