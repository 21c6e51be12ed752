import type { SideNumber } from '../codes.ts'
import type { Lots, Ticks } from '../../money/brand.ts'
import type { OrderSlot } from '../order-fields.ts'
import type { MarketId, OrderId, UserId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { SELL } from '../../protocol/codec/layout.ts'
import { CUT_ALL, CUT_PART, FILLED_ALL, LEVEL_CHANGED, SELF_EXPIRED, STEP } from '../codes.ts'
import { Book } from '../book.ts'
import { EXECUTED, EXECUTED_LOTS, F, FLAGS, I, ICEBERG, ID, LEFT, PRICE, VISIBLE } from '../order-fields.ts'
import { Orders } from '../orders.ts'
import { NaiveBook } from './naive-book.ts'
import type { NaiveMatch } from './naive-book.ts'

type Found = {
  readonly price: number
  readonly left: number
  readonly visible: number
  readonly executedLots: number
  readonly executed: number
}

/** The fast book behind the interface of the naive one. */
export class FastBook {
  readonly all = new Orders()
  readonly book = new Book(this.all)

  levels(side: 0 | 1): { price: number; lots: number }[] {
    return [...this.book.levels(side, Infinity)]
  }

  find(id: number): Found | undefined {
    const at = this.all.find(id as OrderId) * F
    if (at < 0) return undefined
    const { f } = this.all
    const [price, left, visible] = [f[at + PRICE]!, f[at + LEFT]!, f[at + VISIBLE]!]
    return { price, left, visible, executedLots: f[at + EXECUTED_LOTS]!, executed: f[at + EXECUTED]! }
  }

  crosses(side: 0 | 1, price: number): boolean {
    return this.book.crosses(side, price as Ticks)
  }

  idsAt(price: number): number[] {
    return this.book.queue(price as Ticks).map((slot) => this.all.f[slot * F + ID]!)
  }

  rest(order: { id: number; user: number; side: 0 | 1; price: number; left: number; display: number }): void {
    const slot = this.all.add(order.id as OrderId, order.user as UserId, 1 as MarketId)
    const { f, i } = this.all
    f[slot * F + PRICE] = order.price
    f[slot * F + LEFT] = order.left
    f[slot * F + VISIBLE] = order.display === 0 ? order.left : Math.min(order.display, order.left)
    f[slot * F + EXECUTED] = 0
    f[slot * F + EXECUTED_LOTS] = 0
    i[slot * I + FLAGS] = (order.side === 1 ? SELL : 0) | (order.display === 0 ? 0 : ICEBERG)
    if (order.display !== 0) this.all.extra(slot).display = order.display
    this.book.insert(slot, order.side)
  }

  remove(id: number): void {
    const slot = this.all.find(id as OrderId)
    this.book.remove(slot as OrderSlot, (this.all.i[slot * I + FLAGS]! & SELL) as SideNumber)
    this.all.remove(slot as OrderSlot)
  }

  shrink(id: number, left: number): void {
    this.book.shrink(this.all.find(id as OrderId) as OrderSlot, left as Lots)
  }

  match(side: 0 | 1, limit: number, lots: number, budget: number, user: number, selfTrade: number): NaiveMatch {
    const { book, all } = this
    const shown = new Map(this.levels(side === 0 ? 1 : 0).map((level) => [level.price, level.lots]))
    const left = book.match(side, limit as Ticks, lots as Lots, budget, user as UserId, selfTrade)
    const trades = []
    const expired = []
    const prevented = []
    for (let at = 0; at < book.stepsEnd; at += STEP) {
      const [slot, price, taken, kind] = book.steps.subarray(at, at + STEP) as unknown as [number, number, number, number]
      if (kind === LEVEL_CHANGED) {
        assert.notEqual(taken, shown.get(price), 'a level that shows as much as before is not reported')
        shown.set(price, taken)
        continue
      }
      const id = all.f[slot * F + ID]!
      if (kind === SELF_EXPIRED) expired.push(id)
      else if (kind === CUT_PART || kind === CUT_ALL) prevented.push({ maker: id, price, lots: taken })
      else trades.push({ maker: id, price, lots: taken })
      if (kind === FILLED_ALL || kind === CUT_ALL) assert.equal(all.f[slot * F + LEFT], 0)
      if (kind === FILLED_ALL || kind === SELF_EXPIRED || kind === CUT_ALL) all.remove(slot as OrderSlot)
    }
    const standing = this.levels(side === 0 ? 1 : 0).map((level) => [level.price, level.lots])
    assert.deepEqual(
      [...shown].filter(([, level]) => level > 0),
      standing,
      'whoever hears of each changed level knows the book',
    )
    const lotsOf = (list: readonly { lots: number }[]) => list.reduce((sum, one) => sum + one.lots, 0)
    const value = trades.reduce((sum, one) => sum + one.lots * one.price, 0)
    assert.deepEqual([lotsOf(trades), value, lotsOf(prevented)], [book.takenLots, book.taken, book.preventedLots])
    return { trades, expired, prevented, left, isSelfStopped: book.isSelfStopped, isBudgetSpent: book.isBudgetSpent }
  }

  canFill(side: 0 | 1, limit: number, lots: number, user: number, selfTrade: number): boolean {
    return this.book.canFill(side, limit as Ticks, lots as Lots, user as UserId, selfTrade)
  }
}

export type AnyBook = Pick<NaiveBook, 'levels' | 'rest' | 'remove' | 'shrink' | 'match' | 'canFill' | 'crosses' | 'idsAt'> & {
  find(id: number): Found | undefined
}
/** Both books, so that each test runs on each of them. */
export const books: readonly (readonly [string, () => AnyBook])[] = [
  ['fast', () => new FastBook()],
  ['naive', () => new NaiveBook()],
]
