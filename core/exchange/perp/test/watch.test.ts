import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FEE } from '../../../ledger/reasons.ts'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import { perpRow } from '../rules/money.ts'
import type { OrderId, UserId } from '../../../protocol/ids.ts'
import { ticksMax } from '../../../risk/orders.ts'
import { isCrossClose, isRuined, releaseSome, setLevels, watchSome } from '../positions/watch.ts'
import type { Holding, Waiting } from '../records/state.ts'
import { Alone } from './alone.ts'
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

const levelOf = ({ contract: { levels: all }, at }: Holding): number => all[at]!
const whole = ({ account }: Holding): Waiting => ({ account, holding: undefined })
const own = (holding: Holding): Waiting => ({ account: holding.account, holding })

test('PERP-LIQUIDATION-007: the level of a position is the mark at which it is warned, or liquidated if its user is warned already', () => {
  const levelAt = (lots: number, change: object, more: { isCross?: true } = {}): number => {
    const alone = new Alone()
    const holding = alone.opens(1, lots, 1000, 1000, more)
    Object.assign(more.isCross ? holding.account : holding, change)
    setLevels(alone.x, holding.account)
    return levelOf(holding)
  }
  // 9,001 ÷ (10 × 0.96875) and ÷ (10 × 0.975); 10,999 ÷ (10 × 1.03125) and ÷ (10 × 1.025).
  assert.deepEqual([levelAt(10, {}), levelAt(10, { isWatched: true }), levelAt(10, { isLiquidating: true })], [929, 923, 0])
  assert.deepEqual([levelAt(-10, {}), levelAt(-10, { isWatched: true }), levelAt(-10, { isLiquidating: true })], [-1067, -1074, -0])
  assert.deepEqual([levelAt(10, { advance: 1 }), levelAt(-10, { advance: 1 })], [ticksMax, -1])
  // A cross position has 1 more behind it.
  assert.deepEqual([levelAt(10, {}, { isCross: true }), levelAt(10, { isWatched: true }, { isCross: true })], [929, 923])
  assert.equal(levelAt(10, { isLiquidating: true }, { isCross: true }), 0)
})

test('PERP-LIQUIDATION-007: of several cross positions none has a level, and the next tick checks their account', () => {
  const alone = new Alone()
  const { x } = alone
  const one = alone.opens(1, 10, 100, 100, { isCross: true })
  one.advance = 5
  setLevels(x, one.account)
  assert.deepEqual([levelOf(one), x.perp.mixed.count], [ticksMax, 0])
  const other = alone.opens(1, -10, 100, 100, { contract: alone.lists(5), isCross: true })
  const isolated = alone.opens(1, 10, 1000, 1000, { contract: alone.lists(6) })
  x.perp.moved = 40
  setLevels(x, one.account)
  assert.deepEqual([levelOf(one), levelOf(other) + 0, levelOf(isolated), one.account.calmUntil], [0, 0, 929, 41])
})

test('PERP-LIQUIDATION-001: a position is ruined with exactly its maintenance margin, and as long as it owes the fund', () => {
  const alone = new Alone()
  const { x } = alone
  const ruined = (margin: number, change: object = {}): boolean => {
    const holding = alone.opens(1, 10, 100, margin)
    Object.assign(holding, change)
    const result = isRuined(x, own(holding))
    Object.assign(holding, { lots: 0, advance: 0 })
    return result
  }
  assert.deepEqual([ruined(26), ruined(25), ruined(500, { advance: 1 }), ruined(1, { lots: 0 })], [false, true, true, false])
})

test('PERP-LIQUIDATION-003: a cross account is ruined with exactly the maintenance margins of all its positions', () => {
  const account = (margin: number, change: object = {}): readonly boolean[] => {
    const alone = new Alone()
    const holding = alone.opens(1, 10, 100, margin, { isCross: true })
    Object.assign(alone.opens(1, -10, 110, 10, { contract: alone.lists(5), isCross: true }), change)
    return [isRuined(alone.x, whole(holding)), isCrossClose(alone.x, holding.account)]
  }
  // 2 are available, 10 are margin and 100 profit. 2 × 25 are maintenance margin, 2 × ⌈31.25⌉ the warning.
  const more = { cost: 1000, margin: 10 }
  assert.deepEqual(
    [account(38, more), account(39, more), account(52, more), account(53, more)],
    [
      [true, true],
      [false, true],
      [false, true],
      [false, false],
    ],
  )
  assert.deepEqual(
    [account(1), account(53, { ...more, advance: 1 })],
    [
      [false, false],
      [true, true],
    ],
  )
  const alone = new Alone()
  assert.equal(isRuined(alone.x, { account: alone.x.perp.account(1 as UserId), holding: undefined }), false)
})

test('PERP-WATCH-001: users are warned in the order of their numbers and positions, each once, at 1.25 times the maintenance margin', () => {
  const alone = new Alone()
  const { x } = alone
  const other = alone.lists(5)
  // ⌈1,000 × 3.125 %⌉ = 32.
  const at = (user: number, margin: number, id: number, more = {}): Waiting => {
    const holding = alone.opens(user, 10, 100, margin, more)
    holding.id = id as OrderId
    return own(holding)
  }
  const all = [at(2, 32, 300), at(1, 32, 201, { contract: other }), at(1, 32, 200), at(3, 33, 100)]
  const cross = alone.opens(4, 10, 100, 31, { isCross: true })
  const unknown = alone.opens(5, 10, 100, 31, { isCross: true })
  unknown.contract.setLevel(unknown, 1 as Ticks)
  const told = (): readonly unknown[] =>
    alone.told('perp.level').map(({ user, market, position, state }) => [user, market, position, state])
  alone.events.clear()
  watchSome(x, [...all, whole(cross)])
  assert.deepEqual(told(), [
    [1, 3, 200, 'watch'],
    [1, 5, 201, 'watch'],
    [2, 3, 300, 'watch'],
    [4, 0, 0, 'watch'],
  ])
  assert.deepEqual([x.perp.watched.length, cross.account.isWatched, all[3]!.holding!.isWatched], [4, true, false])
  // From now on its level is that of the liquidation: 969 ÷ 9.75.
  assert.equal(levelOf(all[0]!.holding!), 99)
  watchSome(x, [...all, whole(cross)])
  assert.deepEqual([told().length, x.perp.watched.length], [4, 4])
  // One good price is enough.
  const partly = alone.opens(6, 10, 100, 5, { isCross: true })
  const blind = alone.lists(6)
  blind.mark = 0 as Ticks
  alone.opens(6, 10, 10, 5, { contract: blind, isCross: true })
  alone.events.clear()
  watchSome(x, [whole(partly)])
  assert.equal(told().length, 1)
  // An account all of whose prices are unknown is not warned.
  alone.contract.source.isIndexGood = false
  watchSome(x, [whole(unknown)])
  assert.deepEqual([told().length, unknown.account.isWatched], [1, false])
})

test('PERP-WATCH-001: a warning ends above 1.5 times the maintenance margin, or when the position is another, cross or gone', () => {
  const after = (change: object, isCross = false): readonly string[] => {
    const alone = new Alone()
    const holding = alone.opens(1, 10, 100, 31, isCross ? { isCross } : {})
    watchSome(alone.x, [isCross ? whole(holding) : own(holding)])
    alone.events.clear()
    Object.assign(holding, change)
    if (holding.lots === 0) alone.x.perp.enlist(holding)
    releaseSome(alone.x)
    const isWatched = isCross ? holding.account.isWatched : holding.isWatched
    assert.equal(alone.x.perp.watched.length, isWatched ? 1 : 0)
    return alone.told('perp.level').map(({ state }) => state)
  }
  // ⌈1,000 × 3.75 %⌉ = 38; a cross account has 1 more.
  assert.deepEqual([after({}), after({ margin: 38 }), after({ margin: 39 })], [[], [], ['safe']])
  assert.deepEqual([after({}, true), after({ margin: 37 }, true), after({ margin: 38 }, true)], [[], [], ['safe']])
  assert.deepEqual([after({ id: 900 }), after({ lots: 0 as Lots }), after({ lots: 0 as Lots }, true)], [['safe'], ['safe'], ['safe']])
  // A cross account that has lost everything is gone too.
  const alone = new Alone()
  const lost = alone.opens(7, 10, 100, 0, { isCross: true })
  watchSome(alone.x, [whole(lost)])
  alone.x.ledger.debit(perpRow(alone.x, lost.user), 1 as Units, FEE)
  lost.lots = 0 as Lots
  alone.x.perp.enlist(lost)
  alone.events.clear()
  releaseSome(alone.x)
  assert.equal(alone.told('perp.level').length, 1)
  assert.deepEqual(after({ setting: { leverage: 1, mode: 0 } }), ['safe'])
})

test('PERP-WATCH-001: one tick checks 1,000 warnings, and those that it leaves come first at the next', () => {
  const alone = new Alone()
  const { x } = alone
  const holdings = Array.from({ length: 1001 }, (_, n) => alone.opens(n + 1, 10, 100, 31))
  watchSome(x, holdings.map(own))
  holdings[999]!.margin = 100 as (typeof holdings)[0]['margin']
  holdings[1000]!.margin = 100 as (typeof holdings)[0]['margin']
  alone.events.clear()
  const safe = (): readonly number[] => alone.told('perp.level').map(({ user }) => user)
  releaseSome(x)
  assert.deepEqual([safe(), x.perp.watched.length, x.perp.watched[0]!.account.user], [[1000], 1000, 1001])
  releaseSome(x)
  assert.deepEqual([safe(), x.perp.watched.length], [[1000, 1001], 999])
})
