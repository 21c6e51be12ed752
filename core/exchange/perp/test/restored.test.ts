import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '../../exchange.ts'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '5000' }

test('PERP-CORE-002: setting the leverage in a market where only an order was refused gives the same state after a restore', () => {
  const world = givenPerp(three)
  for (const symbol of ['BTCUSDTP2', 'BTCUSDTP3'])
    world.do({ type: 'perp.list', symbol, base: 2, quote: 1, tick: '1', lot: '0.001', terms: marketTerms, perp: perpTerms }).isAccepted()
  world.index(100)
  for (const market of [contract, 4]) {
    world.mode('alice', 'cross', market).isAccepted()
    world.sell('carol', 100, 1000, { market }).isAccepted()
    world.buy('alice', 100, 1000, { market }).isAccepted()
  }
  world.buy('alice', 100, 0, { market: 5 }).isRefused('QUANTITY_INVALID')
  world.index(100)
  world.index(100)
  const restored = Exchange.restore(world.exchange.dump())
  world.leverage('alice', 2, 5).isAccepted()
  const hash = world.exchange.hash()
  world.world.exchange = restored
  world.leverage('alice', 2, 5).isAccepted()
  assert.equal(restored.hash(), hash)
})

test('PERP-CORE-002: a restore does not activate a trailing order whose activation price was passed while nothing could trigger', () => {
  const world = givenPerp(three)
  world.sell('bob', 100, 1000).isAccepted()
  world.buy('alice', 100, 1000).isAccepted()
  const trigger = { kind: 'trailing', trailPpm: 10_000, activation: 103, direction: 'falls-to' }
  world.market('alice', 'sell', 1000, { trigger, triggerBy: 'mark', isReduceOnly: true }).isAccepted()
  world.buy('carol', 90, 5000).isAccepted()
  world.index(100, 2)
  world.passes(4000)
  world.index(104)
  assert.equal(world.exchange.marks()[0]!.phase, 'resuming')
  const dump = world.exchange.dump()
  assert.deepEqual(Buffer.from(Exchange.restore(dump).dump()), Buffer.from(dump))
  world.world.exchange = Exchange.restore(dump)
  world.passes(6000)
  assert.equal(world.index(101).of('order.triggered').length, 0)
})

test('PERP-CORE-002: resting and sleeping orders beside a position do the same after a restore: they hold margin, and end with it', () => {
  const world = givenPerp(three)
  world.sell('carol', 100, 1000).isAccepted()
  world.buy('alice', 100, 1000).isAccepted()
  const trigger = { kind: 'stop', price: 130, direction: 'rises-to' }
  const orders = [
    world.closes('alice', 'sell', 80, 'falls-to'),
    world.sell('alice', 120, 400, { isReduceOnly: true }),
    world.buy('alice', 130, 500, { trigger }),
    world.buy('alice', 90, 600),
  ].map((told) => told.isAccepted().order)
  world.buy('carol', 100, 1000).isAccepted()
  const restored = Exchange.restore(world.exchange.dump())
  const act = (): readonly unknown[] => {
    const told = world.market('alice', 'sell', 1000).isAccepted().traded('100×1000')
    const closed = told.of('order.closed').map(({ order }) => order)
    for (const order of orders.slice(2)) world.cancel('alice', order).isAccepted()
    return [closed, world.exchange.perpAccount(world.id('alice')), world.exchange.hash()]
  }
  const expected = act()
  assert.ok(orders.slice(0, 2).every((order) => (expected[0] as readonly number[]).includes(order)))
  world.world.exchange = restored
  assert.deepEqual(act(), expected)
})
