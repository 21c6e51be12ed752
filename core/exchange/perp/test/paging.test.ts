/** Liquidations of accounts with many orders: how much one command does, and what waits for the next. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { F, PRICE } from '../../../book/order-fields.ts'
import type { Lots, Ticks } from '../../../money/brand.ts'
import type { OrderId } from '../../../protocol/ids.ts'
import { POSITION_SHIFT, SELL } from '../../../protocol/codec/layout.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import { Exchange } from '../../exchange.ts'
import type { Told } from '../../test/world.ts'
import { cancelsMax } from '../liquidation/liquidate.ts'
import { dropSome, reasonNumber, UNFINISHED } from '../positions/close.ts'
import { flush } from '../positions/flush.ts'
import { rest, store } from '../positions/orders.ts'
import { openingValue } from '../rules/money.ts'
import { Alone } from './alone.ts'
import { givenPerp, marketTerms, perpTerms } from './world.ts'
import type { PerpWorld } from './world.ts'

const funds = { alice: '1000', bob: '9000', carol: '9000', dave: '1000' }

/** Orders that a command cancelled for liquidations. */
function cancelled(told: Told): number {
  return told.of('order.closed').filter(({ reason }) => reason === 'liquidation').length
}

function places(world: PerpWorld, name: string, count: number, more: object = {}): void {
  for (let n = 0; n < count; n++) world.buy(name, 80, 64, more).isAccepted()
}

/** Alice and dave are long 5,000 lots each at 100 with leverage 10, and each has 150 orders in the book. */
function crowded(): PerpWorld {
  const world = givenPerp(funds)
  world.sell('bob', 100, 10_000).isAccepted()
  for (const name of ['alice', 'dave']) {
    world.leverage(name, 10).isAccepted()
    world.buy(name, 100, 5000).isAccepted()
    places(world, name, 150)
  }
  world.buy('carol', 91, 10_000).isAccepted()
  return world
}

test('PERP-LIQUIDATION-008: one command cancels 200 orders, and reduces no position that still has orders', () => {
  const world = crowded()
  const first = world.index(92)
  assert.equal(cancelsMax, 200)
  assert.equal(cancelled(first), 200)
  assert.ok(first.of('perp.liquidated').length > 0)
  assert.ok(first.of('perp.liquidated').every(({ user }) => user === world.id('alice')))
  world.holds('dave', '5000@100')
  assert.equal(world.exchange.openOrders(world.id('dave')).length, 100)
  assert.equal(world.exchange.nextDueAtMs, world.world.atMs)
  world.isReplayable()
  // Meanwhile the account accepts no orders, but cancels are possible.
  world.sell('dave', 95, 5000, { isReduceOnly: true }).isRefused('POSITION_LIQUIDATING')
  world.buy('dave', 80, 64).isRefused('POSITION_LIQUIDATING')
  const [one] = world.exchange.openOrders(world.id('dave'))
  world.amend('dave', one!.order, { price: 79 }).isRefused('POSITION_LIQUIDATING')
  world.cancel('dave', one!.order).isAccepted()
  const second = world.tick()
  assert.equal(cancelled(second), 99)
  assert.ok(second.of('perp.liquidated').every(({ user }) => user === world.id('dave')))
  assert.ok(second.of('perp.liquidated').length > 0)
  world.isReplayable()
})

test('PERP-LIQUIDATION-008: all markets of a cross account are cleared before a position is reduced, page by page', () => {
  const world = givenPerp(funds)
  world.leverage('alice', 10).isAccepted()
  world.mode('alice', 'cross').isAccepted()
  world.sell('bob', 100, 50_000).isAccepted()
  world.buy('alice', 100, 50_000).isAccepted()
  const ether = { base: 3, quote: 1, tick: '1', lot: '0.001' }
  world.do({ type: 'market.list', symbol: 'ETHUSDT', ...ether, terms: marketTerms }).isAccepted()
  world.do({ type: 'perp.list', symbol: 'ETHUSDTPERP', ...ether, terms: marketTerms, perp: { ...perpTerms, index: 4 } }).isAccepted()
  const prices = (bitcoin: number): Told => {
    const price = (market: number, whole: number): object => ({ market, price: whole * 1e8, sources: 5, isGood: true })
    world.passes(250)
    return world.do({ type: 'index.tick', prices: [price(1, bitcoin), price(4, 100)] }).isAccepted()
  }
  prices(100)
  world.leverage('alice', 10, 5).isAccepted()
  world.mode('alice', 'cross', 5).isAccepted()
  places(world, 'alice', 199)
  places(world, 'alice', 200, { market: 5 })
  const stop = world.closes('alice', 'sell', 70, 'falls-to').isAccepted().order
  world.buy('carol', 81, 60_000).isAccepted()
  // 1,000 less a fee of 2.5 and a loss of 900 leaves less than 2.5 % of 4,100.
  const told = [prices(82)]
  while (world.exchange.nextDueAtMs <= world.world.atMs && told.length < 3) {
    assert.equal(Exchange.restore(world.exchange.dump()).hash(), world.exchange.hash())
    told.push(world.tick())
  }
  assert.deepEqual(told.map(cancelled), [200, 199])
  assert.deepEqual(
    told.map((one) => one.of('perp.liquidated').length > 0),
    [false, true],
  )
  // Stops stay.
  assert.deepEqual(
    world.exchange.openOrders(world.id('alice')).map(({ order }) => order),
    [stop],
  )
  world.isReplayable()
})

test('PERP-LIQUIDATION-008: an account that recovers before its turn keeps the orders that are left', () => {
  const world = crowded()
  world.index(92)
  assert.equal(world.exchange.openOrders(world.id('dave')).length, 100)
  world.index(100)
  world.buy('dave', 80, 64).isAccepted()
  assert.equal(world.exchange.openOrders(world.id('dave')).length, 101)
  world.holds('dave', '5000@100').isReplayable()
})

test('PERP-LIQUIDATION-008: a page cancels no more than it may, and orders that could close are sorted once for all of them', () => {
  const alone = new Alone()
  const { x } = alone
  const holding = alone.opens(1, 10, 100, 500)
  alone.pays(1, 1_000_000)
  const flags = (SELL | (1 << POSITION_SHIFT)) as OrderFlags
  for (let n = 1; n <= 40; n++) {
    // Neither sorted by price nor by age.
    rest(x, holding, store(x, holding, (1000 + n) as OrderId, flags, (110 + ((n * 7) % 40)) as Ticks, 1 as Lots))
  }
  flush(x)
  const kept = holding.byPrice[1]
  assert.equal(kept?.length, 40)
  /** The value that the orders would open, if the cheapest ten close the position. */
  const opened = (): number =>
    x.orders
      .slots()
      .map((slot) => x.orders.f[slot * F + PRICE]!)
      .sort((a, b) => a - b)
      .slice(10)
      .reduce((sum, price) => sum + price, 0)
  assert.equal(openingValue(x, holding, 1, 0 as Lots, 0 as Ticks), opened())
  for (const [most, left] of [
    [15, 25],
    [14, 11],
  ] as const) {
    assert.equal(dropSome(x, holding, reasonNumber('liquidation'), most), UNFINISHED)
    assert.equal(x.orders.count, left)
    assert.equal(openingValue(x, holding, 1, 0 as Lots, 0 as Ticks), opened())
    assert.equal(holding.byPrice[1], kept)
  }
  assert.equal(dropSome(x, holding, reasonNumber('liquidation'), 11), 11)
  assert.deepEqual([x.orders.count, holding.slots.size], [0, 0])
})
