import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Lots, Ticks } from '../../money/brand.ts'
import type { LevelChanged } from '../../protocol/event/index.ts'
import type { MarketId } from '../../protocol/ids.ts'
import type { Level } from '../../protocol/market.ts'
import { DepthBook } from '../depth.ts'

const level = (update: number, side: 'buy' | 'sell', price: number, lots: number): LevelChanged => ({
  type: 'book.level',
  market: 1 as MarketId,
  update,
  side,
  price: price as Ticks,
  lots: lots as Lots,
})

const changes = fc.array(
  fc.record({ isBid: fc.boolean(), price: fc.integer({ min: 1, max: 40 }), lots: fc.nat({ max: 3 }), isTaken: fc.boolean() }),
  { maxLength: 200 },
)

function sorted(levels: ReadonlyMap<number, number>, sign: number): readonly Level[] {
  return [...levels]
    .filter(([, lots]) => lots > 0)
    .sort(([a], [b]) => sign * (a - b))
    .map(([price, lots]) => ({ price: price as Ticks, lots: lots as Lots }))
}

test('MARKET-DEPTH-001: the view has the last quantity of every price, best first, and equals a snapshot with the changes after it', () => {
  fc.assert(
    fc.property(changes, (list) => {
      const book = new DepthBook()
      const [bids, asks] = [new Map<number, number>(), new Map<number, number>()]
      const copy = { update: 0, bids: new Map<number, number>(), asks: new Map<number, number>() }
      const follow = (): void => {
        const diff = book.takeDiff()
        if (diff === undefined) return
        assert.equal(diff.first, copy.update + 1)
        copy.update = diff.last
        for (const { price, lots } of diff.bids) copy.bids.set(price, lots)
        for (const { price, lots } of diff.asks) copy.asks.set(price, lots)
      }
      list.forEach(({ isBid, price, lots, isTaken }, i) => {
        assert.equal(book.apply(level(i + 1, isBid ? 'buy' : 'sell', price, lots)), 'applied')
        ;(isBid ? bids : asks).set(price, lots)
        if (isTaken) follow()
      })
      follow()
      assert.equal(book.takeDiff(), undefined)
      const view = book.view()
      assert.deepEqual(view, { update: list.length, bids: sorted(bids, -1), asks: sorted(asks, 1) })
      assert.deepEqual({ ...view, bids: sorted(copy.bids, -1), asks: sorted(copy.asks, 1) }, view)
      assert.deepEqual(book.view(2).bids, view.bids.slice(0, 2))
      assert.deepEqual([book.bestBid(), book.bestAsk()], [view.bids[0], view.asks[0]])
      const again = new DepthBook()
      again.reset(view)
      assert.deepEqual(again.view(), view)
    }),
    { numRuns: 300 },
  )
})

test('MARKET-DEPTH-002: a missing update makes the view stale until it starts over; an old update changes nothing', () => {
  const book = new DepthBook()
  assert.equal(book.apply(level(1, 'buy', 10, 5)), 'applied')
  assert.equal(book.apply(level(1, 'buy', 10, 9)), 'old')
  assert.equal(book.apply(level(3, 'buy', 11, 5)), 'gap')
  assert.equal(book.isStale, true)
  assert.equal(book.apply(level(2, 'buy', 11, 5)), 'gap')
  assert.equal(book.takeDiff(), undefined)
  book.reset({ update: 7, bids: [{ price: 12 as Ticks, lots: 1 as Lots }], asks: [] })
  assert.equal(book.isStale, false)
  assert.equal(book.apply(level(6, 'buy', 12, 9)), 'old')
  assert.equal(book.apply(level(8, 'sell', 13, 2)), 'applied')
  assert.deepEqual(book.takeDiff(), { first: 8, last: 8, bids: [], asks: [{ price: 13, lots: 2 }] })
})
