import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '../../exchange.ts'
import type { Told } from '../../test/world.ts'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import type { PerpWorld } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '5000' }

/** Lists a second perpetual contract, market 5, on ether, which stands at 50. */
function withEther(world: PerpWorld, perp: object = {}): PerpWorld {
  const ether = { base: 3, quote: 1, tick: '1', lot: '0.001' }
  world.do({ type: 'market.list', symbol: 'ETHUSDT', ...ether, terms: marketTerms }).isAccepted()
  world
    .do({ type: 'perp.list', symbol: 'ETHUSDTPERP', ...ether, terms: marketTerms, perp: { ...perpTerms, ...perp, index: 4 } })
    .isAccepted()
  both(world, 100, 50)
  return world
}

function both(world: PerpWorld, bitcoin: number, ether: number): Told {
  const price = (market: number, whole: number): object => ({ market, price: whole * 1e8, sources: 5, isGood: true })
  world.world.atMs += 250
  return world.do({ type: 'index.tick', prices: [price(1, bitcoin), price(4, ether)] }).isAccepted()
}

/** Money of alice and bob together, after another index tick and everything that the clock has due. */
function together(world: PerpWorld): number {
  world.index(100)
  while (world.exchange.nextDueAtMs <= world.world.atMs) world.tick()
  return ['alice', 'bob'].reduce((sum, name) => {
    const { available, held } = world.exchange.perpAccount(world.id(name))
    return sum + available + held
  }, 0)
}

test('PERP-ORDER-008: two users together can’t leave a loss to the insurance fund by trading far from the mark', () => {
  const world = givenPerp(three).insures('5000')
  world.leverage('alice', 5).isAccepted()
  world.leverage('bob', 10).isAccepted()
  // With leverage 10, a buy up to 106.1 and a sell down to 95.1 keep more than maintenance (2.5 %) and cushion (2 %) at 100.
  world.sell('alice', 120, 30_000).isAccepted()
  world.buy('bob', 120, 30_000).isRefused('MARGIN_INSUFFICIENT')
  world.buy('bob', 107, 30_000, { timeInForce: 'IOC' }).isRefused('MARGIN_INSUFFICIENT')
  world.sell('bob', 95, 1000).isRefused('MARGIN_INSUFFICIENT')
  world.buy('bob', 106, 1000).isAccepted()
  world.sell('bob', 109, 1000).isAccepted()
  world.sell('alice', 106, 1000).isAccepted().traded('106×1000')
  assert.equal(world.position('bob').lots, 1000)
  assert.equal(world.index(100).of('perp.liquidated').length, 0)
  assert.ok(together(world) <= 2_000_000_000)
  assert.equal(world.insurance(), 5_000_000_000)
  world.isReplayable()
})

test('PERP-ORDER-008: a market order stops before prices at which its new lots would be liquidated, and closes within the slippage limit', () => {
  const perp = { leverageMax: 50, tiers: [{ valueMax: 2 ** 46, initialPpm: 20_000, maintenancePpm: 10_000 }] }
  const world = givenPerp(three, perp)
  world.leverage('bob', 50).isAccepted()
  // The last opening price is 100: 100 × 50 × 0.985 ÷ 49 = 100.51.
  world.sell('alice', 100, 1000).isAccepted()
  world.sell('alice', 101, 1000).isAccepted()
  const told = world.market('bob', 'buy', 2000).isAccepted().traded('100×1000')
  told.closed(told.order, 'slippage')
  assert.equal(world.index(100).of('perp.liquidated').length, 0)
  world.market('alice', 'buy', 1000, { isReduceOnly: true }).isAccepted()
  world.isReplayable()
})

test('PERP-ORDER-008: an order closes with `margin` when a move of the mark or a higher leverage leaves its own margin too small', () => {
  const world = givenPerp(three).insures('5000')
  world.leverage('bob', 10).isAccepted()
  world.leverage('carol', 2).isAccepted()
  const stale = world.buy('bob', 100, 1000).isAccepted().order
  const patient = world.buy('carol', 100, 1000).isAccepted().order
  assert.equal(world.index(95).of('order.closed').length, 0)
  // At a mark of 94 the last opening price is 94 × 10 × 0.955 ÷ 9 = 99.7.
  const told = world.index(94).closed(stale, 'margin')
  assert.deepEqual(
    told.of('order.closed').map(({ order }) => order),
    [stale],
  )
  world.has('bob', '1000')
  world.leverage('carol', 10).isAccepted().closed(patient, 'margin')
  world.isReplayable()
})

test('PERP-ORDER-008: an order that only closes may trade anywhere in the band', () => {
  const world = givenPerp(three)
  world.leverage('alice', 2).isAccepted()
  world.sell('bob', 100, 1000).isAccepted()
  world.buy('alice', 100, 1000).isAccepted()
  world.leverage('bob', 1).isAccepted()
  world.buy('carol', 85, 1000).isAccepted()
  world.sell('alice', 85, 1000).isAccepted().traded('85×1000')
  world.holds('alice', '')
})

test('PERP-ORDER-008: a cross account must be able to pay the loss from closing beyond the mark before it opens', () => {
  const world = givenPerp({ ...three, alice: '112' })
  world.leverage('alice', 10).isAccepted()
  world.mode('alice', 'cross').isAccepted()
  world.sell('carol', 100, 10_000).isAccepted()
  world.buy('alice', 100, 10_000).isAccepted()
  // 11.5 are free, and closing at 99 loses 10 of them: the rest is enough for the margin of 100 lots, but not of 200.
  world.sell('alice', 99, 10_200).isRefused('MARGIN_INSUFFICIENT')
  world.sell('alice', 99, 10_100).isAccepted()
  world.isReplayable()
})

test('PERP-ORDER-009: a user who lost verification can make orders smaller, but not larger or more expensive', () => {
  const world = givenPerp(three)
  const { order } = world.buy('alice', 90, 1000).isAccepted()
  world.do({ type: 'user.certify', user: world.id('alice'), isCertified: false }).isAccepted()
  world.amend('alice', order, { lots: 2000 }).isRefused('NOT_CERTIFIED')
  world.amend('alice', order, { price: 99 }).isRefused('NOT_CERTIFIED')
  world.amend('alice', order, { price: 99, lots: 500 }).isRefused('NOT_CERTIFIED')
  world.amend('alice', order, { lots: 500 }).isAccepted()
})

test('PERP-LEVERAGE-002: the margin that orders hold at a new leverage moves the mark at which a cross account is liquidated', () => {
  const world = withEther(givenPerp({ ...three, alice: '200' }))
  world.leverage('alice', 10).isAccepted()
  world.mode('alice', 'cross').isAccepted()
  world.sell('carol', 100, 10_000).isAccepted()
  world.buy('alice', 100, 10_000).isAccepted()
  world.leverage('alice', 10, 5).isAccepted()
  world.buy('alice', 45, 1500, { market: 5 }).isAccepted()
  // 199.5 less 6.784 is 192.716, so 192.716 + 10 P − 1,000 ≤ 0.25 P at P = 82. With leverage 1 the order holds 67.534: P = 89.
  world.leverage('alice', 1, 5).isAccepted()
  assert.equal(world.position('alice').liquidationPrice, 89)
  assert.equal(both(world, 89, 50).of('order.closed').length, 1, 'its liquidation begins with the order')
  world.isReplayable()
})

test('PERP-CORE-002: the orders of a cross account close in the same sequence after a restore', () => {
  const perp = { leverageMax: 50, tiers: [{ valueMax: 2 ** 46, initialPpm: 20_000, maintenancePpm: 10_000 }] }
  const world = withEther(givenPerp({ ...three, alice: '320' }, perp), perp)
  for (const market of [contract, 5]) {
    world.leverage('alice', 50, market).isAccepted()
    world.mode('alice', 'cross', market).isAccepted()
  }
  // The ether position comes first, so that the older position is in the market with the higher number.
  world.sell('carol', 50, 10_000, { market: 5 }).isAccepted()
  world.buy('alice', 50, 10_000, { market: 5 }).isAccepted()
  world.sell('carol', 100, 10_000).isAccepted()
  world.buy('alice', 100, 10_000).isAccepted()
  world.sell('alice', 41, 10_000, { market: 5, isReduceOnly: true }).isAccepted()
  world.sell('alice', 84, 10_000, { isReduceOnly: true }).isAccepted()
  // 39.25 stay in the account: too little for an order that would lose 90 and one that would lose 160.
  const restored = Exchange.restore(world.exchange.dump())
  const running = world.transfer('alice', '280').isAccepted()
  assert.equal(running.of('order.closed').length, 2)
  world.world.exchange = restored
  assert.deepEqual(world.transfer('alice', '280').events, running.events)
})

test('PERP-TRANSFER-002: a cross position keeps its initial margin at the mark, and nothing leaves while the index is not good', () => {
  const world = givenPerp({ ...three, alice: '2000' })
  world.leverage('alice', 10).isAccepted()
  world.mode('alice', 'cross').isAccepted()
  world.buy('bob', 100, 5000).isAccepted()
  world.sell('alice', 100, 5000).isAccepted()
  // 50 is margin and 1,949.75 is free; at 200, 500 are lost and 50 more margin is needed.
  world.index(200)
  world.transfer('alice', '1399.750001').isRefused('AMOUNT_BOUND')
  assert.equal(world.exchange.perpAccount(world.id('alice')).transferable, 1_399_750_000)
  world.index(200, 2)
  world.transfer('alice', '1').isRefused('AMOUNT_BOUND')
  world.index(200)
  world.transfer('alice', '1399.75').isAccepted()
  assert.equal(world.index(200).of('perp.liquidated').length, 0)
  world.isReplayable()
})

test('PERP-LEVERAGE-003: while the index is not good, a higher leverage is refused', () => {
  const world = givenPerp(three)
  world.leverage('alice', 2).isAccepted()
  world.sell('carol', 100, 1000).isAccepted()
  world.buy('alice', 100, 1000).isAccepted()
  world.index(50, 2)
  assert.equal(world.mark(), 100)
  world.leverage('alice', 10).isRefused('NO_INDEX_PRICE')
  world.leverage('alice', 1).isAccepted()
  world.index(100)
  world.leverage('alice', 10).isAccepted()
  world.isReplayable()
})

test('PERP-TRANSFER-002: while the index is not good, an isolated position can’t take money that backs a cross position', () => {
  const world = withEther(givenPerp({ ...three, alice: '1100' }))
  world.leverage('alice', 10).isAccepted()
  world.mode('alice', 'cross').isAccepted()
  world.sell('carol', 100, 10_000).isAccepted()
  world.buy('alice', 100, 10_000).isAccepted()
  world.sell('bob', 50, 2000, { market: 5 }).isAccepted()
  world.buy('alice', 50, 1000, { market: 5 }).isAccepted()
  world.index(100, 2)
  const into = { type: 'perp.adjustMargin', user: world.id('alice'), clientId: '', market: 5, position: 'both', amount: 900_000_000 }
  world.do(into).isRefused('AMOUNT_BOUND')
  world.buy('alice', 50, 1000, { market: 5 }).isRefused('MARGIN_INSUFFICIENT')
  world.index(100)
  world.do(into).isAccepted()
  world.isReplayable()
})

test('PERP-ORDER-011: an order of a cross account that now lies beyond bankruptcy closes at the next index tick', () => {
  const world = withEther(givenPerp({ ...three, alice: '1700', carol: '50000' }))
  for (const market of [contract, 5]) {
    world.leverage('alice', 10, market).isAccepted()
    world.mode('alice', 'cross', market).isAccepted()
  }
  world.sell('carol', 100, 100_000).isAccepted()
  world.buy('alice', 100, 100_000).isAccepted()
  world.sell('carol', 50, 60_000, { market: 5 }).isAccepted()
  world.buy('alice', 50, 60_000, { market: 5 }).isAccepted()
  // The book has no bids. Alice asks for 5 less than the mark, which costs 500 of her 1,693; then she loses 1,320 in ether.
  const order = world.sell('alice', 95, 100_000, { isReduceOnly: true }).isAccepted().order
  assert.equal(both(world, 100, 45).of('order.closed').length, 0)
  const told = both(world, 100, 28)
  assert.equal(told.of('perp.liquidated').length, 0)
  told.closed(order, 'margin')
  world.isReplayable()
})

test('PERP-ORDER-011: one index tick checks 500 orders of a side and completes their level, and the next tick continues behind them', () => {
  const world = givenPerp({ ...three, carol: '900000', dave: '900000' }, {}, { openOrdersMax: 1000, bandPpm: 900_000 })
  for (let n = 0; n < 300; n++) for (const price of [70, 71]) world.sell('carol', price, 100).isAccepted()
  world.leverage('dave', 10).isAccepted()
  const behind = world.sell('dave', 96, 1000).isAccepted().order
  // All asks are below the new mark, but only the one with leverage 10 has too little margin there.
  assert.equal(world.index(102).of('order.closed').length, 0)
  world.index(102).closed(behind, 'margin')
  world.isReplayable()
})

test('PERP-ORDER-012: an order that opens leaves the whole account maintenance and cushion, and a market order stops in time', () => {
  const world = givenPerp({ ...three, alice: '10600', carol: '50000' })
  world.leverage('alice', 10).isAccepted()
  world.mode('alice', 'cross').isAccepted()
  world.buy('carol', 100, 50_000).isAccepted()
  world.sell('alice', 100, 50_000).isAccepted()
  // At 300, 10,000 are lost and 597.5 are left, 97.5 of them free. 51,000 lots need 15,300 × 4.5 % = 688.5.
  world.index(300)
  world.sell('alice', 300, 1000).isRefused('MARGIN_INSUFFICIENT')
  const reducing = world.buy('alice', 300, 1000, { isReduceOnly: true }).isAccepted().order
  world.cancel('alice', reducing).isAccepted()
  // At 290, 1,097.5 are left. 70,000 lots need 913.5 and the fee is 2.9, so 20,000 lots may lose 9 ticks.
  world.index(290)
  world.buy('carol', 285, 10_000).isAccepted()
  world.buy('carol', 278, 20_000).isAccepted()
  const told = world.market('alice', 'sell', 20_000).isAccepted().traded('285×10000')
  told.closed(told.order, 'slippage')
  world.isReplayable()
})

test('PERP-ORDER-013: the protection price is counted from a good index, not from the mark or the average of the trades', () => {
  const world = givenPerp({ ...three, carol: '50000', alice: '50000' }, { markClampPpm: 50_000 })
  for (const name of ['alice', 'carol']) world.leverage(name, 10).isAccepted()
  // The book lies above the index and pulls the mark up.
  world.buy('carol', 103, 100_000).isAccepted()
  world.sell('alice', 106, 100_000).isAccepted()
  for (let n = 0; n < 130; n++) world.index(100)
  assert.ok(world.mark() >= 104)
  // 5 % above 100 is 105, below the best ask.
  const told = world.market('carol', 'buy', 500).isAccepted().traded()
  told.closed(told.order, 'slippage')
  world.isReplayable()
})
