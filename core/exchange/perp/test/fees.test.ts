import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatUnits } from '../../../money/units.ts'
import { Exchange } from '../../exchange.ts'
import { longAlice, settled } from './falling.ts'
import { contract, givenPerp, type PerpWorld } from './world.ts'

const spotTiers = [{ volumeMin: 0, makerPpm: 1000, takerPpm: 1000 }]
/** Tiers from 100 and 200 USDT. */
const perpTiers = [
  { volumeMin: 0, makerPpm: 200, takerPpm: 500 },
  { volumeMin: 100_000_000, makerPpm: 100, takerPpm: 300 },
  { volumeMin: 200_000_000, makerPpm: 900, takerPpm: 100 },
]
const dayMs = 86_400_000
const three = { alice: '1000', bob: '1000', carol: '1000' }

function given(): PerpWorld {
  const world = givenPerp(three)
  world.do({ type: 'fees.set', tiers: spotTiers, perpTiers }).isAccepted()
  return world
}

/** Bob sells to Alice at 100 USDT; one lot is worth 0.1 USDT. Maker's and taker's fee. */
function trade(world: PerpWorld, lots: number): readonly (readonly [number, number])[] {
  world.sell('bob', 100, lots).isAccepted()
  const told = world.buy('alice', 100, lots).isAccepted()
  return told.of('traded').map(({ makerFee, takerFee }) => [makerFee, takerFee])
}

const perpOf = (world: PerpWorld, name: string) => world.exchange.tier(world.id(name)).perp

test('PERP-FEE-001: the tier follows from 30 days of Futures volume, and a higher tier pays the schedule’s rate when that is lower', () => {
  const world = given()
  assert.deepEqual(trade(world, 1000), [[20_000, 50_000]])
  assert.deepEqual(perpOf(world, 'alice'), { volume: 100_000_000, tier: 1 })
  assert.equal(world.exchange.tier(world.id('alice')).volume, 0)
  assert.deepEqual(trade(world, 1000), [[10_000, 30_000]])
  // The maker's rate of tier 2 is above the market's own.
  assert.deepEqual(trade(world, 100), [[2_000, 1_000]])
  world.isReplayable()
  world.world.exchange = Exchange.restore(world.exchange.dump())
  assert.deepEqual(perpOf(world, 'bob'), { volume: 210_000_000, tier: 2 })
  world.passes(31 * dayMs).index(100)
  assert.deepEqual(perpOf(world, 'alice'), { volume: 0, tier: 0 })
})

test('PERP-FEE-001: the tier at the start of a match applies to all of the taker’s trades in it, and a change is told once', () => {
  const world = given()
  for (const name of ['bob', 'carol']) world.sell(name, 100, 1500).isAccepted()
  const told = world.buy('alice', 100, 3000).isAccepted()
  assert.deepEqual(
    told.of('traded').map(({ takerFee }) => takerFee),
    [75_000, 75_000],
  )
  const changes = told.of('perp.tierChanged').map(({ user, tier }) => [user, tier])
  assert.deepEqual(changes, [
    [world.id('bob'), 1],
    [world.id('carol'), 1],
    [world.id('alice'), 2],
  ])
  world.isReplayable()
})

test('PERP-FEE-002: trades of a user with themselves and within the house count for nothing', () => {
  const world = given()
  world.sell('alice', 100, 1000).isAccepted()
  world.buy('alice', 100, 1000, { selfTrade: 'none' }).isAccepted().traded('100×1000')
  assert.equal(perpOf(world, 'alice').volume, 0)
  for (const name of ['bob', 'carol']) world.do({ type: 'user.house', user: world.id(name), isHouse: true }).isAccepted()
  world.sell('bob', 100, 1000).isAccepted()
  world.buy('carol', 100, 1000).isAccepted().traded('100×1000')
  assert.deepEqual([perpOf(world, 'bob').volume, perpOf(world, 'carol').volume], [0, 0])
  world.isReplayable()
})

test('PERP-FEE-002: a liquidated position counts nothing, the maker who takes it over does', () => {
  const world = longAlice()
  const before = perpOf(world, 'alice').volume
  world.buy('carol', 91, 20_000).isAccepted()
  const told = [...world.index(92).events, ...settled(world)]
  assert.ok(told.some(({ type }) => type === 'perp.liquidated'))
  const sold = told.reduce((sum, event) => sum + (event.type === 'traded' ? event.quote : 0), 0)
  assert.ok(sold > 0)
  assert.equal(perpOf(world, 'alice').volume, before)
  assert.equal(perpOf(world, 'carol').volume, sold)
})

test('PERP-FEE-002: a side that could not pay its whole fee counts nothing', () => {
  const world = given()
  world.leverage('alice', 10).isAccepted()
  trade(world, 1000)
  const { available } = world.exchange.perpAccount(world.id('alice'))
  world.transfer('alice', formatUnits(available, 6)).isAccepted()
  // Alice gives Bob all that is behind her position, so nothing is left for her fee.
  world.buy('bob', 90, 1000).isAccepted()
  const told = world.sell('alice', 90, 1000, { isReduceOnly: true }).isAccepted().traded('90×1000')
  assert.deepEqual(
    told.of('traded').map(({ makerFee, takerFee }) => [makerFee, takerFee]),
    [[9_000, 0]],
  )
  assert.deepEqual([perpOf(world, 'alice').volume, perpOf(world, 'bob').volume], [100_000_000, 190_000_000])
  world.isReplayable()
})

test('PERP-FEE-003: an order holds the fee at the market’s rate, and what the tier saves is free after the trade', () => {
  const world = given()
  world.leverage('alice', 10).isAccepted()
  trade(world, 1000)
  const held = (): number => world.exchange.perpAccount(world.id('alice')).held
  const before = held()
  const order = world.buy('alice', 99, 1000).isAccepted().order
  // 99 USDT at 10× hold 9.9 of margin and 0.05 % of the value.
  assert.equal(held() - before, 9_900_000 + 49_500)
  world.cancel('alice', order).isAccepted()
  assert.equal(held(), before)
  assert.deepEqual(trade(world, 1000), [[10_000, 30_000]])
  world.isReplayable()
})

test('PERP-FEE-004: the schedules are set together by the same rules, and one that is not given stays', () => {
  const world = given()
  const set = (tiers: readonly object[]) => world.do({ type: 'fees.set', tiers: spotTiers, perpTiers: tiers })
  const [first, second] = perpTiers
  for (const wrong of [[second], [first, first], [second, first], [{ ...first, makerPpm: -1 }], [{ ...first, takerPpm: 100_001 }]])
    set(wrong as readonly object[]).isRefused('FIELD_INVALID')
  const told = world.do({ type: 'fees.set', tiers: spotTiers }).isAccepted()
  assert.deepEqual(told.of('fees.changed'), [{ type: 'fees.changed', tiers: spotTiers, perpTiers }])
  assert.deepEqual(world.exchange.listing().perpFees, perpTiers)
  const bare = givenPerp(three)
  trade(bare, 1000)
  assert.deepEqual(trade(bare, 1000), [[20_000, 50_000]])
  assert.equal(bare.exchange.listing().markets.find(({ id }) => id === contract)!.terms.takerFeePpm, 500)
})

test('PERP-FEE-005: the tier of a firm holds in Futures too, at most the last one there', () => {
  const world = givenPerp(three)
  const tiers = [0, 1, 2].map((step) => ({ volumeMin: step * 1e12, makerPpm: 1000 - step, takerPpm: 1000 - step }))
  world.do({ type: 'fees.set', tiers, perpTiers: perpTiers.slice(0, 2) }).isAccepted()
  const firm = world.id('firm')
  world.do({ type: 'firm.join', user: firm, main: firm }).isAccepted()
  world.do({ type: 'firm.setTerms', main: firm, tier: 2, withdrawMax: 0 }).isAccepted()
  for (const exchange of [world.exchange, Exchange.restore(world.exchange.dump())]) {
    const { tier, perp } = exchange.tier(firm)
    assert.deepEqual([tier, perp.tier], [2, 1])
  }
})
