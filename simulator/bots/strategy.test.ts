import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { Budget } from './budget.ts'
import { arrival, type FlowState } from './flow.ts'
import { fullness, leanOfPositions, positionLimit, roomFor, skewed, topUp } from './perp.ts'
import { leanOf, scales } from './holdings.ts'
import { ladderFor, plan, targets, type Action, type Ladder, type OwnOrder, type Target } from './ladder.ts'
import { chanceOf } from './random.ts'
import { levels } from './terms.ts'
import { gridOf, steps, times } from './units.ts'

const lots100 = (): number => 100

/** The orders after the actions are executed. */
function apply(orders: readonly OwnOrder[], actions: readonly Action[]): OwnOrder[] {
  const next = new Map(orders.map((order) => [order.id, order]))
  let id = 1_000_000
  for (const action of actions) {
    if (action.kind === 'cancel') next.delete(action.order.id)
    else if (action.kind === 'amend') {
      next.set(action.order.id, { ...action.order, price: action.price, remaining: action.lots - action.order.executed })
    } else
      next.set(`new-${id}`, {
        id: `new-${id++}`,
        side: action.target.side,
        price: action.target.price,
        remaining: action.target.lots,
        executed: 0,
      })
  }
  return [...next.values()]
}

const own = (id: string, target: Target, remaining = target.lots, executed = 0): OwnOrder => ({
  id,
  side: target.side,
  price: target.price,
  remaining,
  executed,
})

test('BOTS-QUOTE-001: twelve levels a side, uncrossed, around the index, larger further out', () => {
  fc.assert(
    fc.property(fc.integer({ min: 50, max: 100_000_000 }), fc.integer({ min: 50, max: 5_000 }), (index, spreadPpm) => {
      const ladder = ladderFor(index, spreadPpm, undefined)
      const wanted = targets('BTCUSDT', ladder, (_side, size) => size * 1_000)
      const bids = wanted.filter((target) => target.side === 'buy').map((target) => target.price)
      const asks = wanted.filter((target) => target.side === 'sell').map((target) => target.price)
      assert.equal(bids.length, levels)
      assert.equal(asks.length, levels)
      assert.ok(Math.max(...bids) < Math.min(...asks))
      assert.ok(Math.max(...bids) <= index + ladder.rungTicks / 2 && Math.min(...asks) >= index - ladder.rungTicks / 2)
      assert.equal(new Set([...bids, ...asks]).size, 2 * levels, 'each at its own price')
      assert.ok([...bids, ...asks].every((price) => Number.isSafeInteger(price) && price > 0))
    }),
    { examples: [[1_015, 2_956]] },
  )
})

test('BOTS-QUOTE-002: nothing moves until the index is more than half the spread away from the centre', () => {
  const ladder = ladderFor(1_045_000, 300, undefined)
  assert.equal(ladder.rungTicks, 157)
  const centre = ladder.centre * ladder.rungTicks
  for (const off of [0, 50, 157, -157]) assert.equal(ladderFor(centre + off, 300, ladder), ladder)
  assert.equal(ladderFor(centre + 158, 300, ladder).centre, ladder.centre + 1)
  assert.equal(ladderFor(centre - 158, 300, ladder).centre, ladder.centre - 1)
  assert.equal(ladderFor(centre * 2, 300, ladder).rungTicks, 313, 'a very different price changes the distance of rungs')
})

test('BOTS-QUOTE-003: when the price moves one rung, two amendments set it right, the dangerous side first', () => {
  const before = ladderFor(1_045_000, 300, undefined)
  const orders = targets('BTCUSDT', before, lots100).map((target, index) => own(String(index), target))
  assert.deepEqual(plan(orders, targets('BTCUSDT', before, lots100), before), [])
  for (const move of [1, -1] as const) {
    const after: Ladder = { ...before, centre: before.centre + move }
    const wanted = targets('BTCUSDT', after, lots100)
    const actions = plan(orders, wanted, after)
    assert.deepEqual(
      actions.map((action) => action.kind),
      ['amend', 'amend'],
    )
    assert.equal(actions[0].kind === 'amend' && actions[0].order.side, move === 1 ? 'sell' : 'buy')
    assert.deepEqual(plan(apply(orders, actions), wanted, after), [])
  }
})

test('BOTS-QUOTE-004: from any orders, the plan leads to exactly the targets', () => {
  const order = fc.record({
    id: fc.uuid(),
    side: fc.constantFrom('buy', 'sell') as fc.Arbitrary<'buy' | 'sell'>,
    price: fc.integer({ min: 9_000, max: 11_000 }),
    remaining: fc.integer({ min: 1, max: 200 }),
    executed: fc.integer({ min: 0, max: 50 }),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(order, { maxLength: 16, selector: (each) => each.id }),
      fc.integer({ min: 9_500, max: 10_500 }),
      (orders, index) => {
        const ladder = ladderFor(index, 2_000, undefined)
        const wanted = targets('X', ladder, lots100)
        const after = apply(orders, plan(orders, wanted, ladder))
        const key = (each: { side: string; price: number }): string => `${each.side} ${each.price}`
        assert.deepEqual(after.map(key).sort(), wanted.map(key).sort())
        for (const each of after) assert.ok(each.remaining * 3 >= (wanted.find((target) => key(target) === key(each))?.lots ?? 0))
      },
    ),
  )
})

test('a quote that is mostly filled is replenished; its new quantity includes the fills', () => {
  const ladder = ladderFor(10_000, 2_000, undefined)
  const wanted = targets('X', ladder, lots100)
  const orders = wanted.map((target, index) => own(String(index), target, index === 3 ? 20 : 100, index === 3 ? 80 : 0))
  assert.deepEqual(plan(orders, wanted, ladder), [{ kind: 'amend', order: orders[3], price: orders[3].price, lots: 180 }])
})

test('a level too small for the exchange is left out, and its order is cancelled', () => {
  const ladder = ladderFor(10_000, 2_000, undefined)
  const orders = targets('X', ladder, lots100).map((target, index) => own(String(index), target))
  const wanted = targets('X', ladder, (side) => (side === 'buy' ? 100 : 0.9))
  assert.deepEqual(
    plan(orders, wanted, ladder).map((action) => action.kind),
    Array.from({ length: levels }, () => 'cancel'),
  )
})

test('BOTS-LIMIT-001: in any second there are at most two commands for a market and forty in total', () => {
  const budget = new Budget()
  const taken: { market: string; at: number }[] = []
  const chance = chanceOf('budget')
  for (let at = 0; at < 5_000; at += 3) {
    const market = `M${Math.floor(chance.next() * 30)}`
    if (budget.take(market, at)) taken.push({ market, at })
  }
  for (const { at } of taken) {
    const second = taken.filter((each) => each.at > at - 1_000 && each.at <= at)
    assert.ok(second.length <= 40)
    for (const { market } of second) assert.ok(second.filter((each) => each.market === market).length <= 2)
  }
  assert.ok(taken.length > 190, 'and the limit is used')
})

test('BOTS-FLOW-001: arrivals have the given average rate, repeat for the same seed, come in waves, and lean in the right direction', () => {
  const count = (seed: string, lean: number): { all: number; buys: number; usdt: number[]; gaps: number[] } => {
    const chance = chanceOf(seed)
    const state: FlowState = { wave: 0, lastIndex: 0 }
    const usdt: number[] = []
    const gaps: number[] = []
    let buys = 0
    let since = 0
    for (let step = 0; step < 80_000; step += 1) {
      since += 0.25
      const comer = arrival(chance, state, { seconds: 0.25, perSecond: 0.3, index: 100, lean })
      if (comer === undefined) continue
      usdt.push(comer.usdt)
      gaps.push(since)
      since = 0
      if (comer.side === 'buy') buys += 1
    }
    return { all: usdt.length, buys, usdt, gaps }
  }
  const even = count('a', 0)
  assert.deepEqual(even, count('a', 0))
  assert.ok(even.all > 4_000 && even.all < 8_500, `${even.all} arrivals in 20,000 s at 0.3`)
  assert.ok(Math.abs(even.buys / even.all - 0.5) < 0.03)
  assert.ok(count('a', 1).buys / count('a', 1).all > 0.85)
  assert.ok(count('a', -1).buys / count('a', -1).all < 0.15)
  const sorted = [...even.usdt].sort((x, y) => x - y)
  assert.ok(sorted[Math.floor(sorted.length / 2)] < 130 && sorted.at(-1) === 6_000, 'most are small, a few large')
  const mean = even.gaps.reduce((sum, gap) => sum + gap, 0) / even.gaps.length
  const variance = even.gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / even.gaps.length
  assert.ok(variance > 1.2 * mean ** 2, 'waves: more uneven than chance alone')
})

test('sizes follow the holdings of an account, and the lean those of the other account', () => {
  const grid = gridOf({
    symbol: 'BTCUSDT',
    id: 1,
    base: 'BTC',
    quote: 'USDT',
    tick: '0.1',
    lot: '0.00001',
    priceDigits: 1,
    quantityDigits: 5,
    notionalMin: '5',
    quantityMin: '0.00001',
    quantityMax: '9',
    bandPpm: 1,
    slippagePpm: 1,
    openOrdersMax: 200,
    makerFeePpm: 1,
    takerFeePpm: 1,
    isTrading: true,
    kind: 'spot',
    hasMargin: true,
    hasOption: true,
  })
  const value = (asset: string): number => (asset === 'USDT' ? 1 : 100_000)
  const all = scales([grid], () => 1e9, value)
  assert.deepEqual(
    [...all],
    [
      ['BTC', 1],
      ['USDT', 1],
    ],
  )
  const none = scales([grid], () => 0, value)
  assert.deepEqual([...none.values()], [0, 0])
  const half = scales([grid], (asset) => (asset === 'USDT' ? 1e9 : 0.1), value)
  assert.ok((half.get('BTC') ?? 0) > 0 && (half.get('BTC') ?? 1) < 1)
  assert.deepEqual([leanOf(1, 1), leanOf(1, 0), leanOf(0, 1), leanOf(0, 0)], [0, 1, -1, 0])
  assert.equal(grid.priceText(1_045_003), '104500.3')
  assert.equal(grid.lotsOf('0.12345'), 12_345)
})

test('ticks and lots convert to decimal text and back, exactly', () => {
  fc.assert(
    fc.property(fc.constantFrom('0.1', '0.00001', '1', '0.000001', '0.01'), fc.integer({ min: 0, max: 1_000_000_000 }), (step, count) => {
      const text = times(step, count)
      assert.equal(steps(text, step), count)
      assert.match(text, /^\d+(\.\d+)?$/)
    }),
  )
  assert.equal(times('0.1', 3), '0.3')
  assert.equal(steps('0.35', '0.1'), 3)
})

test('BOTS-QUOTE-005: a futures position shifts and shrinks quotes that would enlarge it, and takers trade towards zero', () => {
  const limit = positionLimit('BTCUSDTPERP')
  assert.equal(limit, positionLimit('BTCUSDT'))
  assert.deepEqual([fullness(limit / 2, limit), fullness(-9 * limit, limit)], [0.5, -1])
  assert.deepEqual([skewed(1_000_000, 50, 1), skewed(1_000_000, 50, -0.5), skewed(1_000_000, 50, 0)], [999_900, 1_000_050, 1_000_000])
  assert.deepEqual([roomFor('buy', 1), roomFor('buy', -1), roomFor('sell', -1), roomFor('sell', 0.5)], [0, 1, 0, 1])
  // The maker is long, the taker short: takers buy.
  assert.ok(leanOfPositions(0.8, -0.8) > 0.7 && leanOfPositions(-0.8, 0.8) < -0.7 && leanOfPositions(0, 0) === 0)
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.double({ min: 0, max: 1e7, noNaN: true }), (total, spot) => {
      const moved = topUp(total, spot)
      assert.ok(moved <= spot / 2 && total + moved >= Math.min(total, 200_000) && total + moved <= Math.max(400_000, total))
    }),
  )
  assert.deepEqual([topUp(0, 1e7), topUp(50_000, 10_000), topUp(150_000, 1e7), topUp(500_000, 0)], [200_000, 5_000, 0, -300_000])
})
