/** The insurance fund's inventory, without users: what it may take over, and what its trades cost and earn. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDOWMENT } from '../../../ledger/reasons.ts'
import type { Lots, Millis, Ticks, Units } from '../../../money/brand.ts'
import { decodeEvents } from '../../../protocol/codec/event.ts'
import { Records } from '../../../protocol/codec/records.ts'
import type { AssetId } from '../../../protocol/ids.ts'
import type { Market } from '../../../protocol/market.ts'
import { Venue } from '../../records/venue.ts'
import { State } from '../../state/state.ts'
import { acceptable, noteRisk, tradeInventory } from '../positions/carry.ts'
import { Contract } from '../records/state.ts'
import { insuranceRow, outsideRow } from '../rules/money.ts'
import { marketTerms, perpTerms } from './world.ts'

/** A fund with this many units and two contracts at a mark of 100, in which a lot at a tick is one unit. */
class Fund {
  readonly x = new State()
  readonly events = new Records()
  readonly here: Contract
  readonly there: Contract

  constructor(units: number) {
    const { x } = this
    x.write(this.events)
    x.ledger.addAsset(1 as AssetId)
    x.usdt = 1 as AssetId
    if (units > 0) {
      const from = x.ledger.systemRow('outside:sandbox', x.usdt)
      x.ledger.issue(from, insuranceRow(x), x.usdt, units as Units, ENDOWMENT)
    }
    this.here = this.#contract(3)
    this.there = this.#contract(5)
    this.events.clear()
  }

  #contract(id: number): Contract {
    const { x } = this
    const made = { id, symbol: 'BTCUSDTPERP', base: 2, quote: 1, tick: '1', lot: '1', basePerLot: 1, quotePerTickLot: 1 }
    const venue = new Venue({ ...made, terms: marketTerms, perp: perpTerms } as unknown as Market, x.orders)
    const contract = new Contract(venue, venue, x.orders)
    contract.mark = 100 as Ticks
    x.perp.add(contract)
    return contract
  }

  carries(contract: Contract, lots: number, cost: number): this {
    contract.inventory.lots = lots as Lots
    contract.inventory.cost = cost as Units
    contract.openLots = Math.max(0, lots) as Lots
    return this
  }

  at(ms: number): this {
    this.x.atMs = ms as Millis
    return this
  }

  /** Lots of a position that the fund takes. */
  takes(lots: number, price: number): number {
    return acceptable(this.x, this.here, lots as Lots, price as Ticks)
  }

  notes(lots: number, price: number): this {
    noteRisk(this.x, this.here, lots as Lots, price as Ticks)
    return this
  }

  trades(lots: number, price: number): this {
    tradeInventory(this.x, this.here, lots as Lots, price as Ticks)
    return this
  }

  /** Balances of the fund and of where profits are paid from, what is missing there, inventory and open lots. */
  get sums(): readonly number[] {
    const { x, here } = this
    const { lots, cost } = here.inventory
    return [x.ledger.available(insuranceRow(x)), x.ledger.available(outsideRow(x)), x.perp.hole, lots, cost, here.openLots]
  }

  get taken(): readonly (readonly number[])[] {
    return this.here.inventory.taken.map(({ atMs, risk }) => [atMs, risk])
  }
}

test('PERP-FUND-004: a lot risks its loss at the mark and 20 % of its value, and 5 % of the fund may be risked within ten minutes', () => {
  const fund = new Fund(10_000)
  // A long lot at 110 loses 10 at the mark: 30 of 500. At 95 it has a profit, which does not reduce the 20.
  assert.deepEqual([fund.takes(100, 110), fund.takes(16, 110), fund.takes(15, 110), fund.takes(100, 95)], [16, 16, 15, 25])
  assert.deepEqual([fund.takes(-100, 90), fund.takes(-100, 105), fund.takes(-24, 105)], [16, 25, 24])
  assert.deepEqual([new Fund(9600).takes(100, 110), new Fund(9599).takes(100, 110)], [16, 15])
  assert.deepEqual([new Fund(0).takes(100, 110), new Fund(599).takes(1, 110), new Fund(600).takes(1, 110)], [0, 0, 1])
})

test('PERP-FUND-004: what the fund took counts for ten minutes, in slots of ten seconds', () => {
  const fund = new Fund(10_000).at(1_000_001)
  fund.notes(10, 110)
  assert.deepEqual(fund.taken, [[1_000_001, 300]])
  assert.equal(fund.takes(100, 110), 6)
  fund.at(1_009_999).notes(2, 110)
  assert.deepEqual(fund.taken, [[1_009_999, 360]])
  fund.at(1_010_000).notes(-1, 90)
  assert.deepEqual(fund.taken, [
    [1_009_999, 360],
    [1_010_000, 30],
  ])
  assert.equal(fund.takes(100, 110), 3)
  assert.equal(fund.at(1_609_998).takes(100, 110), 3)
  assert.equal(fund.at(1_609_999).takes(100, 110), 15)
  assert.equal(fund.at(1_610_000).takes(100, 110), 16)
  assert.deepEqual(fund.taken, [])
})

test('PERP-FUND-004: only risk that grows is noted, by as much as the inventory grows more dangerous', () => {
  const fund = new Fund(10_000).at(50_000)
  // Closing an opposite inventory of 5 loses 50 and ends 100 of risk.
  fund.carries(fund.here, -5, 500).notes(5, 110)
  assert.deepEqual(fund.taken, [])
  // A profit of 30 covers the loss of the first three of five lots: 20 + 5 × 20.
  fund.carries(fund.here, 10, 970).notes(5, 110)
  assert.deepEqual(fund.taken, [[50_000, 120]])
  fund.carries(fund.here, 10, 2000).at(70_000).notes(1, 1)
  // The average entry improves by 99, and 20 more are at risk.
  assert.deepEqual(fund.taken, [[50_000, 120]])
})

test('PERP-FUND-004: the fund risks at most 10 % in a market and 25 % in all', () => {
  const fund = new Fund(10_000)
  fund.carries(fund.here, 30, 3000)
  // 600 of 1,000 are at risk here: 400 ÷ 30.
  assert.deepEqual([fund.takes(100, 110), fund.takes(100, 100)], [13, 20])
  fund.carries(fund.here, 50, 5000)
  assert.equal(fund.takes(100, 100), 0)
  fund.carries(fund.here, 60, 6000)
  assert.equal(fund.takes(100, 100), 0)
  // In the other market 110 × 20 are at risk: 300 of 2,500 are left for all.
  fund.carries(fund.here, 0, 0).carries(fund.there, 110, 11_000)
  assert.equal(fund.takes(100, 110), 10)
  fund.carries(fund.here, 5, 500)
  assert.equal(fund.takes(100, 110), 6)
  fund.carries(fund.there, -125, 12_500).carries(fund.here, 0, 0)
  assert.equal(fund.takes(100, 110), 0)
})

test('PERP-FUND-004: a position that reduces the inventory is taken as long as the fund can pay for it', () => {
  const long = (units: number): Fund => {
    const fund = new Fund(units)
    return fund.carries(fund.here, 10, 900)
  }
  // Closing 4 of the lots bought at 90 loses 20 at 85.
  assert.deepEqual([long(20).takes(-4, 85), long(19).takes(-4, 85), long(50).takes(-15, 85), long(49).takes(-15, 85)], [4, 3, 10, 9])
  assert.deepEqual([long(0).takes(-15, 95), long(0).takes(-10, 90), long(0).takes(-3, 91)], [10, 10, 3])
  const short = (units: number): Fund => {
    const fund = new Fund(units)
    return fund.carries(fund.here, -10, 907)
  }
  // The part of the cost that belongs to 4 lots is 362: at 95 they lose 18.
  assert.deepEqual([short(18).takes(4, 95), short(17).takes(4, 95), short(43).takes(15, 95), short(42).takes(15, 95)], [4, 3, 10, 9])
})

test('PERP-FUND-004: a loss from closing the opposite inventory counts as risk, less the risk that ends', () => {
  const long = (units: number): Fund => {
    const fund = new Fund(units)
    return fund.carries(fund.here, 10, 900)
  }
  // A lot bought at 90 loses 40 at 50 and ends 20 of risk. 200 of the fund's tenth are at risk already.
  assert.deepEqual(
    [long(2000).takes(-10, 50), long(2019).takes(-10, 50), long(2200).takes(-10, 50), long(4000).takes(-10, 50)],
    [0, 0, 1, 10],
  )
  assert.deepEqual([long(2000).takes(-10, 70), long(2000).takes(-10, 69), long(2210).takes(-10, 69)], [10, 0, 10])
  const fund = long(4000).at(50_000).notes(-10, 50)
  assert.deepEqual(fund.taken, [[50_000, 200]])
  assert.deepEqual(long(4000).notes(-10, 70).taken, [])
})

test('PERP-FUND-005: the fund’s trades move its inventory, and closing a part pays profit or loss', () => {
  const fund = new Fund(1000).at(77_000)
  assert.deepEqual(fund.trades(10, 90).sums, [1000, 0, 0, 10, 900, 10])
  assert.deepEqual([fund.here.inventory.sinceMs, fund.here.inventory.workedAtMs], [77_000, 77_000])
  assert.deepEqual(fund.at(78_000).trades(5, 93).sums, [1000, 0, 0, 15, 1365, 15])
  assert.deepEqual(fund.trades(-4, 95).sums, [1016, -16, 0, 11, 1001, 11])
  assert.deepEqual([fund.here.inventory.sinceMs, fund.here.inventory.workedAtMs], [77_000, 77_000])
  // 11 are sold for 880, and 9 more at 80 are a new short inventory, which is as old as the one before.
  assert.deepEqual(fund.trades(-20, 80).sums, [895, 105, 0, -9, 720, 0])
  assert.deepEqual(fund.trades(-1, 82).sums, [895, 105, 0, -10, 802, 0])
  assert.deepEqual(fund.trades(4, 80).sums, [895, 105, 0, -6, 482, 0])
  assert.deepEqual(fund.trades(6, 70).sums, [957, 43, 0, 0, 0, 0])
  assert.equal(fund.here.inventory.sinceMs, 0)
  const told = decodeEvents(fund.events.data, 0, fund.events.length)
  assert.deepEqual(
    told.flatMap((event) => (event.type === 'perp.inventory' ? [[event.market, event.lots, event.cost]] : [])),
    [
      [3, 10, 900],
      [3, 15, 1365],
      [3, 11, 1001],
      [3, -9, 720],
      [3, -10, 802],
      [3, -6, 482],
      [3, 0, 0],
    ],
  )
  const reasons = told.flatMap((event) => (event.type === 'entry' ? [`${event.reason} ${event.delta}`] : []))
  assert.deepEqual(reasons, ['realised -16', 'realised 16', 'realised -121', 'realised 121', 'realised -62', 'realised 62'])
})

test('PERP-ADL-004: the part of the fund’s loss that it can’t pay is recorded as missing', () => {
  const fund = new Fund(30)
  fund.trades(10, 90)
  assert.deepEqual(fund.trades(-4, 80).sums, [0, 30, 10, 6, 540, 6])
  assert.deepEqual(fund.trades(-6, 80).sums, [0, 30, 70, 0, 0, 0])
  const sold = new Fund(30)
  sold.trades(-10, 90)
  assert.deepEqual(sold.trades(3, 100).sums, [0, 30, 0, -7, 630, 0])
})
