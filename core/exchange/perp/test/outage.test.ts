import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Told } from '../../test/world.ts'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import type { PerpWorld } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '50000' }
const ether = 5
const spotOfEther = 4

/** Lists a second perpetual contract, on ETH, at 50. */
function withEther(world: PerpWorld): PerpWorld {
  const made = { base: 3, quote: 1, tick: '1', lot: '0.001' }
  world.do({ type: 'market.list', symbol: 'ETHUSDT', ...made, terms: marketTerms }).isAccepted()
  const perp = { ...perpTerms, index: spotOfEther }
  world.do({ type: 'perp.list', symbol: 'ETHUSDTPERP', ...made, terms: marketTerms, perp }).isAccepted()
  both(world, 100, 50)
  return world
}

/** An index tick with both coins; with two sources the index of `coin` is not good. */
function both(world: PerpWorld, bitcoin: number, coin: number, sources = 5): Told {
  world.passes(250)
  const prices = [
    { market: 1, price: bitcoin * 1e8, sources: 5, isGood: true },
    { market: spotOfEther, price: coin * 1e8, sources, isGood: sources > 2 },
  ]
  return world.do({ type: 'index.tick', prices }).isAccepted()
}

function halts(world: PerpWorld, isTrading: boolean): Told {
  const { perp, terms } = world.exchange.listing().markets.find(({ id }) => id === contract)!
  return world.do({ type: 'perp.set', market: contract, terms: { ...terms, isTrading }, perp }).isAccepted()
}

function phase(world: PerpWorld): string {
  return world.exchange.marks()[0]!.phase
}

/** The index is lost for four seconds and returns at a price; from then on the market takes only cancels and resting orders. */
function returnsAt(world: PerpWorld, price: number): Told {
  world.index(100, 2)
  return world.passes(4000).index(price)
}

test('PERP-OUTAGE-001: while the index is not good, openings are refused, so nobody opens at a mark that stands still', () => {
  const world = givenPerp({ ...three, alice: '50000' }).insures('5000')
  for (const name of ['alice', 'carol']) world.leverage(name, 10).isAccepted()
  world.buy('bob', 80, 400_000, { timeInForce: 'IOC' })
  world.index(80, 2)
  assert.equal(world.mark(), 100)
  // Two accounts of one attacker would trade with each other at 100, knowing that the price is 80.
  world.sell('carol', 100, 400_000).isRefused('NO_INDEX_PRICE')
  world.buy('alice', 100, 400_000).isRefused('NO_INDEX_PRICE')
  world.buy('alice', 100, 1000, { timeInForce: 'IOC' }).isRefused('NO_INDEX_PRICE')
  world.market('alice', 'buy', 1000).isRefused('NO_LIQUIDITY')
  const trigger = { kind: 'stop', price: 110, direction: 'rises-to' }
  world.buy('alice', 110, 1000, { trigger, triggerBy: 'mark' }).isRefused('NO_INDEX_PRICE')
  for (const price of [80, 80, 80]) world.index(price)
  assert.equal(world.insurance(), 5_000_000_000)
  world.isReplayable()
})

test('PERP-OUTAGE-002: while a market does not match, orders keep their places, cancels and margin are accepted, and reduce-only orders may rest', () => {
  const world = givenPerp(three)
  world.leverage('alice', 10).isAccepted()
  world.sell('carol', 100, 1000).isAccepted()
  world.buy('alice', 100, 1000).isAccepted()
  const first = world.buy('carol', 98, 500).isAccepted().order
  world.buy('bob', 98, 500).isAccepted()
  const asked = world.sell('carol', 103, 500).isAccepted().order
  world.index(100, 2)
  world.adjust('alice', '50').isAccepted()
  world.adjust('alice', '-1').isRefused('AMOUNT_BOUND')
  world.cancel('carol', asked).isAccepted()
  world.amend('carol', first, { lots: 400 }).isAccepted()
  world.amend('carol', first, { price: 99 }).isRefused('NO_INDEX_PRICE')
  world.sell('alice', 98, 1000, { isReduceOnly: true }).isRefused('NO_INDEX_PRICE')
  world.market('alice', 'sell', 1000, { isReduceOnly: true }).isRefused('NO_INDEX_PRICE')
  world.closes('alice', 'sell', 97, 'falls-to', { triggerBy: 'mark' }).isAccepted()
  const resting = world.sell('alice', 102, 600, { isReduceOnly: true }).isAccepted().order
  world.amend('alice', resting, { price: 101 }).isAccepted()
  world.amend('alice', resting, { price: 98 }).isRefused('NO_INDEX_PRICE')
  world.isReplayable()
  world.index(100)
  world.sell('alice', 98, 400, { isReduceOnly: true }).isAccepted().traded('98×400')
  world.isReplayable()
})

test('PERP-OUTAGE-003: after 30 s orders that could open are cancelled, 500 per command, and reduce-only orders match again', () => {
  const world = givenPerp({ ...three, dave: '100000', erin: '100000' }, {}, { openOrdersMax: 1000 })
  world.sell('carol', 100, 2000).isAccepted()
  world.buy('alice', 100, 1000).isAccepted()
  world.buy('bob', 100, 1000).isAccepted()
  for (let n = 0; n < 300; n++) {
    world.buy('dave', 95, 100).isAccepted()
    world.buy('erin', 94, 100).isAccepted()
  }
  const reducing = world.buy('carol', 99, 1000, { isReduceOnly: true }).isAccepted().order
  const sleeping = world.buy('dave', 110, 100, { trigger: { kind: 'stop', price: 110, direction: 'rises-to' } }).isAccepted().order
  world.index(100, 2)
  world.passes(29_000).tick()
  assert.equal(phase(world), 'bad')
  world.passes(1000)
  const first = world.tick()
  assert.deepEqual([phase(world), first.of('order.closed').length], ['reducing', 500])
  assert.ok(first.of('order.closed').every(({ reason }) => reason === 'no-index'))
  assert.ok(world.exchange.nextDueAtMs <= world.world.atMs)
  world.sell('alice', 99, 500, { isReduceOnly: true }).isRefused('NO_INDEX_PRICE')
  world.isReplayable()
  assert.equal(world.tick().of('order.closed').length, 100)
  assert.ok(world.world.open('carol').some(({ order }) => order === reducing))
  assert.ok(world.world.open('dave').some(({ order }) => order === sleeping))
  // Reduce-only orders trade with each other within the band around the last good mark.
  world.sell('alice', 60, 500, { isReduceOnly: true }).isRefused('PRICE_OUTSIDE_BAND')
  world.sell('alice', 99, 500).isRefused('NO_INDEX_PRICE')
  world.sell('alice', 99, 500, { isReduceOnly: true }).isAccepted().traded('99×500')
  world.market('bob', 'sell', 300, { isReduceOnly: true }).isAccepted().traded('99×300')
  world.isReplayable()
})

test('PERP-OUTAGE-004: an outage under 3 s ends at once; after a longer one come 5 s of cancels, then matching, and 5 s later liquidations', () => {
  const world = givenPerp(three)
  world.leverage('alice', 10).isAccepted()
  world.sell('carol', 100, 10_000).isAccepted()
  const stop = (): number => world.closes('alice', 'sell', 95, 'falls-to', { triggerBy: 'mark' }).isAccepted().order
  world.buy('alice', 100, 5000).isAccepted()
  world.index(100, 2)
  world.passes(2500).index(100)
  assert.equal(phase(world), 'open')
  const order = stop()
  // The index returns at 92, which triggers the stop and would liquidate the position.
  const back = returnsAt(world, 92)
  assert.deepEqual(
    back.of('perp.phase').map((event) => event.phase),
    ['resuming'],
  )
  assert.deepEqual([phase(world), world.mark(), back.of('order.triggered').length], ['resuming', 92, 0])
  world.market('bob', 'buy', 100).isRefused('MARKET_HALTED')
  world.buy('bob', 60, 100).isRefused('PRICE_OUTSIDE_BAND')
  world.buy('bob', 85, 100).isAccepted()
  world.buy('bob', 85, 100, { timeInForce: 'IOC' }).isRefused('MARKET_HALTED')
  world.sell('alice', 91, 100, { isReduceOnly: true }).isAccepted()
  const later = world.passes(5000).tick()
  assert.deepEqual(
    later.of('order.triggered').map((event) => event.order),
    [order],
  )
  assert.equal(later.of('perp.liquidated').length, 0)
  assert.equal(phase(world), 'no-liquidations')
  world.isReplayable()
  assert.equal(world.index(91).of('perp.liquidated').length, 0)
  world.cancel('alice', order).isAccepted()
  world.buy('carol', 91, 10_000).isAccepted()
  world.isReplayable()
  world.passes(5000)
  assert.ok(world.index(91).of('perp.liquidated').length > 0)
  assert.equal(phase(world), 'open')
  world.isReplayable()
})

test('PERP-OUTAGE-004: a short outage during the steps after a longer one does not extend them', () => {
  const world = givenPerp(three)
  returnsAt(world, 100)
  world.passes(2000).index(100, 2)
  assert.equal(phase(world), 'bad')
  world.passes(2000).index(100)
  assert.equal(phase(world), 'resuming')
  world.passes(500).tick()
  assert.equal(phase(world), 'no-liquidations')
  world.passes(5000).tick()
  assert.equal(phase(world), 'open')
  world.isReplayable()
})

test('PERP-OUTAGE-005: a tiny position without a good index does not stop the liquidation of the rest of a cross account', () => {
  const world = withEther(givenPerp({ ...three, alice: '1100' }))
  for (const market of [contract, ether]) {
    world.leverage('alice', 10, market).isAccepted()
    world.mode('alice', 'cross', market).isAccepted()
  }
  world.sell('bob', 50, 100, { market: ether }).isAccepted()
  world.buy('alice', 50, 100, { market: ether }).isAccepted()
  world.sell('carol', 100, 100_000).isAccepted()
  world.buy('alice', 100, 100_000).isAccepted()
  for (const price of [99, 98, 97, 96, 95, 94, 93, 92]) world.buy('carol', price, 20_000).isAccepted()
  let steps = 0
  // The index of ether is not good from the start of the fall.
  for (const price of [99, 97, 95, 94, 93, 92, 91, 90, 90, 90, 90]) {
    const told = both(world, price, 50, 2)
    steps += told.of('perp.liquidated').filter(({ market }) => market === contract).length
    assert.equal(told.of('perp.liquidated').filter(({ market }) => market === ether).length, 0)
  }
  assert.ok(steps > 0)
  world.holds('alice', '100@50', ether)
  world.isReplayable()
})

test('PERP-OUTAGE-005: an account that has positions only in a market without a good index waits as a whole, and keeps its orders', () => {
  const world = withEther(givenPerp({ ...three, alice: '1100' }))
  world.leverage('alice', 10, ether).isAccepted()
  world.mode('alice', 'cross', ether).isAccepted()
  world.sell('carol', 50, 100_000, { market: ether }).isAccepted()
  world.buy('alice', 50, 100_000, { market: ether }).isAccepted()
  const resting = world.buy('alice', 45, 1000, { market: ether }).isAccepted().order
  both(world, 100, 46, 2)
  both(world, 100, 20, 2)
  assert.ok(world.world.open('alice').some(({ order }) => order === resting))
  world.isReplayable()
})

test('PERP-OUTAGE-006: without a good index a profit does not count towards opening, and a loss counts in full', () => {
  const world = withEther(givenPerp({ ...three, alice: '600' }))
  for (const market of [contract, ether]) {
    world.leverage('alice', 10, market).isAccepted()
    world.mode('alice', 'cross', market).isAccepted()
  }
  // A profit of 200 in ETH offsets a loss of 100 in BTC until the index of ETH is lost.
  world.sell('carol', 50, 40_000, { market: ether }).isAccepted()
  world.buy('alice', 50, 40_000, { market: ether }).isAccepted()
  world.sell('carol', 100, 20_000).isAccepted()
  world.buy('alice', 100, 20_000).isAccepted()
  both(world, 95, 55)
  const lots = 15_000
  const order = world.buy('alice', 95, lots).isAccepted().order
  world.cancel('alice', order).isAccepted()
  both(world, 95, 55, 2)
  world.buy('alice', 95, lots).isRefused('MARGIN_INSUFFICIENT')
  world.transfer('alice', '1').isRefused('AMOUNT_BOUND')
  world.isReplayable()
})

test('PERP-HALT-001: a halted market neither triggers nor liquidates; stops survive, and cancels and added margin stay possible', () => {
  const world = givenPerp(three)
  world.leverage('alice', 10).isAccepted()
  world.sell('carol', 100, 10_000).isAccepted()
  world.buy('alice', 100, 5000).isAccepted()
  const bid = world.buy('carol', 90, 10_000).isAccepted().order
  const stop = world.closes('alice', 'sell', 95, 'falls-to', { triggerBy: 'mark' }).isAccepted().order
  assert.deepEqual(
    halts(world, false)
      .of('perp.phase')
      .map((event) => event.phase),
    ['halted'],
  )
  world.leverage('alice', 9).isAccepted()
  world.leverage('alice', 10).isRefused('MARKET_HALTED')
  const told = world.index(92)
  assert.equal(world.mark(), 92)
  assert.deepEqual([told.of('order.triggered').length, told.of('perp.liquidated').length, told.of('order.closed').length], [0, 0, 0])
  world.buy('bob', 90, 100).isRefused('MARKET_HALTED')
  world.market('alice', 'sell', 5000, { isReduceOnly: true }).isRefused('MARKET_HALTED')
  world.sell('alice', 93, 1000, { isReduceOnly: true }).isAccepted()
  world.adjust('alice', '10').isAccepted()
  world.isReplayable()
  world.passes(60_000).index(92)
  // The market opens as after an outage: the stop acts before liquidations begin.
  halts(world, true)
  assert.equal(phase(world), 'resuming')
  world.amend('carol', bid, { lots: 9000 }).isAccepted()
  const back = world.passes(5000).tick()
  assert.deepEqual(
    back
      .traded('90×5000')
      .of('order.triggered')
      .map((event) => event.order),
    [stop],
  )
  world.holds('alice', '').isReplayable()
})

test('PERP-HALT-001: a stop that was about to act when the market was halted waits until it opens', () => {
  const world = givenPerp({ ...three, dave: '50000' }, {}, { openOrdersMax: 1000 })
  world.sell('carol', 100, 40_000).isAccepted()
  world.buy('dave', 100, 40_000).isAccepted()
  for (let n = 0; n < 40; n++) {
    world.sell('dave', 89, 1000, { trigger: { kind: 'stop', price: 95, direction: 'falls-to' }, triggerBy: 'mark', isReduceOnly: true })
  }
  const asleep = world.world.open('dave').length
  const acted = world.index(94).of('order.triggered').length
  assert.ok(acted > 0 && acted < asleep + 1)
  halts(world, false)
  const told = world.tick()
  assert.deepEqual([told.of('order.triggered').length, told.of('order.closed').length], [0, 0])
  assert.equal(world.world.open('dave').length, asleep)
  world.isReplayable()
})

test('PERP-HALT-001: a halt of less than 3 s ends at once', () => {
  const world = givenPerp(three)
  halts(world, false)
  world.passes(2000)
  halts(world, true)
  assert.equal(phase(world), 'open')
  world.buy('bob', 100, 100).isAccepted()
  world.isReplayable()
})
