/** Tests which prevented matches the exchange tells: both orders, their price, and what each of them lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '../exchange.ts'
import { open as givenMargin } from '../margin/test/world.ts'
import type { MarketId } from '../../protocol/ids.ts'
import { given, type Told, type World } from './world.ts'

const rich = { alice: { BTC: '10', USDT: '10000' }, bob: { BTC: '10', USDT: '10000' } }
const modes = ['expire-taker', 'expire-maker', 'expire-both', 'decrement'] as const

/** The prevented matches of a command as "number mode price maker−lots taker−lots". */
function matches(told: Told): string[] {
  return told
    .of('match.prevented')
    .map(
      ({ match, mode, price, makerOrder, makerLots, takerOrder, takerLots }) =>
        `${match} ${mode} ${price} ${makerOrder}−${makerLots} ${takerOrder}−${takerLots}`,
    )
}

/** What maker and taker lose of so many lots. */
function sides(mode: (typeof modes)[number], maker: number, taker: number): readonly [maker: number, taker: number] {
  const both = Math.min(maker, taker)
  return { 'expire-taker': [0, taker], 'expire-maker': [maker, 0], 'expire-both': [maker, taker], decrement: [both, both] }[
    mode
  ] as unknown as readonly [number, number]
}

/** Types of the events about orders, in their sequence. */
const sequence = (told: Told): string[] =>
  told.events.map(({ type }) => type).filter((type) => type.startsWith('order.') || type === 'traded' || type === 'match.prevented')

/** An exchange that takes orders of any size, with a last price of 100. */
const begun = (): World => given(rich, { notionalMin: 1 }).prints(100)

/** An exchange with an order of bob before two of alice's, all of them asks. */
function asks(): { readonly world: World; readonly first: number; readonly second: number } {
  const world = begun()
  world.sell('bob', 99, 60).isAccepted()
  const first = world.sell('alice', 100, 100).isAccepted().order
  const second = world.sell('alice', 101, 150, { display: 50 }).isAccepted().order
  return { world, first, second }
}

test('SPOT-STP-005: each mode tells the pairs that it kept from trading, with what each order lost, before what follows from it', () => {
  for (const mode of modes) {
    const { world, first, second } = asks()
    const told = world.buy('alice', 101, 400, { selfTrade: mode }).isAccepted().traded('99×60')
    const taker = told.order
    const expected = {
      'expire-taker': [`1 ${mode} 100 ${first}−0 ${taker}−340`],
      'expire-maker': [`1 ${mode} 100 ${first}−100 ${taker}−0`, `2 ${mode} 101 ${second}−150 ${taker}−0`],
      'expire-both': [`1 ${mode} 100 ${first}−100 ${taker}−340`],
      decrement: [`1 ${mode} 100 ${first}−100 ${taker}−100`, `2 ${mode} 101 ${second}−150 ${taker}−150`],
    }[mode]
    assert.deepEqual(matches(told), expected)
    const ofMaker = ['match.prevented', ...(mode === 'decrement' ? ['order.prevented'] : []), 'order.closed']
    assert.deepEqual(
      sequence(told).slice(3),
      {
        'expire-taker': ['match.prevented', 'order.closed'],
        'expire-maker': [...ofMaker, ...ofMaker],
        'expire-both': [...ofMaker, 'order.closed'],
        decrement: [...ofMaker, ...ofMaker],
      }[mode],
    )
    for (const { user, market } of told.of('match.prevented')) assert.deepEqual([user, market], [world.user('alice'), 1])
    world.isReplayable()
  }
})

test('SPOT-STP-005: orders that meet nobody of their own, or trade with their owner, tell nothing', () => {
  const { world } = asks()
  assert.deepEqual(matches(world.buy('carol', 99, 60).isRefused('INSUFFICIENT_BALANCE')), [])
  assert.deepEqual(matches(world.buy('taker', 100, 70, { timeInForce: 'IOC' }).isAccepted().traded('99×60', '100×10')), [])
  assert.deepEqual(matches(world.buy('alice', 100, 100, { selfTrade: 'none', timeInForce: 'IOC' }).isAccepted()), [])
  assert.deepEqual(matches(world.buy('alice', 99, 100).isAccepted()), [])
  world.buy('alice', 101, 100, { isPostOnly: true }).isRefused('POST_ONLY_WOULD_TAKE')
  // A FOK order that its own orders keep from filling does not meet them: it ends before.
  for (const selfTrade of ['expire-taker', 'expire-both', 'decrement'] as const) {
    const fok = { selfTrade, timeInForce: 'FOK' }
    world.buy('alice', 101, 120, fok).isRefused('FOK_NOT_FILLABLE')
    assert.deepEqual(matches(world.buy('alice', 101, 120, { ...fok, expires: true }).isAccepted()), [])
  }
  const gone = world.open('alice').find(({ price }) => price === 101)!.order
  world.sell('bob', 101, 400).isAccepted()
  const filled = world.buy('alice', 101, 120, { selfTrade: 'expire-maker', timeInForce: 'FOK' }).isAccepted()
  assert.deepEqual(matches(filled), [`1 expire-maker 101 ${gone}−150 ${filled.order}−0`])
})

test('SPOT-STP-005: a partly filled maker loses the rest, hidden parts included; a decrement that leaves it in the book only a part', () => {
  for (const mode of modes) {
    const [made, took] = sides(mode, 130, 40)
    const world = begun()
    const iceberg = world.sell('alice', 100, 150, { display: 50 }).isAccepted().order
    world.buy('bob', 100, 20).isAccepted().traded('100×20')
    const told = world.buy('alice', 100, 40, { selfTrade: mode }).isAccepted()
    assert.deepEqual(matches(told), [`1 ${mode} 100 ${iceberg}−${made} ${told.order}−${took}`])
    world.isReplayable()
  }
})

test('SPOT-STP-005: an order by amount loses what the rest of its amount would have paid for at the maker’s price', () => {
  for (const mode of modes) {
    const { world, first, second } = asks()
    // Of 30, 5.94 buy 60 lots at 99, and 24.06 would pay for 240 lots at 100.
    const told = world.market('alice', 'buy', { spend: 30_000_000, selfTrade: mode }).isAccepted()
    const taker = told.order
    const expected = {
      'expire-taker': [`1 ${mode} 100 ${first}−0 ${taker}−240`],
      'expire-maker': [`1 ${mode} 100 ${first}−100 ${taker}−0`, `2 ${mode} 101 ${second}−150 ${taker}−0`],
      'expire-both': [`1 ${mode} 100 ${first}−100 ${taker}−240`],
      // 14.06 are left of it then, and pay for 139 lots at 101.
      decrement: [`1 ${mode} 100 ${first}−100 ${taker}−100`, `2 ${mode} 101 ${second}−139 ${taker}−139`],
    }[mode]
    assert.deepEqual(matches(told), expected)
    world.isReplayable()
  }
  // A sale by amount: 20 are still to be raised at a bid of 90, which takes 222 lots.
  const world = begun()
  const bid = world.buy('alice', 99, 500).isAccepted().order
  const sale = world.market('alice', 'sell', { spend: 20_000_000 }).isAccepted()
  assert.deepEqual(matches(sale), [`1 expire-taker 99 ${bid}−0 ${sale.order}−202`])
  // An amount that pays for no lot meets nobody.
  const low = begun()
  low.sell('alice', 100, 100).isAccepted()
  low.sell('bob', 99, 60).isAccepted()
  assert.deepEqual(matches(low.market('alice', 'buy', { spend: 6_000_000 }).isAccepted().traded('99×60')), [])
})

test('SPOT-STP-005: an order that is amended into one of its owner meets it with its own mode', () => {
  for (const mode of modes) {
    const { world, first } = asks()
    const bid = world.buy('alice', 98, 190, { selfTrade: mode }).isAccepted().order
    const told = world.amend('alice', bid, { price: 100 }).isAccepted().traded('99×60')
    const [made, took] = sides(mode, 100, 130)
    assert.deepEqual(matches(told), [`1 ${mode} 100 ${first}−${made} ${bid}−${took}`])
    world.isReplayable()
  }
})

test('SPOT-STP-005: an order that replaces another meets what is left of its owner’s orders, and not the one that was cancelled for it', () => {
  for (const mode of modes) {
    const { world, first, second } = asks()
    world.cancel('alice', first).isAccepted().closed(first, 'cancelled')
    const told = world.buy('alice', 101, 100, { selfTrade: mode }).isAccepted().traded('99×60')
    const [made, took] = sides(mode, 150, 40)
    assert.deepEqual(matches(told), [`1 ${mode} 101 ${second}−${made} ${told.order}−${took}`])
    world.isReplayable()
  }
})

test('SPOT-STP-005: a stop that triggers meets an order of its owner, as a limit order, as a market order and as the leg of a list', () => {
  const trigger = { kind: 'stop', price: 102, direction: 'rises-to' }
  const stops: ((world: World, selfTrade: string) => number)[] = [
    (world, selfTrade) => world.buy('alice', 104, 60, { selfTrade, trigger }).isAccepted().order,
    (world, selfTrade) => world.market('alice', 'buy', { lots: 60, selfTrade, trigger }).isAccepted().order,
    (world, selfTrade) =>
      2 + world.oco('alice', { side: 'buy', lots: 60, limitPrice: 90, stopPrice: 102, stopLimit: 104, selfTrade }).isAccepted().order,
    (world, selfTrade) => 2 + world.oco('alice', { side: 'buy', lots: 60, limitPrice: 90, stopPrice: 102, selfTrade }).isAccepted().order,
  ]
  for (const mode of modes) {
    for (const [n, place] of stops.entries()) {
      const world = begun()
      const ask = world.sell('alice', 104, 100).isAccepted().order
      const stop = place(world, mode)
      world.sell('bob', 102, 10).isAccepted()
      const [made, took] = sides(mode, 100, 60)
      assert.deepEqual(matches(world.buy('taker', 102, 10).isAccepted()), [`1 ${mode} 104 ${ask}−${made} ${stop}−${took}`], `${n}`)
      world.isReplayable()
    }
  }
})

test('SPOT-STP-005: a market stop that is tried again may meet more orders of its owner, and each match is told once', () => {
  const world = begun()
  world.index(100)
  const rises = { kind: 'stop', price: 104, direction: 'rises-to' }
  const stop = world.market('alice', 'buy', { lots: 100, selfTrade: 'expire-maker', trigger: rises }).isAccepted().order
  const first = world.sell('alice', 105, 30).isAccepted().order
  world.sell('bob', 104, 10).isAccepted()
  const woken = world.buy('taker', 104, 10).isAccepted()
  assert.deepEqual(matches(woken), [`1 expire-maker 105 ${first}−30 ${stop}−0`])
  assert.notEqual(world.open('alice').find(({ order }) => order === stop)?.triggeredAt, undefined)
  const second = world.sell('alice', 104, 20).isAccepted().order
  assert.deepEqual(matches(world.index(100)), [`2 expire-maker 104 ${second}−20 ${stop}−0`])
  assert.deepEqual(matches(world.index(100)), [])
  world.isReplayable()
})

test('SPOT-STP-005: of a list, a maker that loses lots ends the other leg, and a waiting order that enters meets as any other', () => {
  for (const mode of ['expire-maker', 'expire-both', 'decrement'] as const) {
    const world = begun()
    const list = world.oco('alice', { lots: 500, limitPrice: 110, stopPrice: 90 }).isAccepted().order
    const told = world.buy('alice', 110, 200, { selfTrade: mode, timeInForce: 'IOC' }).isAccepted()
    told.closed(list + 2, 'oco')
    const [made, took] = sides(mode, 500, 200)
    assert.deepEqual(matches(told), [`1 ${mode} 110 ${list + 1}−${made} ${told.order}−${took}`])
    world.isReplayable()
  }
  const world = begun()
  const bid = world.buy('alice', 95, 100).isAccepted().order
  const leg = { clientId: '', orderType: 'limit', timeInForce: 'GTC', lots: 100, isPostOnly: false }
  const working = { ...leg, side: 'buy', price: 97 }
  const more = { working, legs: [{ ...leg, lots: 90, side: 'sell', price: 95 }] }
  const list = { type: 'spot.placeList', user: world.user('alice'), clientId: '', market: 1, selfTrade: 'expire-both', ...more }
  const { order } = world.do(list).isAccepted()
  const entered = world.sell('bob', 97, 100).isAccepted()
  const taker = entered.of('order.entered')[0]!.order
  assert.ok(taker > order)
  assert.deepEqual(matches(entered), [`1 expire-both 95 ${bid}−100 ${taker}−90`])
  world.isReplayable()
})

test('SPOT-STP-005: orders of the spot account and of Margin accounts of one user meet, and both are told', () => {
  const desk = givenMargin().user('alice', { USDT: '20000', BTC: '1' }).user('mm', { BTC: '1000', USDT: '100000000' })
  desk.enter('alice', 'USDT', '10000').isAccepted()
  const { world } = desk
  world.prints(50_000, 1)
  const cross = { margin: { account: 'margin-cross', borrow: 'none' } } as const
  for (const [n, mode] of modes.entries()) {
    const ask = world.sell('alice', 50_100, 10).isAccepted().order
    const told = world.buy('alice', 50_100, 8, { ...cross, selfTrade: mode }).isAccepted()
    const [made, took] = sides(mode, 10, 8)
    assert.deepEqual(matches(told), [`${n + 1} ${mode} 50100 ${ask}−${made} ${told.order}−${took}`])
    for (const { order } of world.open('alice')) world.cancel('alice', order).isAccepted()
  }
  world.isReplayable()
})

test('SPOT-STP-006: matches are counted per market and go on after a restore; an open order shows the last one in which it lost', () => {
  const world = given({ alice: { BTC: '10', USDT: '10000', ETH: '100' } }).prints(100)
  const maker = world.sell('alice', 100, 500).isAccepted().order
  const shown = (): (number | undefined)[] => world.open('alice').map(({ preventedMatch }) => preventedMatch)
  world.buy('alice', 100, 50).isAccepted()
  assert.deepEqual(shown(), [undefined], 'it lost nothing')
  world.buy('alice', 100, 50, { selfTrade: 'decrement' }).isAccepted()
  assert.deepEqual(shown(), [2])
  world.exchange = Exchange.restore(world.exchange.dump())
  assert.deepEqual(shown(), [2])
  const taker = world.buy('alice', 100, 600, { selfTrade: 'decrement' }).isAccepted()
  assert.deepEqual(matches(taker), [`3 decrement 100 ${maker}−450 ${taker.order}−450`])
  assert.deepEqual(shown(), [3])
  // Another market counts for itself.
  world.place('alice', { market: 2, side: 'sell', price: 5_000, lots: 100 }).isAccepted()
  const elsewhere = world.place('alice', { market: 2, side: 'buy', price: 5_000, lots: 100 }).isAccepted()
  assert.deepEqual(
    elsewhere.of('match.prevented').map(({ market, match }) => [market, match]),
    [[2, 1]],
  )
  assert.equal(world.exchange.prices(1 as MarketId).last, 100)
})

test('SPOT-STP-006: the count belongs to the state and its hash', () => {
  const [one, other] = [begun(), begun()]
  for (const [world, price] of [
    [one, 100],
    [other, 99],
  ] as const) {
    const ask = world.sell('alice', 100, 100).isAccepted().order
    // The one meets the ask, the other ends because nothing is as cheap.
    world.buy('alice', price, 50, { timeInForce: 'IOC' }).isAccepted().traded()
    world.cancel('alice', ask).isAccepted()
  }
  const states = [one, other].map(({ exchange }) => [exchange.accounts(), exchange.book(1 as MarketId).bids, exchange.seq])
  assert.deepEqual(states[0], states[1])
  assert.notEqual(one.exchange.hash(), other.exchange.hash())
})
