import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import type { OrderSlot } from '../order-fields.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Orders } from '../orders.ts'

type Kept = { readonly slot: number; readonly user: number; readonly market: number }

const step = fc.record({
  user: fc.integer({ min: 1, max: 3 }),
  market: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 500 })),
  /** Chosen so that few users reach the number of orders from which counts are kept, and fall below it again. */
  removes: fc.integer({ min: 0, max: 9 }),
})

test('SPOT-LIMIT-005: the count of a user’s orders in a market is those placed there less those removed, however many the user has', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 200, maxLength: 800, size: 'max' }), fc.integer({ min: 1, max: 8 }), (steps, keen) => {
      const orders = new Orders()
      const kept: Kept[] = []
      let id = 0
      for (const [n, { user, market, removes }] of steps.entries()) {
        // Long runs of placing alternate with runs of removing.
        const isRemoving = n % 200 > 140 ? removes < 9 : removes < keen - 1
        if (isRemoving && kept.length > 0) orders.remove(kept.splice((n * 7) % kept.length, 1)[0]!.slot as OrderSlot)
        else kept.push({ slot: orders.add(++id as OrderId, user as UserId, market as MarketId), user, market })
        const has = kept.filter((one) => one.user === user && one.market === market).length
        assert.equal(orders.countIn(user as UserId, market as MarketId), has)
      }
      for (let user = 1; user <= 3; user++) {
        for (let market = 1; market <= 500; market += market < 4 ? 1 : 31) {
          assert.equal(
            orders.countIn(user as UserId, market as MarketId),
            kept.filter((one) => one.user === user && one.market === market).length,
          )
        }
      }
    }),
    { numRuns: 100, endOnFailure: true },
  )
})

test('SPOT-LIMIT-005: the count in a market stays right while a user’s orders become many, then few, then many again', () => {
  const orders = new Orders()
  const user = 5 as UserId
  const slots: OrderSlot[] = []
  let id = 0
  const add = (market: number): void => void slots.push(orders.add(++id as OrderId, user, market as MarketId))
  const countsIn = (...markets: number[]): readonly number[] => markets.map((market) => orders.countIn(user, market as MarketId))
  // The first order is in the market with the highest number.
  add(900)
  for (let n = 0; n < 69; n++) add(1 + (n % 3))
  assert.deepEqual(countsIn(1, 2, 3, 4, 900, 901, 1024, 5000), [23, 23, 23, 0, 1, 0, 0, 0])
  add(1024)
  assert.deepEqual(countsIn(1024), [1])
  add(5000)
  assert.deepEqual(countsIn(1, 900, 5000, 9000), [23, 1, 1, 0])
  while (slots.length > 40) orders.remove(slots.pop()!)
  add(9000)
  assert.deepEqual(countsIn(1, 2, 3, 900, 5000, 9000), [13, 13, 13, 1, 0, 1])
  while (slots.length > 30) orders.remove(slots.pop()!)
  assert.deepEqual(countsIn(1, 2, 3, 900, 9000), [10, 10, 9, 1, 0])
  for (let n = 0; n < 60; n++) add(2)
  assert.deepEqual(countsIn(1, 2, 3, 900, 9000), [10, 70, 9, 1, 0])
})

test('SPOT-LIMIT-005: counting the orders of a user with thousands in other markets does not walk through all of them', () => {
  const orders = new Orders()
  const [few, many] = [1, 2]
  orders.add(1 as OrderId, few as UserId, 1 as MarketId)
  for (let n = 0; n < 40_000; n++) orders.add((2 + n) as OrderId, many as UserId, (2 + (n % 199)) as MarketId)
  const time = (user: number): number => {
    const started = performance.now()
    for (let n = 0; n < 2_000; n++) assert.equal(orders.countIn(user as UserId, 1 as MarketId), user === few ? 1 : 0)
    return performance.now() - started
  }
  const best = (user: number): number => Math.min(...Array.from({ length: 5 }, () => time(user)))
  // A walk would take thousands of times as long.
  assert.ok(best(many) < 50 * best(few))
})
