/** Tests the ladder alone, with levels on both sides at prices far apart that open and close. */
import type { Ticks } from '../../money/brand.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ENDS, HEAD, Ladder, type LadderLevel, LOTS, TAIL } from '../ladder.ts'

const pageTicks = 1024

/** A ladder with a naive list of its open levels. */
class Market {
  readonly ladder = new Ladder()
  readonly open = new Map<number, { readonly side: 0 | 1; readonly lots: number; readonly level: LadderLevel }>()

  add(side: 0 | 1, price: number, lots: number): void {
    const { ladder } = this
    const level = ladder.level(price as Ticks)
    ladder.lots[level * LOTS] = lots
    ladder.ends[level * ENDS + HEAD] = 1
    ladder.ends[level * ENDS + TAIL] = 1
    ladder.open(side, price as Ticks, level)
    this.open.set(price, { side, lots, level })
  }

  remove(price: number): void {
    const { ladder } = this
    const level = ladder.level(price as Ticks)
    ladder.lots[level * LOTS] = 0
    ladder.ends[level * ENDS + HEAD] = 0
    ladder.ends[level * ENDS + TAIL] = 0
    ladder.close(this.open.get(price)!.side, price as Ticks, level)
    this.open.delete(price)
  }

  /** Best price with an order of a side beyond `price`, 0 for none. */
  next(side: 0 | 1, price: number): number {
    const beyond = [...this.open].filter(([at, level]) => level.side === side && (side === 0 ? at < price : at > price)).map(([at]) => at)
    if (beyond.length === 0) return 0
    return side === 0 ? Math.max(...beyond) : Math.min(...beyond)
  }
}

const offset = fc.constantFrom(0, 1, 7, 31, 32, 63, 500, 1023)
const page = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(2 ** 20, 2 ** 21 - 1))
const price = fc.tuple(page, offset).map(([number, ticks]) => Math.max(1, number * pageTicks + ticks))
const step = fc.record({ price, side: fc.constantFrom(0 as const, 1 as const), asked: price, isKept: fc.boolean() })

test('SPOT-BOOK-001: at prices far apart, the ladder gives the same best and next prices and lots as a naive list', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 150, size: 'max' }), (steps) => {
      const market = new Market()
      const { ladder, open } = market
      for (const { price, side, asked, isKept } of steps) {
        if (open.has(price)) market.remove(price)
        else market.add(side, price, 1 + (asked % 9))
        // Most levels close soon again, so that whole pages become empty.
        if (!isKept && open.size > 5) market.remove([...open.keys()][asked % open.size]!)
        assert.equal(ladder.bestBid, market.next(0, Infinity))
        assert.equal(ladder.bestAsk, market.next(1, 0))
        for (const at of [asked, price]) {
          assert.equal(ladder.nextBid(at as Ticks), market.next(0, at))
          assert.equal(ladder.nextAsk(at as Ticks), market.next(1, at))
          assert.equal(ladder.lotsAt(at as Ticks), open.get(at)?.lots ?? 0)
        }
      }
      for (const [at, { lots, level }] of open) {
        assert.equal(ladder.level(at as Ticks), level, 'a level with an order does not move')
        assert.equal(ladder.lots[level * LOTS], lots)
      }
    }),
    { numRuns: 60 },
  )
})

test('SPOT-BOOK-001: a price that moves far needs no more memory than a price that stays', () => {
  const market = new Market()
  market.add(0, 1, 5)
  const { length } = market.ladder.lots
  for (let n = 1; n < 5000; n++) {
    market.add(1, n * pageTicks, 5)
    market.add(0, n * pageTicks + 1, 5)
    market.remove(n * pageTicks)
    market.remove(n * pageTicks + 1)
  }
  assert.equal(market.ladder.lots.length, length)
  assert.deepEqual([market.ladder.bestBid, market.ladder.bestAsk], [1, 0])
})

test('SPOT-GROW-002: reading ahead finds the levels of prices used recently, and none for others', () => {
  const market = new Market()
  const { ladder } = market
  const near = (number: number): number => ladder.near((number * pageTicks + 9) as Ticks)
  assert.equal(near(3), -1)
  const levels = Array.from({ length: 16 }, (_, n) => {
    market.add(1, n * pageTicks + 9, 5)
    return ladder.level((n * pageTicks + 9) as Ticks)
  })
  assert.deepEqual(
    levels.map((_, n) => near(n)),
    levels,
  )
  assert.equal(new Set(levels).size, 16)
  assert.equal(near(19), -1, 'another page with the same low bits')
  market.add(1, 19 * pageTicks + 9, 5)
  assert.deepEqual([near(3), near(19)], [-1, ladder.level((19 * pageTicks + 9) as Ticks)])
  market.remove(4 * pageTicks + 9)
  assert.equal(near(4), -1, 'a page without orders is gone')
  market.add(1, 35 * pageTicks + 9, 5)
  const level = ladder.level((35 * pageTicks + 9) as Ticks)
  assert.deepEqual([near(19), near(35)], [-1, level])
  const known = ladder.level((19 * pageTicks + 9) as Ticks)
  ladder.lots[level * LOTS] = 0
  ladder.close(1, (35 * pageTicks + 9) as Ticks, level)
  assert.deepEqual([near(19), near(35)], [known, -1], 'a page that goes takes only itself along')
})
