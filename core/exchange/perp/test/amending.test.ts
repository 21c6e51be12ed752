/** Tests amends of Futures orders: what they may change, and that a refused amend changes nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Told } from '../../test/world.ts'
import { contract, givenPerp, marketTerms, perpTerms } from './world.ts'
import type { PerpWorld } from './world.ts'

const three = { alice: '1000', bob: '1000', carol: '5000' }
const reduces = { isReduceOnly: true }

/** Opens a long of alice against carol at 100. */
function longs(world: PerpWorld, lots: number): PerpWorld {
  world.sell('carol', 100, lots).isAccepted()
  world.buy('alice', 100, lots).isAccepted().traded(`100×${lots}`)
  return world
}

const amended = (told: Told): readonly unknown[] => told.of('order.amended').map(({ order, price, lots }) => [order, price, lots])
const levels = (told: Told): readonly unknown[] => told.of('book.level').map(({ side, price, lots }) => [side, price, lots])

test('PERP-ORDER-006: an amend of an unknown order, market or value is refused, in this order', () => {
  const world = givenPerp(three)
  const { order } = world.buy('alice', 90, 1000).isAccepted()
  const amend = (reference: number, change: object): Told => world.amend('alice', reference, change)
  for (const price of [0, 2 ** 31]) amend(order + 9, { price, lots: 0 }).isRefused('PRICE_INVALID')
  amend(order + 9, { lots: 0 }).isRefused('QUANTITY_INVALID')
  amend(order + 9, { lots: 1, price: 1 }).isRefused('ORDER_UNKNOWN')
  amend(order, { lots: 0 }).isRefused('QUANTITY_INVALID')
  amend(order, { lots: 1 }).isRefused('NOTIONAL_TOO_SMALL')
  amend(order, {}).isRefused('AMEND_UNCHANGED')
  amend(order, { price: 90, lots: 1000 }).isRefused('AMEND_UNCHANGED')
  world
    .do({ type: 'perp.amend', user: world.id('alice'), clientId: '', market: 1, order, orderClientId: '', price: 0 })
    .isRefused('MARKET_UNKNOWN')
  world.do({ type: 'user.set', user: world.id('alice'), isFrozen: true }).isAccepted()
  world
    .do({ type: 'perp.amend', user: world.id('alice'), clientId: '', market: 1, order, orderClientId: '', price: 0 })
    .isRefused('USER_FROZEN')
  amend(order, { lots: 900 }).isRefused('USER_FROZEN')
  world.world.shows(['90×1000'], [], contract)
})

test('PERP-ORDER-006: the quantity of an amend includes what has traded, and exceeds it', () => {
  const world = givenPerp(three)
  const { order } = world.buy('alice', 100, 1000).isAccepted()
  world.sell('bob', 100, 400).isAccepted()
  for (const lots of [300, 400]) world.amend('alice', order, { lots }).isRefused('QUANTITY_INVALID')
  const smaller = world.amend('alice', order, { lots: 700 }).isAccepted()
  assert.deepEqual([smaller.order, amended(smaller), levels(smaller)], [order, [[order, 100, 700]], [['buy', 100, 300]]])
  // A new price alone keeps the quantity.
  const moved = world.amend('alice', order, { price: 99 }).isAccepted()
  assert.deepEqual([moved.order, amended(moved)], [order, [[order, 99, 700]]])
  assert.deepEqual(levels(moved), [
    ['buy', 100, 0],
    ['buy', 99, 300],
  ])
  const updates = [...smaller.of('book.level'), ...moved.of('book.level')].map(({ update }) => update)
  assert.deepEqual(
    updates.map((update) => update - updates[0]!),
    [0, 1, 2],
  )
  const larger = world.amend('alice', order, { lots: 900, price: 98 }).isAccepted()
  assert.deepEqual(
    [amended(larger), levels(larger)],
    [
      [[order, 98, 900]],
      [
        ['buy', 99, 0],
        ['buy', 98, 500],
      ],
    ],
  )
  const [open] = world.world.open('alice')
  assert.deepEqual([open!.price, open!.lots, open!.executedLots, open!.executedQuote], [98, 900, 400, 40_000_000])
  // One lot more than has traded: the whole order is worth enough.
  world.amend('alice', order, { lots: 401 }).isAccepted()
  world.world.shows(['98×1'], [], contract)
  world.isReplayable()
})

test('PERP-ORDER-006: a larger quantity and another price with a smaller one both lose the order’s place', () => {
  const world = givenPerp(three)
  const [first, second] = [world.buy('alice', 100, 200).order, world.buy('bob', 100, 200).order]
  const taken = (): readonly number[] =>
    world
      .sell('carol', 100, 100, { timeInForce: 'IOC' })
      .of('traded')
      .map(({ makerOrder }) => makerOrder)
  assert.deepEqual(taken(), [first])
  world.amend('alice', first, { lots: 201 }).isAccepted()
  assert.deepEqual(taken(), [second])
  world.amend('bob', second, { lots: 199 }).isAccepted()
  world.buy('carol', 99, 100).isAccepted()
  world.amend('alice', first, { price: 99, lots: 200 }).isAccepted()
  world.world.shows(['100×99', '99×200'], [], contract)
  world.isReplayable()
})

test('PERP-ORDER-006: an amend to a price that meets the other side trades there, and the rest keeps its fills', () => {
  const world = givenPerp(three)
  world.sell('carol', 102, 300).isAccepted()
  const { order } = world.buy('alice', 95, 500).isAccepted()
  const told = world.amend('alice', order, { price: 102 }).isAccepted().traded('102×300')
  assert.deepEqual(levels(told).at(-1), ['buy', 102, 200])
  const [open] = world.world.open('alice')
  assert.deepEqual([open!.price, open!.lots, open!.executedLots, open!.executedQuote], [102, 500, 300, 30_600_000])
  world.holds('alice', '300@102').isReplayable()
})

test('PERP-ORDER-004: an amend to another price needs the band around the mark, and one of the quantity alone does not', () => {
  const world = givenPerp(three)
  const { order } = world.buy('alice', 85, 1000).isAccepted()
  world.index(110)
  world.amend('alice', order, { price: 87 }).isRefused('PRICE_OUTSIDE_BAND')
  world.amend('alice', order, { lots: 1100 }).isAccepted()
  world.amend('alice', order, { lots: 900 }).isAccepted()
  world.amend('alice', order, { price: 88 }).isAccepted()
  world.isReplayable()
})

test('PERP-REDUCE-001: a reduce-only order grows as far as the position and its other orders allow, to the lot', () => {
  const world = longs(givenPerp(three), 1000)
  world.sell('alice', 112, 300).isAccepted()
  const other = world.sell('alice', 111, 200, reduces).isAccepted().order
  const { order } = world.sell('alice', 110, 100, reduces).isAccepted()
  world.amend('alice', order, { lots: 501 }).isRefused('REDUCE_ONLY_REJECTED')
  world.amend('alice', order, { lots: 500 }).isAccepted()
  world.amend('alice', other, { lots: 201 }).isRefused('REDUCE_ONLY_REJECTED')
  world.amend('alice', other, { price: 109 }).isAccepted()
  world.buy('alice', 95, 300).isAccepted()
  world.amend('alice', other, { lots: 100 }).isAccepted()
  world.amend('alice', order, { lots: 600, price: 111 }).isAccepted()
  world.isReplayable()
})

test('PERP-REDUCE-001: a reduce-only order that was filled in part counts only what is left of it', () => {
  const world = longs(givenPerp(three), 1000)
  const { order } = world.sell('alice', 101, 600, reduces).isAccepted()
  world.buy('carol', 101, 400).isAccepted().traded('101×400')
  // 600 lots are left of the position: with the 400 that traded, up to 1,000.
  world.amend('alice', order, { lots: 1001 }).isRefused('REDUCE_ONLY_REJECTED')
  world.amend('alice', order, { lots: 1000 }).isAccepted()
  world.isReplayable()
})

test('PERP-ORDER-009: without verification a reduce-only order may still change, and an opening one only shrink', () => {
  const world = longs(givenPerp(three), 1000)
  const closing = world.sell('alice', 110, 400, reduces).isAccepted().order
  const opening = world.buy('alice', 95, 400).isAccepted().order
  world.do({ type: 'user.certify', user: world.id('alice'), isCertified: false }).isAccepted()
  world.amend('alice', closing, { lots: 500 }).isAccepted()
  world.amend('alice', closing, { price: 105 }).isAccepted()
  world.amend('alice', opening, { lots: 401 }).isRefused('NOT_CERTIFIED')
  world.amend('alice', opening, { price: 94 }).isRefused('NOT_CERTIFIED')
  world.amend('alice', opening, { price: 94, lots: 300 }).isRefused('NOT_CERTIFIED')
  world.amend('alice', opening, { lots: 399 }).isAccepted()
})

test('PERP-ORDER-001: an amended order needs money only for what it needs more than before, to the unit', () => {
  // An order of 900 lots at 100 holds 90 and a fee of 0.045; one of 1,000 lots 100 and 0.05.
  for (const [funds, isEnough] of [
    ['100.05', true],
    ['100.049999', false],
  ] as const) {
    const world = givenPerp({ alice: funds, bob: '1000' })
    const { order } = world.buy('alice', 100, 900).isAccepted()
    const told = world.amend('alice', order, { lots: 1000 })
    if (isEnough) told.isAccepted()
    else told.isRefused('MARGIN_INSUFFICIENT')
    world.has('alice', isEnough ? '0' : '10.004999', isEnough ? '100.05' : '90.045')
    world.isReplayable()
  }
})

test('PERP-ORDER-006: a refused amend changes nothing', () => {
  const [asked, twin] = [longs(givenPerp(three), 1000), longs(givenPerp(three), 1000)]
  for (const [world, change, refusal] of [
    [asked, { lots: 90_000 }, 'MARGIN_INSUFFICIENT'],
    [twin, { lots: 0 }, 'QUANTITY_INVALID'],
  ] as const) {
    const { order } = world.buy('alice', 95, 1000).isAccepted()
    world.amend('alice', order, change).isRefused(refusal)
    // The order still counts: it is filled, and its hold pays for it.
    world.buy('alice', 94, 1000).isAccepted()
    world.sell('bob', 95, 600).isAccepted().traded('95×600')
  }
  assert.equal(asked.exchange.hash(), twin.exchange.hash())
  asked.isReplayable()
})

test('PERP-INTEREST-001: an amend that keeps or reduces an order’s value is accepted above the cap, and one that raises it is not', () => {
  const world = givenPerp(three, { openInterestMax: 200_000_000 })
  longs(world, 1000)
  const { order } = world.buy('bob', 90, 990).isAccepted()
  world.index(103)
  world.index(110)
  // The open interest of 110 leaves 90, less than the order's 89.1 and any more.
  world.do({ type: 'perp.set', market: contract, terms: marketTerms, perp: { ...perpTerms, openInterestMax: 100_000_000 } }).isAccepted()
  world.amend('bob', order, { price: 99, lots: 901 }).isRefused('OPEN_INTEREST_FULL')
  world.amend('bob', order, { price: 99, lots: 900 }).isAccepted()
  world.amend('bob', order, { price: 98 }).isAccepted()
  world.amend('bob', order, { lots: 901 }).isRefused('OPEN_INTEREST_FULL')
  world.isReplayable()
})

test('PERP-ORDER-007: an amend to a price beyond bankruptcy is refused', () => {
  const world = givenPerp(three)
  world.leverage('alice', 10).isAccepted()
  longs(world, 1000)
  const { order } = world.sell('alice', 100, 1000).isAccepted()
  world.amend('alice', order, { price: 89 }).isRefused('PRICE_BEYOND_BANKRUPTCY')
  world.amend('alice', order, { price: 90 }).isAccepted()
  world.isReplayable()
})

test('PERP-ORDER-001: an amended order that would close counts without itself, to the unit', () => {
  // A margin of 10 and a fee of 0.05 leave 5.5275: what 500 lots at 110 need at leverage 10.
  for (const [funds, isEnough] of [
    ['15.5775', true],
    ['15.577499', false],
  ] as const) {
    const world = givenPerp({ ...three, alice: funds })
    const others = world.buy('bob', 80, 100).isAccepted().order
    const before = world.world.open('bob')
    world.leverage('alice', 10).isAccepted()
    longs(world, 1000)
    const { order } = world.sell('alice', 102, 1000).isAccepted()
    const told = world.amend('alice', order, { price: 110, lots: 1500 })
    if (isEnough) told.isAccepted()
    else told.isRefused('MARGIN_INSUFFICIENT')
    world.has('alice', isEnough ? '0' : '5.527499', isEnough ? '15.5275' : '10')
    // The order before it in memory stays as it is.
    assert.equal(before[0]?.order, others)
    assert.deepEqual(world.world.open('bob'), before)
    world.isReplayable()
  }
})

test('PERP-ORDER-006: an amend to a lower price returns the part of the hold that is no longer needed', () => {
  const world = givenPerp(three)
  const { order } = world.buy('alice', 100, 1000).isAccepted()
  world.has('alice', '899.95', '100.05')
  world.amend('alice', order, { price: 90 }).isAccepted()
  world.has('alice', '909.955', '90.045')
})

test('PERP-ORDER-006: the hold of an amended order pays for what it trades at its new price', () => {
  const world = givenPerp({ alice: '100.05', bob: '1000' })
  const { order } = world.buy('alice', 99, 1000).isAccepted()
  world.sell('bob', 100, 1000).isAccepted()
  world.amend('alice', order, { price: 100 }).isAccepted().traded('100×1000')
  world.has('alice', '0', '100').holds('alice', '1000@100').isReplayable()
})

test('PERP-STOP-004: an order that sleeps, or was triggered and is tried again, can’t be amended', () => {
  const world = longs(givenPerp(three), 1000)
  const trigger = { kind: 'stop', price: 97, direction: 'falls-to' }
  const { order } = world.market('alice', 'sell', 500, { trigger, triggerBy: 'mark', ...reduces }).isAccepted()
  world.amend('alice', order, { lots: 400 }).isRefused('ORDER_NOT_AMENDABLE')
  world.index(97)
  assert.equal(world.world.open('alice')[0]!.status, 'open')
  world.amend('alice', order, { lots: 400 }).isRefused('ORDER_NOT_AMENDABLE')
})

test('PERP-EXITS-005: an amend to another price needs the exits on their sides of it, one of the quantity alone does not ask', () => {
  const world = givenPerp(three)
  const exits = { exits: { takeProfit: { price: 96, by: 'last' } } }
  world.buy('bob', 80, 100).isAccepted()
  const { order } = world.buy('alice', 95, 1000, exits).isAccepted()
  world.amend('alice', order, { price: 96 }).isRefused('TRIGGER_IMMEDIATE')
  world.amend('alice', order, { lots: 1100 }).isAccepted()
  world.amend('alice', order, { price: 94 }).isAccepted()
})

test('PERP-OUTAGE-002: while the index is not good an order may shrink, and one that only reduces may move where it does not trade', () => {
  const world = longs(givenPerp(three), 1000)
  const opening = world.buy('alice', 95, 400).isAccepted().order
  const closing = world.sell('alice', 110, 400, reduces).isAccepted().order
  world.buy('carol', 99, 100, reduces).isAccepted()
  world.index(100, 2)
  for (const change of [{ lots: 500 }, { price: 94 }, { price: 94, lots: 300 }])
    world.amend('alice', opening, change).isRefused('NO_INDEX_PRICE')
  world.amend('alice', opening, { lots: 300 }).isAccepted()
  world.amend('alice', closing, { lots: 500 }).isAccepted()
  world.amend('alice', closing, { price: 109 }).isAccepted()
  world.amend('alice', closing, { price: 99 }).isRefused('NO_INDEX_PRICE')
  world.isReplayable()
})
