/** How market orders and triggered orders end, and what they leave behind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloseReason } from '../../protocol/event/index.ts'
import { given as empty, start, type Told, type World } from './world.ts'

const falls = { direction: 'falls-to' } as const
const rises = { direction: 'rises-to' } as const
const rich = { alice: { BTC: '10', USDT: '10000' }, bob: { BTC: '10', USDT: '10000' } } as const

/** A world in which an order of another market has the first slot of the memory. */
function given(funds: Parameters<typeof empty>[0], changed: object = {}): World {
  const world = empty({ zoe: { ETH: '1' }, ...funds }, changed)
  world.place('zoe', { market: 2, side: 'sell', price: 5000, lots: 100 }).isAccepted()
  return world
}

/** How an order was closed: reason, executed lots and their value. */
function ending(told: Told, order = told.order): readonly [CloseReason, number, number] | undefined {
  const closed = told.of('order.closed').find((event) => event.order === order)
  return closed && [closed.reason, closed.executedLots, closed.executedQuote]
}

/** Held units of a spot account. */
const held = (world: World, user: string, asset: number): number =>
  world.exchange.balances(world.user(user)).find(({ account }) => account.asset === asset)?.held ?? 0

const levels = (told: Told): readonly string[] => told.of('book.level').map(({ side, price, lots }) => `${side} ${price}×${lots}`)

/** Two other users trade at this price below the asks, and so reach triggers that wait for a fall. */
function falling(world: World, price: number): Told {
  world.buy('taker', price, 70).isAccepted()
  return world.sell('maker', price, 70, { timeInForce: 'IOC' }).isAccepted()
}

test('SPOT-MARKET-001: a market order closes as filled, ended by an empty book, by its worst price, or by its owner’s order', () => {
  const world = given(rich).prints(100)
  world.index(100)
  world.sell('bob', 100, 100).isAccepted()
  assert.deepEqual(ending(world.market('alice', 'buy', { lots: 100 })), ['filled', 100, 10_000_000])
  world.sell('bob', 100, 100).isAccepted()
  assert.deepEqual(ending(world.market('alice', 'buy', { lots: 101 })), ['ioc', 100, 10_000_000])
  // The worst price is 105.
  world.sell('bob', 105, 100).isAccepted()
  world.sell('bob', 106, 100).isAccepted()
  assert.deepEqual(ending(world.market('alice', 'buy', { lots: 101 })), ['slippage', 100, 10_500_000])
  assert.deepEqual(ending(world.market('alice', 'buy', { lots: 101 })), ['slippage', 0, 0])
  world.buy('bob', 99, 100).isAccepted()
  world.buy('alice', 98, 100).isAccepted()
  assert.deepEqual(ending(world.market('alice', 'sell', { lots: 101 })), ['self-trade', 100, 9_900_000])
  world.isReplayable()
})

test('SPOT-MARKET-004: an amount that pays for no lot ends as `ioc`, and one that pays for some counts as filled', () => {
  const world = given({ ...rich, carol: { USDT: '11.999' } }).prints(6000, 1)
  world.sell('bob', 6000, 100).isAccepted()
  assert.deepEqual(ending(world.market('carol', 'buy', { spend: 5_999_000 })), ['ioc', 0, 0])
  assert.deepEqual(ending(world.market('carol', 'buy', { spend: 6_000_000 })), ['filled', 1, 6_000_000])
  world.has('carol', 'USDT', '5.999')
  assert.deepEqual(ending(world.market('carol', 'buy', { spend: 5_999_000, expires: true })), ['ioc', 0, 0])
  world.has('carol', 'USDT', '5.999').isReplayable()
})

test('SPOT-STP-001: an amount that is spent ends no other order of its user', () => {
  const world = given(rich).prints(100)
  for (const selfTrade of ['expire-taker', 'expire-maker', 'expire-both', 'decrement']) {
    world.sell('bob', 100, 100).isAccepted()
    const own = world.sell('alice', 101, 200).isAccepted().order
    for (const spend of [10_000_000, 10_100_000]) {
      const told = world.market('alice', 'buy', { spend, selfTrade }).isAccepted()
      if (spend === 10_000_000) assert.deepEqual(ending(told), ['filled', 100, 10_000_000], selfTrade)
      else assert.equal(ending(told)?.[0], selfTrade === 'expire-maker' ? 'ioc' : 'self-trade')
      if (spend === 10_000_000) world.shows([], ['101×200'])
    }
    if (world.open('alice').length > 0) world.cancel('alice', own).isAccepted()
  }
  assert.deepEqual(world.open('alice'), [])
  world.isReplayable()
})

test('SPOT-STOP-001: a triggered limit order trades and rests, or ends by its own conditions', () => {
  for (const [more, asks, ends, rests] of [
    [{}, [[100, 100]], undefined, '100×200'],
    [{}, [[101, 100]], undefined, '100×300'],
    [{}, [[100, 300]], ['filled', 300, 30_000_000], undefined],
    [{ isPostOnly: true }, [[100, 100]], ['post-only', 0, 0], undefined],
    [{ isPostOnly: true }, [[101, 100]], undefined, '100×300'],
    [{ timeInForce: 'IOC' }, [[100, 100]], ['ioc', 100, 10_000_000], undefined],
    [{ timeInForce: 'IOC' }, [[101, 100]], ['ioc', 0, 0], undefined],
    [
      { timeInForce: 'FOK' },
      [
        [99, 100],
        [100, 199],
      ],
      ['fok', 0, 0],
      undefined,
    ],
    [
      { timeInForce: 'FOK' },
      [
        [99, 100],
        [100, 200],
      ],
      ['filled', 300, 29_900_000],
      undefined,
    ],
    [{ display: 150 }, [[100, 100]], undefined, '100×150'],
    [{ display: 150 }, [[100, 200]], undefined, '100×100'],
  ] as const) {
    const world = given(rich).prints(100)
    const { order } = world.buy('alice', 100, 300, { ...more, trigger: { kind: 'stop', price: 90, ...falls } }).isAccepted()
    // A sleeping order holds its whole value: 300 lots at 100.
    world.has('alice', 'USDT', '9970', '30')
    for (const [price, lots] of asks) world.sell('bob', price, lots).isAccepted()
    world.atMs += 40
    const told = falling(world, 90)
    assert.deepEqual(ending(told, order), ends, JSON.stringify([more, asks]))
    const last = levels(told).at(-1)
    if (rests === undefined) {
      assert.deepEqual(world.open('alice'), [])
      continue
    }
    assert.equal(last, `buy ${rests}`)
    const [open] = world.open('alice')
    assert.deepEqual([open?.status, open?.updatedAt, open?.placedAt], ['open', start + 40, start])
    const left = 300 - open!.executedLots
    assert.equal(world.exchange.balances(world.user('alice')).find(({ account }) => account.asset === 1)!.held, left * 100_000)
    world.isReplayable()
  }
})

test('SPOT-STP-001: a triggered order obeys its own mode when it meets an order of its user', () => {
  for (const [selfTrade, ends, left] of [
    ['expire-taker', ['self-trade', 60, 5_940_000], ['sell 100×100/0']],
    ['expire-maker', ['filled', 160, 15_940_000], []],
    ['expire-both', ['self-trade', 60, 5_940_000], []],
    ['none', ['filled', 160, 15_940_000], []],
    ['decrement', ['self-trade', 60, 5_940_000], []],
  ] as const) {
    const world = given(rich).prints(100)
    const { order } = world.buy('alice', 100, 160, { selfTrade, trigger: { kind: 'stop', price: 90, ...falls } }).isAccepted()
    world.sell('bob', 99, 60).isAccepted()
    const own = world.sell('alice', 100, 100).isAccepted().order
    world.sell('bob', 100, 100).isAccepted()
    const told = falling(world, 90)
    assert.deepEqual(ending(told, order), ends, selfTrade)
    assert.deepEqual(
      told.of('order.prevented').map(({ lots }) => lots),
      selfTrade === 'decrement' ? [100] : [],
    )
    assert.deepEqual(
      world.open('alice').map(({ side, price, lots, executedLots }) => `${side} ${price}×${lots}/${executedLots}`),
      left,
      selfTrade,
    )
    if (left.length === 0) assert.notEqual(ending(told, own), undefined)
    world.isReplayable()
  }
})

test('SPOT-STP-003: a triggered order that a decrement reduced rests with what is left and shows the prevented part', () => {
  const world = given(rich).prints(100)
  const more = { selfTrade: 'decrement', trigger: { kind: 'stop', price: 90, ...falls } }
  const { order } = world.buy('alice', 100, 300, more).isAccepted()
  world.sell('bob', 99, 60).isAccepted()
  world.sell('alice', 100, 100).isAccepted()
  assert.equal(ending(falling(world, 90), order), undefined)
  const [open] = world.open('alice')
  assert.deepEqual([open?.lots, open?.executedLots, open?.preventedLots, open?.executedQuote], [300, 60, 100, 5_940_000])
  world.shows(['100×140'], []).has('alice', 'USDT', '9980.06', '14')
  // The rest trades, and the order ends with the reason of the part that never traded.
  assert.deepEqual(ending(world.sell('bob', 100, 140), order), ['self-trade', 200, 19_940_000])
  world.isReplayable()
})

test('SPOT-STOP-003: a triggered market buy spends its hold and no more, by quantity and by amount', () => {
  for (const [amount, hold, asks, ends, left] of [
    // 100 lots at 84, the worst price for a trigger at 80, hold 8.4.
    [{ lots: 100 }, 8.4, [[84, 100]], ['filled', 100, 8_400_000], 8.4],
    [
      { lots: 100 },
      8.4,
      [
        [81, 62],
        [84, 100],
      ],
      ['filled', 100, 5_022_000 + 3_192_000],
      8.214,
    ],
    // From an index of 120 the worst price is 126: 60 lots at 85 cost 5.1, and 3.3 pay for 38 lots at 86.
    [
      { lots: 100 },
      8.4,
      [
        [85, 60],
        [86, 100],
      ],
      ['balance', 98, 5_100_000 + 3_268_000],
      8.368,
    ],
    [{ spend: 8_400_000 }, 8.4, [[84, 200]], ['filled', 100, 8_400_000], 8.4],
    [{ spend: 8_450_000 }, 8.45, [[84, 200]], ['filled', 100, 8_400_000], 8.4],
    [
      { spend: 8_400_000 },
      8.4,
      [
        [81, 62],
        [84, 100],
      ],
      ['filled', 102, 5_022_000 + 3_360_000],
      8.382,
    ],
  ] as const) {
    const world = given(rich).prints(100)
    world.index(120)
    const { order } = world.market('alice', 'buy', { ...amount, trigger: { kind: 'stop', price: 80, ...falls } }).isAccepted()
    assert.equal(held(world, 'alice', 1), hold * 1e6)
    for (const [price, lots] of asks) world.sell('bob', price, lots).isAccepted()
    assert.deepEqual(ending(falling(world, 80), order), ends, JSON.stringify([amount, asks]))
    world.has('alice', 'USDT', (10_000 - left).toFixed(6)).isReplayable()
  }
})

test('SPOT-MARKET-005: a triggered sale by amount brings in no more than its amount and sells no more than it holds', () => {
  for (const [bids, ends, left] of [
    // At the worst price of 114 for a trigger at 120, 10 USDT need 87 lots; at 118 they need 84.
    [[[118, 200]], ['filled', 84, 9_912_000], '9.916'],
    [
      [
        [118, 50],
        [115, 200],
      ],
      ['filled', 85, 5_900_000 + 4_025_000],
      '9.915',
    ],
    [[[99, 200]], ['filled', 87, 8_613_000], '9.913'],
  ] as const) {
    const world = given(rich).prints(100)
    world.index(100)
    const { order } = world.market('alice', 'sell', { spend: 10_000_000, trigger: { kind: 'stop', price: 120, ...rises } }).isAccepted()
    assert.equal(held(world, 'alice', 2), 87 * 100_000)
    for (const [price, lots] of bids) world.buy('bob', price, lots).isAccepted()
    world.sell('maker', 120, 60).isAccepted()
    assert.deepEqual(ending(world.buy('taker', 120, 60), order), ends)
    world.has('alice', 'BTC', left).isReplayable()
  }
})
