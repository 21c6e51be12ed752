import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract, givenPerp } from '../../perp/test/world.ts'
import { given, type Told, type World } from '../../test/world.ts'
import { comes, ends, minute, passes, twap } from './world.ts'

/** A market whose last price is 100, with these offers of `maker` as [price, lots], and 100 USDT and 1 BTC of `ann`. */
function market(...offers: readonly (readonly [price: number, lots: number])[]): World {
  const world = given(
    { ann: { USDT: '100', BTC: '1' }, bob: { USDT: '100' }, maker: { BTC: '10', USDT: '1000' } },
    { notionalMin: 100_000 },
  )
  world.prints(100, 50)
  for (const [price, lots] of offers) world.sell('maker', price, lots).isAccepted()
  return world
}

const kindOf = (told: Told): readonly unknown[] => {
  const [order] = told.of('order.accepted')
  return [order?.orderType, order?.price, order?.timeInForce]
}

test('ALGO-TWAP-011: without a worst price, a part buys within a fifth of the market’s slippage and leaves the rest to later ones', () => {
  const world = market([100, 4], [103, 500])
  const placed = twap(world, 'ann').isAccepted().traded('100×4')
  assert.deepEqual(kindOf(placed), ['limit', 101, 'IOC'])
  assert.deepEqual(kindOf(comes(world).traded()), ['limit', 101, 'IOC'])
  world.sell('maker', 101, 500).isAccepted()
  assert.deepEqual(kindOf(comes(world).traded('101×14')), ['market', 0, 'IOC'], 'all of it is there')
  ends(world, 'ann', placed.order).isAccepted()

  const sale = market()
  for (const price of [99, 98]) sale.buy('maker', price, 5).isAccepted()
  assert.deepEqual(kindOf(twap(sale, 'ann', { side: 'sell' }).isAccepted().traded('99×5')), ['limit', 99, 'IOC'])

  const asked = market([100, 4], [103, 500])
  twap(asked, 'ann', {}, { worst: 104 }).isAccepted().traded('100×4', '103×6')
})

test('ALGO-TWAP-012: without a good index price, trades of others lead no part further than the last one', () => {
  const world = market([100, 10])
  world.index(100).isAccepted()
  world.buy('maker', 99, 10).isAccepted()
  for (const side of ['buy', 'sell']) twap(world, 'ann', { side }).isAccepted()
  world.index(100, false).isAccepted()
  passes(world, 50_000)
  world.prints(104, 2000)
  world.sell('maker', 104, 500).isAccepted()
  world.buy('maker', 97, 500).isAccepted()
  world.market('bob', 'buy', { lots: 60 }).isAccepted().traded('104×60')
  passes(world, 10_000)
  const told = comes(world).traded()
  assert.deepEqual(
    told.of('order.accepted').map(({ side, price }) => [side, price]),
    [
      ['buy', 101],
      ['sell', 102],
    ],
    'one per cent from the index price, and from the average of trades',
  )
  world.sell('maker', 101, 500).isAccepted()
  assert.equal(comes(world).of('traded')[0]?.price, 101)
  world.isReplayable()
})

test('ALGO-TWAP-012: in Futures the last mark binds a reduction in parts', () => {
  const perp = givenPerp({ ann: '1000', maker: '100000' })
  perp.sell('maker', 100, 400).isAccepted()
  perp.buy('ann', 100, 400).isAccepted()
  perp.index(100, 1, false)
  perp.passes(31_000)
  perp.index(100, 1, false)
  perp.buy('maker', 98, 400, { isReduceOnly: true }).isAccepted()
  const plan = { kind: 'twap', durationMs: 6 * minute, worst: 0 }
  const order = {
    type: 'algo.place',
    user: perp.id('ann'),
    clientId: '',
    market: contract,
    side: 'sell',
    position: 'both',
    lots: 400,
    parts: 4,
  }
  const told = perp
    .do({ ...order, isReduceOnly: true, plan })
    .isAccepted()
    .traded()
  assert.deepEqual(
    told.of('order.accepted').map(({ price }) => price),
    [99],
  )
})

test('ALGO-LIMIT-003: parts that trade with many small orders end a clock tick early, and another user’s part follows a few ticks later', () => {
  const world = market([100, 3000])
  world.gives('ann', 'USDT', '300')
  const wanted = { lots: 200, parts: 2 }
  for (let n = 0; n < 10; n++)
    twap(world, 'ann', wanted, { durationMs: 5 * minute })
      .isAccepted()
      .traded('100×100')
  const { order } = twap(world, 'bob', wanted, { durationMs: 5 * minute }).isAccepted()
  world.cancel('maker', world.open('maker')[0]!.order).isAccepted()
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    world.gives(name, 'BTC', '1')
    for (let n = 0; n < 200; n++) world.sell(name, 100, 1).isAccepted()
  }
  const ticks: { readonly trades: number; readonly isBobs: boolean }[] = []
  passes(world, 2.5 * minute)
  while (world.exchange.nextDueAtMs <= world.atMs) {
    const told = world.tick().isAccepted()
    const isBobs = [...told.of('algo.part'), ...told.of('algo.missed')].some(({ algo }) => algo === order)
    ticks.push({ trades: told.of('traded').length, isBobs })
    // Customers' commands come between.
    world.buy('maker', 90, 50).isAccepted()
  }
  assert.ok(
    ticks.every(({ trades }) => trades <= 300),
    `trades of each tick: ${ticks.map(({ trades }) => trades).join(', ')}`,
  )
  assert.equal(
    ticks.reduce((sum, { trades }) => sum + trades, 0),
    1000,
  )
  const wait = ticks.findIndex(({ isBobs }) => isBobs)
  assert.ok(wait > 0 && wait <= 6, `served in tick ${wait}`)
})
