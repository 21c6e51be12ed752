/** The tests of liquidation, fund and queue the other way round: a short position and a rising mark. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Told } from '../../test/world.ts'
import { contract, givenPerp } from './world.ts'
import type { PerpWorld } from './world.ts'
import { four, settled } from './falling.ts'

/** Alice is short 10,000 lots at 100 with leverage 10 and a margin of 100, and bob is long with leverage 1. */
function shortAlice(mode: 'isolated' | 'cross' = 'isolated', funds: Record<string, string> = four): PerpWorld {
  const world = givenPerp(funds)
  world.leverage('alice', 10).isAccepted()
  if (mode === 'cross') world.mode('alice', 'cross').isAccepted()
  world.buy('bob', 100, 10_000).isAccepted()
  world.sell('alice', 100, 10_000).isAccepted().traded('100×10000')
  return world
}

test('PERP-LIQUIDATION-002: a step buys a part of a short position within bankruptcy, pays the fund, and reports the values that decided it', () => {
  const world = shortAlice()
  const exit = world.buy('alice', 107, 10_000).isAccepted().order
  world.sell('carol', 109, 1500).isAccepted()
  world.sell('carol', 111, 40_000).isAccepted()
  // (1,000 + 100) ÷ 1.025 ÷ 10 = 107.3.
  assert.equal(world.position('alice').liquidationPrice, 108)
  assert.equal(world.index(107).of('perp.liquidated').length, 0)
  const told = world.index(108).traded('109×1500')
  told.closed(exit, 'liquidation')
  const order = told.of('order.accepted')[0]!
  assert.deepEqual(
    [order.side, order.price, order.lots, order.timeInForce, order.perp?.isLiquidation, order.perp?.isReduceOnly, order.user],
    ['buy', 110, 2500, 'IOC', true, true, world.id('alice')],
  )
  const ended = told.of('order.closed').find((event) => event.order === order.order)
  assert.deepEqual([ended?.reason, ended?.executedLots, ended?.executedQuote], ['ioc', 1500, 163_500_000])
  assert.deepEqual(told.of('perp.liquidated'), [
    {
      type: 'perp.liquidated',
      user: world.id('alice'),
      market: contract,
      position: world.position('alice').position,
      order: order.order,
      mark: 108,
      index: 108e8,
      equity: 20_000_000,
      maintenance: 27_000_000,
      maintenancePpm: 25_000,
      askedLots: 2500,
      closedLots: 1500,
      bankruptcyPrice: 110,
      fee: 817_500,
      insured: 0,
    },
  ])
  // 13.5 are lost and 0.5 % of 163.5 goes to the fund: 85.6825 stay as margin of 8,500 lots.
  assert.deepEqual([world.position('alice').margin, world.position('alice').realised], [85_682_500, -13_500_000])
  assert.equal(world.insurance(), 817_500)
  world.holds('alice', '-8500@100').isReplayable()
})

test('PERP-FUND-001: the fund takes a short position over at its bankruptcy price, after a part of it traded there', () => {
  const world = shortAlice().insures('10000')
  world.sell('dave', 110, 2500).isAccepted()
  const told = new Told([...world.index(115).events, ...settled(world)])
  told.traded('110×2500')
  assert.deepEqual(
    told
      .of('perp.liquidated')
      .map(({ order, askedLots, closedLots, bankruptcyPrice, fee, equity }) => [
        order > 0,
        askedLots,
        closedLots,
        bankruptcyPrice,
        fee,
        equity,
      ]),
    [
      [true, 2500, 2500, 110, 0, -50_000_000],
      // 25 of the margin paid the loss of the first part, and the position keeps 75.
      [false, 7500, 7500, 110, 0, -37_500_000],
    ],
  )
  assert.deepEqual(
    told.of('perp.takenOver').map(({ price, lots, user }) => [price, lots, user]),
    [[110, 7500, world.id('alice')]],
  )
  assert.deepEqual(
    told.of('perp.inventory').map(({ lots, cost }) => [lots, cost]),
    [[-7500, 825_000_000]],
  )
  world.holds('alice', '').holds('bob', '10000@100').holds('dave', '-2500@110').carries('-7500@110').has('alice', '899.5')
  assert.equal(world.insurance(), 10_000_000_000)
  world.isReplayable()
})

test('PERP-FUND-002: the fund buys back a short inventory within 1 % above the mark, every ten seconds, and pays its loss', () => {
  const world = shortAlice('isolated', { ...four, erin: '5000' }).insures('10000')
  world.index(115)
  settled(world)
  world.carries('-10000@110')
  world.sell('carol', 116, 20_000).isAccepted()
  world.passes(60_000).index(115)
  assert.equal(world.tick().of('order.accepted').length, 0, 'no volume, no order')
  world.buy('erin', 116, 6000).isAccepted().traded('116×6000')
  world.passes(9999).tick().traded()
  const told = world.passes(1).tick().traded('116×100')
  const [order] = told.of('order.accepted')
  assert.deepEqual(
    [order!.user, order!.side, order!.price, order!.lots, order!.timeInForce, order!.perp?.isLiquidation, order!.perp?.isReduceOnly],
    [0, 'buy', 116, 100, 'IOC', true, true],
  )
  const [ended] = told.of('order.closed').filter((event) => event.order === order!.order)
  assert.deepEqual([ended!.reason, ended!.executedLots, ended!.executedQuote], ['filled', 100, 11_600_000])
  // 100 lots sold at 110 and bought at 116 lose 0.6.
  assert.equal(world.insurance(), 9_999_400_000)
  assert.deepEqual(
    told.of('perp.position').map(({ user, lots }) => [user, lots]),
    [[world.id('carol'), -6100]],
  )
  world.carries('-9900@110').isReplayable()
  // 6,000 lots more in the same minute allow 200; only 50 are offered within 1 % of the mark.
  world.buy('erin', 116, 6000).isAccepted()
  world.do({ type: 'spot.cancelAll', user: world.id('carol'), clientId: '', market: contract }).isAccepted()
  world.sell('carol', 116, 50).isAccepted()
  world.sell('carol', 117, 5000).isAccepted()
  const part = world.passes(10_000).tick().traded('116×50')
  const [asked] = part.of('order.accepted')
  assert.deepEqual([asked!.price, asked!.lots], [116, 200])
  assert.equal(part.of('order.closed').find((event) => event.order === asked!.order)!.reason, 'ioc')
  world.carries('-9850@110')
  // Nothing is left within 1 % of the mark.
  assert.equal(world.passes(10_000).tick().of('order.accepted').length, 0)
  world.isReplayable()
})

test('PERP-FUND-002: the fund sends no order while its market does not match, nor while it resumes', () => {
  const world = shortAlice('isolated', { ...four, erin: '5000' }).insures('10000')
  world.index(115)
  settled(world)
  world.sell('carol', 116, 40_000).isAccepted()
  world.buy('erin', 116, 6000).isAccepted()
  const counted = (): number => world.tick().of('traded').length
  world.passes(10_000)
  assert.equal(counted(), 1)
  world.passes(6000).index(115, 2)
  world.passes(4000)
  assert.equal(counted(), 0)
  world.index(115, 2)
  world.passes(9500).index(115)
  assert.equal(world.exchange.marks()[0]!.phase, 'resuming')
  world.passes(250)
  assert.equal(counted(), 0)
  world.passes(10_000)
  assert.equal(counted(), 1)
  world.isReplayable()
})

test('PERP-FUND-003: a short inventory that is left after half an hour is closed at the mark against the longs', () => {
  const world = shortAlice().insures('10000')
  world.index(115)
  settled(world)
  world.carries('-10000@110')
  world.passes(1_799_749).index(115)
  assert.equal(world.tick().of('perp.deleveraged').length, 0)
  world.passes(10_000).index(115)
  const told = world.tick()
  assert.deepEqual(
    told.of('perp.deleveraged').map(({ user, lots, price, bankruptUser, position }) => [user, lots, price, bankruptUser, position > 0]),
    [[world.id('bob'), 10_000, 115, 0, true]],
  )
  // The fund loses 5 × 10, and bob gets the whole profit of 150 less his fee of 0.2.
  assert.equal(world.insurance(), 9_950_000_000)
  world.carries('').holds('bob', '').has('bob', '5149.8').isReplayable()
})

test('PERP-FUND-004: the fund risks at most 5 % for a short position too, and longs close the rest', () => {
  const world = shortAlice().insures('1000')
  const told = world.index(115)
  // At 115 a lot has lost 0.005, and 20 % of its 0.115 counts as risk: 0.028 of the allowed 50.
  assert.deepEqual(
    told.of('perp.takenOver').map(({ lots, price }) => [lots, price]),
    [[1785, 110]],
  )
  assert.deepEqual(
    told.of('perp.deleveraged').map(({ lots, price, user }) => [lots, price, user]),
    [[8215, 110, world.id('bob')]],
  )
  const [step] = told.of('perp.liquidated')
  assert.deepEqual([step!.askedLots, step!.closedLots, step!.order], [10_000, 10_000, 0])
  world.carries('-1785@110').holds('bob', '1785@100').isReplayable()
})

test('PERP-ADL-001: longs with a higher leverage are closed first against a short position', () => {
  const world = shortAlice('isolated', four)
  world.leverage('dave', 10).isAccepted()
  world.buy('dave', 100, 4000).isAccepted()
  world.sell('carol', 100, 4000).isAccepted()
  const told = world.index(115)
  assert.deepEqual(
    told.of('perp.deleveraged').map(({ user, lots, price, bankruptUser }) => [user, lots, price, bankruptUser]),
    [
      [world.id('dave'), 4000, 110, world.id('alice')],
      [world.id('bob'), 6000, 110, world.id('alice')],
    ],
  )
  assert.deepEqual(
    told.of('perp.closed').map(({ user, cause, side, realised }) => [user, cause, side, realised]),
    [
      [world.id('dave'), 'deleverage', 'buy', 40_000_000],
      [world.id('alice'), 'liquidation', 'sell', -100_000_000],
    ],
  )
  world.holds('alice', '').holds('dave', '').holds('bob', '4000@100').has('alice', '899.5').isReplayable()
})

test('PERP-ADL-003: a loss of a short position that neither account nor fund can pay is taken from the profits of longs', () => {
  const world = shortAlice().insures('3')
  world.sell('carol', 114, 20_000).isAccepted()
  // The limit of the steps is 5 % below the index, because bankruptcy at 110 is further away.
  const told = new Told([...world.index(120).events, ...settled(world)])
  assert.ok(told.of('traded').every(({ price }) => price === 114))
  assert.equal(world.insurance(), 0)
  // The trades at 114 lose 140: alice paid 100, the fund 3, and bob's profit the other 37.
  assert.equal(world.position('bob').cost, 1_037_000_000)
  const bob = told
    .of('entry')
    .filter(({ reason, account }) => reason === 'deleverage' && 'user' in account && account.user === world.id('bob'))
  assert.equal(
    bob.reduce((sum, { delta }) => sum + delta, 0),
    -37_000_000,
  )
  assert.ok(
    told
      .of('perp.deleveraged')
      .every(({ user, lots, price, bankruptUser }) => user === world.id('bob') && lots + bankruptUser === 0 && price === 120),
  )
  world.holds('alice', '').has('alice', '899.5').holds('carol', '-10000@114').isReplayable()
})
