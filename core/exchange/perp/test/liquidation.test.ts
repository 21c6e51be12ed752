import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import { Exchange } from '../../exchange.ts'
import { Told } from '../../test/world.ts'
import type { Event } from '../../../protocol/event/index.ts'
import type { PerpWorld } from './world.ts'

const four = { alice: '1000', bob: '5000', carol: '5000', dave: '5000' }

/** Alice is long 10,000 lots at 100 with ten times leverage, bob short against her without. */
function longAlice(mode: 'isolated' | 'cross' = 'isolated', funds: Record<string, string> = four): PerpWorld {
  const world = givenPerp(funds)
  world.leverage('alice', 10).isAccepted()
  if (mode === 'cross') world.mode('alice', 'cross').isAccepted()
  world.sell('bob', 100, 10_000).isAccepted()
  world.buy('alice', 100, 10_000).isAccepted().traded('100×10000')
  return world
}

/** Everything that the clock still does at this mark. */
function settled(world: PerpWorld): Event[] {
  const events: Event[] = [...world.tick().events]
  while (world.exchange.nextDueAtMs <= world.world.atMs) events.push(...world.tick().events)
  return events
}

test('PERP-LIQUIDATION-001: an isolated position goes at its liquidation price, not a tick earlier, and nothing else is touched', () => {
  const world = longAlice()
  const before = world.exchange.perpAccount(world.id('alice') as never).available
  world.buy('carol', 91, 20_000)
  // (1,000 − 100) ÷ 0.975 ÷ 10 = 92.3.
  assert.equal(world.position('alice').liquidationPrice, 92)
  assert.equal(world.index(93).of('perp.liquidated').length, 0)
  const [step] = world.index(92).of('perp.liquidated')
  assert.deepEqual([step!.mark, step!.equity, step!.maintenance, step!.maintenancePpm], [92, 20_000_000, 23_000_000, 25_000])
  for (let n = 0; n < 90 && world.positions('alice').length > 0; n++) world.index(91 - n)
  world.holds('alice', '')
  const after = world.exchange.perpAccount(world.id('alice') as never)
  assert.ok(after.held === 0 && after.available >= before && after.available <= before + 100_000_000)
  world.isReplayable()
})

test('PERP-LIQUIDATION-002: a step cancels its orders, closes a part within bankruptcy, pays the fund, and tells what decided it', () => {
  const world = longAlice()
  const exit = world.sell('alice', 93, 10_000).isAccepted().order
  world.buy('carol', 91, 1500)
  world.buy('carol', 89, 50_000)
  // The middle of the book is the index, and so the mark.
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
  // 13.5 lost, 0.5 % of 136.5 to the fund, no trading fee: 85.8175 stay behind 8,500 lots.
  assert.equal(told.of('traded')[0]!.takerFee, 0)
  assert.equal(world.position('alice').margin, 85_817_500)
  assert.equal(world.insurance(), 682_500)
  // Nobody stands at 90 or better: it waits for the next price.
  assert.equal(world.index(92).of('perp.liquidated').length, 0)
  assert.equal(world.exchange.nextDueAtMs > world.world.atMs, true)
  world.holds('alice', '8500@100').isReplayable()
})

test('PERP-LIQUIDATION-003: a cross account goes when all it has is at most what all needs; cancelled orders may be enough', () => {
  const world = longAlice('cross')
  const ether = { base: 3, quote: 1, tick: '1', lot: '0.001' }
  world.do({ type: 'market.list', symbol: 'ETHUSDT', ...ether, terms: marketTerms }).isAccepted()
  world.do({ type: 'perp.list', symbol: 'ETHUSDTPERP', ...ether, terms: marketTerms, perp: { ...perpTerms, index: 4 } }).isAccepted()
  world.do({ type: 'index.tick', prices: [{ market: 4, price: 50e8, sources: 5, isGood: true }] }).isAccepted()
  world.leverage('alice', 10, 5).isAccepted()
  world.mode('alice', 'cross', 5).isAccepted()
  world.sell('bob', 50, 20_000, { market: 5 }).isAccepted()
  world.buy('alice', 50, 20_000, { market: 5 }).isAccepted()
  // 200 are held and 1 went in fees; 693 and 3.465 of fee wait in an order: 102.535 are available.
  world.index(90)
  const order = world.buy('alice', 77, 90_000).isAccepted().order
  world.has('alice', '102.535', '896.465')
  // 302.535 + 10 P − 1,000 ≤ 0.25 P + 25 at P = 74.
  assert.equal(world.index(75).of('order.closed').length, 0)
  const saved = world.index(74)
  saved.closed(order, 'liquidation')
  assert.equal(saved.of('perp.liquidated').length, 0)
  world.holds('alice', '10000@100').holds('alice', '20000@50', 5)
  // 500 leave: 499 + 10 P − 1,000 ≤ 0.25 P + 25 at P = 53. In ether 25 are needed, in bitcoin 13.25: ether goes first.
  world.moves('alice', '500', 'perp', 'spot')
  world.buy('carol', 49, 20_000, { market: 5 }).isAccepted()
  assert.equal(world.index(54).of('perp.liquidated').length, 0)
  const [step] = world.index(53).of('perp.liquidated')
  assert.deepEqual([step!.market, step!.equity, step!.maintenance, step!.askedLots], [5, 29_000_000, 38_250_000, 5000])
  world.isReplayable()
})

test('PERP-LIQUIDATION-004: without good index prices liquidations pause', () => {
  const world = longAlice()
  world.buy('carol', 91, 50_000)
  assert.equal(world.index(80, 2, false).of('perp.liquidated').length, 0)
  assert.equal(world.mark(), 100)
  assert.equal(world.index(92, 2).of('perp.liquidated').length, 0)
  assert.equal(world.index(92).of('perp.liquidated').length > 0, true)
})

test('PERP-LIQUIDATION-005: one command takes 16 steps; the others follow with the clock, and what waits takes no orders', () => {
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

test('PERP-ADL-001: nobody takes it and the fund can not: it is closed against the first in the queue of the other side', () => {
  const world = longAlice('isolated', { ...four, dave: '5000' })
  // Dave is short too, with more leverage: he stands first.
  world.leverage('dave', 10).isAccepted()
  world.sell('dave', 100, 4000).isAccepted()
  world.buy('carol', 100, 4000).isAccepted()
  assert.deepEqual([world.position('dave').adlRank, world.position('bob').adlRank], [5, 5])
  const told = world.index(85)
  assert.deepEqual(
    told.of('perp.deleveraged').map(({ user, lots, price, bankruptUser }) => [user, lots, price, bankruptUser]),
    [
      [world.id('dave'), 4000, 90, world.id('alice')],
      [world.id('bob'), 6000, 90, world.id('alice')],
    ],
  )
  const [step] = told.of('perp.liquidated')
  assert.deepEqual([step!.order, step!.closedLots, step!.insured, step!.equity], [0, 10_000, 0, -50_000_000])
  assert.deepEqual(
    told.of('perp.closed').map(({ user, cause, realised }) => [user, cause, realised]),
    [
      [world.id('dave'), 'deleverage', 40_000_000],
      [world.id('alice'), 'liquidation', -100_000_000],
    ],
  )
  world.holds('alice', '').holds('dave', '').holds('bob', '-4000@100')
  world.has('alice', '899.5').isReplayable()
})

test('PERP-FUND-001: the fund takes over at the bankruptcy price what the book does not take, and nobody’s profit is closed', () => {
  const world = longAlice('isolated', { ...four, dave: '5000' }).insures('10000')
  world.buy('dave', 90, 2500).isAccepted()
  // A gap to 85: 2,500 go into the book at 90, then the fund takes 7,500 over at 90.
  const told = new Told([...world.index(85).events, ...settled(world)])
  assert.deepEqual(
    told.of('traded').map(({ price, lots }) => [price, lots]),
    [[90, 2500]],
  )
  assert.equal(told.of('perp.deleveraged').length, 0)
  assert.deepEqual(
    told.of('perp.takenOver').map(({ price, lots, user }) => [price, lots, user]),
    [[90, 7500, world.id('alice')]],
  )
  world.holds('alice', '').holds('bob', '-10000@100').carries('7500@90')
  // Alice lost her margin and no more; the fund has paid nothing yet.
  world.has('alice', '899.5').isReplayable()
  assert.equal(world.insurance(), 10_000_000_000)
  assert.equal(world.position('bob').adlRank, 5)
})

test('PERP-FUND-002: the fund works its inventory off by a tenth of the last minute’s volume a minute, within 1 % of the mark', () => {
  const world = longAlice('isolated', { ...four, dave: '5000', erin: '5000' }).insures('10000')
  world.index(85)
  settled(world)
  world.carries('10000@90')
  world.buy('carol', 85, 20_000).isAccepted()
  world.buy('dave', 83, 20_000).isAccepted()
  // Nobody traded in the last minute: nothing is sold.
  world.world.atMs += 60_000
  world.index(85)
  world.tick().traded()
  world.sell('erin', 85, 6000).isAccepted().traded('85×6000')
  world.world.atMs += 10_000
  const told = world.tick()
  told.traded('85×100')
  assert.deepEqual(
    told.of('perp.inventory').map(({ lots, cost }) => [lots, cost]),
    [[9900, 891_000_000]],
  )
  // Bought at 90, sold at 85: 0.5 lost.
  assert.equal(world.insurance(), 9_999_500_000)
  world.carries('9900@90')
  world.isReplayable()
  world.world.atMs += 10_000
  world.tick().traded('85×100')
  // Carol leaves: 83 is more than 1 % below.
  world.do({ type: 'spot.cancelAll', user: world.id('carol'), clientId: '', market: contract })
  world.world.atMs += 10_000
  world.tick().traded()
  world.isReplayable()
})

test('PERP-FUND-003: what the fund carries after half an hour is closed at the mark against the first in the queue', () => {
  const world = longAlice().insures('10000')
  world.index(85)
  settled(world)
  world.world.atMs += 1_799_000
  world.index(85)
  settled(world)
  world.carries('10000@90').holds('bob', '-10000@100')
  world.world.atMs += 10_000
  world.index(85)
  const told = new Told([...world.tick().events])
  assert.deepEqual(
    told.of('perp.deleveraged').map(({ user, lots, price, bankruptUser }) => [user, lots, price, bankruptUser]),
    [[world.id('bob'), 10_000, 85, 0]],
  )
  // 50 lost by the fund; bob has his whole profit.
  assert.equal(world.insurance(), 9_950_000_000)
  world.carries('').holds('bob', '').has('bob', '5149.8').isReplayable()
})

test('PERP-FUND-004: the fund risks at most 5 % in a market within ten minutes, and the rest is closed against the queue', () => {
  const world = longAlice().insures('1000')
  const told = world.index(85)
  // At 85 a lot has lost 0.005 and 20 % of 0.085 may follow: 0.022 of 50.
  assert.deepEqual(
    [told.of('perp.takenOver').map(({ lots }) => lots), told.of('perp.deleveraged').map(({ lots, price }) => [lots, price])],
    [[2272], [[7728, 90]]],
  )
  world.carries('2272@90').holds('bob', '-2272@100').isReplayable()
})

test('PERP-FUND-004: the fund risks at most 10 % in a market at a time', () => {
  const world = givenPerp({ bob: '50000', carol: '5000', ...Object.fromEntries([1, 2, 3].map((n) => [`user${n}`, '200'])) }).insures('1000')
  const risked: number[] = []
  for (let n = 1; n <= 3; n++) {
    world.leverage(`user${n}`, 10).isAccepted()
    world.sell('bob', 100, 10_000).isAccepted()
    world.buy(`user${n}`, 100, 10_000).isAccepted()
    const told = new Told([...world.index(85).events, ...settled(world)])
    risked.push(told.of('perp.takenOver').reduce((sum, { lots }) => sum + lots, 0))
    if (n === 3) world.carries('4545@90')
    world.world.atMs += 600_000
    world.index(100)
    settled(world)
  }
  assert.deepEqual(risked, [2272, 2272, 1])
  world.isReplayable()
})

test('PERP-FUND-005: the fund pays and receives funding for what it carries, and positions with its inventory sum to zero', () => {
  const world = longAlice('isolated', four).insures('10000')
  world.index(85)
  settled(world)
  const before = world.insurance()
  world.world.atMs = (Math.floor(world.world.atMs / 28_800_000) + 1) * 28_800_000
  const told = new Told([...world.index(85).events, ...settled(world)])
  const [funded] = told.of('perp.funded')
  // 0.01 % of 850: the fund is long and pays, bob receives.
  assert.deepEqual([funded!.paid, funded!.received], [85_000, 85_000])
  assert.deepEqual(
    told.of('perp.fundingPaid').map(({ user, amount }) => [user, amount]),
    [[world.id('bob'), 85_000]],
  )
  assert.equal(before - world.insurance(), 85_000 + 50_000_000)
  world.isReplayable()
})

test('PERP-ADL-002: the fund can not: it is closed at its bankruptcy price against those who can bear that', () => {
  const world = longAlice()
  const told = world.index(85)
  assert.deepEqual(
    told.of('perp.deleveraged').map(({ user, lots, price }) => [user, lots, price]),
    [[world.id('bob'), 10_000, 90]],
  )
  assert.equal(told.of('perp.liquidated')[0]!.insured, 0)
  // Alice lost her margin and no more, bob won what she lost.
  world.has('alice', '899.5').has('bob', '5099.8').isReplayable()
})

test('PERP-FUND-001: in an empty book the fund takes over once half of the maintenance margin is lost, with what is left', () => {
  const world = longAlice()
  world.insures('10000')
  const before = world.insurance()
  // Liquidated at 92; at 91 ten of the hundred are left, of 22.75 that the position needs.
  assert.equal(world.index(92).of('perp.liquidated').length, 0)
  const told = world.index(91)
  assert.deepEqual(
    told.of('perp.liquidated').map(({ closedLots, insured }) => [closedLots, insured]),
    [[10_000, 0]],
  )
  world.holds('alice', '').holds('bob', '-10000@100')
  // It holds ten thousand at 90 and the mark is 91: what was left of the margin covers its risk.
  assert.equal(world.insurance(), before)
  world.isReplayable()
})

test('PERP-ADL-003: a loss of a trade that neither account nor fund can pay is taken from the profits of the first in the queue', () => {
  const world = longAlice()
  world.insures('3')
  // A gap: the mark falls to 80, and the only bid, 84, lies below the bankruptcy price of 90.
  world.buy('carol', 84, 20_000).isAccepted()
  const told = new Told([...world.index(80).events, ...settled(world)])
  assert.ok(told.of('traded').every(({ price }) => price === 84))
  const borne = told.of('entry').filter(({ reason }) => reason === 'deleverage')
  const insured = told.of('perp.liquidated').reduce((sum, step) => sum + step.insured, 0)
  assert.deepEqual([insured, world.insurance()], [3_000_000, 0])
  assert.ok(told.of('perp.deleveraged').every(({ user, lots, price }) => user === world.id('bob') && lots === 0 && price === 80))
  // Alice lost her 100; of the 160 that 84 costs, the fund paid 3 and bob's profit the other 57.
  const bob = borne.filter(({ account }) => 'user' in account && account.user === world.id('bob'))
  assert.equal(
    bob.reduce((sum, { delta }) => sum + delta, 0),
    -57_000_000,
  )
  assert.equal(world.position('bob').cost, 1_000_000_000 - 57_000_000)
  world.holds('alice', '').has('alice', '899.5').holds('carol', '10000@84')
  assert.equal(world.system('outside:perp'), world.position('bob').cost - world.position('carol').cost)
  world.isReplayable()
})

test('PERP-ADL-004: what nobody can pay stays missing, and the fund fills it as soon as it can', () => {
  const world = longAlice()
  // After an outage orders match before anybody is liquidated: bob takes his profit from dave, and only 40 are left to win at 80.
  world.index(84, 2, false)
  world.passes(4000).index(84)
  world.passes(5000).index(84)
  world.sell('dave', 84, 10_000).isAccepted()
  world.buy('bob', 84, 10_000, { isReduceOnly: true }).isAccepted().traded('84×10000')
  world.buy('carol', 84, 20_000).isAccepted()
  world.passes(5000).index(80)
  settled(world)
  world.holds('alice', '').has('alice', '899.5').holds('dave', '-10000@80').holds('carol', '10000@84')
  // Of the 160 that alice lost she had 100, dave bore 40.
  const missing = (): number => world.position('dave').cost - world.position('carol').cost - world.system('outside:perp')
  assert.equal(missing(), 20_000_000)
  world.isReplayable()
  world.insures('15')
  world.index(80)
  assert.deepEqual([missing(), world.insurance()], [5_000_000, 0])
  world.insures('15')
  world.index(80)
  assert.deepEqual([missing(), world.insurance()], [0, 10_000_000])
  world.isReplayable()
})

test('PERP-ADL-002: who would lose more than there is behind a position is passed over, and the rest waits', () => {
  const world = longAlice('isolated', { ...four, dave: '157' })
  const ether = { base: 3, quote: 1, tick: '1', lot: '0.001' }
  world.do({ type: 'market.list', symbol: 'ETHUSDT', ...ether, terms: marketTerms }).isAccepted()
  world.do({ type: 'perp.list', symbol: 'ETHUSDTPERP', ...ether, terms: marketTerms, perp: { ...perpTerms, index: 4 } }).isAccepted()
  const both = (bitcoin: number, ether: number): Told => {
    const price = (market: number, whole: number): object => ({ market, price: whole * 1e8, sources: 5, isGood: true })
    return world.do({ type: 'index.tick', prices: [price(1, bitcoin), price(4, ether)] }).isAccepted()
  }
  both(100, 50)
  // Bob's short shrinks to 6,000; dave takes 4,000 of it into a cross account that is long 20,000 of ether at 50.
  for (const market of [contract, 5]) {
    world.mode('dave', 'cross', market).isAccepted()
    world.leverage('dave', 10, market).isAccepted()
  }
  world.sell('bob', 50, 20_000, { market: 5 }).isAccepted()
  world.buy('dave', 50, 20_000, { market: 5 }).isAccepted()
  world.buy('bob', 100, 4000, { isReduceOnly: true }).isAccepted()
  world.sell('dave', 100, 4000).isAccepted().traded('100×4000')
  // Ether costs him 200 of less than 157: 17 are left with 60 of profit in bitcoin at 85, and 90 would take 20 of that.
  const told = both(85, 40)
  assert.deepEqual(
    told.of('perp.deleveraged').map(({ user, lots, price }) => [user, lots, price]),
    [[world.id('bob'), 6000, 90]],
  )
  world.holds('alice', '4000@100').holds('dave', '-4000@100').holds('bob', '')
  assert.equal(world.position('alice').margin, 40_000_000)
  world.isReplayable()
})

test('PERP-CORE-002: a restored exchange liquidates the only position of a cross account at the same mark', () => {
  const world = longAlice('cross', { ...four, alice: '200' })
  world.buy('carol', 80, 20_000).isAccepted()
  world.world.exchange = Exchange.restore(world.exchange.dump())
  // 199.5 behind 1,000: 10 P − 800.5 ≤ 0.25 P at P = 82.
  assert.equal(world.index(83).of('perp.liquidated').length, 0)
  assert.ok(world.index(82).of('order.closed').length === 0)
  assert.equal(world.position('alice').liquidationPrice, 82)
  world.buy('carol', 81, 20_000).isAccepted()
  assert.ok(world.index(82).of('perp.liquidated').length > 0)
})

test('PERP-LIQUIDATION-006: stops survive a partial liquidation, cut to what is left, and act once the step is done', () => {
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

test('PERP-LIQUIDATION-007: what one command can not look at follows with the clock, and nobody is left out', () => {
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
  const rest = new Told(settled(world) as never)
  assert.equal(rest.of('perp.level').length, 142)
  assert.ok(world.exchange.nextDueAtMs > world.world.atMs)
  world.isReplayable()
})

test('PERP-LIQUIDATION-007: a cross account of two contracts is found by the very tick that brings it close, however marks move', () => {
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
      // Mostly down, now and then back.
      price -= n % 5 === 4 ? -step / 2 : step
      const told = tick(price)
        .of('perp.level')
        .filter((event) => event.user === user)
      const { available, positions } = world.exchange.perpAccount(user as never)
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
