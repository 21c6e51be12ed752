/** Refusals of orders with several prices, at the last value that passes and the first that does not. */
import type { UserId } from '../../protocol/ids.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given, start, type Told, type World } from './world.ts'

const falls = { direction: 'falls-to' } as const
const rises = { direction: 'rises-to' } as const
const tooLarge = 2 ** 31
const rich = { alice: { BTC: '10', USDT: '10000' }, bob: { BTC: '10', USDT: '10000' } } as const
const pair = { lots: 100, limitPrice: 110, stopPrice: 90 }

const levels = (told: Told): readonly string[] =>
  told.of('book.level').map(({ update, side, price, lots }) => `${update}: ${side} ${price}×${lots}`)

/** Cancels everything that a user has open. */
function clear(world: World, name: string): void {
  for (const { order } of [...world.open(name)])
    if (world.open(name).some((one) => one.order === order)) world.cancel(name, order).isAccepted()
}

test('SPOT-OCO-003: a list needs an unfrozen user, a known market and valid prices', () => {
  const world = given(rich).prints(100)
  world.oco('alice', { ...pair, market: 9 }).isRefused('MARKET_UNKNOWN')
  world.oco('alice', { ...pair, stopLimit: 0 }).isRefused('PRICE_INVALID')
  world.oco('alice', { ...pair, stopLimit: tooLarge }).isRefused('PRICE_INVALID')
  world.do({ type: 'user.set', user: world.user('alice'), isFrozen: true }).isAccepted()
  world.oco('alice', pair).isRefused('USER_FROZEN')
})

test('SPOT-OCO-003: gain and stop lie on either side of the last price, for a buy and for a sell', () => {
  const world = given(rich).prints(100)
  for (const [side, limitPrice, stopPrice, refusal] of [
    ['sell', 100, 90, 'OCO_PRICES_INVALID'],
    ['sell', 101, 100, 'OCO_PRICES_INVALID'],
    ['sell', 90, 110, 'OCO_PRICES_INVALID'],
    ['sell', 101, 99, undefined],
    ['buy', 100, 110, 'OCO_PRICES_INVALID'],
    ['buy', 99, 100, 'OCO_PRICES_INVALID'],
    ['buy', 110, 90, 'OCO_PRICES_INVALID'],
    ['buy', 101, 110, 'OCO_PRICES_INVALID'],
    ['buy', 90, 99, 'OCO_PRICES_INVALID'],
    ['buy', 99, 101, undefined],
  ] as const) {
    const told = world.oco('alice', { side, lots: 100, limitPrice, stopPrice })
    assert.equal(told.outcome.refusal, refusal, `${side} ${limitPrice} ${stopPrice}`)
    clear(world, 'alice')
  }
})

test('SPOT-OCO-001: both legs must be worth enough at their own prices', () => {
  const world = given(rich).prints(100)
  // A sell of 60 lots brings 6.6 at 110, but at the stop's worst price of 76 only 4.56: less than 5.
  world.oco('alice', { lots: 60, limitPrice: 110, stopPrice: 80 }).isRefused('NOTIONAL_TOO_SMALL')
  world.oco('alice', { lots: 66, limitPrice: 110, stopPrice: 80 }).isAccepted()
  // A buy of 60 lots costs 4.8 at 80, and 6.9 at the stop's worst price.
  world.oco('alice', { side: 'buy', lots: 60, limitPrice: 80, stopPrice: 110 }).isRefused('NOTIONAL_TOO_SMALL')
  world.oco('alice', { side: 'buy', lots: 63, limitPrice: 80, stopPrice: 110 }).isAccepted()
})

test('SPOT-OCO-005: the edges of a sleeping leg’s band pass, and one tick beyond they do not', () => {
  const world = given(rich).prints(100)
  const legs = { lots: 100, limitTrigger: 110, limitPrice: 110, stopPrice: 90, stopLimit: 90 }
  for (const [change, refusal] of [
    [{ limitPrice: 88 }, undefined],
    [{ limitPrice: 87 }, 'PRICE_OUTSIDE_BAND'],
    [{ limitPrice: 132 }, undefined],
    [{ limitPrice: 133 }, 'PRICE_OUTSIDE_BAND'],
    [{ stopLimit: 72 }, undefined],
    [{ stopLimit: 71 }, 'PRICE_OUTSIDE_BAND'],
    [{ stopLimit: 108 }, undefined],
    [{ stopLimit: 109 }, 'PRICE_OUTSIDE_BAND'],
  ] as const) {
    const told = world.oco('alice', { ...legs, ...change })
    assert.equal(told.outcome.refusal, refusal, JSON.stringify(change))
    clear(world, 'alice')
  }
})

test('SPOT-OCO-003: the limit leg never takes, and both legs count as open orders', () => {
  const world = given(rich, { openOrdersMax: 3 }).prints(100)
  const bid = world.buy('bob', 105, 100).isAccepted().order
  world.oco('alice', { ...pair, limitPrice: 104 }).isRefused('POST_ONLY_WOULD_TAKE')
  world.oco('alice', { ...pair, limitPrice: 105 }).isRefused('POST_ONLY_WOULD_TAKE')
  world.cancel('bob', bid).isAccepted()
  world.buy('alice', 95, 100).isAccepted()
  world.buy('alice', 94, 100).isAccepted()
  world.oco('alice', pair).isRefused('TOO_MANY_OPEN_ORDERS')
  world.cancel('alice', world.open('alice')[0]!.order).isAccepted()
  world.atMs += 50
  const told = world.oco('alice', pair).isAccepted()
  assert.deepEqual(levels(told), [`${told.of('book.level')[0]!.update}: sell 110×100`])
  for (const order of world.open('alice').filter(({ side }) => side === 'sell'))
    assert.deepEqual([order.updatedAt, order.executedLots], [start + 50, 0])
})

test('SPOT-OCO-001: legs begin unfilled in memory that a partly filled order has left', () => {
  const world = given(rich).prints(100)
  for (const sleeping of [{}, { limitTrigger: 110 }]) {
    const orders = [1, 2].map(() => world.sell('alice', 101, 300).isAccepted().order)
    world.buy('bob', 101, 400).isAccepted()
    world.cancel('alice', orders[1]!).isAccepted()
    world.oco('alice', { ...pair, ...sleeping }).isAccepted()
    for (const order of world.open('alice')) assert.deepEqual([order.lots, order.executedLots], [100, 0])
    clear(world, 'alice')
  }
})

test('SPOT-ONCE-004: client ids of legs are new, differ from each other and from the list, and fit', () => {
  const world = given(rich).prints(100)
  const [name30, name36] = ['n'.repeat(30), 'n'.repeat(36)]
  world.buy('alice', 95, 100, { clientId: 'used' }).isAccepted()
  const placed = (ids: object): Refusal | undefined => world.oco('alice', { ...pair, ...ids }).outcome.refusal
  for (const [ids, refusal] of [
    [{ clientId: 'o'.repeat(31) }, 'CLIENT_ID_INVALID'],
    [{ clientId: 'p'.repeat(31), limitClientId: 'a1' }, 'CLIENT_ID_INVALID'],
    [{ clientId: 'q'.repeat(31), stopClientId: 'a2' }, 'CLIENT_ID_INVALID'],
    [{ clientId: name30 }, undefined],
    [{ clientId: name36, limitClientId: 'a3', stopClientId: 'a4' }, undefined],
    [{ clientId: 'list1', limitClientId: 'list1' }, 'CLIENT_ID_REUSED'],
    [{ clientId: 'list2', stopClientId: 'list2' }, 'CLIENT_ID_REUSED'],
    [{ clientId: 'list3', limitClientId: 'used' }, 'CLIENT_ID_REUSED'],
    [{ clientId: 'list4', stopClientId: 'used' }, 'CLIENT_ID_REUSED'],
    [{ clientId: 'list5', limitClientId: 'same', stopClientId: 'same' }, 'CLIENT_ID_REUSED'],
    [{ clientId: 'list6', limitClientId: 'same1', stopClientId: 'same2' }, undefined],
    [{ stopClientId: 'only-stop' }, undefined],
    [{ limitClientId: 'only-limit' }, undefined],
    [{}, undefined],
    [{}, undefined],
  ] as const)
    assert.equal(placed(ids), refusal, JSON.stringify(ids))
  assert.deepEqual(
    world.open('alice').map(({ clientId }) => clientId),
    ['used', `${name30}-limit`, `${name30}-stop`, 'a3', 'a4', 'same1', 'same2', '', 'only-stop', 'only-limit', '', '', '', '', ''],
  )
  for (const clientId of ['only-stop', 'only-limit', 'same2']) world.buy('alice', 95, 100, { clientId }).isRefused('CLIENT_ID_REUSED')
  world.isReplayable()
})

test('SPOT-STOP-002: the price of a sleeping limit order lies within the band around its trigger', () => {
  const world = given(rich).prints(100)
  for (const [price, refusal] of [
    [0, 'PRICE_INVALID'],
    [tooLarge, 'PRICE_INVALID'],
    [87, 'PRICE_OUTSIDE_BAND'],
    [88, undefined],
    [132, undefined],
    [133, 'PRICE_OUTSIDE_BAND'],
  ] as const) {
    const told = world.buy('alice', price, 100, { trigger: { kind: 'stop', price: 110, ...rises } })
    assert.equal(told.outcome.refusal, refusal, `${price}`)
  }
})

test('SPOT-STOP-002: a sleeping order needs a last price to trail, a valid activation, room and enough to sell', () => {
  const world = given(rich, { openOrdersMax: 2, lotsMin: 60 })
  const trails = { kind: 'trailing', trailPpm: 50_000, ...falls }
  world.sell('alice', 100, 100, { trigger: { ...trails, activation: 100 } }).isRefused('NO_REFERENCE_PRICE')
  world.prints(100)
  for (const activation of [0, tooLarge]) world.sell('alice', 100, 100, { trigger: { ...trails, activation } }).isRefused('TRIGGER_INVALID')
  // At its worst price of 95 an amount of 5.6 needs 58 lots, and one of 5.7 needs 60.
  const stop = { kind: 'stop', price: 99, ...falls }
  world.market('alice', 'sell', { spend: 5_600_000, trigger: stop }).isRefused('QUANTITY_TOO_SMALL')
  world.market('alice', 'sell', { spend: 5_700_000, trigger: stop }).isAccepted()
  world.sell('alice', 100, 100, { trigger: trails }).isAccepted()
  world.sell('alice', 100, 100, { trigger: trails }).isRefused('TOO_MANY_OPEN_ORDERS')
})

test('SPOT-STOP-003: a trailing market buy holds its worst price, counted from where it starts to follow', () => {
  const world = given(rich).prints(100)
  const holds = (trigger: object): number => {
    const { order } = world.market('alice', 'buy', { lots: 1000, trigger: { kind: 'trailing', ...rises, ...trigger } }).isAccepted()
    const balance = world.exchange.balances(world.user('alice') as UserId).find(({ account }) => account.asset === 1)!
    world.cancel('alice', order).isAccepted()
    return balance.held / 1e6
  }
  // One lot at one tick is 0.001 USDT, and market orders trade up to 5 % beyond their trigger, in whole ticks.
  assert.equal(holds({ trailPpm: 100_000 }), 115, 'the last price of 100 plus 10 %, plus 5 %')
  assert.equal(holds({ trailPpm: 200_000 }), 126)
  assert.equal(holds({ trailPpm: 100_000, activation: 90 }), 103, 'from its activation at 90')
  assert.equal(holds({ trailPpm: 1000 }), 106, 'the trigger at 100.1 counts as 101')
})

test('SPOT-ICEBERG-001: a stop that shows a part still shows only that part when it rests', () => {
  const world = given(rich).prints(100)
  world.sell('alice', 99, 500, { display: 100, trigger: { kind: 'stop', price: 95, ...falls } }).isAccepted()
  world.prints(95)
  world.shows([], ['99×100'])
  world.buy('bob', 99, 150).isAccepted().traded('99×100', '99×50')
  world.shows([], ['99×50'])
})

test('SPOT-AMEND-003: an amend with an invalid price or quantity is refused, whether or not the order exists', () => {
  const world = given(rich).prints(100)
  const { order } = world.sell('alice', 110, 300)
  for (const number of [order, order + 50]) {
    world.amend('alice', number, { market: 9, lots: 100 }).isRefused('MARKET_UNKNOWN')
    world.amend('alice', number, { price: 0 }).isRefused('PRICE_INVALID')
    world.amend('alice', number, { price: tooLarge }).isRefused('PRICE_INVALID')
    world.amend('alice', number, { lots: 0 }).isRefused('QUANTITY_INVALID')
  }
  world.amend('alice', order + 50, { price: 111 }).isRefused('ORDER_UNKNOWN')
  world.amend('alice', order, { price: 121 }).isRefused('PRICE_OUTSIDE_BAND')
  world.atMs += 30
  assert.deepEqual(
    levels(world.amend('alice', order, { lots: 200 }).isAccepted()).map((text) => text.slice(3)),
    ['sell 110×200'],
  )
  assert.equal(world.open('alice')[0]!.updatedAt, start + 30)
  world.atMs += 30
  world.amend('alice', order, { price: 120 }).isAccepted()
  assert.equal(world.open('alice')[0]!.updatedAt, start + 60)
  // The band is asked only about a new price: an order that it has left behind may become smaller.
  for (let n = 0; n < 12; n++) {
    world.atMs += 60_000
    world.prints(85)
  }
  world.sell('alice', 120, 100).isRefused('PRICE_OUTSIDE_BAND')
  world.amend('alice', order, { lots: 150 }).isAccepted()
})

test('MARKET-DEPTH-001: cancels, amends and lists number the changes of levels without a gap', () => {
  const world = given(rich).prints(100)
  const updates: number[] = []
  const see = (told: Told): Told => {
    updates.push(
      ...told
        .isAccepted()
        .of('book.level')
        .map(({ update }) => update),
    )
    return told
  }
  const { order } = see(world.sell('alice', 110, 300))
  see(world.amend('alice', order, { lots: 200 }))
  see(world.amend('alice', order, { lots: 250 }))
  see(world.amend('alice', order, { price: 111 }))
  see(world.cancel('alice', order))
  const list = see(world.oco('alice', pair)).order
  see(world.cancel('alice', list + 2))
  assert.ok(updates.length >= 7)
  assert.deepEqual(
    updates,
    updates.map((_, n) => updates[0]! + n),
  )
})
