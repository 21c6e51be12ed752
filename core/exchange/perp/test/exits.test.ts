import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenOrder } from '../../../protocol/port.ts'
import type { Told } from '../../test/world.ts'
import { contract, givenPerp } from './world.ts'
import type { PerpWorld } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '5000' }
const both = (takeProfit: number, stopLoss: number, by = 'last'): object => ({
  exits: { takeProfit: { price: takeProfit, by }, stopLoss: { price: stopLoss, by } },
})

/** Sleeping orders that close the position, as "direction price of order", where 0 is the user. */
function exits(world: PerpWorld, name: string): string[] {
  return closing(world, name).map(
    ({ trigger, list }) => `${trigger?.direction} ${trigger?.kind === 'stop' ? trigger.price : ''} of ${list}`,
  )
}

function closing(world: PerpWorld, name: string): readonly OpenOrder[] {
  return world.world.open(name).filter(({ perp }) => perp?.isClosing === true)
}

function placed(told: Told): number[] {
  return told.of('order.accepted').flatMap(({ order, list }) => (list === 0 ? [] : [order]))
}

test('PERP-EXITS-001: exits are placed with the first fill that opens a position, and later fills of the order add none', () => {
  const world = givenPerp(three)
  const order = world.buy('alice', 98, 1000, both(110, 96)).isAccepted().order
  const carried = { takeProfit: { price: 110, by: 'last' }, stopLoss: { price: 96, by: 'last' } }
  assert.deepEqual([world.world.open('alice')[0]?.perp?.exits, world.world.open('alice').length], [carried, 1])
  world.isReplayable()
  const told = world.sell('bob', 98, 400).isAccepted().traded('98×400')
  assert.equal(placed(told).length, 2)
  assert.deepEqual(exits(world, 'alice'), [`rises-to 110 of ${order}`, `falls-to 96 of ${order}`])
  assert.deepEqual(placed(world.sell('bob', 98, 600).isAccepted().traded('98×600')), [])
  assert.equal(world.world.open('alice').length, 2)
  world.holds('alice', '1000@98').isReplayable()
  // An exit closes the whole position, and the other exit ends with it.
  world.buy('carol', 95, 2000).isAccepted()
  const loss = closing(world, 'alice')[1]!.order
  world.buy('carol', 96, 100).isAccepted()
  world
    .sell('bob', 96, 100)
    .isAccepted()
    .closed(loss, 'filled')
    .closed(closingOf(world, 'alice', told), 'position-closed')
  world.holds('alice', '').isReplayable()
})

function closingOf(world: PerpWorld, name: string, told: Told): number {
  assert.deepEqual(closing(world, name), [])
  return placed(told)[0]!
}

test('PERP-EXITS-001: exits follow the last trade or the mark, as given, for orders that take at once, trigger later, or sell', () => {
  const world = givenPerp(three)
  world.sell('carol', 100, 1000)
  const taken = world.market('alice', 'buy', 500, both(104, 96, 'mark')).isAccepted()
  assert.deepEqual(exits(world, 'alice'), [`rises-to 104 of ${taken.order}`, `falls-to 96 of ${taken.order}`])
  const trigger = { kind: 'stop', price: 97, direction: 'falls-to' }
  const asleep = world.sell('bob', 96, 300, { trigger, triggerBy: 'mark', ...both(90, 101, 'mark') }).isAccepted().order
  world.isReplayable()
  world.buy('carol', 96, 300)
  // The book is above the index.
  world.index(97)
  world.index(96)
  assert.deepEqual(exits(world, 'bob'), [`falls-to 90 of ${asleep}`, `rises-to 101 of ${asleep}`])
  world.holds('bob', '-300@96').isReplayable()
})

test('PERP-EXITS-002: an order that ends unfilled leaves no exits, and a fill that only reduces places none', () => {
  const world = givenPerp(three)
  const order = world.buy('alice', 98, 1000, both(110, 90)).isAccepted().order
  world.cancel('alice', order).isAccepted()
  const killed = world.buy('alice', 98, 1000, { timeInForce: 'IOC', ...both(110, 90) }).isAccepted()
  killed.closed(killed.order, 'ioc')
  assert.deepEqual(world.world.open('alice'), [])
  world.buy('carol', 99, 1000)
  world.sell('alice', 99, 1000).isAccepted()
  // A fill that buys back a short position opens nothing.
  world.sell('bob', 98, 600)
  world.buy('alice', 98, 600, both(110, 90)).isAccepted().traded('98×600')
  world.holds('alice', '-400@99')
  assert.deepEqual(world.world.open('alice'), [])
  // A fill that reverses the position opens one.
  world.sell('bob', 98, 600)
  const turned = world.buy('alice', 98, 600, both(110, 90)).isAccepted().order
  world.holds('alice', '200@98')
  assert.equal(exits(world, 'alice').length, 2)
  assert.equal(exits(world, 'alice')[0], `rises-to 110 of ${turned}`)
  world.isReplayable()
})

test('PERP-EXITS-003: for each kind of exit the newest order prevails, and older exits close with `replaced`', () => {
  const world = givenPerp(three)
  const older = world.buy('alice', 97, 500, both(115, 85)).isAccepted().order
  const newer = world.buy('alice', 98, 500, { exits: { stopLoss: { price: 91, by: 'last' } } }).isAccepted().order
  world.sell('bob', 98, 500).isAccepted()
  assert.deepEqual(exits(world, 'alice'), [`falls-to 91 of ${newer}`])
  // The older order's stop loss is not placed, because the newer order has one; its take profit is the only one.
  world.sell('bob', 97, 500).isAccepted()
  assert.deepEqual(exits(world, 'alice').sort(), [`falls-to 91 of ${newer}`, `rises-to 115 of ${older}`])
  const [loss] = closing(world, 'alice').filter(({ trigger }) => trigger?.direction === 'falls-to')
  const own = world.closes('alice', 'sell', 120, 'rises-to').isAccepted().order
  const last = world.buy('alice', 98, 200, { exits: { stopLoss: { price: 94, by: 'mark' } } }).isAccepted().order
  const told = world.sell('bob', 98, 200).isAccepted()
  told.closed(loss!.order, 'replaced')
  assert.deepEqual(exits(world, 'alice').sort(), [`falls-to 94 of ${last}`, `rises-to 115 of ${older}`, 'rises-to 120 of 0'])
  // An exit that the user places is newer than those of orders placed before it.
  const rests = world.buy('alice', 96, 200, both(110, 90)).isAccepted().order
  world.closes('alice', 'sell', 80, 'falls-to').isAccepted()
  const filled = world.sell('bob', 96, 200).isAccepted()
  filled.closed(own, 'replaced')
  assert.deepEqual(exits(world, 'alice').sort(), ['falls-to 80 of 0', `falls-to 94 of ${last}`, `rises-to 110 of ${rests}`])
  world.isReplayable()
})

test('PERP-EXITS-004: an exit whose trigger has already been passed when it is placed acts at once', () => {
  const world = givenPerp(three)
  world.buy('carol', 96, 5000)
  world.buy('alice', 98, 500, { exits: { stopLoss: { price: 97, by: 'last' } } }).isAccepted()
  const told = world.sell('bob', 96, 600).isAccepted().traded('98×500', '96×100', '96×500')
  assert.deepEqual(
    told.of('order.triggered').map(({ order }) => order),
    placed(told),
  )
  world.holds('alice', '').isReplayable()
})

test('PERP-EXITS-004: an exit whose trigger is just reached when it is placed acts at once, above and below the price', () => {
  for (const [side, own, exit, beyond] of [
    ['buy', 98, 97, 96],
    ['sell', 102, 103, 104],
  ] as const) {
    const world = givenPerp(three)
    const other = side === 'buy' ? 'sell' : 'buy'
    world.place('alice', { side, price: own, lots: 500, exits: { stopLoss: { price: exit, by: 'last' } } }).isAccepted()
    world.place('carol', { side, price: exit, lots: 100 }).isAccepted()
    world.place('carol', { side, price: beyond, lots: 5000 }).isAccepted()
    const told = world.place('bob', { side: other, price: exit, lots: 600 }).isAccepted()
    told.traded(`${own}×500`, `${exit}×100`, `${beyond}×500`)
    assert.deepEqual(
      told.of('order.triggered').map(({ order }) => order),
      placed(told),
    )
    world.holds('alice', '').isReplayable()
  }
})

test('PERP-EXITS-004: an exit by the mark acts at once when it is placed with the mark at its trigger', () => {
  for (const [side, own, exit, beyond] of [
    ['buy', 98, 97, 95],
    ['sell', 102, 103, 105],
  ] as const) {
    const world = givenPerp(three)
    const other = side === 'buy' ? 'sell' : 'buy'
    world.place('alice', { side, price: own, lots: 500, exits: { stopLoss: { price: exit, by: 'mark' } } }).isAccepted()
    world.place('carol', { side, price: beyond, lots: 5000 }).isAccepted()
    world.index(exit)
    assert.equal(world.mark(), exit)
    const told = world.place('bob', { side: other, price: own, lots: 500 }).isAccepted()
    told.traded(`${own}×500`, `${beyond}×500`)
    assert.equal(told.of('order.triggered').length, 1)
    world.holds('alice', '').isReplayable()
  }
})

test('PERP-EXITS-005: take profit and stop loss lie on opposite sides of the order’s price, and only orders that may open carry them', () => {
  const world = givenPerp(three)
  world.sell('carol', 100, 1000)
  world.buy('alice', 98, 1000, both(98, 90)).isRefused('TRIGGER_IMMEDIATE')
  world.buy('alice', 98, 1000, both(110, 98)).isRefused('TRIGGER_IMMEDIATE')
  world.sell('alice', 103, 1000, both(110, 90)).isRefused('TRIGGER_IMMEDIATE')
  world.market('alice', 'buy', 500, both(110, 100, 'mark')).isRefused('TRIGGER_IMMEDIATE')
  world.buy('alice', 98, 1000, both(0, 90)).isRefused('TRIGGER_INVALID')
  world.buy('alice', 98, 1000, { exits: {} }).isRefused('ORDER_TYPE_INVALID')
  world.market('alice', 'buy', 1000).isAccepted()
  world.sell('alice', 103, 500, { isReduceOnly: true, ...both(90, 110) }).isRefused('ORDER_TYPE_INVALID')
  world.closes('alice', 'sell', 90, 'falls-to', both(90, 110)).isRefused('ORDER_TYPE_INVALID')
  const order = world.buy('alice', 98, 100, both(102, 95)).isAccepted().order
  world.amend('alice', order, { price: 95 }).isRefused('TRIGGER_IMMEDIATE')
  // TRIGGER_IMMEDIATE comes before other refusals of the price.
  world.amend('alice', order, { price: 200 }).isRefused('TRIGGER_IMMEDIATE')
  world.buy('alice', 200, 100, both(102, 95)).isRefused('TRIGGER_IMMEDIATE')
  world.buy('alice', 0, 100, { exits: {} }).isRefused('ORDER_TYPE_INVALID')
  const trigger = { kind: 'stop', price: 104, direction: 'rises-to' }
  world.buy('alice', 0, 100, { trigger, exits: {} }).isRefused('ORDER_TYPE_INVALID')
  world.amend('alice', order, { price: 96 }).isAccepted()
  assert.equal(world.world.open('alice')[0]?.perp?.exits?.stopLoss?.price, 95)
  world.isReplayable()
})

test('PERP-EXITS-001: in hedge mode each position has its own exits, which end when a liquidation closes it', () => {
  const world = givenPerp({ ...three, alice: '60' })
  world.hedge('alice', true).isAccepted()
  world.leverage('alice', 10).isAccepted()
  world.sell('carol', 100, 1000)
  const long = world.buy('alice', 100, 1000, { position: 'long', ...both(120, 80, 'mark') }).isAccepted().order
  world.buy('carol', 99, 1000)
  const short = world.sell('alice', 99, 1000, { position: 'short', ...both(80, 120, 'mark') }).isAccepted().order
  assert.deepEqual(exits(world, 'alice'), [
    `rises-to 120 of ${long}`,
    `falls-to 80 of ${long}`,
    `falls-to 80 of ${short}`,
    `rises-to 120 of ${short}`,
  ])
  world.buy('carol', 91, 3000)
  const steps = [92, 91, 90, 88, 86, 84, 82].flatMap((price) => world.index(price).of('perp.liquidated'))
  assert.ok(steps.length > 0)
  assert.deepEqual(
    closing(world, 'alice').filter(({ perp }) => perp?.position === 'long'),
    [],
  )
  assert.equal(closing(world, 'alice')[0]?.market, contract)
  world.isReplayable()
})
