/** Tests to the unit how much money an order needs, and how many orders a user may have. A lot at a tick is one unit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SideNumber } from '../../../book/codes.ts'
import { F, PRICE, VISIBLE } from '../../../book/order-fields.ts'
import { FEE } from '../../../ledger/reasons.ts'
import type { Lots, Ppm, Ticks, Units } from '../../../money/brand.ts'
import type { UserId } from '../../../protocol/ids.ts'
import { marketLimit } from '../positions/orders.ts'
import { checkBankruptcy, checkImmediate, checkResting, hasTooMany } from '../rules/checks.ts'
import { viewInterest } from '../rules/interest.ts'
import { isSound, protectionPrice, roomOf } from '../rules/sound.ts'
import { PRODUCTION } from '../../state/mode.ts'
import { closable, countedProfit, openingLimitOf, openingValue, perpRow } from '../rules/money.ts'
import type { Contract, Holding } from '../records/state.ts'
import { BOTH, CROSS } from '../records/state.ts'
import { Alone } from './alone.ts'

const buy = 0 as SideNumber
const sell = 1 as SideNumber

/** Sets terms of a contract; those of the market are changed by `market`. */
function sets({ venue }: Contract, perp: object, market: object = {}): void {
  venue.market = { ...venue.market, terms: { ...venue.market.terms, ...market }, perp: { ...venue.market.perp!, ...perp } }
}

/** Refusals of an order at leverage 10 with each of these free amounts besides what `prepare` adds. */
function refusals(
  check: (alone: Alone, holding: Holding) => string | undefined,
  prepare: (alone: Alone) => Holding,
  ...free: readonly number[]
): readonly (string | undefined)[] {
  return free.map((amount) => {
    const alone = new Alone()
    const holding = prepare(alone)
    holding.setting.leverage = 10
    if (amount > 0) alone.pays(1, amount)
    return check(alone, holding)
  })
}

const short = 'MARGIN_INSUFFICIENT'
const flat = ({ x, contract }: Alone): Holding => x.perp.holding(1 as UserId, contract, BOTH)
const rests = (side: SideNumber, price: number, lots: number) => (alone: Alone, holding: Holding) =>
  checkResting(alone.x, holding, side, price as Ticks, lots as Lots)
const takes = (side: SideNumber, price: number, lots: number) => (alone: Alone, holding: Holding) =>
  checkImmediate(alone.x, holding, side, price as Ticks, lots as Lots)

test('PERP-ORDER-001: a resting order needs the margin and the fee of the part that it opens, a sale at the best bid if that is higher', () => {
  // 500: 50 and 1.
  assert.deepEqual(refusals(rests(buy, 100, 5), flat, 50, 51), [short, undefined])
  const bid = (alone: Alone): Holding => {
    alone.quotes(2, 'buy', 99, 1)
    return flat(alone)
  }
  // 5 × 99 need ⌈49.5⌉ and 1; a buy at 96 counts 480.
  assert.deepEqual(
    [refusals(rests(sell, 96, 5), bid, 50, 51), refusals(rests(buy, 96, 5), bid, 48, 49)],
    [
      [short, undefined],
      [short, undefined],
    ],
  )
  // Ten of 15 lots close; the others open 550. 1 is there already.
  const long = (alone: Alone): Holding => alone.opens(1, 10, 100, 100)
  assert.deepEqual(refusals(rests(sell, 110, 15), long, 54, 55), [short, undefined])
  assert.deepEqual(refusals(rests(sell, 110, 10), long, 0), [undefined])
  // The holds of orders beside the position count on both sides.
  const both = (alone: Alone): Holding => {
    const holding = flat(alone)
    alone.pays(1, 1000)
    holding.setting.leverage = 10
    alone.rests(holding, 'sell', 110, 5)
    alone.x.ledger.debit(perpRow(alone.x, 1 as UserId), 944 as Units, FEE)
    return holding
  }
  assert.deepEqual(refusals(rests(buy, 100, 5), both, 50, 51), [short, undefined])
  assert.deepEqual(refusals(rests(sell, 110, 5), both, 54, 55), [short, undefined])
})

test('PERP-ORDER-001: closing beyond the mark costs a cross account what it loses there, and an isolated position nothing more', () => {
  const cross = (lots: number) => (alone: Alone) => alone.opens(1, lots, 100, 100, { isCross: true })
  // 5 of 15 lots at 97 open 485: 49 and 1. Closing ten loses 30. 1 is there already.
  assert.deepEqual(refusals(rests(sell, 97, 15), cross(10), 78, 79), [short, undefined])
  assert.deepEqual(refusals(rests(sell, 103, 15), cross(10), 51, 52), [short, undefined])
  // 515: 52 and 1.
  assert.deepEqual(refusals(rests(buy, 103, 15), cross(-10), 81, 82), [short, undefined])
  assert.deepEqual(refusals(rests(buy, 97, 15), cross(-10), 48, 49), [short, undefined])
  assert.deepEqual(
    refusals(rests(sell, 97, 15), (alone) => alone.opens(1, 10, 100, 100), 48, 49),
    [short, undefined],
  )
  // Only the lots that close, and only as many as the order has.
  assert.deepEqual(refusals(rests(sell, 97, 5), cross(10), 0), [undefined])
})

test('PERP-REVERSE-001: an order that never rests may pay with the money that its closing part releases', () => {
  const long = (entry: number, margin: number) => (alone: Alone) => alone.opens(1, 10, entry, margin)
  // 5 lots open 500: 50 and 1; closing ten costs 1. Closing releases 100, 10 or nothing. 1 is there already.
  assert.deepEqual(refusals(takes(sell, 100, 15), long(100, 51), 0), [undefined])
  assert.deepEqual(refusals(takes(sell, 100, 15), long(100, 50), 0), [short])
  assert.deepEqual(refusals(takes(sell, 100, 15), long(109, 100), 40, 41), [short, undefined])
  assert.deepEqual(refusals(takes(sell, 100, 15), long(112, 100), 50, 51), [short, undefined])
  assert.deepEqual(refusals(takes(sell, 100, 10), long(112, 100), 0), [undefined])
  assert.deepEqual(refusals(takes(buy, 100, 5), long(100, 100), 49, 50), [short, undefined])
  assert.deepEqual(refusals(takes(buy, 100, 5), flat, 50, 51), [short, undefined])
  assert.deepEqual(
    refusals(takes(sell, 100, 30), (alone) => alone.opens(1, 30, 112, 300), 0),
    [undefined],
  )
  // A cross account pays losses of its other positions and unpaid advances first; their profits don't count.
  const cross =
    (entry: number, advance = 0) =>
    (alone: Alone) => {
      const holding = alone.opens(1, 10, 109, 100, { isCross: true })
      const other = alone.opens(1, 10, entry, 30, { contract: alone.lists(5), isCross: true })
      other.advance = advance
      return holding
    }
  // 2 and the 10 that are released.
  assert.deepEqual(refusals(takes(sell, 100, 15), cross(103), 69, 70), [short, undefined])
  assert.deepEqual(refusals(takes(sell, 100, 15), cross(103, 5), 74, 75), [short, undefined])
  assert.deepEqual(refusals(takes(sell, 100, 15), cross(97), 39, 40), [short, undefined])
})

test('PERP-ORDER-007: a closing order may not lose more than its margin, and an order that closes nothing is not asked', () => {
  const alone = new Alone()
  const long = alone.opens(1, 10, 100, 100)
  const check = (side: SideNumber, price: number): string | undefined => checkBankruptcy(alone.x, long, side, price as Ticks)
  assert.deepEqual([check(sell, 90), check(sell, 89), check(buy, 1)], [undefined, 'PRICE_BEYOND_BANKRUPTCY', undefined])
})

test('SPOT-LIMIT-005: a user has at most the number of orders in a market that its terms allow', () => {
  const alone = new Alone().pays(1, 10_000)
  sets(alone.contract, {}, { openOrdersMax: 2 })
  const tooMany = (): boolean => hasTooMany(alone.x, alone.contract, 1 as UserId)
  const far = alone.lists(5)
  alone.rests(alone.x.perp.holding(1 as UserId, far, BOTH), 'buy', 90, 1)
  const seen = [0, 1, 2].map((n) => {
    if (n > 0) alone.rests(flat(alone), 'buy', 90, 1)
    return tooMany()
  })
  assert.deepEqual([seen, hasTooMany(alone.x, alone.contract, 99 as UserId)], [[false, false, true], false])
})

test('PERP-ORDER-002: the cheapest orders are assumed to close, with a new one in its place among them', () => {
  const alone = new Alone()
  const { x } = alone
  const holding = alone.opens(1, 10, 100, 100)
  alone.pays(1, 100_000)
  const value = (lots: number, price: number): number => openingValue(x, holding, sell, lots as Lots, price as Ticks)
  assert.deepEqual([value(10, 110), value(11, 110), value(0, 0)], [0, 110, 0])
  for (const price of [120, 105, 110]) alone.rests(holding, 'sell', price, 4)
  // 4 at 105, 4 at 110 and 2 at 120 close: 2 at 120 are left.
  assert.equal(value(0, 0), 240)
  assert.deepEqual(
    [value(1, 100), value(1, 105), value(1, 107), value(1, 110), value(1, 115), value(1, 130)],
    [360, 360, 360, 360, 360, 370],
  )
  assert.deepEqual([value(12, 100), value(12, 130)], [4 * 105 + 4 * 110 + 4 * 120 + 200, 240 + 12 * 130])
  assert.deepEqual([openingValue(x, holding, buy, 3 as Lots, 90 as Ticks), closable(holding, buy)], [270, 0])
  // An order that is just acting closes nothing: 4 at 110 and 4 at 120 do.
  const acting = [...holding.slots].find((slot) => x.orders.f[slot * F + PRICE] === 105)!
  x.orders.f[acting * F + VISIBLE] = 0
  assert.equal(value(0, 0), 4 * 105)
})

test('PERP-ORDER-008: the opening limit follows the tier of the position and of the orders on its side', () => {
  const alone = new Alone()
  const { contract } = alone
  sets(contract, {
    tiers: [
      { valueMax: 1000, initialPpm: 100_000, maintenancePpm: 25_000 },
      { valueMax: 9000, initialPpm: 100_000, maintenancePpm: 80_000 },
    ],
  })
  const limits = (lots: number, openValue: number): readonly number[] => {
    const holding = alone.opens(1, lots, 100, 100)
    holding.setting.leverage = 10
    Object.assign(holding, { openValue: [openValue, openValue] })
    return [openingLimitOf(holding, buy), openingLimitOf(holding, sell)]
  }
  // 1,000 are in the first tier: 4.5 %; more in the second: 9 %.
  assert.deepEqual(
    [limits(10, 0), limits(10, 1), limits(-10, 1), limits(11, 0), limits(0, 1000), limits(0, 1001)],
    [
      [106, 96],
      [101, 96],
      [106, 100],
      [101, 96],
      [106, 96],
      [101, 100],
    ],
  )
})

test('PERP-ORDER-013: a market order that only closes is limited by its protection price, one that opens by the opening limit too', () => {
  const alone = new Alone()
  const { x, contract } = alone
  const { venue } = contract
  contract.index = (100 * venue.indexPerTick) as typeof contract.index
  venue.market = { ...venue.market, terms: { ...venue.market.terms, slippagePpm: 100_000 as Ppm } }
  const limit = (lots: number, side: SideNumber, asked: number): number => {
    const holding = alone.opens(1, lots, 100, 1000)
    holding.setting.leverage = 10
    const result = marketLimit(x, holding, side, asked as Lots)
    holding.lots = 0 as Lots
    return result
  }
  assert.deepEqual([limit(-10, buy, 10), limit(-10, buy, 9), limit(-10, buy, 11)], [110, 110, 106])
  assert.deepEqual([limit(10, sell, 10), limit(10, sell, 9), limit(10, sell, 11)], [90, 90, 96])
})

test('PERP-ORDER-012: value, maintenance and loss of an order count the value of a lot', () => {
  const alone = new Alone().pays(1, 131)
  const { x, contract } = alone
  Object.assign(contract, { q: 2 })
  sets(contract, {
    tiers: [
      { valueMax: 1000, initialPpm: 100_000, maintenancePpm: 25_000 },
      { valueMax: 5000, initialPpm: 100_000, maintenancePpm: 80_000 },
    ],
  })
  const holding = flat(alone)
  Object.assign(holding.setting, { leverage: 10, mode: CROSS })
  const five = 5 as Lots
  // 5 lots at 104 are worth 1,040: 9 % of 1,000 and a fee of 1 leave 40, and four ticks lose 40.
  assert.equal(roomOf(x, holding, buy, five, five, 104 as Ticks), 40)
  assert.equal(isSound(x, holding, buy, five, five, 104 as Ticks), true)
  x.ledger.debit(perpRow(x, 1 as UserId), 1 as Units, FEE)
  assert.equal(isSound(x, holding, buy, five, five, 104 as Ticks), false)
})

test('PERP-ORDER-013: without a good index the protection price is counted from the trades', () => {
  const { x, contract } = new Alone()
  contract.index = (110 * contract.venue.indexPerTick) as typeof contract.index
  contract.venue.lastPrice = 100 as Ticks
  contract.source.isIndexGood = false
  assert.deepEqual([protectionPrice(x, contract, buy), protectionPrice(x, contract, sell)], [105, 95])
})

test('PERP-OUTAGE-006: without a good index a loss counts in full and a profit does not', () => {
  const alone = new Alone()
  const holdings = [90, 100, 110].map((entry, n) => alone.opens(n + 1, 10, entry, 100))
  assert.deepEqual(holdings.map(countedProfit), [100, 0, -100])
  alone.contract.source.isIndexGood = false
  assert.deepEqual(holdings.map(countedProfit), [0, 0, -100])
})

test('USER-REGION-002: an order above the ceiling of leverage may be made smaller, but opens nothing more', () => {
  const alone = new Alone().pays(1, 1000)
  alone.x.mode = PRODUCTION
  const holding = flat(alone)
  holding.setting.leverage = 3
  const check = (more: number) => checkResting(alone.x, holding, buy, 100 as Ticks, 5 as Lots, more as Lots)
  assert.deepEqual([check(0), check(1)], [undefined, 'LEVERAGE_CEILING'])
})

test('PERP-INTEREST-002: what a user may open counts positions of the one-way mode in hedge mode too', () => {
  const alone = new Alone()
  sets(alone.contract, { openInterestMax: 10_000 })
  alone.opens(1, 20, 100, 1000)
  const account = alone.x.perp.account(1 as UserId)
  account.isHedge = true
  const [shown] = viewInterest(alone.x, 1 as UserId)
  assert.deepEqual([shown!.left, shown!.buy, shown!.sell], [8000, 8000, 8000])
})
