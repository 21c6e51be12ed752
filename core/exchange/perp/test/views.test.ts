/** Tests the views of Futures, the times at which its work is due, and the states that count as violations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDOWMENT } from '../../../ledger/reasons.ts'
import type { Lots, Millis, Units } from '../../../money/brand.ts'
import type { UserId } from '../../../protocol/ids.ts'
import { State } from '../../state/state.ts'
import { perpViolations } from '../balance.ts'
import { BOTH } from '../records/state.ts'
import type { Holding } from '../records/state.ts'
import { outsideRow, perpRow } from '../rules/money.ts'
import { perpDueAtMs } from '../tick.ts'
import { adlRank, viewInventories, viewMarks, viewPerpAccount } from '../view.ts'
import { Alone } from './alone.ts'
import { givenPerp } from './world.ts'

const user = 1 as UserId

test('PERP-ADL-002: a position shows the fifth of the queue of its side in which it stands, up to a second old', () => {
  const alone = new Alone().at(10_000)
  // Ten longs, each with 1,000 of margin and value; profits of 10 to 100.
  const longs = Array.from({ length: 10 }, (_, n) => alone.opens(n + 1, 10, 99 - n, 100))
  const shorts = Array.from({ length: 4 }, (_, n) => alone.opens(n + 11, -10, 90 + n, 500))
  const ranks = (of: readonly Holding[]): readonly number[] => of.map((holding) => adlRank(alone.x, holding))
  assert.deepEqual(ranks(longs), [1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
  // Four shorts lose 100 to 70.
  assert.deepEqual(ranks(shorts), [2, 3, 4, 5])
  // The ranks stay as they are for a second.
  const late = alone.opens(15, 10, 50, 100)
  assert.equal(adlRank(alone.at(10_999).x, longs[9]!), 5)
  assert.equal(adlRank(alone.x, late), 5)
  assert.deepEqual(ranks([late, ...longs].slice(0, 3)), [5, 1, 1])
  for (const holding of longs.slice(5)) {
    holding.lots = 0 as Lots
    alone.contract.remove(holding)
  }
  assert.deepEqual(ranks(longs.slice(0, 5)), [1, 1, 2, 2, 3])
  alone.at(11_000)
  // Six longs are left now, and one of them has more profit.
  assert.deepEqual(ranks(longs.slice(0, 5)), [1, 2, 3, 4, 5])
})

test('PERP-RISK-009: the rank counts profit in percent × leverage, and for a loss the loss in percent ÷ leverage', () => {
  const alone = new Alone()
  // The same profit of 10 %: with less equity the leverage is higher.
  const gains = [1000, 400, 200].map((margin, n) => alone.opens(n + 1, 10, 90, margin))
  const losses = [1000, 400, 200].map((margin, n) => alone.opens(n + 4, 10, 110, margin))
  const ranks = [...gains, ...losses].map((holding) => adlRank(alone.x, holding))
  // In order: the third, second and first gain, then the third, second and first loss.
  assert.deepEqual(ranks, [4, 5, 5, 1, 2, 3])
})

test('PERP-RISK-009: the rank compares parts of the cost and of the equity, not amounts', () => {
  const ranks = (...positions: readonly (readonly [lots: number, entry: number, margin: number])[]): readonly number[] => {
    const alone = new Alone()
    const holdings = positions.map(([lots, entry, margin], n) => alone.opens(n + 1, lots, entry, margin))
    return holdings.map((holding) => adlRank(alone.x, holding))
  }
  // Both gain a ninth, the smaller one at twice its equity, the larger one at three times.
  assert.deepEqual(ranks([10, 90, 400], [30, 90, 700]), [3, 5])
  // At the leverage of 1 the first has doubled, and the second has gained more by a ninth.
  assert.deepEqual(ranks([10, 50, 500], [100, 90, 9000]), [5, 3])
})

test('PERP-RISK-009: the rank of a position whose equity is used up counts an equity of one unit', () => {
  const alone = new Alone()
  const [first, second] = [alone.opens(1, -10, 99, 5), alone.opens(2, -10, 90, 100)]
  // Both have lost more than their margin or exactly all of it.
  assert.deepEqual([adlRank(alone.x, first), adlRank(alone.x, second)], [5, 3])
})

test('API-PERP-021: an account shows its settings in every market, its open positions and what its orders hold', () => {
  const alone = new Alone().at(5000)
  const { x, contract } = alone
  const other = alone.lists(4)
  const bare = viewPerpAccount(x, 9 as UserId)
  assert.deepEqual([bare.isHedge, bare.available, bare.held, bare.positions, bare.orders], [false, 0, 0, [], []])
  const isolated = { leverage: 1, mode: 'isolated' }
  assert.deepEqual(bare.settings, [
    { market: 3, ...isolated },
    { market: 4, ...isolated },
  ])
  const holding = alone.opens(1, -10, 110, 300)
  Object.assign(holding, { realised: 11, fees: 12, funding: -13, openedAtMs: 4000 })
  holding.setting.leverage = 3
  alone.pays(1, 5000)
  alone.rests(holding, 'buy', 90, 4)
  alone.rests(holding, 'sell', 120, 5)
  const beside = x.perp.holding(user, other, holding.side)
  alone.rests(beside, 'buy', 95, 2)
  const { isHedge, available, held, settings, positions, orders, ceiling } = viewPerpAccount(x, user)
  assert.deepEqual([isHedge, ceiling], [false, null])
  assert.deepEqual([available, held], alone.has(1))
  assert.deepEqual(settings, [
    { market: 3, leverage: 3, mode: 'isolated' },
    { market: 4, ...isolated },
  ])
  const [position, ...more] = positions
  assert.deepEqual([position!.position, position!.user, position!.market, position!.side, more], [101, 1, 3, 'both', []])
  assert.deepEqual([position!.mode, position!.leverage, position!.lots, position!.cost, position!.margin], ['isolated', 3, -10, 1100, 300])
  const { realised, fees, funding, openedAt, adlRank: rank } = position!
  assert.deepEqual([realised, fees, funding, openedAt, rank], [11, 12, -13, 4000, 5])
  // The four lots bought close the position, so that only the sale opens: ⌈600 ÷ 3⌉ and a fee of 1.
  assert.deepEqual(orders, [
    { market: 3, side: 'both', margin: 201, buys: 360, sells: 600 },
    { market: 4, side: 'both', margin: 191, buys: 190, sells: 0 },
  ])
  assert.equal(contract.positions.length, 1)
})

test('API-PERP-021: the values of a user’s orders are shown in units', () => {
  const world = givenPerp({ alice: '1000' })
  world.buy('alice', 90, 100).isAccepted()
  world.sell('alice', 110, 200).isAccepted()
  const [{ buys, sells } = { buys: 0, sells: 0 }] = world.exchange.perpAccount(world.id('alice')).orders
  assert.deepEqual([buys, sells], [9_000_000, 22_000_000])
})

test('API-PERP-021: orders are shown as long as one of a side may open or money is held for them', () => {
  const alone = new Alone()
  const holding = alone.x.perp.holding(user, alone.contract, BOTH)
  const shown = (change: object): number => {
    Object.assign(holding, { openLots: [0, 0], ordersMargin: 0 }, change)
    return viewPerpAccount(alone.x, user).orders.length
  }
  assert.equal(shown({}), 0)
  for (const change of [
    { openLots: [1, 0] },
    { openLots: [0, 1] },
    { openLots: [1, 1] },
    { ordersMargin: 1 },
    { openLots: [1, 0], ordersMargin: 1 },
  ])
    assert.equal(shown(change), 1)
})

test('PERP-HISTORY-005: the inventories of the fund are shown with their cost and beginning, if there are any', () => {
  const alone = new Alone()
  const other = alone.lists(4)
  assert.deepEqual(viewInventories(alone.x), [])
  Object.assign(other.inventory, { lots: -5, cost: 450, sinceMs: 7000 })
  assert.deepEqual(viewInventories(alone.x), [{ market: 4, lots: -5, cost: 450, sinceMs: 7000 }])
})

test('PERP-API-001: mark, index, funding and phase of each contract are public', () => {
  const alone = new Alone()
  const { contract } = alone
  Object.assign(contract, { index: 99, fundingAtMs: 5000 })
  // A mean of 0.2 %: the interest of 0.01 % is farther away than the stretch of 0.05 %.
  Object.assign(contract.premium, { sum: 20_000_000, ms: 10 })
  const other = alone.lists(4)
  other.source.isIndexGood = false
  other.gate.advance(0 as Millis, true, false)
  assert.deepEqual(viewMarks(alone.x), [
    { market: 3, mark: 100, index: 99, fundingRate: 1_500_000, fundingAt: 5000, isGood: true, phase: 'open' },
    { market: 4, mark: 100, index: 0, fundingRate: 100_000, fundingAt: 0, isGood: false, phase: 'halted' },
  ])
})

test('PERP-CORE-001: each lot, unit and hold that does not add up is a violation, and nothing else is', () => {
  assert.deepEqual(perpViolations(new State()), [])
  /** A long of 10 lots at 100 against a short of 8 and the fund's short of 2. */
  const given = (): { alone: Alone; long: Holding; short: Holding } => {
    const alone = new Alone()
    const [long, short] = [alone.opens(1, 10, 100, 500), alone.opens(2, -8, 101, 400)]
    Object.assign(alone.contract.inventory, { lots: -2, cost: 202 })
    pays(alone, 10)
    return { alone, long, short }
  }
  const pays = ({ x, outside }: Alone, units: number): void => {
    x.ledger.issue(outside, outsideRow(x), x.usdt, units as Units, ENDOWMENT)
  }
  const found = (change: (one: ReturnType<typeof given>) => void): readonly string[] => {
    const one = given()
    change(one)
    return perpViolations(one.alone.x)
  }
  assert.deepEqual(
    found(() => undefined),
    [],
  )
  assert.deepEqual(
    found(({ alone }) => pays(alone, 1)),
    ['outside:perp is 11 instead of 10'],
  )
  assert.deepEqual(
    found(({ long, alone }) => {
      long.lots = 11 as Lots
      alone.contract.openLots = 11 as Lots
    }),
    ['positions of market 3 sum to 1 lots'],
  )
  assert.deepEqual(
    found(({ alone }) => {
      alone.contract.openLots = 9 as Lots
    }),
    ['market 3 counts 9 open lots instead of 10'],
  )
  assert.deepEqual(
    found(({ short }) => {
      short.margin = 399 as Units
    }),
    ['user 2 holds 400 for contracts instead of 399'],
  )
  assert.deepEqual(
    found(({ long }) => {
      long.ordersMargin = 1 as Units
    }),
    ['user 1 holds 500 for contracts instead of 501'],
  )
  assert.deepEqual(
    found(({ alone, short }) => {
      alone.x.ledger.release(perpRow(alone.x, 2 as UserId), 400 as Units)
      short.margin = -1 as Units
      short.ordersMargin = 1 as Units
    }),
    ['position 102 below zero'],
  )
  assert.deepEqual(
    found(({ short, alone }) => {
      short.cost = -1 as Units
      alone.contract.inventory.cost = 1011 as Units
    }),
    ['position 102 below zero'],
  )
  // Losses that wait for the winners' profits, and missing money, have left `outside:perp` without a position.
  assert.deepEqual(
    found(({ alone }) => {
      alone.contract.unpaid[0] = 3
      alone.contract.unpaid[1] = 4
      alone.x.perp.hole = -7
    }),
    [],
  )
  assert.deepEqual(
    found(({ alone }) => (alone.x.perp.hole = 7)),
    ['outside:perp is 17 instead of 10'],
  )
  // A cross position may have no margin.
  assert.deepEqual(
    found(({ alone }) => {
      alone.opens(3, 1, 0, 0)
      alone.opens(4, -1, 0, 0)
    }),
    [],
  )
  // A long inventory counts among the longs.
  const funds = new Alone()
  funds.opens(1, -5, 100, 500)
  Object.assign(funds.contract.inventory, { lots: 5, cost: 500 })
  funds.contract.openLots = 5 as Lots
  assert.deepEqual(perpViolations(funds.x), [])
})

test('PERP-LIQUIDATION-005: the clock has work for Futures at once while any of it is left, otherwise at the next due time', () => {
  const due = (change: (alone: Alone) => void): number => {
    const alone = new Alone().at(7000)
    alone.contract.fundingAtMs = 50_000 as Millis
    change(alone)
    return perpDueAtMs(alone.x)
  }
  assert.equal(
    due(() => undefined),
    50_000,
  )
  const waits: ((alone: Alone) => unknown)[] = [
    (alone) => alone.x.perp.enqueue(alone.opens(1, 5, 100, 10).account, undefined),
    ({ x }) => (x.perp.looksOn = true),
    ({ contract }) => (contract.unpaid[0] = 1),
    ({ contract }) => (contract.refitFrom = 1),
    ({ contract }) => (contract.tries = 1),
    ({ contract }) => (contract.isClearing = true),
  ]
  for (const change of waits) assert.equal(due(change), 7000)
  assert.equal(
    due(({ contract, x }) => contract.gate.advance(x.atMs, false, true)),
    37_000,
  )
  assert.equal(
    due(({ contract }) => Object.assign(contract.inventory, { lots: 5, workedAtMs: 6000 })),
    16_000,
  )
})
