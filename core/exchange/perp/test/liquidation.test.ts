import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../protocol/event/index.ts'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import { Exchange } from '../../exchange.ts'
import { Told } from '../../test/world.ts'
import { four, longAlice, settled } from './falling.ts'

test('PERP-LIQUIDATION-001: an isolated position is liquidated at its liquidation price, not a tick earlier, and no other money is touched', () => {
  const world = longAlice()
  const before = world.exchange.perpAccount(world.id('alice')).available
  world.buy('carol', 91, 20_000)
  // The liquidation price is (1,000 − 100) ÷ 0.975 ÷ 10 = 92.3.
  assert.equal(world.position('alice').liquidationPrice, 92)
  assert.equal(world.index(93).of('perp.liquidated').length, 0)
  const [step] = world.index(92).of('perp.liquidated')
  assert.deepEqual([step!.mark, step!.equity, step!.maintenance, step!.maintenancePpm], [92, 20_000_000, 23_000_000, 25_000])
  for (let n = 0; n < 90 && world.positions('alice').length > 0; n++) world.index(91 - n)
  world.holds('alice', '')
  const after = world.exchange.perpAccount(world.id('alice'))
  assert.ok(after.held === 0 && after.available >= before && after.available <= before + 100_000_000)
  world.isReplayable()
})

test('PERP-LIQUIDATION-002: a step cancels orders, closes a part within bankruptcy, pays the fund, and reports the values that decided it', () => {
  const world = longAlice()
  const exit = world.sell('alice', 93, 10_000).isAccepted().order
  world.buy('carol', 91, 1500)
  world.buy('carol', 89, 50_000)
  // The book is around the index, so the mark equals the index.
  const told = world.index(92).traded('91×1500')
  told.closed(exit, 'liquidation')
  const [step] = told.of('perp.liquidated')
  const order = told.of('order.accepted')[0]!
  assert.deepEqual([order.perp?.isLiquidation, order.perp?.isReduceOnly, order.price, order.timeInForce], [true, true, 90, 'IOC'])
  assert.deepEqual(step, {
    type: 'perp.liquidated',
    user: world.id('alice'),
    market: contract,
    position: world.position('alice').position,
    order: order.order,
    mark: 92,
    index: 92e8,
    equity: 20_000_000,
    maintenance: 23_000_000,
    maintenancePpm: 25_000,
    askedLots: 2500,
    closedLots: 1500,
    bankruptcyPrice: 90,
    fee: 682_500,
    insured: 0,
  })
  // 13.5 are lost, and 0.5 % of 136.5 goes to the fund without a trading fee: 85.8175 stay as margin of 8,500 lots.
  assert.equal(told.of('traded')[0]!.takerFee, 0)
  assert.equal(world.position('alice').margin, 85_817_500)
  assert.equal(world.insurance(), 682_500)
  // The book has no bid at 90 or better, so the liquidation waits for the next price.
  assert.equal(world.index(92).of('perp.liquidated').length, 0)
  assert.equal(world.exchange.nextDueAtMs > world.world.atMs, true)
  world.holds('alice', '8500@100').isReplayable()
})

test('PERP-LIQUIDATION-003: a cross account is liquidated when its equity is at most all maintenance margins; cancelling orders may be enough', () => {
  const world = longAlice('cross')
  const ether = { base: 3, quote: 1, tick: '1', lot: '0.001' }
  world.do({ type: 'market.list', symbol: 'ETHUSDT', ...ether, terms: marketTerms }).isAccepted()
  world.do({ type: 'perp.list', symbol: 'ETHUSDTPERP', ...ether, terms: marketTerms, perp: { ...perpTerms, index: 4 } }).isAccepted()
  world.do({ type: 'index.tick', prices: [{ market: 4, price: 50e8, sources: 5, isGood: true }] }).isAccepted()
  world.leverage('alice', 10, 5).isAccepted()
  world.mode('alice', 'cross', 5).isAccepted()
  world.sell('bob', 50, 20_000, { market: 5 }).isAccepted()
  world.buy('alice', 50, 20_000, { market: 5 }).isAccepted()
  // 200 are margin, 1 was paid in fees, and an order holds 693 and a fee of 3.465: 102.535 are available.
  world.index(90)
  const order = world.buy('alice', 77, 90_000).isAccepted().order
  world.has('alice', '102.535', '896.465')
  // The liquidation begins when 302.535 + 10 P − 1,000 ≤ 0.25 P + 25, at P = 74.
  assert.equal(world.index(75).of('order.closed').length, 0)
  const saved = world.index(74)
  saved.closed(order, 'liquidation')
  assert.equal(saved.of('perp.liquidated').length, 0)
  world.holds('alice', '10000@100').holds('alice', '20000@50', 5)
  // Without 500 it begins when 499 + 10 P − 1,000 ≤ 0.25 P + 25, at P = 53. Ether needs 25 and bitcoin 13.25, so ether goes first.
  world.moves('alice', '500', 'perp', 'spot')
  world.buy('carol', 49, 20_000, { market: 5 }).isAccepted()
  assert.equal(world.index(54).of('perp.liquidated').length, 0)
  const [step] = world.index(53).of('perp.liquidated')
  assert.deepEqual([step!.market, step!.equity, step!.maintenance, step!.askedLots], [5, 29_000_000, 38_250_000, 5000])
  world.isReplayable()
})

test('PERP-LIQUIDATION-004: while the index is not good, nothing is liquidated', () => {
  const world = longAlice()
  world.buy('carol', 91, 50_000)
  assert.equal(world.index(80, 2, false).of('perp.liquidated').length, 0)
  assert.equal(world.mark(), 100)
  assert.equal(world.index(92, 2).of('perp.liquidated').length, 0)
  assert.equal(world.index(92).of('perp.liquidated').length > 0, true)
})

test('PERP-LIQUIDATION-005: one command takes 16 steps; the others follow with the clock, and accounts that wait accept no orders', () => {
  const names = Array.from({ length: 20 }, (_, n) => `user${n}`)
  const world = givenPerp({ bob: '9000', carol: '9000', ...Object.fromEntries(names.map((name) => [name, '20'])) })
  for (const name of names) {
    world.leverage(name, 10).isAccepted()
    world.sell('bob', 100, 1000).isAccepted()
    world.buy(name, 100, 1000).isAccepted()
  }
  world.buy('carol', 91, 50_000)
  const first = world.index(91).of('perp.liquidated')
  assert.ok(first.length > 8 && first.length <= 16)
  assert.equal(world.exchange.nextDueAtMs, world.world.atMs)
  const waiting = names.at(-1)!
  world.buy(waiting, 91, 100).isRefused('POSITION_LIQUIDATING')
  world.isReplayable()
  let steps = first.length
  while (world.exchange.nextDueAtMs <= world.world.atMs) {
    const told = world.tick().of('perp.liquidated')
    assert.ok(told.length <= 16)
    steps += told.length
  }
  assert.ok(steps > 20)
  world.buy(waiting, 91, 100).isAccepted()
  world.isReplayable()
})

test('PERP-CORE-002: a restored exchange liquidates the only position of a cross account at the same mark', () => {
  const world = longAlice('cross', { ...four, alice: '200' })
  world.buy('carol', 80, 20_000).isAccepted()
  world.world.exchange = Exchange.restore(world.exchange.dump())
  // With 199.5 for a position of 1,000: 10 P − 800.5 ≤ 0.25 P at P = 82.
  assert.equal(world.index(83).of('perp.liquidated').length, 0)
  assert.ok(world.index(82).of('order.closed').length === 0)
  assert.equal(world.position('alice').liquidationPrice, 82)
  world.buy('carol', 81, 20_000).isAccepted()
  assert.ok(world.index(82).of('perp.liquidated').length > 0)
})

test('PERP-LIQUIDATION-006: stops survive a partial liquidation, are cut to the rest of the position, and act after the step', () => {
  const world = givenPerp(four)
  world.leverage('alice', 10).isAccepted()
  world.sell('carol', 100, 10_000).isAccepted()
  world.buy('alice', 100, 8000).isAccepted()
  const falls = { trigger: { kind: 'stop', price: 80, direction: 'falls-to' }, triggerBy: 'mark' }
  const closing = world.closes('alice', 'sell', 80, 'falls-to', { triggerBy: 'mark' }).isAccepted().order
  const part = world.sell('alice', 79, 8000, { ...falls, isReduceOnly: true }).isAccepted().order
  const resting = world.sell('alice', 110, 100, { isReduceOnly: true }).isAccepted().order
  const acting = world
    .market('alice', 'sell', 500, { trigger: { kind: 'stop', price: 93, direction: 'falls-to' }, triggerBy: 'mark', isReduceOnly: true })
    .isAccepted().order
  world.buy('carol', 92, 2000).isAccepted()
  const told = world.index(91).closed(resting, 'liquidation')
  const { lots } = world.position('alice')
  assert.ok(told.of('perp.liquidated').length > 0 && lots > 0 && lots < 8000)
  const open = world.world.open('alice')
  assert.deepEqual(
    open.map(({ order }) => order).sort((a, b) => a - b),
    [closing, part, acting],
  )
  assert.equal(open.find(({ order }) => order === part)?.lots, lots)
  world.isReplayable()
  world.adjust('alice', '40').isAccepted()
  world.buy('carol', 91, 2000).isAccepted()
  world.index(92).closed(acting, 'filled')
  world.isReplayable()
})

test('PERP-LIQUIDATION-009: a step ends orders of its owner’s other position that it meets, in its mode, and trades on', () => {
  const world = givenPerp(four)
  world.hedge('alice', true).isAccepted()
  world.leverage('alice', 10).isAccepted()
  world.sell('bob', 100, 10_000).isAccepted()
  world.buy('alice', 100, 10_000, { position: 'long' }).isAccepted().traded('100×10000')
  const opened = world.sell('alice', 100, 300, { position: 'short' }).isAccepted().order
  world.buy('carol', 100, 300).isAccepted().closed(opened, 'filled')
  const own = world.buy('alice', 92, 200, { position: 'short', isReduceOnly: true }).isAccepted().order
  world.buy('carol', 91, 20_000).isAccepted()
  const told = world.index(92).closed(own, 'self-trade')
  const [step] = told.of('order.accepted')
  assert.deepEqual([step!.perp?.isLiquidation, step!.selfTrade], [true, 'expire-maker'])
  told.closed(step!.order, 'filled')
  assert.ok(told.of('traded').every((trade) => trade.price === 91 && trade.makerUser === world.id('carol')))
  world.isReplayable()
})

test('PERP-LIQUIDATION-007: positions that one command can’t check follow with the clock, and none is left out', () => {
  const names = Array.from({ length: 270 }, (_, n) => `user${n}`)
  const world = givenPerp({ bob: '99000', ...Object.fromEntries(names.map((name) => [name, '20'])) })
  for (const name of names) {
    world.leverage(name, 10).isAccepted()
    world.sell('bob', 100, 1000).isAccepted()
    world.buy(name, 100, 1000).isAccepted()
  }
  const first = world.index(92)
  assert.equal(first.of('perp.level').length, 128)
  assert.ok(world.exchange.nextDueAtMs <= world.world.atMs)
  world.isReplayable()
  const rest = new Told(settled(world) as readonly Event[])
  assert.equal(rest.of('perp.level').length, 142)
  assert.ok(world.exchange.nextDueAtMs > world.world.atMs)
  world.isReplayable()
})

test('PERP-LIQUIDATION-007: a cross account with two positions is found by the tick that brings it close to liquidation, however marks move', () => {
  for (const step of [0.05, 0.4, 3, 13]) {
    const world = longAlice('cross', { ...four, alice: '400' })
    const ether = { base: 3, quote: 1, tick: '0.001', lot: '0.001' }
    world.do({ type: 'market.list', symbol: 'ETHUSDT', ...ether, terms: marketTerms }).isAccepted()
    world.do({ type: 'perp.list', symbol: 'ETHUSDTPERP', ...ether, terms: marketTerms, perp: { ...perpTerms, index: 4 } }).isAccepted()
    const tick = (price: number): Told => {
      world.world.atMs += 250
      return world
        .do({ type: 'index.tick', prices: [{ market: 4, price: Math.round(price * 1e8), sources: 5, isGood: true }] })
        .isAccepted()
    }
    tick(50)
    for (const name of ['alice', 'bob']) world.leverage(name, 10, 5).isAccepted()
    world.mode('alice', 'cross', 5).isAccepted()
    world.sell('bob', 50_000, 20_000, { market: 5 }).isAccepted()
    world.buy('alice', 50_000, 20_000, { market: 5 }).isAccepted()
    const user = world.id('alice')
    let isTold = false
    for (let n = 0, price = 50; n < 1000 && !isTold; n++) {
      // The price falls, with a rise in every fifth step.
      price -= n % 5 === 4 ? -step / 2 : step
      const told = tick(price)
        .of('perp.level')
        .filter((event) => event.user === user)
      const { available, positions } = world.exchange.perpAccount(user)
      const marks = new Map(world.exchange.marks().map(({ market, mark }) => [market as number, mark as number]))
      let [equity, watched] = [available as number, 0]
      for (const { market, lots, cost, margin } of positions) {
        const value = (marks.get(market) ?? 0) * lots * (market === 5 ? 1 : 1000)
        equity += margin + value - cost
        watched += Math.ceil((value * 31_250) / 1_000_000)
      }
      isTold = told.length > 0
      assert.equal(isTold, equity <= watched, `step ${step}, tick ${n}: ${equity} of ${watched}`)
    }
    assert.ok(isTold)
    world.isReplayable()
  }
})
