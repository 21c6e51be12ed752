/** Tests how much one command does when a market closes, when its terms change, and when its mark leaves resting orders behind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FEE } from '../../../ledger/reasons.ts'
import type { Lots, Millis, Ticks, Units } from '../../../money/brand.ts'
import type { UserId } from '../../../protocol/ids.ts'
import { beginRound } from '../market/funding.ts'
import { advanceGate, checkPhase, gatesDueAtMs, isHalted, matchesReducing } from '../market/gate.ts'
import { beginRefit, isRefitting, refitSome } from '../market/refit.ts'
import { reviewOrders } from '../market/review.ts'
import type { PerpTerms } from '../../../protocol/market.ts'
import type { Round } from '../records/round.ts'
import type { Contract, Holding } from '../records/state.ts'
import { BOTH } from '../records/state.ts'
import { flush } from '../positions/flush.ts'
import { insuranceRow, perpRow } from '../rules/money.ts'
import { Alone } from './alone.ts'

const closed = (alone: Alone): readonly (readonly [number, string])[] =>
  alone.told('order.closed').map(({ order, reason }) => [order, reason])
const flat = ({ x, contract }: Alone, user: number): Holding => x.perp.holding(user as UserId, contract, BOTH)

/** Advances a market whose index is good or not. */
function advance(alone: Alone, ms: number, isGood: boolean): void {
  alone.contract.source.isIndexGood = isGood
  advanceGate(alone.at(ms).x, alone.contract)
}

test('PERP-OUTAGE-003: one command cancels 500 orders that could open, the best first, and reductions match when none is left', () => {
  const alone = new Alone().pays(1, 1_000_000).pays(2, 1_000_000)
  const { x, contract } = alone
  const bids = Array.from({ length: 300 }, (_, n) => alone.rests(flat(alone, 1), 'buy', 97 + (n % 3), 1))
  const asks = Array.from({ length: 202 }, (_, n) => alone.rests(flat(alone, 2), 'sell', 101 + (n % 3), 1))
  const long = alone.opens(3, 10, 100, 1000)
  const reducing = alone.rests(long, 'sell', 101, 10, true)
  advance(alone, 1000, false)
  assert.deepEqual([closed(alone), contract.isClearing, matchesReducing(contract), gatesDueAtMs(x)], [[], false, false, 31_000])
  advance(alone, 31_000, false)
  const first = closed(alone)
  assert.deepEqual([first.length, contract.isClearing, matchesReducing(contract), gatesDueAtMs(x)], [500, true, false, 31_000])
  assert.ok(first.every(([, reason]) => reason === 'no-index'))
  assert.deepEqual(
    first.slice(0, 300).map(([order]) => order),
    [2, 1, 0].flatMap((part) => bids.filter((_, n) => n % 3 === part)),
  )
  assert.equal(checkPhase(contract, true, true), 'NO_INDEX_PRICE')
  assert.deepEqual([x.perp.dirty, x.perp.dirtyAccounts], [[], []])
  alone.events.clear()
  advance(alone, 31_001, false)
  assert.deepEqual(
    closed(alone).map(([order]) => order),
    asks.filter((_, n) => n % 3 === 2).slice(-2),
  )
  assert.deepEqual([contract.isClearing, matchesReducing(contract), x.orders.find(reducing) >= 0], [false, true, true])
  assert.equal(gatesDueAtMs(x), Infinity)
  assert.deepEqual([flat(alone, 1).ordersMargin, flat(alone, 2).ordersMargin], [0, 0])
})

test('PERP-OUTAGE-001: before its first mark a market changes no phase and takes no order', () => {
  const alone = new Alone()
  alone.contract.mark = 0 as Ticks
  advance(alone, 1000, false)
  assert.deepEqual([alone.told('perp.phase'), alone.contract.gate.matches], [[], true])
  assert.equal(checkPhase(alone.contract, true, false), 'NO_INDEX_PRICE')
})

test('PERP-OUTAGE-002: each phase takes the orders that it can, by whether they reduce and whether they would trade', () => {
  const [blind, halted] = ['NO_INDEX_PRICE', 'MARKET_HALTED']
  const takes = (contract: Contract): readonly unknown[] => [
    checkPhase(contract, false, false),
    checkPhase(contract, false, true),
    checkPhase(contract, true, false),
    checkPhase(contract, true, true),
  ]
  const alone = new Alone()
  const { contract } = alone
  advance(alone, 1000, true)
  assert.deepEqual([takes(contract), isHalted(contract)], [[undefined, undefined, undefined, undefined], false])
  advance(alone, 2000, false)
  assert.deepEqual(takes(contract), [blind, blind, undefined, blind])
  advance(alone, 40_000, false)
  assert.deepEqual(takes(contract), [blind, blind, undefined, undefined])
  advance(alone, 41_000, true)
  assert.deepEqual(takes(contract), [undefined, halted, undefined, halted])
  advance(alone, 46_000, true)
  assert.deepEqual(takes(contract), [undefined, undefined, undefined, undefined])
  contract.gate.advance(60_000 as Millis, true, false)
  assert.deepEqual([takes(contract), isHalted(contract)], [[halted, halted, undefined, halted], true])
  assert.deepEqual(
    alone.told('perp.phase').map(({ phase }) => phase),
    ['bad', 'reducing', 'resuming', 'no-liquidations'],
  )
})

test('PERP-OUTAGE-004: the next change of phase of any market is due first', () => {
  const alone = new Alone()
  const other = alone.lists(5)
  assert.equal(gatesDueAtMs(alone.x), Infinity)
  alone.contract.gate.advance(2000 as Millis, false, true)
  assert.equal(gatesDueAtMs(alone.x), 32_000)
  other.gate.advance(1000 as Millis, false, true)
  assert.equal(gatesDueAtMs(alone.x), 31_000)
})

/** New tiers with a maintenance margin of 9 %. */
function newTerms({ venue }: Contract): void {
  const tiers = [{ valueMax: 2 ** 46, initialPpm: 100_000, maintenancePpm: 90_000 }]
  venue.market = { ...venue.market, perp: { ...venue.market.perp!, tiers: tiers as unknown as PerpTerms['tiers'] } }
}

test('PERP-LIST-006: one command adapts 128 positions to new terms and visits 5,000 users, and the next ones continue', () => {
  const alone = new Alone()
  const { x, contract } = alone
  const other = alone.lists(5)
  const holdings = Array.from({ length: 129 }, (_, n) => alone.opens(n + 1, 10, 100, 500))
  const apart = alone.opens(7, 10, 100, 500, { contract: other })
  for (const each of [contract, other]) newTerms(each)
  const adapted = (): number => holdings.filter(({ maintenancePpm }) => maintenancePpm === 90_000).length
  assert.equal(isRefitting(x), false)
  // Orders beside a position don't adapt it before its turn.
  x.perp.touch(holdings[0]!, false)
  flush(x)
  assert.equal(adapted(), 0)
  beginRefit(x, contract)
  assert.deepEqual([adapted(), contract.refitFrom, isRefitting(x), alone.told('perp.position').length], [128, 129, true, 128])
  refitSome(x)
  assert.deepEqual([adapted(), contract.refitFrom, isRefitting(x), alone.told('perp.position').length], [129, 0, false, 129])
  refitSome(x)
  assert.deepEqual([alone.told('perp.position').length, apart.maintenancePpm], [129, 25_000])
  const exact = new Alone()
  for (let user = 1; user <= 128; user++) exact.opens(user, 10, 100, 500)
  beginRefit(exact.x, exact.contract)
  assert.equal(exact.contract.refitFrom, 0)
  const empty = new Alone()
  empty.x.userCount = 9000
  beginRefit(empty.x, empty.contract)
  assert.deepEqual([empty.contract.refitFrom, isRefitting(empty.x)], [0, false])
  for (const [users, from] of [
    [5000, 0],
    [5001, 5001],
  ] as const) {
    const crowd = new Alone()
    crowd.opens(1, 10, 100, 500)
    const gone = crowd.opens(2, 10, 100, 500)
    gone.lots = 0 as Lots
    crowd.x.userCount = users
    beginRefit(crowd.x, crowd.contract)
    assert.deepEqual([crowd.contract.refitFrom, crowd.told('perp.position').length], [from, 1])
    refitSome(crowd.x)
    assert.equal(crowd.contract.refitFrom, 0)
  }
})

test('PERP-ORDER-011: an index tick cancels orders that would open beyond the opening limit, and leaves those at it', () => {
  for (const [side, prices, mark, kept] of [
    ['buy', [90, 98, 100, 101, 106], 95, 3],
    ['sell', [120, 107, 105, 104, 96], 110, 3],
  ] as const) {
    const alone = new Alone().pays(1, 1000)
    const { x, contract } = alone
    flat(alone, 1).setting.leverage = 10
    const orders = prices.map((price) => alone.rests(flat(alone, 1), side, price, 1))
    reviewOrders(x)
    assert.deepEqual(closed(alone), [])
    contract.mark = 0 as Ticks
    reviewOrders(x)
    assert.deepEqual([closed(alone), contract.reviewedTo], [[], [0, 0]])
    contract.mark = mark as Ticks
    reviewOrders(x)
    assert.deepEqual(
      closed(alone),
      orders
        .slice(kept)
        .toReversed()
        .map((order) => [order, 'margin']),
    )
    assert.deepEqual([contract.reviewedTo, alone.told('perp.position')], [[0, 0], []])
  }
})

test('PERP-ORDER-011: where the highest leverage leaves little room, orders close to the mark are checked too', () => {
  const alone = new Alone().pays(1, 1000)
  const { x, contract } = alone
  const tiers = [{ valueMax: 2 ** 46, initialPpm: 50_000, maintenancePpm: 40_000 }] as unknown as PerpTerms['tiers']
  contract.venue.market = { ...contract.venue.market, perp: { ...contract.terms, tiers, leverageMax: 20 } }
  flat(alone, 1).setting.leverage = 20
  contract.mark = 102 as Ticks
  // 102 × 20 × 0.955 ÷ 19 = 102.5, and 100.5 at a mark of 100.
  const orders = [100, 101].map((price) => alone.rests(flat(alone, 1), 'buy', price, 1))
  contract.mark = 100 as Ticks
  reviewOrders(x)
  assert.deepEqual(closed(alone), [[orders[1], 'margin']])
})

test('PERP-ORDER-011: an index tick cancels closing orders that would lose more than a cross account has left', () => {
  for (const [lots, side, stays, goes, margin] of [
    [10, 'sell', 90, 89, 100],
    [-10, 'buy', 110, 111, 100],
    [10, 'sell', 98, 97, 29],
    [-10, 'buy', 102, 103, 29],
  ] as const) {
    const alone = new Alone()
    const { x } = alone
    const holding = alone.opens(1, lots, 100, margin, { isCross: true })
    alone.pays(1, 1000)
    const orders = [stays, goes].map((price) => alone.rests(holding, side, price, 5, true))
    // The margin is left: 100 are lost by ten lots at 90, and 20 at 98.
    x.ledger.debit(perpRow(x, 1 as UserId), 1001 as Units, FEE)
    reviewOrders(x)
    assert.deepEqual([closed(alone), alone.told('perp.position')], [[[orders[1], 'margin']], []])
  }
})

test('PERP-ORDER-011: one index tick checks 500 orders of a side, with all of the last level, and 200 levels; the next continues behind them', () => {
  const reviewed = (side: 'buy' | 'sell', prices: readonly number[]): readonly number[] => {
    const alone = new Alone().pays(1, 10_000_000)
    const { contract, x } = alone
    contract.mark = 1000 as Ticks
    const holding = flat(alone, 1)
    for (const price of prices) alone.rests(holding, side, price, 1)
    assert.equal(x.orders.count, prices.length)
    const at: number[] = []
    for (let n = 0; n < 3; n++) {
      reviewOrders(x)
      at.push(contract.reviewedTo[side === 'buy' ? 0 : 1])
    }
    assert.deepEqual(closed(alone), [])
    return at
  }
  const many = (count: number, price: number): number[] => Array.from({ length: count }, () => price)
  assert.deepEqual(reviewed('buy', [...many(499, 1100), 1099, ...many(5, 1098)]), [1099, 0, 1099])
  assert.deepEqual(reviewed('buy', [...many(498, 1100), 1099, 1098]), [0, 0, 0])
  assert.deepEqual(reviewed('sell', [...many(503, 900), 901, 902]), [900, 0, 900])
  const levels = (from: number, step: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n * step)
  assert.deepEqual(reviewed('buy', levels(1300, -1, 201)), [1101, 0, 1101])
  assert.deepEqual(reviewed('sell', levels(700, 1, 201)), [899, 0, 899])
  assert.deepEqual(reviewed('buy', levels(1300, -1, 200)), [0, 0, 0])
})

test('PERP-FUNDING-001: a period ends once, at its time, with a mark, and not while the one before is being settled', () => {
  const alone = new Alone(1000).at(28_800_000)
  const { x, contract } = alone
  Object.assign(contract.inventory, { lots: 10, cost: 1000 })
  contract.fundingAtMs = 28_800_001 as Millis
  beginRound(x, contract)
  assert.equal(contract.round, undefined)
  contract.fundingAtMs = 28_800_000 as Millis
  contract.premium.sum = 7
  // Two seconds in which it was closed, before the period began.
  contract.gate.advance(1000 as Millis, true, false)
  contract.gate.advance(3000 as Millis, true, true)
  contract.fundingClosedMs = 2000
  beginRound(x, contract)
  const first = contract.round as Round | undefined
  assert.deepEqual([contract.rounds, contract.fundingAtMs, contract.premium.sum, first?.mark], [1, 57_600_000, 0, 100])
  // The fund's inventory of 1,000 pays 0.01 %, rounded up.
  assert.deepEqual(
    [first?.rate, first?.paid, [x.ledger.available(insuranceRow(x)), x.ledger.held(insuranceRow(x))]],
    [100_000, 1, [999, 1]],
  )
  beginRound(alone.at(57_600_000).x, contract)
  assert.deepEqual([contract.round === first, contract.rounds, contract.fundingAtMs], [true, 1, 57_600_000])
  const blind = new Alone().at(28_800_000)
  blind.contract.mark = 0 as Ticks
  beginRound(blind.x, blind.contract)
  assert.deepEqual([blind.contract.round, blind.contract.rounds, blind.contract.fundingAtMs], [undefined, 0, 57_600_000])
})
