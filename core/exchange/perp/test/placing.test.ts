/** Which Futures orders are accepted, what they report, and how those end that don't rest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restoreState } from '../../dump.ts'
import type { Told } from '../../test/world.ts'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import type { PerpWorld } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '5000' }
const gtc = { timeInForce: 'GTC' }
const ioc = { timeInForce: 'IOC' }
const fok = { timeInForce: 'FOK' }
const reduces = { isReduceOnly: true }
const falls = (price: number): object => ({ trigger: { kind: 'stop', price, direction: 'falls-to' } })

/** Orders in the core that still have exits. */
function withExits(world: PerpWorld): number {
  return restoreState(world.exchange.dump()).perp.exits.size
}

/** Opens a long of alice against carol at 100. */
function longs(world: PerpWorld, lots: number): PerpWorld {
  world.sell('carol', 100, lots).isAccepted()
  world.buy('alice', 100, lots).isAccepted().traded(`100×${lots}`)
  return world
}

/** How the order of a command ended: the reason, its fills and their value. */
function ending(told: Told): readonly unknown[] {
  const { reason, executedLots, executedQuote } = told.of('order.closed').find(({ order }) => order === told.order)!
  return [reason, executedLots, executedQuote]
}

test('PERP-ORDER-014: of several reasons to refuse an order the first of the list is given', () => {
  const world = givenPerp(three)
  const user = world.id('bob')
  world.do({ type: 'user.certify', user, isCertified: false }).isAccepted()
  const wrongShape = { orderType: 'market' }
  world.buy('bob', 0, 0).isRefused('PRICE_INVALID')
  world.buy('bob', 100, 0).isRefused('QUANTITY_INVALID')
  world.buy('bob', 121, 1).isRefused('NOTIONAL_TOO_SMALL')
  world.buy('bob', 121, 1000).isRefused('PRICE_OUTSIDE_BAND')
  world.buy('bob', 100, 1000, { position: 'long' }).isRefused('NOT_CERTIFIED')
  world.buy('bob', 90, 1000, falls(90)).isRefused('NOT_CERTIFIED')
  world.do({ type: 'perp.set', market: contract, terms: { ...marketTerms, isTrading: false }, perp: perpTerms }).isAccepted()
  world.buy('bob', 100, 1000, wrongShape).isRefused('MARKET_HALTED')
  world.buy('bob', 100, 1000, { ...wrongShape, ...reduces }).isRefused('MARKET_HALTED')
  world.do({ type: 'user.set', user, isFrozen: true }).isAccepted()
  world.buy('bob', 100, 1000, { market: 9 }).isRefused('USER_FROZEN')
  world.buy('bob', 100, 1000, { market: 9, ...reduces }).isRefused('MARKET_UNKNOWN')
})

test('PERP-EXITS-001: an order with neither of the two exits is refused', () => {
  const world = givenPerp(three)
  world.buy('alice', 100, 1000, { exits: {} }).isRefused('ORDER_TYPE_INVALID')
  world.buy('alice', 100, 1000, { exits: { takeProfit: { price: 110, by: 'mark' } } }).isAccepted()
  world.buy('alice', 100, 1000, { exits: { stopLoss: { price: 90, by: 'mark' } } }).isAccepted()
})

test('PERP-ORDER-001: a price is at least one tick, and the value of a market order is counted at the mark', () => {
  const world = givenPerp(three)
  for (const price of [0, 2 ** 31]) world.buy('alice', price, 1000).isRefused('PRICE_INVALID')
  world.sell('carol', 110, 1000).isAccepted()
  // The smallest value is 5 USDT: 50 lots at the mark of 100.
  world.market('alice', 'buy', 49).isRefused('NOTIONAL_TOO_SMALL')
  world.market('alice', 'buy', 50).isAccepted()
})

test('SPOT-LIMIT-005: the limit of orders counts only orders that may rest', () => {
  const world = givenPerp(three, {}, { openOrdersMax: 1 })
  world.sell('carol', 100, 4000).isAccepted()
  world.buy('alice', 90, 1000).isAccepted()
  world.buy('alice', 91, 1000).isRefused('TOO_MANY_OPEN_ORDERS')
  world.buy('alice', 100, 1000, ioc).isAccepted().traded('100×1000')
  world.buy('alice', 100, 1000, fok).isAccepted().traded('100×1000')
  world.market('alice', 'buy', 1000).isAccepted().traded('100×1000')
  world.market('alice', 'buy', 1000, gtc).isAccepted().traded('100×1000')
  world
    .market('alice', 'buy', 1000, { ...gtc, trigger: { kind: 'stop', price: 105, direction: 'rises-to' } })
    .isRefused('TOO_MANY_OPEN_ORDERS')
})

test('PERP-OUTAGE-004: while a market resumes, only orders are accepted that rest without trading', () => {
  const world = givenPerp(three)
  world.sell('carol', 105, 1000).isAccepted()
  world.index(100, 2)
  world.passes(4000).index(100)
  assert.equal(world.exchange.marks()[0]!.phase, 'resuming')
  world.buy('alice', 104, 100).isAccepted()
  world.buy('alice', 105, 100).isRefused('MARKET_HALTED')
  world.sell('bob', 104, 100).isRefused('MARKET_HALTED')
  world.sell('bob', 106, 100).isAccepted()
  for (const kind of [ioc, fok]) world.buy('alice', 103, 100, kind).isRefused('MARKET_HALTED')
  world.market('alice', 'buy', 100).isRefused('MARKET_HALTED')
  world.market('alice', 'buy', 100, { ...falls(90) }).isAccepted()
})

test('PERP-REDUCE-002: a rest below the smallest quantity or value can be closed, whole or by an order for more, but not in part', () => {
  const world = longs(givenPerp(three, {}, { lotsMin: 30, lotsMax: 5000 }), 100)
  world.buy('carol', 100, 1000).isAccepted()
  world.sell('alice', 100, 80, reduces).isAccepted()
  world.sell('alice', 100, 19, reduces).isRefused('QUANTITY_TOO_SMALL')
  world.sell('alice', 100, 20).isRefused('QUANTITY_TOO_SMALL')
  world.buy('alice', 100, 20, reduces).isRefused('REDUCE_ONLY_REJECTED')
  world.sell('alice', 100, 0, reduces).isRefused('QUANTITY_INVALID')
  world.sell('alice', 100, 5001, reduces).isRefused('QUANTITY_TOO_LARGE')
  world.sell('alice', 100, 21, reduces).isAccepted().traded('100×20')
  world.holds('alice', '')
})

test('PERP-REDUCE-001: a reduce-only order that can’t rest closes what there is, even if resting orders could close it too', () => {
  const world = longs(givenPerp(three), 1000)
  const resting = world.sell('alice', 110, 1000, reduces).isAccepted().order
  world.sell('alice', 111, 100, reduces).isRefused('REDUCE_ONLY_REJECTED')
  world.buy('carol', 99, 700).isAccepted()
  // It may sell 1,000 of the 5,000 lots, and the book takes 700.
  world.sell('alice', 99, 5000, { ...reduces, ...fok }).isRefused('FOK_NOT_FILLABLE')
  world.buy('carol', 99, 300).isAccepted()
  const told = world
    .sell('alice', 99, 5000, { ...reduces, ...fok })
    .isAccepted()
    .traded('99×700', '99×300')
  assert.deepEqual(told.of('order.accepted')[0]!.lots, 1000)
  told.closed(told.order, 'filled').closed(resting, 'reduce-only')
  world.isReplayable()
})

test('PERP-REDUCE-001: resting orders that could close a position leave the rest of it to another one, to the lot', () => {
  const world = longs(givenPerp(three), 1000)
  world.sell('alice', 110, 400, reduces).isAccepted()
  world.sell('alice', 112, 500).isAccepted()
  world.sell('alice', 113, 99, reduces).isAccepted()
  world.sell('alice', 114, 50, reduces).isAccepted()
  assert.deepEqual(
    world.world.open('alice').map(({ lots }) => lots),
    [400, 500, 99, 1],
  )
  world.sell('alice', 115, 50, reduces).isRefused('REDUCE_ONLY_REJECTED')
  // Buys can't close it.
  world.buy('alice', 90, 100, reduces).isRefused('REDUCE_ONLY_REJECTED')
  world.isReplayable()
})

test('PERP-ORDER-001: an order that does not rest ends with its fills: `filled`, or `ioc` for the rest', () => {
  const world = givenPerp(three)
  world.sell('carol', 110, 100).isAccepted()
  world.sell('carol', 100, 300).isAccepted()
  assert.deepEqual(ending(world.buy('alice', 100, 300, ioc)), ['filled', 300, 30_000_000])
  world.sell('carol', 101, 300).isAccepted()
  assert.deepEqual(ending(world.buy('alice', 102, 500, ioc)), ['ioc', 300, 30_300_000])
  assert.deepEqual(ending(world.buy('alice', 102, 500, ioc)), ['ioc', 0, 0])
  world.sell('carol', 101, 300).isAccepted()
  assert.deepEqual(ending(world.buy('alice', 101, 300)), ['filled', 300, 30_300_000])
  world.world.shows([], ['110×100'], contract)
  world.isReplayable()
})

test('PERP-ORDER-001: a limit order that is filled in part rests with what is left, its fills and its client id', () => {
  const world = givenPerp(three)
  world.sell('carol', 100, 300).isAccepted()
  world.sell('carol', 101, 200).isAccepted()
  const { order } = world.buy('alice', 102, 800, { clientId: 'mine' }).isAccepted().traded('100×300', '101×200')
  const [open] = world.world.open('alice')
  assert.deepEqual([open!.order, open!.clientId, open!.price, open!.lots, open!.status], [order, 'mine', 102, 800, 'open'])
  assert.deepEqual([open!.executedLots, open!.executedQuote], [500, 50_200_000])
  world.world.shows(['102×300'], [], contract)
  world.isReplayable()
})

test('SPOT-STP-001: a limit order that meets an order of its user ends there, and the next ones that meet none do not', () => {
  const world = givenPerp(three)
  world.sell('alice', 101, 300).isAccepted()
  world.sell('carol', 100, 200).isAccepted()
  const told = world.buy('alice', 102, 500).isAccepted().traded('100×200')
  told.closed(told.order, 'self-trade')
  const unfilled = world.buy('bob', 99, 100, ioc).isAccepted()
  unfilled.closed(unfilled.order, 'ioc')
  const { order } = world.buy('bob', 99, 100).isAccepted()
  world.world.shows(['99×100'], ['101×300'], contract)
  assert.equal(world.world.open('bob')[0]!.order, order)
  world.isReplayable()
})

test('PERP-EXITS-002: an order that can’t rest leaves no exits behind, whether it is filled, stops at its limit, or is a market order', () => {
  const world = givenPerp(three)
  const exits = { exits: { stopLoss: { price: 50, by: 'mark' } } }
  world.sell('carol', 100, 300).isAccepted()
  world
    .buy('bob', 100, 100, { ...ioc, ...exits })
    .isAccepted()
    .traded('100×100')
  world.market('bob', 'buy', 100, exits).isAccepted().traded('100×100')
  world.buy('bob', 100, 100, exits).isAccepted().traded('100×100')
  world
    .buy('bob', 100, 100, { ...ioc, ...exits })
    .isAccepted()
    .traded()
  assert.equal(withExits(world), 0)
  const { order } = world.buy('bob', 99, 100, exits).isAccepted()
  assert.equal(withExits(world), 1)
  world.cancel('bob', order).isAccepted()
  assert.equal(withExits(world), 0)
})

test('PERP-ORDER-007: a market order is reported as IOC with its lots, and ends with its fills and their value', () => {
  const world = longs(givenPerp(three), 500)
  world.market('alice', 'sell', 100).isRefused('NO_LIQUIDITY')
  world.buy('carol', 99, 200).isAccepted()
  world.buy('carol', 98, 100).isAccepted()
  world.market('bob', 'sell', 100, reduces).isRefused('REDUCE_ONLY_REJECTED')
  const told = world
    .market('alice', 'sell', 900, { ...gtc, ...reduces, clientId: 'out' })
    .isAccepted()
    .traded('99×200', '98×100')
  const [accepted] = told.of('order.accepted')
  assert.deepEqual(
    [accepted!.order, accepted!.clientId, accepted!.market, accepted!.user],
    [told.order, 'out', contract, world.id('alice')],
  )
  const { orderType, timeInForce, side, price, lots, trigger, perp } = accepted!
  assert.deepEqual([orderType, timeInForce, side, price, lots, trigger], ['market', 'IOC', 'sell', 0, 500, undefined])
  assert.deepEqual([perp!.position, perp!.isReduceOnly, perp!.isClosing], ['both', true, false])
  assert.deepEqual(ending(told), ['ioc', 300, 29_600_000])
  world.holds('alice', '200@100')
  world.isReplayable()
})

test('PERP-HEDGE-001: in hedge mode an order to the other side of a position only reduces, also if it does not say so', () => {
  const world = givenPerp(three)
  world.hedge('alice', true).isAccepted()
  const isReduceOnly = (told: Told): boolean => told.isAccepted().of('order.accepted')[0]!.perp!.isReduceOnly
  world.sell('carol', 100, 300).isAccepted()
  assert.equal(isReduceOnly(world.buy('alice', 100, 300, { position: 'long' })), false)
  world.buy('carol', 100, 300).isAccepted()
  assert.equal(isReduceOnly(world.sell('alice', 100, 300, { position: 'short' })), false)
  assert.equal(isReduceOnly(world.sell('alice', 110, 300, { position: 'long' })), true)
  assert.equal(isReduceOnly(world.buy('alice', 90, 300, { position: 'short' })), true)
  // It holds nothing.
  const { available } = world.exchange.perpAccount(world.id('alice'))
  world.cancel('alice', world.world.open('alice')[0]!.order).isAccepted()
  assert.equal(world.exchange.perpAccount(world.id('alice')).available, available)
  assert.equal(isReduceOnly(world.buy('bob', 99, 300)), false)
  assert.equal(isReduceOnly(world.sell('bob', 101, 300)), false)
})
