/** What a step does with a position that waits in the queue of liquidations, without orders in the book. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis, Ticks } from '../../../money/brand.ts'
import { NOT_READY } from '../liquidation/deleverage.ts'
import { liquidateSome } from '../liquidation/liquidate.ts'
import { takeOver } from '../liquidation/take-over.ts'
import { bearSome } from '../liquidation/bear.ts'
import { Round } from '../records/round.ts'
import type { Holding } from '../records/state.ts'
import { insuranceRow } from '../rules/money.ts'
import { Alone } from './alone.ts'

function withShorts(count: number, insured = 0): Alone {
  const alone = new Alone(insured)
  for (let user = 1; user <= count; user++) alone.opens(user, -1, 110, 110)
  return alone
}

const waits = (alone: Alone, holding: Holding): void => {
  alone.x.perp.enqueue(holding.account, holding.isCross ? undefined : holding)
  alone.events.clear()
}

test('PERP-FUND-001: the fund takes what its caps allow at the bankruptcy price, rounded in its favour, and the rest keeps its margin', () => {
  const alone = new Alone(10_000)
  // (11,000 − 950) ÷ 100 = 100.5, so 101: a lot loses 1 at the mark and risks 20 more. 500 ÷ 21 = 23 lots, which lose 9 each.
  const holding = alone.opens(1, 100, 110, 950)
  assert.equal(takeOver(alone.x, holding), 23)
  assert.deepEqual([holding.lots, holding.margin, alone.has(1)], [77, 743, [1, 743]])
  assert.deepEqual([alone.contract.inventory.lots, alone.contract.inventory.cost], [23, 2323])
  // A cross account gets the share of the margin free, ⌊950 × 23 %⌋, and pays the loss from it; its 1 unit counts too.
  const cross = new Alone(10_000)
  const other = cross.opens(1, 100, 110, 950, { isCross: true })
  assert.equal(takeOver(cross.x, other), 23)
  assert.deepEqual([other.margin, cross.has(1)], [732, [1 + 218 - 207, 732]])
})

test('PERP-FUND-001: a position that can’t go bankrupt at any price is not taken over', () => {
  const alone = new Alone(10_000)
  assert.equal(takeOver(alone.x, alone.opens(1, 10, 10, 100)), 0)
  assert.deepEqual([alone.contract.inventory.lots, alone.events.length], [0, 0])
})

test('PERP-FUND-001: a position that the fund takes whole needs no queue', () => {
  const alone = new Alone(1_000_000)
  const holding = alone.opens(1, 10, 110, 90)
  assert.equal(takeOver(alone.x, holding), 10)
  assert.deepEqual([holding.lots, holding.hasEnded, alone.contract.rankings], [0, true, [undefined, undefined]])
})

test('PERP-ADL-001: lots that the fund took count even while the queue for the rest is still being built', () => {
  const unready = withShorts(501)
  const long = unready.opens(600, 100, 110, 950)
  assert.equal(takeOver(unready.x, long), NOT_READY)
  const partly = withShorts(501, 10_000)
  assert.equal(takeOver(partly.x, partly.opens(600, 100, 110, 950)), 23)
  const nobody = new Alone()
  assert.equal(takeOver(nobody.x, nobody.opens(600, 100, 110, 950)), 0)
  const all = withShorts(5)
  const four = all.opens(600, 4, 110, 20)
  assert.equal(takeOver(all.x, four), 4)
  assert.equal(four.hasEnded, true)
})

test('PERP-LIQUIDATION-005: a step waits at the front while the queue of the other side is built, and after 32 partners', () => {
  const alone = withShorts(501)
  const long = alone.opens(600, 40, 200, 1)
  waits(alone, long)
  liquidateSome(alone.x)
  assert.deepEqual([alone.x.perp.queue.length, long.lots, long.isLiquidating], [1, 40, true])
  alone.x.perp.beginCommand()
  liquidateSome(alone.x)
  assert.deepEqual([alone.x.perp.queue.length, long.lots, long.isLiquidating, alone.x.perp.partners], [1, 8, true, 32])
  alone.x.perp.beginCommand()
  liquidateSome(alone.x)
  assert.deepEqual([alone.x.perp.queue.length, long.lots, long.isLiquidating, alone.x.perp.partners], [0, 0, false, 8])
  assert.deepEqual(
    alone.told('perp.liquidated').map(({ askedLots, closedLots, order }) => [askedLots, closedLots, order]),
    [
      [40, 32, 0],
      [8, 8, 0],
    ],
  )
})

test('PERP-LIQUIDATION-005: however many lots a step closes, the next step of the command follows', () => {
  for (const lots of [1, 2, 3]) {
    const alone = withShorts(lots)
    const long = alone.opens(600, lots, 200, 1)
    waits(alone, long)
    liquidateSome(alone.x)
    assert.deepEqual([long.lots, alone.x.perp.queue, long.isLiquidating], [0, [], false])
  }
})

/** Positions of user 600, cross in two contracts, in the order in which they are opened, with their numbers. */
function crossed(alone: Alone, ...positions: (readonly [contract: Alone['contract'], entry: number, id: number])[]): readonly Holding[] {
  return positions.map(([contract, entry, id]) => {
    const holding = alone.opens(600, 4, entry, 20, { contract, isCross: true })
    holding.id = id as typeof holding.id
    return holding
  })
}

function indexed(contract: Alone['contract'], price: number): void {
  contract.index = (price * contract.venue.indexPerTick) as typeof contract.index
}

const sold = (alone: Alone): readonly number[] => alone.told('perp.liquidated').map(({ position }) => position)

test('PERP-LIQUIDATION-003: of positions with equal maintenance margins the older one is sold first', () => {
  for (const isOlderFirst of [true, false]) {
    const alone = new Alone()
    const other = alone.lists(5)
    for (const contract of [alone.contract, other]) {
      indexed(contract, 100)
      alone.quotes(1, 'buy', 96, 20, contract)
    }
    const [one] = crossed(alone, [alone.contract, 110, isOlderFirst ? 90 : 91], [other, 110, isOlderFirst ? 91 : 90])
    // 98 less a loss of 80: a lot may be sold for at least 96.
    alone.pays(600, 56)
    waits(alone, one!)
    liquidateSome(alone.x)
    const [step] = alone.told('perp.liquidated')
    assert.deepEqual([step!.position, step!.order > 0, step!.bankruptcyPrice], [90, true, 96])
  }
})

test('PERP-FUND-001: of positions that the book does not take, the larger profit goes first, then the older; one that nobody takes stops none', () => {
  const handed = (first: number, second: number, ids: readonly [number, number]): readonly number[] => {
    const alone = withShorts(4)
    const other = alone.lists(5)
    for (let user = 11; user <= 14; user++) alone.opens(user, -1, 110, 110, { contract: other })
    const [one] = crossed(alone, [alone.contract, first, ids[0]], [other, second, ids[1]])
    waits(alone, one!)
    liquidateSome(alone.x)
    return sold(alone)
  }
  assert.deepEqual(handed(110, 110, [91, 90]), [90, 91])
  assert.deepEqual(handed(110, 110, [90, 91]), [90, 91])
  assert.deepEqual(handed(110, 112, [91, 90]), [91, 90])
  assert.deepEqual(handed(112, 110, [90, 91]), [91, 90])
  const alone = withShorts(4)
  const [stays, goes] = crossed(alone, [alone.lists(5), 101, 90], [alone.contract, 200, 91])
  waits(alone, stays!)
  liquidateSome(alone.x)
  assert.deepEqual([sold(alone), stays!.lots, goes!.lots], [[91], 4, 0])
})

test('PERP-OUTAGE-005: positions of a cross account in a halted market are neither sold nor taken over', () => {
  // With 56 more, the book could take it; without, the fund or the other side could.
  for (const [entry, more] of [
    [110, 56],
    [130, 0],
  ] as const) {
    const alone = withShorts(4)
    const { contract } = alone
    indexed(contract, 100)
    alone.quotes(10, 'buy', 100, 20)
    const [halted, open] = crossed(alone, [contract, entry, 90], [alone.lists(5), entry, 91])
    if (more > 0) alone.pays(600, more)
    contract.gate.advance(0 as Millis, true, false)
    waits(alone, open!)
    liquidateSome(alone.x)
    assert.deepEqual([sold(alone), halted!.lots, open!.lots, alone.told('traded')], [[], 4, 4, []])
  }
})

test('PERP-LIQUIDATION-003: a cross account that is saved by cancelling its orders sells nothing, and its changes are complete', () => {
  const alone = new Alone()
  indexed(alone.contract, 95)
  alone.quotes(1, 'buy', 94, 20)
  const holding = alone.opens(600, 4, 110, 20, { isCross: true })
  alone.pays(600, 120)
  const order = alone.rests(holding, 'buy', 70, 1)
  // The order holds 70 and a fee of 1. At 95 the other 50 and the margin, less a loss of 60, are the maintenance margin of 10.
  alone.contract.mark = 95 as Ticks
  waits(alone, holding)
  liquidateSome(alone.x)
  assert.deepEqual([sold(alone), holding.lots, alone.x.orders.find(order), alone.has(600)], [[], 4, -1, [121, 20]])
  assert.deepEqual([alone.x.perp.dirty, alone.x.perp.dirtyAccounts], [[], []])
})

test('PERP-LIQUIDATION-002: a step that closes nothing reports nothing, and the position waits for another mark', () => {
  const alone = new Alone()
  const holding = alone.opens(1, 10, 200, 1)
  waits(alone, holding)
  liquidateSome(alone.x)
  assert.deepEqual([alone.told('perp.liquidated'), alone.x.perp.queue, holding.isLiquidating], [[], [], false])
})

test('PERP-FUNDING-002: a step pays the fund’s advance back first; a position that is healthy then is left alone', () => {
  const alone = new Alone()
  const holding = alone.opens(1, 10, 100, 500)
  alone.pays(1, 60)
  const order = alone.rests(holding, 'sell', 110, 10, true)
  holding.advance = 50
  waits(alone, holding)
  liquidateSome(alone.x)
  assert.ok(alone.x.orders.find(order) >= 0, 'its order stays')
  assert.deepEqual([holding.advance, holding.funding, holding.lots, holding.isLiquidating, alone.x.perp.queue], [0, -50, 10, false, []])
  assert.deepEqual([alone.has(1), alone.x.ledger.available(insuranceRow(alone.x))], [[11, 500], 50])
  assert.deepEqual(
    alone.told('perp.fundingPaid').map(({ user, rate, amount }) => [user, rate, amount]),
    [[1, 0, -50]],
  )
  assert.deepEqual(
    alone.told('perp.position').map(({ user, funding }) => [user, funding]),
    [[1, -50]],
  )
})

test('PERP-FUNDING-002: in a cross account the older position pays back first', () => {
  const alone = new Alone()
  const later = alone.opens(1, 10, 90, 0, { isCross: true })
  const older = alone.opens(1, 10, 90, 0, { contract: alone.lists(5), isCross: true })
  older.id = 90 as typeof older.id
  // 40 in all: the older position owes 30.
  alone.pays(1, 38)
  Object.assign(later, { advance: 30 })
  Object.assign(older, { advance: 30 })
  waits(alone, later)
  liquidateSome(alone.x)
  assert.deepEqual([older.advance, later.advance, alone.has(1)], [0, 20, [0, 0]])
})

test('PERP-FUNDING-005: a running round is settled before a step, for all positions of a cross account, and before a winner pays', () => {
  const begins = (alone: Alone, ...contracts: Alone['contract'][]): void => {
    for (const contract of contracts) {
      contract.rounds = 1
      contract.round = new Round(10_000_000, 100 as Ticks, 0 as Millis)
    }
    alone.events.clear()
  }
  const paid = (alone: Alone): readonly (readonly number[])[] =>
    alone.told('perp.fundingPaid').map(({ user, market, amount, rate }) => [user, market, amount, rate])
  // 1 % of 1,000.
  const one = new Alone()
  const isolated = one.opens(1, 10, 100, 500)
  one.pays(1, 20)
  waits(one, isolated)
  begins(one, one.contract)
  liquidateSome(one.x)
  assert.deepEqual([paid(one), one.has(1)], [[[1, 3, -10, 10_000_000]], [11, 500]])
  // An isolated position is settled alone.
  const apart = new Alone()
  const next = apart.lists(5)
  const first = apart.opens(1, 10, 100, 500)
  apart.opens(1, 10, 100, 500, { contract: next })
  apart.pays(1, 40)
  waits(apart, first)
  begins(apart, apart.contract, next)
  liquidateSome(apart.x)
  assert.deepEqual(paid(apart), [[1, 3, -10, 10_000_000]])
  const both = new Alone()
  const other = both.lists(5)
  const cross = both.opens(1, 10, 100, 500, { isCross: true })
  both.opens(1, 10, 100, 500, { contract: other, isCross: true })
  both.pays(1, 20)
  waits(both, cross)
  begins(both, both.contract, other)
  liquidateSome(both.x)
  assert.deepEqual(paid(both), [
    [1, 3, -10, 10_000_000],
    [1, 5, -10, 10_000_000],
  ])
  const won = new Alone()
  won.opens(1, 10, 90, 900)
  won.pays(1, 20)
  begins(won, won.contract)
  won.contract.unpaid[0] = 7
  bearSome(won.x)
  assert.deepEqual(paid(won), [[1, 3, -10, 10_000_000]])
})
