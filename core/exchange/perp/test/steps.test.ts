/** Steps of liquidations at their thresholds, and of cross accounts with several positions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Told } from '../../test/world.ts'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import type { PerpWorld } from './world.ts'
import { four, longAlice, settled } from './falling.ts'

/** Lists a second contract, market 5, on ether at 50, in which the named users have leverage 10, cross margin in both. */
function withEther(
  funds: Record<string, string>,
  ...names: string[]
): { readonly world: PerpWorld; readonly both: (btc: number, eth: number) => Told } {
  const world = givenPerp(funds)
  const ether = { base: 3, quote: 1, tick: '1', lot: '0.001' }
  world.do({ type: 'market.list', symbol: 'ETHUSDT', ...ether, terms: marketTerms }).isAccepted()
  world.do({ type: 'perp.list', symbol: 'ETHUSDTPERP', ...ether, terms: marketTerms, perp: { ...perpTerms, index: 4 } }).isAccepted()
  const both = (btc: number, eth: number): Told => {
    world.passes(250)
    const price = (market: number, whole: number): object => ({ market, price: whole * 1e8, sources: 5, isGood: true })
    return world.do({ type: 'index.tick', prices: [price(1, btc), price(4, eth)] }).isAccepted()
  }
  both(100, 50)
  for (const name of names) {
    for (const market of [contract, 5]) {
      world.leverage(name, 10, market).isAccepted()
      world.mode(name, 'cross', market).isAccepted()
    }
  }
  return { world, both }
}

test('PERP-FUND-001: the fund takes over when exactly half of the maintenance margin is left, and not one unit earlier', () => {
  for (const [added, isTaken] of [
    ['1.375', true],
    ['1.375001', false],
  ] as const) {
    const world = longAlice().insures('10000')
    world.adjust('alice', added).isAccepted()
    // At 91 the margin of 101.375 less the loss of 90 is half of ⌈910 × 2.5 %⌉ = 22.75.
    const told = world.index(91)
    assert.equal(told.of('perp.takenOver').length, isTaken ? 1 : 0)
    assert.equal(told.of('perp.liquidated').length, isTaken ? 1 : 0)
    // Its orders are accepted again once it waits for the next price.
    world.sell('alice', 95, 1000, { isReduceOnly: true })[isTaken ? 'isRefused' : 'isAccepted']('REDUCE_ONLY_REJECTED')
    world.isReplayable()
  }
})

test('PERP-FUND-001: of a cross account the fund takes the position with a profit first, because it pays for the others', () => {
  const { world, both } = withEther({ bob: '9000', alice: '301' }, 'alice')
  world.insures('100000')
  world.sell('bob', 100, 10_000).isAccepted()
  world.buy('alice', 100, 10_000).isAccepted()
  world.sell('bob', 50, 20_000, { market: 5 }).isAccepted()
  world.buy('alice', 50, 20_000, { market: 5 }).isAccepted()
  // 300 plus 100 less 380 leaves 20, below half of 15.5 + 27.5. Ether at 54 leaves nothing, so bitcoin goes at its mark.
  const told = both(62, 55)
  assert.deepEqual(
    told.of('perp.takenOver').map(({ market, price, lots }) => [market, price, lots]),
    [
      [5, 54, 20_000],
      [contract, 62, 10_000],
    ],
  )
  assert.deepEqual(
    told
      .of('perp.liquidated')
      .map(({ market, equity, maintenance, bankruptcyPrice, askedLots, closedLots, order, fee, insured }) => [
        ...[market, equity, maintenance, bankruptcyPrice],
        ...[askedLots, closedLots, order, fee, insured],
      ]),
    [
      [5, 20_000_000, 43_000_000, 54, 20_000, 20_000, 0, 0, 0],
      [contract, 0, 15_500_000, 62, 10_000, 10_000, 0, 0, 0],
    ],
  )
  world.holds('alice', '').holds('alice', '', 5).has('alice', '0').carries('10000@62').carries('20000@54', 5).isReplayable()
})

test('PERP-LIQUIDATION-003: the position with the largest maintenance margin is sold first, whichever was opened first', () => {
  for (const isFirst of [true, false]) {
    const { world, both } = withEther({ bob: '9000', carol: '9000', alice: '301' }, 'alice')
    const trades = [
      (): void => {
        world.sell('bob', 100, 10_000).isAccepted()
        world.buy('alice', 100, 10_000).isAccepted()
      },
      (): void => {
        world.sell('bob', 50, 20_000, { market: 5 }).isAccepted()
        world.buy('alice', 50, 20_000, { market: 5 }).isAccepted()
      },
    ]
    for (const trade of isFirst ? trades : trades.toReversed()) trade()
    world.buy('carol', 70, 50_000, { market: contract }).isRefused('PRICE_OUTSIDE_BAND')
    world.buy('carol', 84, 3000).isAccepted()
    world.buy('carol', 43, 6000, { market: 5 }).isAccepted()
    // 300 less 140 less 120 leaves 40, at maintenance margins of 21.5 and 22.
    const told = both(86, 44)
    const steps = told
      .of('perp.liquidated')
      .map(({ market, askedLots, closedLots, equity, maintenance }) => [...[market, askedLots, closedLots], ...[equity, maintenance]])
    assert.deepEqual(steps[0], [5, 5000, 5000, 40_000_000, 43_500_000])
    // 5,000 lots lost 5 more and paid ⌈215 × 0.5 %⌉ = 1.075; then bitcoin has the larger margin.
    assert.deepEqual(steps[1], [contract, 2500, 2500, 33_925_000, 38_000_000])
    world.isReplayable()
  }
})

test('PERP-LIQUIDATION-005: one command takes 16 steps of one position, and the first winner pays for all of them', () => {
  const world = givenPerp(four).insures('3')
  world.leverage('alice', 10).isAccepted()
  world.buy('bob', 100, 10_000).isAccepted()
  world.sell('alice', 100, 10_000).isAccepted()
  world.sell('carol', 114, 20_000).isAccepted()
  const first = world.index(120)
  const steps = first.of('perp.liquidated')
  assert.equal(steps.length, 16)
  // A quarter each, rounded up: the smallest order is 5 ÷ 0.12 = 42 lots.
  assert.deepEqual(
    steps.map(({ askedLots }) => askedLots),
    [2500, 1875, 1407, 1055, 791, 593, 445, 334, 250, 188, 141, 106, 79, 59, 45, 42],
  )
  assert.ok(first.of('order.closed').every(({ reason }) => reason === 'filled'))
  world.holds('alice', '-90@100')
  const second = world.tick()
  assert.deepEqual(
    second.of('perp.liquidated').map(({ askedLots }) => askedLots),
    [42, 48],
  )
  // Bob pays 35.74 for the first command and 1.26 for the second.
  assert.deepEqual(
    [first, second].map((told) => told.of('perp.deleveraged').map(({ user }) => user)),
    [[world.id('bob')], [world.id('bob')]],
  )
  world.holds('alice', '')
  assert.equal(world.position('bob').cost, 1_037_000_000)
  settled(world)
  world.isReplayable()
})

test('PERP-FUND-004: a position larger than the fund’s opposite inventory is taken in two parts', () => {
  const world = longAlice('isolated', { ...four, erin: '5000', frank: '5000' }).insures('10000')
  world.index(85)
  settled(world)
  world.carries('10000@90')
  world.leverage('erin', 10).isAccepted()
  world.buy('frank', 85, 14_000).isAccepted()
  world.sell('erin', 85, 14_000).isAccepted()
  // (1,190 + 119) ÷ 14 = 93.5. The fund sells its 10,000 at a profit of 30, and is short the other 4,000.
  const told = new Told([...world.index(94).events, ...settled(world)])
  assert.deepEqual(
    told.of('perp.takenOver').map(({ price, lots }) => [price, lots]),
    [
      [93, 10_000],
      [93, 4000],
    ],
  )
  assert.deepEqual(
    told.of('perp.liquidated').map(({ askedLots, closedLots }) => [askedLots, closedLots]),
    [[14_000, 14_000]],
  )
  world.carries('-4000@93').holds('erin', '').holds('frank', '14000@85')
  assert.equal(world.insurance(), 10_030_000_000)
  world.isReplayable()
})
