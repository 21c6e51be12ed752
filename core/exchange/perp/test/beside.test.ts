/** Tests that orders fit the position beside them, and that a match settles both sides to the unit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as codes from '../../../book/codes.ts'
import type { SideNumber } from '../../../book/codes.ts'
import { C, EXECUTED, EXECUTED_LOTS, F, FLAGS, I, ID, LEFT, UPDATED_AT, VISIBLE } from '../../../book/order-fields.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import type { Lots, Ticks, Units } from '../../../money/brand.ts'
import { FOK, HAS_EXITS, IOC, POSITION_SHIFT, POST_ONLY, REDUCE_ONLY, SELF_TRADE_SHIFT } from '../../../protocol/codec/layout.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import { HAS_STOP_LOSS, HAS_TAKE_PROFIT, STOP_LOSS_BY_MARK, TAKE_PROFIT_BY_MARK } from '../../../protocol/codec/layout.ts'
import type { OrderId, UserId } from '../../../protocol/ids.ts'
import { count, drop, dropSome, reasonNumber } from '../positions/close.ts'
import { checkExits } from '../positions/exits.ts'
import { BY_ORDER, fill, reduce } from '../positions/fill.ts'
import { flush } from '../positions/flush.ts'
import { actAsLimit, rest, selfTradeOf, store } from '../positions/orders.ts'
import { take } from '../positions/settle.ts'
import { BOTH, LONG, SHORT } from '../records/state.ts'
import type { Holding } from '../records/state.ts'
import { perpRow } from '../rules/money.ts'
import { Alone } from './alone.ts'

const buy = 0 as SideNumber
const sell = 1 as SideNumber

const closed = (alone: Alone): readonly (readonly [number, string])[] =>
  alone.told('order.closed').map(({ order, reason }) => [order, reason])
const amended = (alone: Alone): readonly unknown[] => alone.told('order.amended').map(({ order, lots }) => [order, lots])
const holdingOf = ({ x, contract }: Alone, user: number): Holding => x.perp.holding(user as UserId, contract, BOTH)

test('PERP-REDUCE-001: orders that only reduce are cut and cancelled, newest first, until they fit into the position', () => {
  for (const [lots, side] of [
    [-10, 'buy'],
    [10, 'sell'],
  ] as const) {
    const alone = new Alone().at(50)
    const { x } = alone
    const holding = alone.opens(1, lots, 100, 1000)
    const [oldest, older] = [alone.rests(holding, side, 100, 4, true), alone.rests(holding, side, 101, 4, true)]
    const newest = alone.rests(holding, side, 102, 2, true)
    const before = alone.contract.venue.lastUpdate
    alone.at(60)
    reduce(x, holding, 4 as Lots, 400 as Units, false)
    flush(x)
    assert.deepEqual([closed(alone), amended(alone)], [[[newest, 'reduce-only']], [[older, 2]]])
    assert.equal(alone.contract.venue.lastUpdate, before + 2)
    assert.equal(x.orders.c[x.orders.find(older) * C + UPDATED_AT], 60)
    alone.events.clear()
    // The other two fill the rest exactly.
    reduce(x, holding, 2 as Lots, 200 as Units, false)
    flush(x)
    assert.deepEqual([closed(alone), amended(alone), x.orders.find(oldest) >= 0], [[[older, 'reduce-only']], [], true])
    assert.equal(alone.told('perp.position').length, 1)
  }
})

test('PERP-ORDER-007: an order that would close at a loss beyond the margin is cancelled, and the others stay', () => {
  for (const [lots, side, near, far] of [
    [-10, 'buy', 104, 106],
    [10, 'sell', 96, 94],
  ] as const) {
    const alone = new Alone()
    const { x } = alone
    const holding = alone.opens(1, lots, 100, 100)
    const [stays, goes] = [alone.rests(holding, side, near, 5, true), alone.rests(holding, side, far, 5, true)]
    x.ledger.release(perpRow(x, holding.user), 50 as Units)
    holding.margin = 50 as Units
    x.perp.touch(holding, true)
    flush(x)
    assert.deepEqual([closed(alone), x.orders.find(stays) >= 0], [[[goes, 'margin']], true])
  }
})

test('PERP-ORDER-011: orders that would open beyond the opening limit of the mark are cancelled, and the others stay', () => {
  for (const [side, prices, mark, kept] of [
    // 95 × 10 × 0.955 ÷ 9 = 100.8, and 110 × 10 × 1.045 ÷ 11 = 104.5.
    ['buy', [90, 100, 101, 106], 95, 2],
    ['sell', [120, 105, 104, 96], 110, 2],
  ] as const) {
    const alone = new Alone().pays(1, 1000)
    const { x } = alone
    const holding = holdingOf(alone, 1)
    holding.setting.leverage = 10
    const orders = prices.map((price) => alone.rests(holding, side, price, 1))
    // Orders of the other side, and those that are not in the book, stay.
    alone.rests(holding, side === 'buy' ? 'sell' : 'buy', side === 'buy' ? 130 : 80, 1)
    const flags = x.orders.i[x.orders.find(orders[0]!) * I + FLAGS] as OrderFlags
    store(x, holding, 990 as OrderId, flags, prices[3] as Ticks, 1 as Lots)
    assert.deepEqual(closed(alone), [])
    alone.contract.mark = mark as Ticks
    x.perp.touch(holding, false)
    flush(x)
    const gone = orders.slice(kept)
    assert.deepEqual(
      closed(alone),
      gone.toReversed().map((order) => [order, 'margin']),
    )
    assert.deepEqual(
      orders.map((order) => x.orders.find(order) >= 0),
      orders.map((_, n) => n < kept),
    )
  }
})

test('PERP-ORDER-002: orders that can’t be paid any more are cancelled, newest first, and no more of them than necessary', () => {
  const left = (free: number): readonly unknown[] => {
    const alone = new Alone()
    const { x } = alone
    const holding = alone.opens(1, 10, 100, 100)
    // The oldest order is on the other side and holds 50 and 1.
    alone.pays(1, 51).rests(holding, 'buy', 50, 1)
    alone.rests(holding, 'sell', 110, 4)
    alone.rests(holding, 'sell', 111, 3)
    const newest = alone.rests(holding, 'sell', 112, 3)
    // 1 and the 60 that are released.
    if (free > 61) alone.pays(1, free - 61)
    reduce(x, holding, 6 as Lots, 600 as Units, false)
    alone.events.clear()
    flush(x)
    const reasons = alone.told('order.closed').map(({ order, reason }) => [order === newest, reason])
    return [holding.slots.size - 1, holding.ordersMargin - 51, alone.has(1)[0], reasons]
  }
  // 3 lots at 111 and 3 at 112 open 669; 3 at 111 open 333. The fee is 1.
  assert.deepEqual(left(670), [3, 670, 0, []])
  assert.deepEqual(left(669), [2, 334, 335, [[true, 'margin']]])
  assert.deepEqual(left(334), [2, 334, 0, [[true, 'margin']]])
  assert.deepEqual(left(333), [
    1,
    0,
    333,
    [
      [true, 'margin'],
      [false, 'margin'],
    ],
  ])
})

test('PERP-POSITION-002: the hold of a filled order pays the fee of its part that closes', () => {
  const alone = new Alone()
  const { x } = alone
  const holding = alone.opens(1, 10, 111, 10)
  alone.pays(1, 440)
  const order = alone.rests(holding, 'sell', 110, 14)
  assert.deepEqual([holding.ordersMargin, alone.has(1)], [441, [0, 451]])
  const flags = x.orders.i[x.orders.find(order) * I + FLAGS] as OrderFlags
  count(holding, flags, 110 as Ticks, -14 as Lots)
  // Closing loses all of the margin and costs 10; the four lots that open hold what is left, and their 4 come from it.
  assert.equal(fill(x, holding, sell, 110 as Ticks, 14 as Lots, 14 as Units, order, BY_ORDER), 14)
  assert.deepEqual([holding.lots, holding.margin, holding.ordersMargin, alone.has(1)], [-4, 427, 0, [0, 427]])
})

test('PERP-POSITION-003: a position that ends is reported once, with its record, and a cross one that stays has the level of its account', () => {
  const alone = new Alone()
  const { x } = alone
  const holding = alone.opens(1, 10, 100, 100)
  fill(x, holding, sell, 100 as Ticks, 10 as Lots, 0 as Units, 500 as OrderId, BY_ORDER)
  flush(x)
  assert.deepEqual([alone.told('perp.position').length, alone.told('perp.closed').length], [1, 1])
  const cross = alone.opens(2, 10, 1000, 1000, { isCross: true })
  alone.pays(2, 500)
  x.perp.touch(cross, true)
  flush(x)
  // (10,000 − 1,501 + 1) ÷ 9.6875 = 877.4.
  assert.equal(alone.contract.levels[cross.at], 877)
  alone.events.clear()
  x.perp.touch(cross, false)
  flush(x)
  assert.deepEqual(alone.told('perp.position'), [], 'changes of orders alone are not changes of the position')
})

/** Bids of users 1, 2 and 3, and a long position of user 1 that sells into them. */
function bids(): { readonly alone: Alone; readonly holding: Holding; readonly own: OrderId } {
  const alone = new Alone().at(60)
  const holding = alone.opens(1, 20, 100, 2000)
  alone.pays(1, 1000)
  const own = alone.rests(holding, 'buy', 101, 5)
  alone.quotes(2, 'buy', 100, 5)
  alone.quotes(3, 'buy', 99, 5)
  alone.contract.venue.lastPrice = 97 as Ticks
  return { alone, holding, own }
}

function takes(alone: Alone, holding: Holding, selfTrade: number, lots = 12): number {
  return take(alone.x, holding, sell, 900 as OrderId, 99 as Ticks, lots as Lots, selfTrade)
}

test('MARKET-VIEW-006: a user’s trades with themselves set no price and count for no volume', () => {
  const { alone, holding, own } = bids()
  const { venue, inventory } = alone.contract
  const before = venue.lastUpdate
  assert.equal(takes(alone, holding, codes.LET_TRADE), 0)
  assert.deepEqual(
    alone.told('traded').map(({ price, lots, makerUser, takerUser }) => [price, lots, makerUser, takerUser]),
    [
      [101, 5, 1, 1],
      [100, 5, 2, 1],
      [99, 2, 3, 1],
    ],
  )
  assert.deepEqual([venue.lastPrice, inventory.volume(alone.x.atMs), venue.average.lastMinute(alone.x.atMs)], [99, 7, 7])
  // (500 + 198) ÷ 7 = 99.7.
  assert.equal(venue.reference(alone.x.atMs), 99)
  assert.deepEqual([venue.lastUpdate, alone.x.orders.find(own)], [before + 3, -1])
  assert.deepEqual(closed(alone).slice(0, 1), [[own, 'filled']])
  // An order that only met the user's own has traded nothing, so its exits stay with it.
  const met = bids()
  const shorts = met.alone.x.perp.holding(1 as UserId, met.alone.contract, SHORT)
  shorts.lots = -5 as Lots
  met.alone.x.perp.exits.set(900, { takeProfit: 0 as Ticks, stopLoss: 120 as Ticks, bits: HAS_STOP_LOSS })
  take(met.alone.x, shorts, sell, 900 as OrderId, 101 as Ticks, 5 as Lots, codes.EXPIRE_MAKER)
  assert.deepEqual(met.alone.x.perp.protections, [])
  // Only with themselves: no price at all.
  const only = bids()
  takes(only.alone, only.holding, codes.LET_TRADE, 5)
  assert.deepEqual([only.alone.contract.venue.lastPrice, only.alone.contract.inventory.volume(only.alone.x.atMs)], [97, 0])
})

test('PERP-EXITS-001: a user’s own order that an exit meets is cancelled, releases its hold, and leaves the position unchanged', () => {
  const { alone, holding, own } = bids()
  assert.equal(holding.ordersMargin, 506)
  holding.isChanged = false
  assert.equal(take(alone.x, holding, sell, 900 as OrderId, 101 as Ticks, 5 as Lots, codes.EXPIRE_MAKER), 5)
  assert.deepEqual([closed(alone), holding.ordersMargin, holding.slots.size, holding.isChanged], [[[own, 'self-trade']], 0, 0, false])
  assert.deepEqual([alone.contract.venue.lastPrice, alone.told('traded')], [97, []])
})

test('PERP-POSITION-001: an order that is filled in part keeps its place and notes the time, and a filled one is gone', () => {
  const { alone, holding } = bids()
  const slots = [2, 3].map((user) => [...holdingOf(alone, user).slots][0]!)
  alone.at(77)
  takes(alone, holding, codes.EXPIRE_MAKER, 7)
  assert.deepEqual(
    [2, 3].map((user) => holdingOf(alone, user).slots.size),
    [0, 1],
  )
  assert.equal(alone.x.orders.c[slots[1]! * C + UPDATED_AT], 77)
  assert.equal(alone.x.orders.f[slots[1]! * F + VISIBLE], 3)
  assert.deepEqual(
    [2, 3].map((user) => holdingOf(alone, user).lots),
    [5, 2],
  )
})

test('MARKET-VIEW-006: a trade is the house’s own only if both users belong to it', () => {
  for (const [maker, taker, isOwn] of [
    [true, true, true],
    [true, false, undefined],
    [false, true, undefined],
    [false, false, undefined],
  ] as const) {
    const { alone, holding } = bids()
    alone.x.setHouse(2 as UserId, maker)
    alone.x.setHouse(1 as UserId, taker)
    takes(alone, holding, codes.EXPIRE_MAKER, 1)
    assert.deepEqual(
      alone.told('traded').map(({ isHouse }) => isHouse),
      [isOwn],
    )
  }
})

/** Triggers a stored limit order against the bids. Its user 1 is long 20 lots. */
function acts(side: SideNumber, price: number, lots: number, more: number): readonly unknown[] {
  const { alone, holding } = bids()
  const { x } = alone
  const flags = (side | more | (1 << POSITION_SHIFT)) as OrderFlags
  const slot = store(x, holding, 900 as OrderId, flags, price as Ticks, lots as Lots)
  actAsLimit(x, holding, slot, 900 as OrderId)
  flush(x)
  const trades = alone.told('traded').map((trade) => `${trade.price}×${trade.lots}`)
  const ends = closed(alone).flatMap(([order, reason]) => (order === 900 ? [reason] : []))
  const at = x.orders.find(900 as OrderId)
  if (at >= 0) {
    const sums = trades.length > 0 ? [lots - 5, 5, 500] : [lots, 0, 0]
    assert.deepEqual(
      [LEFT, EXECUTED_LOTS, EXECUTED].map((field) => x.orders.f[at * F + field]),
      sums,
    )
  } else if (trades.length === 0) assert.deepEqual(alone.told('book.level'), [], 'it was never in the book')
  return [trades, ends, at >= 0]
}

test('PERP-STOP-001: a triggered limit order takes what its price and terms allow, then rests or ends', () => {
  const maker = codes.EXPIRE_MAKER << SELF_TRADE_SHIFT
  assert.deepEqual(acts(sell, 100, 5, maker), [['100×5'], ['filled'], false])
  assert.deepEqual(acts(sell, 100, 7, maker), [['100×5'], [], true])
  assert.deepEqual(acts(sell, 100, 7, maker | IOC), [['100×5'], ['ioc'], false])
  assert.deepEqual(acts(sell, 100, 7, maker | FOK), [[], ['fok'], false])
  assert.deepEqual(acts(sell, 99, 7, maker | FOK), [['100×5', '99×2'], ['filled'], false])
  assert.deepEqual(acts(sell, 100, 7, maker | POST_ONLY), [[], ['post-only'], false])
  assert.deepEqual(acts(sell, 110, 7, maker | POST_ONLY), [[], [], true])
  // Its own bid at 101 stops it.
  assert.deepEqual(acts(sell, 100, 7, codes.EXPIRE_TAKER << SELF_TRADE_SHIFT), [[], ['self-trade'], false])
  assert.deepEqual(acts(buy, 90, 1, maker | REDUCE_ONLY), [[], ['reduce-only'], false])
  assert.deepEqual(acts(sell, 110, 7, maker | REDUCE_ONLY), [[], [], true])
  for (const mode of [codes.EXPIRE_TAKER, codes.EXPIRE_MAKER, codes.LET_TRADE])
    assert.equal(selfTradeOf((mode << SELF_TRADE_SHIFT) as OrderFlags), mode)
})

test('PERP-EXITS-005: each exit lies on its side of the price, or of the price that it follows; an invalid one is refused first', () => {
  const { contract } = new Alone()
  contract.mark = 90 as Ticks
  contract.venue.lastPrice = 110 as Ticks
  const check = (side: number, price: number, takeProfit: number, stopLoss: number, bits: number): string | undefined =>
    checkExits(contract, (side | HAS_EXITS) as OrderFlags, price as Ticks, {
      takeProfit: takeProfit as Ticks,
      stopLoss: stopLoss as Ticks,
      bits,
    })
  const [profit, loss, both] = [HAS_TAKE_PROFIT, HAS_STOP_LOSS, HAS_TAKE_PROFIT | HAS_STOP_LOSS]
  const wrong = 'TRIGGER_IMMEDIATE'
  // At a price of its own.
  assert.deepEqual([check(0, 100, 101, 99, both), check(0, 100, 100, 99, both), check(0, 100, 101, 100, both)], [undefined, wrong, wrong])
  assert.deepEqual([check(1, 100, 99, 101, both), check(1, 100, 100, 101, both), check(1, 100, 99, 100, both)], [undefined, wrong, wrong])
  assert.deepEqual([check(0, 100, 101, 0, profit), check(0, 100, 0, 99, loss), check(0, 100, 0, 0, 0)], [undefined, undefined, undefined])
  assert.deepEqual([check(0, 100, 0, 99, both), check(0, 100, 101, 0, both)], ['TRIGGER_INVALID', 'TRIGGER_INVALID'])
  assert.deepEqual([check(0, 100, 0, 99, profit), check(0, 100, 101, 0, loss)], ['TRIGGER_INVALID', 'TRIGGER_INVALID'])
  // A market order: the last trade was at 110, the mark is 90, and each exit follows its own.
  assert.deepEqual([check(0, 0, 111, 109, both), check(0, 0, 110, 109, both), check(0, 0, 111, 110, both)], [undefined, wrong, wrong])
  const marks = TAKE_PROFIT_BY_MARK | STOP_LOSS_BY_MARK
  assert.deepEqual(
    [check(0, 0, 91, 89, both | marks), check(0, 0, 90, 89, both | marks), check(0, 0, 91, 90, both | marks)],
    [undefined, wrong, wrong],
  )
  assert.deepEqual(
    [check(0, 0, 91, 109, both | TAKE_PROFIT_BY_MARK), check(0, 0, 111, 89, both | STOP_LOSS_BY_MARK)],
    [undefined, undefined],
  )
  assert.deepEqual([check(0, 0, 91, 109, both | STOP_LOSS_BY_MARK), check(0, 0, 111, 91, both | STOP_LOSS_BY_MARK)], [wrong, wrong])
  // Before the first trade the mark counts.
  contract.venue.lastPrice = 0 as Ticks
  assert.deepEqual([check(0, 0, 91, 89, both), check(0, 0, 90, 89, both)], [undefined, wrong])
  // A take profit alone, of a sale.
  assert.equal(check(1, 100, 99, 0, profit), undefined)
  assert.equal(checkExits(contract, 0 as OrderFlags, 100 as Ticks, undefined), undefined)
})

test('PERP-ORDER-001: a stored order shows nothing until it rests, and then all that is left of it', () => {
  const alone = new Alone().pays(1, 1000).at(33)
  const { x } = alone
  const holding = holdingOf(alone, 1)
  const old = alone.rests(holding, 'buy', 80, 1)
  const flags = x.orders.i[x.orders.find(old) * I + FLAGS] as OrderFlags
  // The slot is used again, with what the order before left in it.
  const slot = x.orders.find(old) as OrderSlot
  drop(x, alone.contract, slot, reasonNumber('cancelled'))
  flush(x)
  x.orders.f.fill(7, slot * F, slot * F + 3)
  const { lastUpdate } = alone.contract.venue
  const next = store(x, holding, 950 as OrderId, flags, 85 as Ticks, 3 as Lots)
  assert.equal(next, slot)
  const [price, lots, shown] = x.orders.f.subarray(next * F)
  assert.deepEqual([price, lots, shown, x.orders.c[next * C + UPDATED_AT]], [85, 3, 0, 33])
  holding.isChanged = false
  rest(x, holding, next)
  assert.deepEqual([x.orders.f[next * F + VISIBLE], alone.contract.venue.lastUpdate, holding.isChanged], [3, lastUpdate + 1, false])
})

test('PERP-EXITS-002: an order that is cancelled or filled takes its exits along, and no other order’s', () => {
  const { alone, holding } = bids()
  const { x } = alone
  const exits = { takeProfit: 120 as Ticks, stopLoss: 80 as Ticks, bits: HAS_TAKE_PROFIT | HAS_STOP_LOSS }
  const orders = [2, 3].map((user) => {
    const slot = [...holdingOf(alone, user).slots][0]!
    x.orders.i[slot * I + FLAGS]! |= HAS_EXITS
    const order = x.orders.f[slot * F + ID] as OrderId
    x.perp.exits.set(order, exits)
    return { order, slot: slot as OrderSlot }
  })
  takes(alone, holding, codes.EXPIRE_MAKER, 7)
  assert.deepEqual(
    orders.map(({ order }) => x.perp.exits.get(order)),
    [undefined, exits],
  )
  drop(x, alone.contract, orders[1]!.slot, reasonNumber('cancelled'))
  assert.equal(x.perp.exits.size, 0)
})

test('PERP-LIQUIDATION-008: the orders of a cross account are cancelled by market, then by side', () => {
  const alone = new Alone()
  const far = alone.lists(5)
  const first = alone.opens(1, 10, 100, 100, { contract: far, side: SHORT, isCross: true })
  const second = alone.opens(1, 10, 100, 100, { contract: far, side: LONG, isCross: true })
  const third = alone.opens(1, 10, 100, 100, { isCross: true })
  const orders = [first, second, third].map((holding) => alone.rests(holding, 'sell', 110, 1, true))
  assert.equal(dropSome(alone.x, first, reasonNumber('liquidation'), 9), 3)
  assert.deepEqual(
    closed(alone).map(([order]) => order),
    orders.toReversed(),
  )
})
