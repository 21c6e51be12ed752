/** Tests icebergs, fill-or-kill and decrement on the book alone: on the fast book and on its naive twin. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { books } from './fast-book.ts'
import type { AnyBook } from './fast-book.ts'

const [expireTaker, expireMaker, expireBoth, letTrade, decrement] = [0, 1, 2, 3, 4]
const [taker, maker, other] = [1, 2, 3]

/** Resting orders, numbered from 1, as `[user, price, left, display]`: asks when the taker buys, bids when it sells. */
type Resting = readonly (readonly [user: number, price: number, left: number, display?: number])[]

for (const [name, make] of books) {
  const given = (orders: Resting, side: 0 | 1 = 1): AnyBook => {
    const book = make()
    for (const [n, [user, price, left, display = 0]] of orders.entries()) book.rest({ id: n + 1, user, side, price, left, display })
    return book
  }
  /** Trades of a buy order, as "maker×lots". */
  const buys = (book: AnyBook, lots: number, { limit = 200, budget = Infinity, selfTrade = expireTaker } = {}): readonly string[] =>
    book.match(0, limit, lots, budget, taker, selfTrade).trades.map((trade) => `${trade.maker}×${trade.lots}`)
  const leftOf = (book: AnyBook, id: number): readonly number[] | undefined => {
    const order = book.find(id)
    return order && [order.left, order.visible]
  }

  test(`SPOT-ICEBERG-001: the visible part keeps its place until it is filled; the next part goes to the end of the queue (${name})`, () => {
    const book = given([
      [maker, 100, 10, 4],
      [other, 100, 5],
    ])
    assert.deepEqual(buys(book, 1), ['1×1'])
    assert.deepEqual([book.levels(1), leftOf(book, 1)], [[{ price: 100, lots: 8 }], [9, 3]])
    assert.deepEqual(buys(book, 3), ['1×3'], 'a partly filled part keeps its place')
    assert.deepEqual([book.levels(1), leftOf(book, 1)], [[{ price: 100, lots: 9 }], [6, 4]])
    assert.deepEqual(buys(book, 6), ['2×5', '1×1'], 'the next part queues behind the other order')
    assert.deepEqual([book.levels(1), leftOf(book, 1), leftOf(book, 2)], [[{ price: 100, lots: 3 }], [5, 3], undefined])
    assert.deepEqual(buys(book, 4), ['1×3', '1×1'], 'alone in its level, the iceberg shows its last, smaller part')
    assert.deepEqual([book.levels(1), leftOf(book, 1)], [[{ price: 100, lots: 1 }], [1, 1]])
    assert.deepEqual([buys(book, 2), book.levels(1), leftOf(book, 1)], [['1×1'], [], undefined])
  })

  test(`SPOT-ICEBERG-001: two icebergs take turns, and their hidden parts trade before a worse price (${name})`, () => {
    const book = given([
      [maker, 100, 5, 2],
      [other, 100, 4, 3],
      [maker, 101, 9],
    ])
    assert.deepEqual(book.levels(1), [
      { price: 100, lots: 5 },
      { price: 101, lots: 9 },
    ])
    assert.deepEqual(buys(book, 10), ['1×2', '2×3', '1×2', '2×1', '1×1', '3×1'])
    assert.deepEqual(book.levels(1), [{ price: 101, lots: 8 }])
  })

  test(`SPOT-ICEBERG-001: a budget may end within a part; an iceberg with a smaller remainder shows only the remainder (${name})`, () => {
    const book = given([[maker, 100, 10, 4]])
    assert.deepEqual(buys(book, 10, { budget: 650 }), ['1×4', '1×2'])
    assert.deepEqual([book.levels(1), leftOf(book, 1)], [[{ price: 100, lots: 2 }], [4, 2]])
    book.shrink(1, 3)
    assert.deepEqual([book.levels(1), leftOf(book, 1)], [[{ price: 100, lots: 2 }], [3, 2]])
    book.shrink(1, 1)
    assert.deepEqual([book.levels(1), leftOf(book, 1)], [[{ price: 100, lots: 1 }], [1, 1]])
  })

  test(`SPOT-ICEBERG-001: an iceberg that meets its owner’s order leaves with its hidden part (${name})`, () => {
    const book = given([
      [taker, 100, 10, 4],
      [maker, 100, 3],
    ])
    const { expired, trades, left } = book.match(0, 100, 5, Infinity, taker, expireMaker)
    assert.deepEqual([expired, trades.length, left, book.levels(1)], [[1], 1, 2, []])
  })

  test(`SPOT-LIMIT-003: fill or kill counts all lots at the limit or better, hidden parts included, and changes nothing (${name})`, () => {
    for (const side of [0, 1] as const) {
      // A buyer meets asks from 100 upwards, a seller bids from 100 downwards.
      const away = side === 0 ? 1 : -1
      const book = given(
        [
          [maker, 100, 5],
          [other, 100 + away, 10, 2],
          [maker, 100 + 3 * away, 4],
        ],
        side === 0 ? 1 : 0,
      )
      const before = book.levels(side === 0 ? 1 : 0)
      const most = (limit: number): number => {
        let lots = 0
        while (lots < 99 && book.canFill(side, limit, lots + 1, taker, expireTaker)) lots++
        return lots
      }
      assert.deepEqual(
        [-1, 0, 1, 2, 3, 4].map((ticks) => most(100 + ticks * away)),
        [0, 5, 15, 15, 19, 19],
      )
      assert.deepEqual(book.levels(side === 0 ? 1 : 0), before)
      assert.equal(book.match(side, 100 + away, 15, Infinity, taker, expireTaker).left, 0, 'an order of that size is filled completely')
    }
    assert.equal(make().canFill(0, 100, 1, taker, expireTaker), false)
  })

  test(`SPOT-LIMIT-003: fill or kill counts nothing behind an order of its own user, unless that order expires or trades (${name})`, () => {
    const most = (orders: Resting, selfTrade: number): number => {
      const book = given(orders)
      let lots = 0
      while (lots < 99 && book.canFill(0, 102, lots + 1, taker, selfTrade)) lots++
      return lots
    }
    const between: Resting = [
      [maker, 100, 5],
      [maker, 101, 3],
      [taker, 101, 7],
      [maker, 101, 2],
      [maker, 102, 4],
    ]
    const modes = [expireTaker, expireMaker, expireBoth, letTrade, decrement]
    assert.deepEqual(
      modes.map((mode) => most(between, mode)),
      [8, 14, 8, 21, 8],
    )
    const first: Resting = [
      [taker, 100, 7],
      [maker, 100, 5],
    ]
    assert.deepEqual(
      modes.map((mode) => most(first, mode)),
      [0, 5, 0, 12, 0],
    )
    // Hidden parts of the icebergs before the taker's own order queue behind it.
    const hidden: Resting = [
      [maker, 100, 9, 2],
      [other, 100, 8, 3],
      [taker, 100, 7],
      [maker, 101, 1],
    ]
    assert.deepEqual(
      modes.map((mode) => most(hidden, mode)),
      [5, 18, 5, 25, 5],
    )
  })

  test(`SPOT-STP-003: a decrement leaves the larger order with the difference, and removes both orders when they are equal (${name})`, () => {
    for (const [lots, left, own] of [
      [4, 0, [6, 6]],
      [9, 0, [1, 1]],
      [10, 0, undefined],
      [11, 0, undefined],
      [13, 0, undefined],
      [14, 1, undefined],
    ] as const) {
      const book = given([
        [taker, 100, 10],
        [maker, 100, 3],
      ])
      const match = book.match(0, 100, lots, Infinity, taker, decrement)
      assert.deepEqual(match.prevented, [{ maker: 1, price: 100, lots: Math.min(lots, 10) }], `${lots}`)
      assert.deepEqual([match.left, leftOf(book, 1), match.isSelfStopped, match.expired], [left, own, false, []], `${lots}`)
      assert.deepEqual(
        match.trades.map(({ maker: id, lots: taken }) => [id, taken]),
        lots > 10 ? [[2, Math.min(3, lots - 10)]] : [],
      )
    }
  })

  test(`SPOT-STP-003: a decrement happens in queue order, goes on through other levels, and ends at the limit (${name})`, () => {
    const book = given([
      [maker, 100, 2],
      [taker, 100, 3],
      [maker, 100, 2],
      [taker, 101, 4],
      [taker, 102, 5],
    ])
    const { trades, prevented, left, isSelfStopped } = book.match(0, 101, 20, Infinity, taker, decrement)
    assert.deepEqual(
      trades.map(({ maker: id, lots }) => [id, lots]),
      [
        [1, 2],
        [3, 2],
      ],
    )
    assert.deepEqual(prevented, [
      { maker: 2, price: 100, lots: 3 },
      { maker: 4, price: 101, lots: 4 },
    ])
    assert.deepEqual([left, isSelfStopped, book.levels(1)], [9, false, [{ price: 102, lots: 5 }]])
  })

  test(`SPOT-STP-003: a decrement takes an iceberg’s hidden part first, and the iceberg shows no more than its remainder (${name})`, () => {
    for (const [lots, left, visible] of [
      [1, 9, 4],
      [6, 4, 4],
      [7, 3, 3],
      [9, 1, 1],
    ] as const) {
      const book = given([
        [taker, 100, 10, 4],
        [maker, 100, 5],
      ])
      book.match(0, 100, lots, Infinity, taker, decrement)
      assert.deepEqual(leftOf(book, 1), [left, visible], `${lots}`)
      assert.deepEqual(book.levels(1), [{ price: 100, lots: visible + 5 }], `${lots}`)
      // The iceberg has kept its place.
      assert.deepEqual(book.match(0, 100, 1, Infinity, other, expireTaker).trades[0]?.maker, 1)
    }
  })

  test(`SPOT-STP-003: lots prevented by a decrement count against the budget (${name})`, () => {
    for (const [budget, lost, bought, isBudgetSpent] of [
      [99, 0, 0, true],
      [100, 1, 0, true],
      [399, 3, 0, true],
      [400, 4, 0, true],
      [500, 4, 1, true],
      [699, 4, 2, true],
      [700, 4, 3, true],
      [800, 4, 3, false],
    ] as const) {
      const book = given([
        [taker, 100, 4],
        [maker, 100, 3],
      ])
      const match = book.match(0, 100, 1000, budget, taker, decrement)
      const traded = match.trades.reduce((sum, { lots }) => sum + lots, 0)
      const prevented = match.prevented.reduce((sum, { lots }) => sum + lots, 0)
      assert.deepEqual(
        [prevented, traded, match.left, match.isBudgetSpent],
        [lost, bought, 1000 - lost - bought, isBudgetSpent],
        `${budget}`,
      )
    }
  })

  test(`SPOT-STP-003: a decrement works the same for a seller against bids as for a buyer against asks (${name})`, () => {
    const book = given(
      [
        [taker, 101, 6, 2],
        [maker, 100, 3],
        [taker, 99, 8],
      ],
      0,
    )
    const { trades, prevented, left } = book.match(1, 99, 11, Infinity, taker, decrement)
    assert.deepEqual(prevented, [
      { maker: 1, price: 101, lots: 6 },
      { maker: 3, price: 99, lots: 2 },
    ])
    assert.deepEqual([trades, left], [[{ maker: 2, price: 100, lots: 3 }], 0])
    assert.deepEqual(book.levels(0), [{ price: 99, lots: 6 }])
  })

  test(`SPOT-STP-001: an order by amount that can pay for no further lot meets no order of its own user (${name})`, () => {
    // Five lots at 100 cost 500; the next order, at 100 or at 101, is the taker's own.
    for (const price of [100, 101]) {
      for (const budget of [500, 599, 600]) {
        for (const selfTrade of [expireTaker, expireMaker, expireBoth, letTrade, decrement]) {
          const book = given([
            [maker, 100, 5],
            [taker, price, 5],
          ])
          const { trades, expired, prevented, isSelfStopped, isBudgetSpent } = book.match(0, 101, 9, budget, taker, selfTrade)
          const meets = budget >= 500 + price
          const doesTrade = meets && selfTrade === letTrade
          assert.deepEqual(
            trades.map(({ maker: id, lots }) => [id, lots]),
            doesTrade
              ? [
                  [1, 5],
                  [2, 1],
                ]
              : [[1, 5]],
          )
          const doesExpire = meets && (selfTrade === expireMaker || selfTrade === expireBoth)
          assert.deepEqual(expired, doesExpire ? [2] : [], `${price} ${budget} ${selfTrade}`)
          assert.equal(prevented.length, meets && selfTrade === decrement ? 1 : 0)
          assert.equal(isSelfStopped, meets && (selfTrade === expireTaker || selfTrade === expireBoth))
          assert.equal(isBudgetSpent, !meets || doesTrade || selfTrade === decrement)
        }
      }
    }
  })
}
