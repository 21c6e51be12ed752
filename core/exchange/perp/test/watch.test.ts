import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract, givenPerp, perpTerms, q } from './world.ts'
import type { PerpWorld } from './world.ts'
import type { Told } from '../../test/world.ts'

const levels = (told: Told): string[] =>
  told.of('perp.level').map(({ user, market, position, state }) => `${user} ${market} ${position} ${state}`)

/** One tier with a maintenance margin of 5 %. */
const tiers = { tiers: [{ valueMax: 2 ** 40, initialPpm: 100_000, maintenancePpm: 50_000 }] }

/** A long position of 1,000 lots at 100 with leverage 10: liquidated at 94, warned at 96, safe again at 98. */
function givenLong(mode: 'cross' | 'isolated' = 'isolated', funds = '30'): PerpWorld {
  const world = givenPerp({ alice: funds, carol: '5000' }, tiers)
  world.leverage('alice', 10).isAccepted()
  if (mode === 'cross') world.mode('alice', mode).isAccepted()
  world.sell('carol', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  return world
}

test('PERP-WATCH-001: a user with at most 1.25 times the maintenance margin is warned once, and told again above 1.5 times', () => {
  const world = givenLong()
  const { position } = world.position('alice')
  const alice = world.id('alice')
  const mark = (price: number): string[] => levels(world.index(price))
  assert.deepEqual(mark(97), [])
  assert.deepEqual(mark(96), [[alice, contract, position, 'watch'].join(' ')])
  world.isReplayable()
  // Between the two thresholds no event is emitted, however often the mark moves.
  assert.deepEqual([95, 97, 96, 97, 95].flatMap(mark), [])
  assert.deepEqual(mark(98), [[alice, contract, position, 'safe'].join(' ')])
  assert.deepEqual(mark(96), [[alice, contract, position, 'watch'].join(' ')])
  // Added margin makes the position safe too.
  world.adjust('alice', '5').isAccepted()
  assert.deepEqual(mark(96), [[alice, contract, position, 'safe'].join(' ')])
  world.isReplayable()
})

test('PERP-WATCH-001: a gap past both thresholds is reported before the liquidation, and a position that is gone is reported as safe', () => {
  const world = givenLong()
  const { position } = world.position('alice')
  world.buy('carol', 91, 5000)
  const told = world.index(92)
  const kinds = told.events.flatMap(({ type }) => (type === 'perp.level' || type === 'perp.liquidated' ? [type] : []))
  assert.deepEqual([kinds[0], kinds[1]], ['perp.level', 'perp.liquidated'])
  world.market('alice', 'sell', Math.abs(world.positions('alice')[0]?.lots ?? 0)).isAccepted()
  assert.deepEqual(levels(world.index(92)), [[world.id('alice'), contract, position, 'safe'].join(' ')])
  world.isReplayable()
})

test('PERP-WATCH-001: while the index is not good no user is warned, and a cross account is warned as a whole', () => {
  const world = givenLong('cross', '11')
  const alice = world.id('alice')
  assert.deepEqual(levels(world.index(94, 2, false)), [])
  world.index(96)
  const watch = levels(world.index(94))
  assert.deepEqual(watch, [`${alice} 0 0 watch`])
  world.world.gives('alice', 'USDT', '10')
  world.moves('alice', '10')
  assert.deepEqual(levels(world.index(94)), [`${alice} 0 0 safe`])
  world.isReplayable()
})

test('PERP-WATCH-001: several cross positions count together, whichever of them loses', () => {
  const world = givenPerp({ alice: '24', carol: '9000' }, tiers)
  const ether = { symbol: 'ETHUSDT', base: 3, quote: 1, tick: '1', lot: '0.001' }
  const terms = { ...marketOf(world).terms }
  world.do({ type: 'market.list', ...ether, terms }).isAccepted()
  world.do({ type: 'perp.list', ...ether, symbol: 'ETHUSDTPERP', terms, perp: { ...perpTerms, ...tiers, index: 4 } }).isAccepted()
  const ticks = (btc: number, eth: number): Told => {
    world.world.atMs += 250
    const price = (market: number, price: number): object => ({ market, price: price * 1e8, sources: 5, isGood: true })
    return world.do({ type: 'index.tick', prices: [price(1, btc), price(4, eth)] }).isAccepted()
  }
  ticks(100, 200)
  for (const market of [contract, 5]) {
    world.leverage('alice', 10, market).isAccepted()
    world.mode('alice', 'cross', market).isAccepted()
  }
  world.sell('carol', 100, 1000)
  world.buy('alice', 100, 1000).isAccepted()
  world.sell('carol', 200, 500, { market: 5 })
  world.buy('alice', 200, 500, { market: 5 }).isAccepted()
  const equity = (btc: number, eth: number): number => 24e6 - 1e5 + (btc - 100) * 1000 * q + (eth - 200) * 500 * q
  const needed = (btc: number, eth: number): number => (btc * 1000 * q + eth * 500 * q) * 0.05
  const [safe, close] = [
    [92, 195],
    [90, 191],
  ] as const
  assert.ok(equity(...safe) > 1.25 * needed(...safe) && equity(...close) <= 1.25 * needed(...close))
  assert.ok(equity(...close) > needed(...close))
  assert.deepEqual(levels(ticks(...safe)), [])
  assert.deepEqual(levels(ticks(...close)), [`${world.id('alice')} 0 0 watch`])
  world.isReplayable()
  assert.deepEqual(levels(ticks(100, 200)), [`${world.id('alice')} 0 0 safe`])
})

function marketOf(world: PerpWorld) {
  return world.exchange.listing().markets.find(({ id }) => id === contract)!
}
