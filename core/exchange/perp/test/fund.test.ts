import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import { Told } from '../../test/world.ts'
import { four, longAlice, settled } from './falling.ts'

test('PERP-ADL-001: a position that neither the book nor the fund takes is closed against the first in the queue of the other side', () => {
  const world = longAlice('isolated', { ...four, dave: '5000' })
  // Dave is short too, with a higher leverage, so he is first in the queue.
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

test('PERP-FUND-001: the fund takes over at the bankruptcy price the part that the book does not take, and no profit is closed', () => {
  const world = longAlice('isolated', { ...four, dave: '5000' }).insures('10000')
  world.buy('dave', 90, 2500).isAccepted()
  // After a gap to 85, 2,500 lots trade in the book at 90, and the fund takes over 7,500 at 90.
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
  // Alice has lost her margin and no more, and the fund has paid nothing yet.
  world.has('alice', '899.5').isReplayable()
  assert.equal(world.insurance(), 10_000_000_000)
  assert.equal(world.position('bob').adlRank, 5)
})

test('PERP-FUND-002: every ten seconds the fund sells a sixtieth of the last minute’s volume from its inventory, within 1 % of the mark', () => {
  const world = longAlice('isolated', { ...four, dave: '5000', erin: '5000' }).insures('10000')
  world.index(85)
  settled(world)
  world.carries('10000@90')
  world.buy('carol', 85, 20_000).isAccepted()
  world.buy('dave', 83, 20_000).isAccepted()
  // Without trades in the last minute nothing is sold.
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
  // 100 lots bought at 90 and sold at 85 lose 0.5.
  assert.equal(world.insurance(), 9_999_500_000)
  world.carries('9900@90')
  world.isReplayable()
  world.world.atMs += 10_000
  world.tick().traded('85×100')
  // After carol's bid is gone, the best bid, 83, is more than 1 % below the mark.
  world.do({ type: 'spot.cancelAll', user: world.id('carol'), clientId: '', market: contract })
  world.world.atMs += 10_000
  world.tick().traded()
  world.isReplayable()
})

test('PERP-FUND-003: the inventory that is left after half an hour is closed at the mark against the first in the queue', () => {
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
  // The fund loses 50, and bob gets his whole profit.
  assert.equal(world.insurance(), 9_950_000_000)
  world.carries('').holds('bob', '').has('bob', '5149.8').isReplayable()
})

test('PERP-FUND-004: the fund risks at most 5 % in a market within ten minutes, and the rest is closed against the queue', () => {
  const world = longAlice().insures('1000')
  const told = world.index(85)
  // At 85 a lot has lost 0.005, and 20 % of its 0.085 counts as risk: 0.022 of the allowed 50.
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

test('PERP-FUND-005: the fund pays and receives funding for its inventory, and positions and inventory sum to zero', () => {
  const world = longAlice('isolated', four).insures('10000')
  world.index(85)
  settled(world)
  const before = world.insurance()
  world.world.atMs = (Math.floor(world.world.atMs / 28_800_000) + 1) * 28_800_000
  const told = new Told([...world.index(85).events, ...settled(world)])
  const [funded] = told.of('perp.funded')
  // The fund is long and pays 0.01 % of 850, and bob receives it.
  assert.deepEqual([funded!.paid, funded!.received], [85_000, 85_000])
  assert.deepEqual(
    told.of('perp.fundingPaid').map(({ user, amount }) => [user, amount]),
    [[world.id('bob'), 85_000]],
  )
  assert.equal(before - world.insurance(), 85_000 + 50_000_000)
  world.isReplayable()
})

test('PERP-ADL-002: a position that the fund can’t take is closed at its bankruptcy price against users who can pay their loss', () => {
  const world = longAlice()
  const told = world.index(85)
  assert.deepEqual(
    told.of('perp.deleveraged').map(({ user, lots, price }) => [user, lots, price]),
    [[world.id('bob'), 10_000, 90]],
  )
  assert.equal(told.of('perp.liquidated')[0]!.insured, 0)
  // Alice has lost her margin and no more, and bob has won it.
  world.has('alice', '899.5').has('bob', '5099.8').isReplayable()
})

test('PERP-FUND-001: with an empty book the fund takes over once half of the maintenance margin is lost, and gets the rest of the margin', () => {
  const world = longAlice()
  world.insures('10000')
  const before = world.insurance()
  // The liquidation begins at 92. At 91 ten of the hundred are left, less than half of the 22.75 that the position needs.
  assert.equal(world.index(92).of('perp.liquidated').length, 0)
  const told = world.index(91)
  assert.deepEqual(
    told.of('perp.liquidated').map(({ closedLots, insured }) => [closedLots, insured]),
    [[10_000, 0]],
  )
  world.holds('alice', '').holds('bob', '-10000@100')
  // The fund carries 10,000 lots at 90 and the mark is 91: the rest of the margin covers its risk.
  assert.equal(world.insurance(), before)
  world.isReplayable()
})

test('PERP-ADL-003: a loss from a trade that neither account nor fund can pay is taken from the profits of the first in the queue', () => {
  const world = longAlice()
  world.insures('3')
  // The mark falls to 80 at once, and the only bid, 84, is below the bankruptcy price of 90.
  world.buy('carol', 84, 20_000).isAccepted()
  const told = new Told([...world.index(80).events, ...settled(world)])
  assert.ok(told.of('traded').every(({ price }) => price === 84))
  const borne = told.of('entry').filter(({ reason }) => reason === 'deleverage')
  const insured = told.of('perp.liquidated').reduce((sum, step) => sum + step.insured, 0)
  assert.deepEqual([insured, world.insurance()], [3_000_000, 0])
  assert.ok(told.of('perp.deleveraged').every(({ user, lots, price }) => user === world.id('bob') && lots === 0 && price === 80))
  // The trade at 84 loses 160: alice paid 100, the fund 3, and bob's profit the other 57.
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

test('PERP-ADL-004: a loss that nobody can pay stays recorded as missing, and the fund pays it as soon as it can', () => {
  const world = longAlice()
  // After an outage orders match before liquidations begin: bob takes his profit from dave, whose own profit at 80 is only 40.
  world.index(84, 2, false)
  world.passes(4000).index(84)
  world.passes(5000).index(84)
  world.sell('dave', 84, 10_000).isAccepted()
  world.buy('bob', 84, 10_000, { isReduceOnly: true }).isAccepted().traded('84×10000')
  world.buy('carol', 84, 20_000).isAccepted()
  world.passes(5000).index(80)
  settled(world)
  world.holds('alice', '').has('alice', '899.5').holds('dave', '-10000@80').holds('carol', '10000@84')
  // Of the loss of 160 alice paid 100 and dave 40.
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

test('PERP-ADL-002: users who could not pay their loss are passed over, and the rest of the position waits', () => {
  const world = longAlice('isolated', { ...four, dave: '157' })
  const ether = { base: 3, quote: 1, tick: '1', lot: '0.001' }
  world.do({ type: 'market.list', symbol: 'ETHUSDT', ...ether, terms: marketTerms }).isAccepted()
  world.do({ type: 'perp.list', symbol: 'ETHUSDTPERP', ...ether, terms: marketTerms, perp: { ...perpTerms, index: 4 } }).isAccepted()
  const both = (bitcoin: number, ether: number): Told => {
    const price = (market: number, whole: number): object => ({ market, price: whole * 1e8, sources: 5, isGood: true })
    return world.do({ type: 'index.tick', prices: [price(1, bitcoin), price(4, ether)] }).isAccepted()
  }
  both(100, 50)
  // Bob's short position shrinks to 6,000 lots. Dave takes 4,000 of it into a cross account that is long 20,000 lots of ether at 50.
  for (const market of [contract, 5]) {
    world.mode('dave', 'cross', market).isAccepted()
    world.leverage('dave', 10, market).isAccepted()
  }
  world.sell('bob', 50, 20_000, { market: 5 }).isAccepted()
  world.buy('dave', 50, 20_000, { market: 5 }).isAccepted()
  world.buy('bob', 100, 4000, { isReduceOnly: true }).isAccepted()
  world.sell('dave', 100, 4000).isAccepted().traded('100×4000')
  // Dave loses 200 of less than 157 in ether and wins 60 in bitcoin at 85, so 17 are left; closing at 90 would take 20.
  const told = both(85, 40)
  assert.deepEqual(
    told.of('perp.deleveraged').map(({ user, lots, price }) => [user, lots, price]),
    [[world.id('bob'), 6000, 90]],
  )
  assert.deepEqual(
    told.of('perp.liquidated').map(({ askedLots, closedLots }) => [askedLots, closedLots]),
    [[10_000, 6000]],
  )
  world.holds('alice', '4000@100').holds('dave', '-4000@100').holds('bob', '')
  assert.equal(world.position('alice').margin, 40_000_000)
  world.isReplayable()
})
