/** Tests the measurements of a contract’s book by an index tick: the distances of both sides, the premium and the basis. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fields from '../../../book/order-fields.ts'
import { Orders } from '../../../book/orders.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { IndexPrice, Millis } from '../../../money/brand.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import type { Market } from '../../../protocol/market.ts'
import { Venue } from '../../records/venue.ts'
import { Premium, sampleBook } from '../records/premium.ts'
import { Contract } from '../records/state.ts'
import { marketTerms, perpTerms } from './world.ts'

const { F, LEFT, PRICE, VISIBLE } = fields
const buy = 0
const sell = 1

/**
 * A contract with a book and nothing else. A lot at a tick is 2 units, so that an impact value of 2,000 units is 1,000 in
 * tick × lot; the clamp of the mark is 1 %.
 */
class Measured {
  readonly orders = new Orders()
  readonly contract: Contract
  #last = 0

  constructor(impactValue = 2000) {
    const made = { id: 3, symbol: 'BTCUSDTPERP', base: 2, quote: 1, tick: '1', lot: '1', basePerLot: 1, quotePerTickLot: 2 }
    const market = { ...made, terms: marketTerms, perp: { ...perpTerms, impactValue } } as unknown as Market
    const venue = new Venue(market, this.orders)
    this.contract = new Contract(venue, venue, this.orders)
  }

  rests(side: 0 | 1, price: number, lots: number): OrderSlot {
    const slot = this.orders.add(++this.#last as OrderId, 1 as UserId, 3 as MarketId)
    for (const [field, value] of [
      [PRICE, price],
      [LEFT, lots],
      [VISIBLE, lots],
    ] as const)
      this.orders.f[slot * F + field] = value
    this.contract.venue.book.insert(slot, side)
    return slot
  }

  leaves(slot: OrderSlot, side: 0 | 1): void {
    this.contract.venue.book.remove(slot, side)
    this.orders.remove(slot)
  }

  /** Samples the book at an index in ticks. */
  samples(index: number, ms: number): this {
    sampleBook(this.contract, (index * 1e8) as IndexPrice, ms as Millis)
    return this
  }

  get distances(): readonly number[] {
    return this.contract.premium.distance
  }

  get premium(): number {
    return this.contract.premium.now
  }

  /** The basis that was last sampled, as it counts within a millisecond. */
  basis(ms: number): number {
    return this.contract.basis.sum(ms as Millis, (ms + 1) as Millis)
  }
}

test('PERP-MARK-001: the price of a side is the average of the impact value, taken from the best level on, in whole lots', () => {
  const measured = new Measured()
  measured.rests(buy, 9, 50)
  measured.rests(buy, 8, 1000)
  measured.rests(buy, 1, 10_000)
  measured.rests(sell, 11, 20)
  measured.rests(sell, 11, 30)
  measured.rests(sell, 12, 1000)
  measured.samples(10, 1000)
  // Bids: 450, and 69 lots at 8 for the missing 550. The average of 1,002 for 119 lots is rounded down.
  // Asks: 550, and 38 lots at 12 for the missing 450. The average of 1,006 for 88 lots is rounded up.
  assert.deepEqual(measured.distances, [-157_983_194, 143_181_819])
  assert.equal(measured.premium, 0, 'the index lies between both sides')
  assert.equal(measured.basis(1000), -7_400_688)
  // The index is below both sides, then above them; the basis is limited to 1 %.
  measured.samples(8, 1250)
  assert.deepEqual(measured.distances, [52_521_007, 428_977_273])
  assert.deepEqual([measured.premium, measured.basis(1250)], [52_521_007, 10_000_000])
  measured.samples(12, 1500)
  assert.deepEqual(measured.distances, [-298_319_329, -47_348_485])
  assert.deepEqual([measured.premium, measured.basis(1500)], [-47_348_485, -10_000_000])
})

test('PERP-MARK-003: a side worth exactly the impact value has depth, and one worth less by a tick has none', () => {
  const measured = new Measured()
  const [first, second] = [measured.rests(buy, 100, 4), measured.rests(buy, 75, 8)]
  measured.rests(sell, 125, 8)
  measured.samples(100, 1000)
  // 1,000 for 12 lots, and 1,000 for 8 lots.
  assert.deepEqual(measured.distances, [-166_666_667, 250_000_000])
  assert.equal(measured.basis(1000), 10_000_000)
  // A level behind the impact value does not count.
  const third = measured.rests(buy, 50, 10)
  measured.rests(sell, 500, 10)
  measured.samples(100, 1250)
  assert.deepEqual(measured.distances, [-166_666_667, 250_000_000])
  for (const slot of [first, second, third]) measured.leaves(slot, buy)
  // 400, 525 and 74 are worth 999.
  for (const [price, lots] of [
    [100, 4],
    [75, 7],
    [74, 1],
  ] as const)
    measured.rests(buy, price, lots)
  measured.samples(100, 1500)
  assert.equal(measured.basis(1500), 0)
})

test('PERP-MARK-003: a price uses at most 200 levels of a side', () => {
  // One lot at each price from 101 to 400. The first 200 are worth 40,100.
  const deep = (value: number): number => {
    const measured = new Measured(2 * value)
    for (let price = 101; price <= 400; price++) measured.rests(sell, price, 1)
    measured.rests(buy, 100, 1_000)
    return measured.samples(100, 1000).distances[1]!
  }
  assert.deepEqual([deep(40_100), deep(40_101)], [1_000_000_000, 0])
})

test('PERP-MARK-003: without depth on one side, the basis is zero, whichever side it is', () => {
  const measured = new Measured()
  const bid = measured.rests(buy, 102, 10)
  const ask = measured.rests(sell, 104, 10)
  assert.equal(measured.samples(100, 1000).basis(1000), 10_000_000)
  measured.leaves(bid, buy)
  assert.equal(measured.samples(100, 1250).basis(1250), 0)
  const again = measured.rests(buy, 102, 10)
  measured.leaves(ask, sell)
  assert.equal(measured.samples(100, 1500).basis(1500), 0)
  measured.leaves(again, buy)
  assert.equal(measured.samples(100, 1750).basis(1750), 0)
  // The premium keeps the last distances of both sides.
  assert.deepEqual([measured.distances, measured.premium], [[20_000_000, 40_000_000], 20_000_000])
})

test('PERP-MARK-005: each side without depth keeps its last distance for exactly five minutes', () => {
  const measured = new Measured()
  const bid = measured.rests(buy, 103, 10)
  measured.samples(100, 10_000)
  assert.equal(measured.premium, 30_000_000)
  measured.leaves(bid, buy)
  const ask = measured.rests(sell, 99, 11)
  measured.samples(100, 60_000)
  assert.equal(measured.premium, 20_000_000)
  measured.leaves(ask, sell)
  const premiums = [60_001, 310_000, 310_001, 360_000, 360_001].map((ms) => measured.samples(100, ms).premium)
  assert.deepEqual(premiums, [20_000_000, 20_000_000, -10_000_000, -10_000_000, 0])
  // Depth that comes back counts at once.
  measured.rests(buy, 104, 10)
  assert.equal(measured.samples(100, 361_000).premium, 40_000_000)
})

test('PERP-MARK-005: a sample counts until the next, at most five seconds, and the first one for no time before it', () => {
  const measured = new Measured()
  const { premium } = measured.contract
  const bid = measured.rests(buy, 103, 10)
  const sums = (ms: number): readonly number[] => {
    measured.samples(100, ms)
    return [premium.sum, premium.ms]
  }
  assert.deepEqual(
    [sums(10_000), sums(10_250), sums(15_250)],
    [
      [0, 0],
      [7_500_000_000, 250],
      [157_500_000_000, 5250],
    ],
  )
  measured.leaves(bid, buy)
  measured.rests(buy, 101, 10)
  // The depth of 3 % counts for five of the next eight seconds, and that of 1 % from then on.
  assert.deepEqual(
    [sums(23_250), sums(23_350)],
    [
      [307_500_000_000, 10_250],
      [308_500_000_000, 10_350],
    ],
  )
  premium.clear()
  assert.deepEqual([premium.sum, premium.ms], [0, 0])
  assert.deepEqual(sums(23_400), [500_000_000, 50], 'the last sample counts in the next period too')
})

test('PERP-CORE-002: the measurements of a book are read back from a dump; of version 12 the mean of the period is kept, up to 10 %', () => {
  const premium = new Premium()
  Object.assign(premium, { sum: 11, ms: 12, now: -13, atMs: 14 })
  premium.distance.splice(0, 2, 15, -16)
  premium.seenAtMs.splice(0, 2, 17, 18)
  const into = new Records(4)
  into.all([7, 7])
  premium.dump(into)
  const again = new Premium()
  assert.equal(again.restore(into.data, 2), into.length)
  assert.deepEqual(again, premium)
  // Of a book that was never sampled too.
  const [fresh, bare] = [new Premium(), new Records(4)]
  fresh.dump(bare)
  assert.equal(again.restore(bare.data, 0), bare.length)
  assert.deepEqual(again, fresh)
  const old = (sum: number, count: number): readonly number[] => {
    const restored = new Premium()
    restored.restore12(sum, count)
    return [restored.sum, restored.ms]
  }
  assert.deepEqual(
    [old(7, 2), old(-7, 2), old(0, 0), old(5, 0)],
    [
      [30_000, 10_000],
      [-40_000, 10_000],
      [0, 0],
      [0, 0],
    ],
  )
  assert.deepEqual(
    [old(300_000_000, 1), old(-300_000_000, 1)],
    [
      [500_000_000_000, 5000],
      [-500_000_000_000, 5000],
    ],
  )
})
