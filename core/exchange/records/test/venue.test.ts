/** A market's halts, and the prices that its bands and worst prices are counted from. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BUY, SELL_SIDE } from '../../../book/codes.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import { F, FLAGS, I, LEFT, PRICE, VISIBLE } from '../../../book/order-fields.ts'
import { Orders } from '../../../book/orders.ts'
import type { IndexPrice, Lots, Millis, Ppm, Ticks } from '../../../money/brand.ts'
import { SELL } from '../../../protocol/codec/layout.ts'
import type { MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import type { MarketTerms } from '../../../protocol/market.ts'
import { marketOf } from '../../../protocol/test/literals.ts'
import { perpTerms } from '../../perp/test/world.ts'
import { markets, start, terms } from '../../test/world.ts'
import { noSlots, withoutSlot, withSlot } from '../slots.ts'
import { Venue } from '../venue.ts'

/** A tick is 0.5 USDT, and the band 20 % either way. */
const market = { ...markets[0], id: 3, tick: '0.5', basePerLot: 100_000, quotePerTickLot: 500, terms }
const contract = marketOf({ ...market, perp: perpTerms })
const trading = contract.terms
const halted: MarketTerms = { ...trading, isTrading: false }
const at = (later: number): Millis => (start + later) as Millis
const ticks = (price: number): Ticks => price as Ticks

function given(isTrading = true, orders = new Orders()): Venue {
  return new Venue(marketOf({ ...market, terms: { ...terms, isTrading } }), orders)
}

const index = (venue: Venue, price: number, isGood = true): void => venue.setIndex((price * 50_000_000) as IndexPrice, 3, isGood)
const trade = (venue: Venue, later: number, price: number, lots = 10): void =>
  venue.traded(at(later), ticks(price), price * lots, lots as Lots)

test('SPOT-HALT-001: a market halts at once, and one that is listed halted is so from the start', () => {
  const venue = given()
  assert.deepEqual([venue.opensAtMs, venue.takesQuotes(BUY, ticks(100))], [0, true])
  venue.setTerms(halted, at(0))
  assert.deepEqual([venue.opensAtMs, venue.takesQuotes(BUY, ticks(100)), venue.market.terms.isTrading], [Infinity, false, false])
  // Other terms of a halted market do not begin the halt anew.
  venue.setTerms({ ...halted, bandPpm: 1 as Ppm }, at(2_999))
  assert.deepEqual([venue.opensAtMs, venue.haltRecord()], [Infinity, { haltedAtMs: at(0), opensAtMs: 0 }])
  venue.setTerms(trading, at(2_999))
  assert.equal(venue.opensAtMs, 0)
  const born = given(false)
  assert.deepEqual([born.opensAtMs, born.haltRecord()], [Infinity, { haltedAtMs: 0, opensAtMs: 0 }])
})

test('SPOT-HALT-003: after a halt of 3 s a market opens in 5 s, and a shorter halt leaves the time as it was', () => {
  const venue = given()
  venue.setTerms(halted, at(0))
  venue.setTerms(trading, at(3_000))
  assert.deepEqual([venue.opensAtMs, venue.haltRecord()], [at(8_000), { haltedAtMs: 0, opensAtMs: at(8_000) }])
  assert.equal(venue.takesQuotes(BUY, ticks(100)), true)
  venue.setTerms({ ...trading, bandPpm: 1 as Ppm }, at(4_000))
  assert.equal(venue.opensAtMs, at(8_000))
  venue.setTerms(halted, at(4_000))
  assert.deepEqual(venue.haltRecord(), { haltedAtMs: at(4_000), opensAtMs: at(8_000) })
  venue.setTerms(trading, at(6_999))
  assert.equal(venue.opensAtMs, at(8_000))
})

test('SPOT-CORE-002: a restored market is halted since the same time, and opens at the same time', () => {
  for (const [haltedFor, opens] of [
    [2_999, at(8_000)],
    [3_000, at(9_000 + 5_000)],
  ] as const) {
    const venue = given()
    venue.setTerms(halted, at(0))
    venue.setTerms(trading, at(3_000))
    venue.setTerms(halted, at(6_000))
    const { haltedAtMs, opensAtMs } = venue.haltRecord()
    const copy = given(false)
    copy.restoreHalt(haltedAtMs, opensAtMs)
    assert.deepEqual([copy.opensAtMs, copy.haltRecord()], [Infinity, venue.haltRecord()])
    copy.setTerms(trading, at(6_000 + haltedFor))
    assert.equal(copy.opensAtMs, opens)
    const open = given()
    open.restoreHalt(copy.haltRecord().haltedAtMs, copy.haltRecord().opensAtMs)
    assert.deepEqual([open.opensAtMs, open.haltRecord()], [opens, { haltedAtMs: 0, opensAtMs: opens }])
  }
})

test('SPOT-HALT-003: before a market opens it takes orders that rest, and none that would trade', () => {
  const orders = new Orders()
  const venue = given(true, orders)
  const slot = orders.add(1 as OrderId, 1 as UserId, 3 as MarketId) as OrderSlot
  orders.i[slot * I + FLAGS] = SELL
  orders.f[slot * F + PRICE] = 100
  for (const field of [LEFT, VISIBLE]) orders.f[slot * F + field] = 10
  venue.book.insert(slot, SELL_SIDE)
  assert.deepEqual(
    [venue.takesQuotes(BUY, ticks(99)), venue.takesQuotes(BUY, ticks(100)), venue.takesQuotes(SELL_SIDE, ticks(1))],
    [true, false, true],
  )
  venue.setTerms(halted, at(0))
  assert.equal(venue.takesQuotes(BUY, ticks(99)), false)
})

test('SPOT-BAND-001: the reference is the average of five minutes, else the index, else the last trade', () => {
  const venue = given()
  assert.deepEqual([venue.reference(at(0)), venue.isInBand(ticks(1), at(0)), venue.isInBand(ticks(2 ** 31 - 1), at(0))], [0, true, true])
  trade(venue, 0, 100)
  assert.deepEqual([venue.reference(at(0)), venue.lastPrice], [100, 100])
  trade(venue, 0, 103)
  assert.equal(venue.reference(at(0)), 101)
  index(venue, 200)
  assert.equal(venue.reference(at(0)), 101, 'the average comes first')
  assert.equal(venue.reference(at(600_000)), 200)
  index(venue, 150.999_999, false)
  assert.equal(venue.reference(at(600_000)), 150, 'whether it is good or not, rounded down to a tick')
  index(venue, 0, false)
  assert.equal(venue.reference(at(600_000)), 103)
})

test('SPOT-BAND-001: the band ends at a fifth from the reference, or from a good index on its other side', () => {
  const venue = given()
  const ends = (later: number, low: number, high: number): void => {
    const isIn = (price: number): boolean => venue.isInBand(ticks(price), at(later))
    assert.deepEqual([isIn(low - 1), isIn(low), isIn(high), isIn(high + 1)], [false, true, true, false])
  }
  trade(venue, 0, 1_000)
  ends(0, 800, 1_200)
  index(venue, 500)
  ends(0, 400, 1_200)
  index(venue, 2_000)
  ends(0, 800, 2_400)
  index(venue, 2_000, false)
  ends(0, 800, 1_200)
  // An index below one tick counts for nothing, also when it is good.
  index(venue, 0.5)
  ends(0, 800, 1_200)
  index(venue, 2_000)
  ends(600_000, 1_600, 2_400)
  venue.setTerms({ ...trading, bandPpm: 100_000 as Ppm }, at(600_000))
  ends(600_000, 1_800, 2_200)
  trade(venue, 600_000, 4_000)
  ends(600_000, 1_800, 4_400)
})

test('SPOT-MARKET-006: worst prices are counted from a good index, else from the reference', () => {
  const venue = given()
  assert.deepEqual([venue.protection(at(0)), venue.isIndexGood], [0, false])
  trade(venue, 0, 1_000)
  assert.equal(venue.protection(at(0)), 1_000)
  index(venue, 500.9)
  assert.equal(venue.protection(at(0)), 500)
  index(venue, 500, false)
  assert.equal(venue.protection(at(0)), 1_000)
  index(venue, 0.9)
  assert.equal(venue.protection(at(0)), 1_000)
  assert.deepEqual([venue.indexPrice, venue.indexSources, venue.isIndexGood], [45_000_000, 3, true])
})

test('PERP-LIST-001: a market with terms of a perpetual contract is no spot market', () => {
  assert.deepEqual([given().isSpot, new Venue(contract, new Orders()).isSpot], [true, false])
})

test('SPOT-GROW-001: the orders of an account are a set of its own, and accounts without orders share an empty one', () => {
  const slot = (number: number): OrderSlot => number as OrderSlot
  const one = withSlot(noSlots, slot(7))
  const other = withSlot(noSlots, slot(8))
  assert.deepEqual([[...one], [...other], noSlots.size], [[7], [8], 0])
  assert.deepEqual([...withSlot(one, slot(9))], [7, 9])
  assert.deepEqual([...withoutSlot(one, slot(7))], [9])
  assert.equal(withoutSlot(one, slot(9)), noSlots)
  assert.equal(withoutSlot(noSlots, slot(9)), noSlots)
  assert.deepEqual([[...other], noSlots.size], [[8], 0])
})
