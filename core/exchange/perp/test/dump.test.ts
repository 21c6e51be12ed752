/** A dump contains every field of Futures; the fields that version 12 lacks get defaults. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lots, Millis, Ticks, Units } from '../../../money/brand.ts'
import { put, Records } from '../../../protocol/codec/records.ts'
import type { OrderId, PositionNumber, UserId } from '../../../protocol/ids.ts'
import { BAD, HALTED, OPEN } from '../../records/phase.ts'
import { scoreOf } from '../../../risk/perp-rank.ts'
import { dumpState, restoreState } from '../../dump.ts'
import type { State } from '../../state/state.ts'
import { dumpPerp, restorePerp } from '../dump.ts'
import { Ranking } from '../records/ranking.ts'
import { Round } from '../records/round.ts'
import { BOTH, CROSS, ISOLATED, LONG, SHORT } from '../records/state.ts'
import { setLevels } from '../positions/watch.ts'
import type { Contract, Holding, PerpAccount, PerpState } from '../records/state.ts'
import { Alone } from './alone.ts'
import { givenPerp, marketTerms, perpTerms, q } from './world.ts'

const [alice, bob, carol, dave, erin, frank] = [1, 2, 3, 4, 5, 6].map((n) => n as UserId) as [
  UserId,
  UserId,
  UserId,
  UserId,
  UserId,
  UserId,
]
const at = (ms: number): Millis => ms as Millis

/** A state without accounts, with contracts 3 and 4. Only contract 3 has a mark. */
function given(): State {
  const world = givenPerp({})
  const listed = { type: 'perp.list', symbol: 'BTCUSDTPERP2', base: 2, quote: 1, tick: '1', lot: '0.001' }
  world.do({ ...listed, terms: marketTerms, perp: perpTerms }).isAccepted()
  const x = restoreState(world.exchange.dump())
  x.write(new Records())
  return x
}

/** A position with distinct figures, counted from `n`. */
function opens(x: State, user: UserId, contract: Contract, side: PositionNumber, lots: number, n: number): Holding {
  const holding = x.perp.holding(user, contract, side)
  const figures = { id: n, lastId: n + 1, margin: n + 2, realised: -n - 3, fees: n + 4, funding: -n - 5, openedAtMs: n + 6 }
  const more = {
    ordersMargin: n + 7,
    round: n + 8,
    advance: n + 9,
    isShort: lots < 0,
    maintenancePpm: 25_000 + n,
    watchedPpm: Math.ceil((25_000 + n) * 1.25),
  }
  Object.assign(holding, { lots, cost: 100 * q * Math.abs(lots) + n, ...figures, ...more })
  for (const [k, turnover] of [holding.openedLots, holding.openedValue, holding.closedLots, holding.closedValue].entries())
    Object.assign(turnover, { whole: n + 10 + k, rest: n + 20 + k })
  if (lots > 0) contract.openLots = (contract.openLots + lots) as Lots
  x.perp.enlist(holding)
  return holding
}

function fillContract(contract: Contract, n: number): void {
  Object.assign(contract, { mark: n, index: n + 1, fundingAtMs: n + 2, rounds: n + 3, refitFrom: n + 4, fundingClosedMs: n + 5, tries: 2 })
  Object.assign(contract.premium, { sum: n + 6, ms: n + 7, now: n + 8, atMs: n + 9 })
  contract.basis.add(at(n + 10), n + 11)
  contract.basis.add(at(n + 12), n + 13)
  Object.assign(contract.inventory, { cost: n + 14, sinceMs: n + 15, workedAtMs: n + 16 })
  contract.inventory.taken.push({ atMs: at(n + 17), risk: n + 18 })
  contract.unpaid.splice(0, 2, n + 19, n + 20)
  contract.reviewedTo.splice(0, 2, n + 21, n + 22)
  contract.waiting.push({ order: (n + 23) as OrderId, untilMs: at(n + 24) }, { order: (n + 25) as OrderId, untilMs: at(0) })
}

function rankingOf(n: number): Ranking {
  const ranking = new Ranking()
  Object.assign(ranking, { cursor: n, isReady: true, atMs: n + 1, mark: n + 2, next: n + 3 })
  const score = scoreOf((n + 4) as Units, (n + 5) as Units, (n + 6) as Units, (n + 7) as Units)
  ranking.add({ user: alice, side: LONG, position: (n + 8) as OrderId, score })
  return ranking
}

/** Fills every list of Futures. Accounts, positions, settings and exits come in no useful order, or in its reverse. */
function fill(x: State, isReversed = false): void {
  const { perp } = x
  const turned = <T>(all: T[]): T[] => (isReversed ? all.reverse() : all)
  const [one, other] = perp.list as [Contract, Contract]
  fillContract(one, 1000)
  fillContract(other, 2000)
  one.isClearing = true
  one.inventory.lots = 7 as Lots
  one.openLots = 7 as Lots
  other.inventory.lots = -9 as Lots
  one.round = Object.assign(new Round(1100, 1101 as Ticks, at(1102)), { cursor: 1103, paid: 1104, missing: 1105, owed: 1106, pot: 1107 })
  one.rankings[0] = rankingOf(1200)
  other.rankings[1] = rankingOf(2200)
  other.gate.advance(at(5000), false, true)
  perp.account(dave).isHedge = true
  for (const user of turned([bob, alice])) {
    for (const contract of turned([other, one]))
      Object.assign(perp.account(user).setting(contract.id), { leverage: contract.id + user, mode: CROSS })
    const n = 3000 + 400 * user
    for (const [contract, side, lots, from] of turned([
      [other, SHORT, -3, n],
      [one, SHORT, -5, n + 100],
      [one, LONG, 6, n + 200],
    ] as const))
      opens(x, user, contract, side, lots, from)
    perp.account(user).isHedge = true
  }
  const [waits, stands] = [opens(x, carol, one, BOTH, 8, 4900), opens(x, frank, other, BOTH, 4, 5000)]
  stands.advance = 0
  // A holding without lots has had a position, or holds money for orders.
  perp.holding(carol, other, BOTH).lastId = 5100
  perp.holding(erin, one, BOTH).ordersMargin = 5200 as Units
  Object.assign(perp, { moved: 5300, looksOn: true, lookedTo: 5301, looksAgain: true, hole: 5302 })
  perp.enqueue(waits.account, waits)
  perp.enqueue(perp.account(alice), undefined)
  const short = perp.account(bob).find(other.id, SHORT)!
  perp.enqueue(short.account, short)
  for (const watched of [
    { account: perp.account(bob), holding: undefined, position: 0 as OrderId },
    { account: stands.account, holding: stands, position: stands.id },
  ]) {
    perp.watched.push(watched)
    ;(watched.holding ?? watched.account).isWatched = true
  }
  for (const account of perp.accounts()) setLevels(x, account)
  perp.mixed.put(perp.account(bob), 5310)
  perp.mixed.put(perp.account(alice), 5311)
  for (const order of turned([5401, 5400]))
    perp.exits.set(order, { takeProfit: (order + 10) as Ticks, stopLoss: (order + 20) as Ticks, bits: order & 3 })
}

/** Everything that a dump keeps, as plain values. */
function kept(perp: PerpState): object {
  const { moved, looksOn, lookedTo, looksAgain, hole, mixed, queue, watched, exits } = perp
  const named = ({ account, holding }: { account: PerpAccount; holding: Holding | undefined }) => [
    account.user,
    holding?.market,
    holding?.side,
  ]
  return {
    ...{ moved, looksOn, lookedTo, looksAgain, hole, mixed: mixed.sorted().map(({ user, calmUntil }) => [user, calmUntil]) },
    contracts: perp.list.map(({ positions, levels, venue: _, source: __, markTriggers: ___, ...figures }) => ({
      ...figures,
      gate: [figures.gate.phase, figures.gate.dueAtMs(), figures.gate.closedMs(at(9000))],
      positions: positions.map(({ id }) => id).sort((a, b) => a - b),
      levels: positions.map(({ at: place, id }) => [id, levels[place]! + 0]).sort((a, b) => a[0]! - b[0]!),
    })),
    accounts: perp.accounts().map(({ user, isHedge, settings, holdings, cross, isLiquidating, isWatched }) => ({
      ...{ user, isHedge, isLiquidating, isWatched, cross: cross.map(({ id }) => id).sort((a, b) => a - b) },
      settings: [...settings].map(([market, setting]) => [market, setting.leverage, setting.mode]).sort((a, b) => a[0]! - b[0]!),
      holdings: holdings
        .map(({ account: _, contract: __, setting: ___, slots: ____, at: _____, ...figures }) => figures)
        .sort((a, b) => a.market - b.market || a.side - b.side),
    })),
    queue: queue.map(named),
    watched: watched.map((one) => [...named(one), one.position]),
    exits: [...exits].sort(([a], [b]) => a - b),
  }
}

function dumped(x: State): number[] {
  const into = new Records()
  dumpPerp(x, into)
  return [...into.data.slice(0, into.length)]
}

test('PERP-CORE-002: what is dumped of Futures is read back field by field, up to where it ends', () => {
  const [x, restored] = [new Alone(), new Alone()].map((alone) => {
    alone.lists(4)
    return alone.x
  }) as [State, State]
  fill(x)
  const data = Float64Array.of(-1, ...dumped(x), -1)
  assert.equal(restorePerp(restored, data, 1, 13), data.length - 1)
  assert.deepEqual(kept(restored.perp), kept(x.perp))
})

test('PERP-CORE-002: a dump keeps contracts, accounts, positions, queues, warnings and exits, and is the same once restored', () => {
  const x = given()
  fill(x)
  const restored = restoreState(dumpState(x).bytes())
  assert.deepEqual(kept(restored.perp), kept(x.perp))
  assert.deepEqual(dumped(restored), dumped(x))
  assert.ok(
    x.perp.list[1]!.levels.some((level) => level > 0),
    'a position has a level',
  )
  const bare = given()
  const again = restoreState(dumpState(bare).bytes())
  assert.deepEqual(kept(again.perp), kept(bare.perp))
  const { looksOn, looksAgain, list } = again.perp
  assert.deepEqual([looksOn, looksAgain, list[0]!.isClearing, list[0]!.round], [false, false, false, undefined])
})

test('PERP-CORE-002: a dump does not depend on the order in which accounts, settings, positions and exits came', () => {
  const [x, other] = [given(), given()]
  fill(x)
  fill(other, true)
  // The map of exits has parts, and some of the 600 numbers share a part.
  const numbers = Array.from({ length: 600 }, (_, n) => 10_000 + n)
  const none = { takeProfit: 0 as Ticks, stopLoss: 0 as Ticks, bits: 0 }
  for (const n of numbers) x.perp.exits.set(n, none)
  for (const n of numbers.toReversed()) other.perp.exits.set(n, none)
  assert.deepEqual(dumped(other), dumped(x))
})

test('PERP-CORE-002: accounts and holdings that are as new are not dumped, and each setting that is not is kept', () => {
  const x = given()
  const [one, other] = x.perp.list as [Contract, Contract]
  x.perp.account(alice)
  x.perp.holding(bob, one, BOTH)
  assert.deepEqual(dumped(x), dumped(given()))
  x.perp.account(carol).setting(other.id).mode = CROSS
  x.perp.holding(carol, one, BOTH)
  x.perp.account(dave).setting(one.id).leverage = 2
  const { perp } = restoreState(dumpState(x).bytes())
  assert.deepEqual(
    perp.accounts().map(({ user }) => user),
    [carol, dave],
  )
  const settings = (user: UserId): object =>
    [...perp.account(user).settings].map(([market, { leverage, mode }]) => [market, leverage, mode])
  assert.deepEqual([settings(carol), settings(dave)], [[[other.id, 1, CROSS]], [[one.id, 2, ISOLATED]]])
  assert.deepEqual(perp.account(carol).holdings, [])
})

/** Futures as version 12 stored them: contract 3, a user with two holdings, a queue, a warning and an order with exits. */
function of12(mark: number): Records {
  const into = new Records()
  put(into, 99, 1)
  put(into, 3, mark, 1000, 7, 2, 55, 4444)
  put(into, 1, 100, 2)
  put(into, 1, bob, 1, 1)
  put(into, 3, 5, CROSS)
  put(into, 2)
  put(into, 3, LONG, 31, 32, 6)
  put(into, 30, 51_000_000_000, 33, -34, 35, -36, 37)
  put(into, 1, 11, 2, 12, 3, 13, 4, 14)
  put(into, 3, SHORT, 41, 42, 0)
  put(into, 1, bob, 3, LONG)
  put(into, 1, bob, 0, 0, 0)
  put(into, 1, 60, 61, 62, 3)
  put(into, 70)
  return into
}

test('PERP-CORE-002: of version 12, positions get the rates of their tier, and a running outage counts from the restore', () => {
  const x = given()
  const one = x.perp.list[0]!
  one.source.isIndexGood = false
  x.perp.moved = 77
  const old = of12(90)
  assert.equal(restorePerp(x, old.data, 1, 12), old.length)
  assert.deepEqual([one.mark, one.index, one.fundingAtMs, one.rounds, one.round], [90, 1000, 4444, 0, undefined])
  assert.deepEqual([one.premium.sum, one.premium.ms, one.basis.sum(at(100), at(101))], [30_000, 10_000, 1_000_000])
  assert.deepEqual([one.gate.phase, one.gate.dueAtMs(), one.openLots], [BAD, x.atMs + 30_000, 6])
  const account = x.perp.knownAccount(bob)!
  assert.deepEqual([account.isHedge, account.isWatched, account.isLiquidating], [true, true, false])
  const [long, short] = account.holdings as [Holding, Holding]
  const { id, lastId, ordersMargin, lots, cost, margin, realised, fees, funding, openedAtMs } = long
  assert.deepEqual([id, lastId, ordersMargin, lots, cost, margin], [30, 31, 32, 6, 51_000_000_000, 33])
  assert.deepEqual([realised, fees, funding, openedAtMs, long.round, long.advance], [-34, 35, -36, 37, 0, 0])
  // The cost is in the second tier.
  assert.deepEqual([long.maintenancePpm, long.watchedPpm, long.leverage, long.isCross], [40_000, 50_000, 5, true])
  const turnovers = [long.openedLots, long.openedValue, long.closedLots, long.closedValue]
  assert.deepEqual(
    turnovers.map(({ whole, rest }) => [whole, rest]),
    [
      [1, 11],
      [2, 12],
      [3, 13],
      [4, 14],
    ],
  )
  assert.deepEqual([short.side, short.lots, short.lastId, short.ordersMargin], [SHORT, 0, 41, 42])
  assert.deepEqual(x.perp.queue, [{ account, holding: long }])
  assert.deepEqual(x.perp.watched, [{ account, holding: undefined, position: 0 }])
  assert.deepEqual([...x.perp.exits], [[60, { takeProfit: 61, stopLoss: 62, bits: 3 }]])
  assert.deepEqual([x.perp.hole, x.perp.moved, x.perp.looksOn], [70, 77, false])
})

test('PERP-CORE-002: of version 12, a contract with a good index is open, and one without a mark too', () => {
  const [good, halted, unmarked] = [given(), given(), given()]
  const phase = (x: State, mark: number): number => {
    restorePerp(x, of12(mark).data, 1, 12)
    return x.perp.list[0]!.gate.phase
  }
  const { venue } = halted.perp.list[0]!
  venue.market = { ...venue.market, terms: { ...venue.market.terms, isTrading: false } }
  unmarked.perp.list[0]!.source.isIndexGood = false
  assert.deepEqual([phase(good, 90), phase(halted, 90), phase(unmarked, 0)], [OPEN, HALTED, OPEN])
})
