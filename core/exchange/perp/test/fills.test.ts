/** Tests to the unit how trades, losses and fees change a position and its account. A lot at a tick is one unit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SideNumber } from '../../../book/codes.ts'
import type { Lots, Millis, Ticks, Units } from '../../../money/brand.ts'
import type { OrderId, UserId } from '../../../protocol/ids.ts'
import { BY_LIQUIDATION, BY_ORDER, end, fill, insure, payLiquidationFee, reduce, takeMargin } from '../positions/fill.ts'
import { fillHole, settleShortages } from '../positions/shortage.ts'
import { BOTH } from '../records/state.ts'
import type { Holding } from '../records/state.ts'
import { FEE } from '../../../ledger/reasons.ts'
import { insuranceRow, outsideRow, perpRow } from '../rules/money.ts'
import { Alone } from './alone.ts'

const buy = 0 as SideNumber
const sell = 1 as SideNumber

/** Fills an order, with this fee due. Returns the fee paid. */
function fills({ x }: Alone, holding: Holding, side: SideNumber, price: number, lots: number, fee: number, order: number): number {
  return fill(x, holding, side, price as Ticks, lots as Lots, fee as Units, order as OrderId, BY_ORDER)
}

/** Takes lots off a position at a price. */
function reduces({ x }: Alone, holding: Holding, lots: number, price: number, isKept = false): void {
  reduce(x, holding, lots as Lots, (price * lots) as Units, isKept)
}

const shortages = ({ x }: Alone): readonly (readonly number[])[] =>
  x.perp.shortages.map(({ holding, amount }) => [holding.id as number, amount])
const fund = ({ x }: Alone): number => x.ledger.available(insuranceRow(x))
const fees = ({ x }: Alone): number => x.ledger.available(x.ledger.feeRow(x.usdt))
const outside = ({ x }: Alone): number => x.ledger.available(outsideRow(x))

test('PERP-POSITION-001: trades open, enlarge, reduce, reverse and close a position, each with its share of cost, margin and fee', () => {
  const alone = new Alone().pays(1, 1000).at(70)
  const { x, contract } = alone
  x.lastOrder = 500 as OrderId
  const holding = x.perp.holding(1 as UserId, contract, BOTH)
  holding.setting.leverage = 3
  const state = (): readonly number[] => [holding.lots, holding.cost, holding.margin, holding.realised, holding.fees, contract.openLots]
  assert.equal(fills(alone, holding, buy, 100, 1, 1, 7), 1)
  assert.deepEqual(
    [state(), alone.has(1)],
    [
      [1, 100, 34, 0, 1, 1],
      [965, 34],
    ],
  )
  assert.deepEqual([holding.id, holding.lastId, holding.openedAtMs, holding.isShort], [7, 7, 70, false])
  // ⌈200 ÷ 3⌉ = 67 less the 34.
  assert.equal(fills(alone.at(80), holding, buy, 100, 1, 1, 8), 1)
  assert.deepEqual(
    [state(), alone.has(1)],
    [
      [2, 200, 67, 0, 2, 2],
      [931, 67],
    ],
  )
  assert.deepEqual([holding.id, holding.openedAtMs], [7, 70])
  // A profit of 10, and ⌊67 ÷ 2⌋ of margin.
  assert.equal(fills(alone, holding, sell, 110, 1, 1, 9), 1)
  assert.deepEqual([state(), alone.has(1), outside(alone)], [[1, 100, 34, 10, 3, 1], [973, 34], -10])
  assert.deepEqual(
    [holding.openedLots, holding.openedValue, holding.closedLots, holding.closedValue].map(({ total }) => total),
    [2n, 200n, 1n, 110n],
  )
  // One lot closes at a loss of 10 with ⌊5 ÷ 3⌋ of the fee; two open with ⌈180 ÷ 3⌉ and the other 4.
  assert.equal(fills(alone.at(90), holding, sell, 90, 3, 5, 10), 5)
  assert.deepEqual([state(), alone.has(1), outside(alone), fees(alone)], [[-2, 180, 60, 0, 4, 0], [932, 60], 0, 8])
  assert.deepEqual([holding.id, holding.openedAtMs, holding.isShort, holding.hasEnded], [10, 90, true, true])
  assert.deepEqual(
    [holding.openedLots, holding.openedValue, holding.closedLots, holding.closedValue].map(({ total }) => total),
    [2n, 180n, 0n, 0n],
  )
  const [first] = x.perp.ended
  const { id, lots, margin, realised, closedLots, closedValue, openedLots } = first!.record
  assert.deepEqual([id, lots, margin, realised, closedLots, closedValue, openedLots], [7, 0, 0, 0, 2n, 200n, 2n])
  assert.deepEqual([first!.record.fees, first!.isShort, first!.cause], [4, false, BY_ORDER])
  // Buying back at 80 gives a profit of 20 and all of the margin.
  assert.equal(fills(alone, holding, buy, 80, 2, 1, 11), 1)
  assert.deepEqual([state(), alone.has(1), outside(alone)], [[0, 0, 0, 20, 5, 0], [1011, 0], -20])
  assert.deepEqual([x.perp.ended.length, x.perp.ended[1]!.isShort, contract.positions.length], [2, true, 0])
  // An order that begins a second position gives it a new number.
  fills(alone, holding, sell, 100, 1, 0, 10)
  assert.deepEqual([holding.id, holding.lastId, x.lastOrder, holding.fees, holding.realised], [501, 501, 501, 0, 0])
  assert.deepEqual([contract.positions.length, x.perp.dirty.length, holding.isChanged], [1, 1, true])
})

test('PERP-POSITION-001: the loss of an isolated position comes from the released margin, then from its other margin, then from nobody', () => {
  const lost = (lots: number, price: number, isKept = false, entry = 100): readonly unknown[] => {
    const alone = new Alone()
    const holding = alone.opens(1, 10, entry, 100)
    const other = alone.opens(1, 10, 100, 50, { contract: alone.lists(5), isCross: true })
    holding.isChanged = false
    reduces(alone, holding, lots, price, isKept)
    assert.equal(holding.isChanged, true)
    return [holding.margin, other.margin, ...alone.has(1), shortages(alone)]
  }
  // 1 and 1 are available. Five lots release 50.
  assert.deepEqual(lost(5, 91), [50, 50, 7, 100, []])
  assert.deepEqual(lost(5, 90), [50, 50, 2, 100, []])
  assert.deepEqual(lost(5, 88), [40, 50, 2, 90, []])
  assert.deepEqual(lost(5, 80), [0, 50, 2, 50, []])
  assert.deepEqual(lost(5, 79), [0, 50, 2, 50, [[101, 5]]])
  // A step of a liquidation keeps the margin in the position.
  assert.deepEqual(lost(5, 91, true), [55, 50, 2, 105, []])
  assert.deepEqual(lost(5, 100, true), [100, 50, 2, 150, []])
  assert.deepEqual(lost(5, 79, true), [0, 50, 2, 50, [[101, 5]]])
  assert.deepEqual(lost(5, 101), [50, 50, 57, 100, []])
})

test('PERP-POSITION-001: the loss of a cross position comes from the balance, its margin, then the margins of the older positions first', () => {
  const lost = (price: number): readonly unknown[] => {
    const alone = new Alone()
    const holding = alone.opens(1, 10, 100, 20, { isCross: true })
    const younger = alone.opens(1, 10, 100, 40, { contract: alone.lists(5), isCross: true })
    const older = alone.opens(1, 10, 100, 30, { contract: alone.lists(6), isCross: true })
    const isolated = alone.opens(1, 10, 100, 60, { contract: alone.lists(7) })
    younger.id = 300 as OrderId
    older.id = 200 as OrderId
    reduces(alone, holding, 5, price)
    return [holding.margin, older.margin, younger.margin, isolated.margin, ...alone.has(1), shortages(alone), outside(alone)]
  }
  // 4 are available, and 10 are released.
  assert.deepEqual(lost(98), [10, 30, 40, 60, 4, 140, [], 10])
  assert.deepEqual(lost(97), [9, 30, 40, 60, 0, 139, [], 15])
  assert.deepEqual(lost(95), [0, 29, 40, 60, 0, 129, [], 25])
  assert.deepEqual(lost(88), [0, 0, 34, 60, 0, 94, [], 60])
  assert.deepEqual(lost(81), [0, 0, 0, 60, 0, 60, [[101, 1]], 94])
})

test('PERP-POSITION-002: a fee that the balance does not cover is taken from the margin, as far as that suffices', () => {
  const paid = (funds: number, fee: number): readonly number[] => {
    const alone = new Alone().pays(1, funds)
    const holding = alone.x.perp.holding(1 as UserId, alone.contract, BOTH)
    return [fills(alone, holding, buy, 100, 1, fee, 7), holding.margin, holding.fees, fees(alone), ...alone.has(1)]
  }
  assert.deepEqual(paid(104, 4), [4, 100, 4, 4, 0, 100])
  assert.deepEqual(paid(103, 4), [4, 99, 4, 4, 0, 99])
  assert.deepEqual(paid(10, 4), [4, 6, 4, 4, 0, 6])
  assert.deepEqual(paid(3, 4), [3, 0, 3, 3, 0, 0])
  assert.deepEqual(paid(104, 0), [0, 100, 0, 0, 4, 100])
  // Nothing to pay with, and nothing to hold.
  assert.deepEqual(paid(0, 4), [0, 0, 0, 0, 0, 0])
})

test('PERP-LIQUIDATION-002: the fee of a step is 0.5 % rounded up, from the margin, or of a cross account from its balance first', () => {
  const paid = (value: number, margin: number, entry: number, isCross: boolean, more = 0): readonly number[] => {
    const alone = new Alone()
    const holding = alone.opens(1, 10, entry, margin, isCross ? { isCross } : {})
    if (more > 0) alone.pays(1, more)
    payLiquidationFee(alone.x, holding, value)
    return [fund(alone), holding.fees, alone.x.perp.liquidationFees, holding.margin, ...alone.has(1)]
  }
  assert.deepEqual(paid(1001, 100, 100, false), [6, 6, 6, 94, 1, 94])
  assert.deepEqual(paid(1000, 100, 100, false), [5, 5, 5, 95, 1, 95])
  // No more than the equity that is left.
  assert.deepEqual(paid(1000, 13, 101, false), [3, 3, 3, 10, 1, 10])
  assert.deepEqual(paid(1000, 10, 101, false), [0, 0, 0, 10, 1, 10])
  assert.deepEqual(paid(1000, 100, 120, false), [0, 0, 0, 100, 1, 100])
  assert.deepEqual(paid(1000, 100, 100, true), [5, 5, 5, 96, 0, 96])
  assert.deepEqual(paid(1000, 100, 100, true, 9), [5, 5, 5, 100, 5, 100])
  assert.deepEqual(paid(1000, 0, 100, true, 3), [4, 4, 4, 0, 0, 0])
})

test('PERP-POSITION-003: a position that ends returns its margin and the fund’s advance, and a number that lasts for no other', () => {
  const alone = new Alone()
  const { x, contract } = alone
  const holding = alone.opens(1, 10, 100, 50)
  holding.advance = 20
  holding.lots = 0 as Lots
  end(x, holding, BY_LIQUIDATION)
  assert.deepEqual([holding.margin, holding.advance, alone.has(1), fund(alone)], [0, 0, [31, 0], 20])
  assert.deepEqual([contract.positions, holding.hasEnded, x.perp.ended[0]!.cause], [[], true, BY_LIQUIDATION])
  // The fund loses the part that the position can't pay back.
  const poor = new Alone()
  const broke = poor.opens(1, 10, 100, 10)
  broke.advance = 20
  broke.lots = 0 as Lots
  end(poor.x, broke, BY_ORDER)
  assert.deepEqual([broke.advance, poor.has(1), fund(poor)], [0, [0, 0], 11])
})

test('PERP-POSITION-001: margin is taken as far as there is any, and the insurance fund pays as far as it can', () => {
  const alone = new Alone(10)
  const holding = alone.opens(1, 10, 100, 51)
  const take = (most: number): readonly number[] => [takeMargin(alone.x, holding, most), holding.margin, ...alone.has(1)]
  holding.isChanged = false
  take(0)
  assert.equal(holding.isChanged, false)
  take(1)
  assert.equal(holding.isChanged, true)
  assert.deepEqual(
    [take(20), take(0), take(-5), take(40), take(1)],
    [
      [20, 30, 22, 30],
      [0, 30, 22, 30],
      [0, 30, 22, 30],
      [30, 0, 52, 0],
      [0, 0, 52, 0],
    ],
  )
  assert.deepEqual([insure(alone.x, 4), insure(alone.x, 0), insure(alone.x, 9), insure(alone.x, 9), outside(alone)], [4, 0, 6, 0, 10])
  assert.deepEqual(
    alone
      .told('entry')
      .filter(({ reason }) => reason === 'insurance')
      .map(({ delta }) => delta),
    [-4, 4, -6, 6],
  )
})

test('PERP-ORDER-001: an order beside a position that closes part of it releases what it no longer needs at once', () => {
  const alone = new Alone()
  const holding = alone.opens(1, 10, 100, 100)
  alone.pays(1, 1000)
  // 4 of 14 lots at 110 would open: 440 and a fee of 1.
  alone.rests(holding, 'sell', 110, 14)
  assert.deepEqual([holding.ordersMargin, alone.has(1)], [441, [560, 541]])
  alone.x.atMs = 5 as Millis
  // A position that grows by 4 lots needs nothing for the orders.
  fills(alone, holding, buy, 100, 2, 0, 200)
  assert.equal(holding.ordersMargin, 221)
  fills(alone, holding, buy, 100, 2, 0, 201)
  assert.deepEqual([holding.ordersMargin, alone.has(1)], [0, [601, 500]])
})

test('PERP-ADL-003: a loss that its account can’t pay is paid by the fund, and the rest waits for the profits of the other side', () => {
  const waits = (lots: number, insured: number): readonly unknown[] => {
    const alone = new Alone(insured)
    const holding = alone.opens(1, lots, 100, 100)
    alone.x.perp.shortages.push({ holding, amount: 50 as Units })
    return [settleShortages(alone.x), fund(alone), outside(alone), alone.contract.unpaid, ...alone.has(1)]
  }
  assert.deepEqual(waits(10, 0), [0, 0, 0, [0, 50], 1, 100])
  assert.deepEqual(waits(10, 30), [30, 0, 30, [0, 20], 1, 100])
  assert.deepEqual(waits(-10, 30), [30, 0, 30, [20, 0], 1, 100])
  assert.deepEqual(waits(-10, 60), [50, 10, 50, [0, 0], 1, 100])
  const both = new Alone(60)
  for (const user of [1, 2]) both.x.perp.shortages.push({ holding: both.opens(user, 10, 100, 100), amount: 50 as Units })
  assert.deepEqual([settleShortages(both.x), both.contract.unpaid, both.x.perp.shortages], [60, [0, 40], []])
})

test('PERP-ADL-003: a cross account pays a loss from its balance, then from margin and profit of its other positions, the largest profit first', () => {
  const pays = (amount: number, isLong = true): readonly unknown[] => {
    const alone = new Alone()
    const { x } = alone
    const [here, there] = [alone.lists(5), alone.lists(6)]
    const loser = alone.opens(1, 10, 100, 0, { isCross: true })
    const sign = isLong ? 1 : -1
    const small = alone.opens(1, 10 * sign, 100 - 2 * sign, 7, { contract: here, isCross: true })
    const large = alone.opens(1, 10 * sign, 100 - 10 * sign, 5, { contract: there, isCross: true })
    const even = alone.opens(1, 10, 100, 0, { contract: alone.lists(7), isCross: true })
    const losing = alone.opens(1, 10 * sign, 100 + sign, 0, { contract: alone.lists(8), isCross: true })
    x.ledger.debit(perpRow(x, 1 as UserId), 2 as Units, FEE)
    alone.x.perp.shortages.push({ holding: loser, amount: amount as Units })
    for (const one of [even, losing]) one.isChanged = false
    for (const one of [small, large]) Object.assign(one, { isChanged: false, isDirty: false })
    settleShortages(alone.x)
    assert.deepEqual(
      [small, large, even, losing].map((one) => one.isChanged),
      [amount > 108, amount > 3, false, false],
    )
    const parts = [small, large].flatMap(({ cost, margin, realised }) => [cost, margin, realised])
    return [...parts, ...alone.has(1), outside(alone), alone.contract.unpaid[1]]
  }
  // 3 are available.
  assert.deepEqual(pays(3), [980, 7, 0, 900, 5, 0, 0, 12, 3, 0])
  assert.deepEqual(pays(50), [980, 7, 0, 947, 0, 47, 5, 7, 3, 0])
  assert.deepEqual(pays(50, false), [1020, 7, 0, 1053, 0, 47, 5, 7, 3, 0])
  // 3, 5 and 100, 7 and 20: 15 are missing.
  assert.deepEqual(pays(150), [1000, 0, 20, 1000, 0, 100, 0, 0, 15, 15])
  const tied = (isOlderFirst: boolean): readonly number[] => {
    const alone = new Alone()
    const loser = alone.opens(1, 10, 100, 0, { isCross: true })
    const one = alone.opens(1, 10, 90, 0, { contract: alone.lists(5), isCross: true })
    const other = alone.opens(1, 10, 90, 0, { contract: alone.lists(6), isCross: true })
    one.id = (isOlderFirst ? 200 : 300) as OrderId
    other.id = (isOlderFirst ? 300 : 200) as OrderId
    alone.x.perp.shortages.push({ holding: loser, amount: 50 as Units })
    for (const each of [one, other]) each.isChanged = false
    settleShortages(alone.x)
    assert.deepEqual([one.isChanged, other.isChanged], [one.realised > 0, other.realised > 0])
    return [one.realised, other.realised]
  }
  assert.deepEqual(
    [tied(true), tied(false)],
    [
      [47, 0],
      [0, 47],
    ],
  )
})

test('PERP-ADL-003: before a cross account takes its profits, its orders are cancelled, which frees their money', () => {
  const alone = new Alone()
  const loser = alone.opens(1, 10, 100, 0, { isCross: true })
  const other = alone.opens(1, 10, 90, 5, { contract: alone.lists(5), isCross: true })
  alone.pays(1, 100)
  const order = alone.rests(other, 'buy', 80, 1)
  assert.deepEqual(alone.has(1), [21, 86])
  alone.x.perp.shortages.push({ holding: loser, amount: 90 as Units })
  settleShortages(alone.x)
  assert.deepEqual([alone.x.orders.find(order), alone.has(1), other.realised], [-1, [12, 5], 0])
  assert.deepEqual(
    alone.told('order.closed').map(({ order: one, reason }) => [one, reason]),
    [[order, 'liquidation']],
  )
})

test('PERP-ADL-004: the fund fills the hole as far as it can, and only the hole', () => {
  const alone = new Alone(30)
  fillHole(alone.x)
  assert.equal(fund(alone), 30)
  alone.x.perp.hole = 12
  fillHole(alone.x)
  assert.deepEqual([alone.x.perp.hole, fund(alone), outside(alone)], [0, 18, 12])
  alone.x.perp.hole = 40
  fillHole(alone.x)
  assert.deepEqual([alone.x.perp.hole, fund(alone), outside(alone)], [22, 0, 30])
})
