/** Tests the queries about the orders in a book, on the fast book and on its naive twin. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { books, FastBook } from './fast-book.ts'

const [expireTaker, expireMaker, decrement] = [0, 1, 4]
const [taker, maker, other] = [1, 2, 3]

for (const [name, make] of books) {
  test(`SPOT-LIMIT-003: an order would take at or beyond the best price of the other side, and never from an empty side (${name})`, () => {
    const book = make()
    const would = (side: 0 | 1): readonly boolean[] => [1, 99, 100, 101, 102, 103, 2 ** 31 - 1].map((price) => book.crosses(side, price))
    const never = [false, false, false, false, false, false, false]
    assert.deepEqual([would(0), would(1)], [never, never])
    book.rest({ id: 1, user: maker, side: 0, price: 100, left: 5, display: 0 })
    book.rest({ id: 2, user: maker, side: 0, price: 99, left: 5, display: 0 })
    assert.deepEqual([would(0), would(1)], [never, [true, true, true, false, false, false, false]])
    book.rest({ id: 3, user: maker, side: 1, price: 102, left: 5, display: 0 })
    book.rest({ id: 4, user: maker, side: 1, price: 103, left: 5, display: 0 })
    assert.deepEqual(would(0), [false, false, false, false, true, true, true])
    assert.deepEqual(would(1), [true, true, true, false, false, false, false])
    book.remove(1)
    book.remove(2)
    assert.deepEqual([would(0), would(1)], [[false, false, false, false, true, true, true], never])
  })

  test(`SPOT-BOOK-001: the orders at a price queue by age, with an iceberg’s next part behind them (${name})`, () => {
    const book = make()
    assert.deepEqual(book.idsAt(100), [])
    book.rest({ id: 1, user: maker, side: 1, price: 100, left: 9, display: 2 })
    book.rest({ id: 2, user: maker, side: 1, price: 100, left: 5, display: 0 })
    book.rest({ id: 3, user: other, side: 1, price: 101, left: 5, display: 0 })
    book.rest({ id: 4, user: other, side: 1, price: 100, left: 5, display: 0 })
    assert.deepEqual([book.idsAt(99), book.idsAt(100), book.idsAt(101)], [[], [1, 2, 4], [3]])
    book.match(0, 100, 3, Infinity, taker, expireTaker)
    assert.deepEqual(book.idsAt(100), [2, 4, 1])
    book.remove(4)
    assert.deepEqual(book.idsAt(100), [2, 1])
  })

  test(`SPOT-BOOK-001: an order counts its executed lots and their value at its own price (${name})`, () => {
    const book = make()
    book.rest({ id: 1, user: maker, side: 1, price: 100, left: 9, display: 2 })
    book.rest({ id: 2, user: maker, side: 1, price: 103, left: 5, display: 0 })
    const traded = (id: number) => [book.find(id)?.executedLots, book.find(id)?.executed]
    assert.deepEqual(
      [traded(1), traded(2)],
      [
        [0, 0],
        [0, 0],
      ],
    )
    book.match(0, 100, 3, Infinity, taker, expireTaker)
    book.match(0, 103, 5, Infinity, taker, expireTaker)
    assert.deepEqual(traded(1), [8, 800])
    book.match(0, 103, 3, Infinity, taker, expireTaker)
    assert.deepEqual(
      [traded(1), traded(2)],
      [
        [undefined, undefined],
        [2, 206],
      ],
    )
  })

  test(`SPOT-MARKET-004: an amount counts as spent when less than one tick of it is left, even if the book ends there (${name})`, () => {
    for (const [budget, isSpent] of [
      [499, true],
      [500, true],
      [501, false],
      [900, false],
      [Infinity, false],
    ] as const) {
      for (const [owner, mode] of [
        [maker, expireTaker],
        [taker, decrement],
      ] as const) {
        const book = make()
        book.rest({ id: 1, user: owner, side: 1, price: 100, left: 5, display: 0 })
        const { isBudgetSpent, left, isSelfStopped } = book.match(0, 200, 99, budget, taker, mode)
        assert.deepEqual([isBudgetSpent, left, isSelfStopped], [isSpent, budget === 499 ? 95 : 94, false], `${budget} ${mode}`)
      }
    }
  })

  test(`SPOT-BOOK-001: a match with many makers reports each of them in order (${name})`, () => {
    const book = make()
    const made = Array.from({ length: 300 }, (_, n) => ({ id: n + 1, price: 100 + (n % 7), left: 1 + (n % 5) }))
    for (const order of made) book.rest({ ...order, user: order.id % 2 === 0 ? maker : other, side: 1, display: 0 })
    const { trades, left } = book.match(0, 200, 5000, Infinity, taker, expireMaker)
    const expected = made.toSorted((a, b) => a.price - b.price || a.id - b.id)
    assert.deepEqual(
      trades,
      expected.map(({ id, price, left: lots }) => ({ maker: id, price, lots })),
    )
    assert.equal(left, 5000 - made.reduce((sum, order) => sum + order.left, 0))
    assert.deepEqual(book.levels(1), [])
  })
}

test('SPOT-BOOK-001: a query for some levels of a side returns the best ones', () => {
  const book = new FastBook()
  for (let n = 1; n <= 5; n++) book.rest({ id: n, user: maker, side: 1, price: 100 + n * 700, left: n, display: 0 })
  const all = [1, 2, 3, 4, 5].map((n) => ({ price: 100 + n * 700, lots: n }))
  for (const limit of [0, 1, 3, 5, 9]) assert.deepEqual(book.book.levels(1, limit), all.slice(0, limit))
  assert.deepEqual(book.book.levels(0, 5), [])
})
