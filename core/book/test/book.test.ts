import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FastBook, books } from './fast-book.ts'
import { NaiveBook } from './naive-book.ts'

const plain = { user: 1, display: 0 }

for (const [name, make] of books) {
  test(`SPOT-BOOK-001: better prices trade first, then older orders, each at the maker’s price (${name})`, () => {
    const book = make()
    book.rest({ id: 1, side: 1, price: 101, left: 5, ...plain })
    book.rest({ id: 2, side: 1, price: 100, left: 5, ...plain })
    book.rest({ id: 3, side: 1, price: 100, left: 5, ...plain })
    const { trades, left } = book.match(0, 101, 12, Infinity, 2, 0)
    assert.deepEqual(trades, [
      { maker: 2, price: 100, lots: 5 },
      { maker: 3, price: 100, lots: 5 },
      { maker: 1, price: 101, lots: 2 },
    ])
    assert.equal(left, 0)
    assert.deepEqual(book.levels(1), [{ price: 101, lots: 3 }])
  })

  test(`SPOT-BOOK-002: no order trades at a worse price than its limit (${name})`, () => {
    const book = make()
    book.rest({ id: 1, side: 0, price: 99, left: 5, ...plain })
    assert.equal(book.match(1, 100, 5, Infinity, 2, 0).left, 5)
    assert.equal(book.match(1, 99, 2, Infinity, 2, 0).left, 0)
  })

  test(`SPOT-ICEBERG-001: an iceberg shows one part at a time, and each new part goes to the end of the queue (${name})`, () => {
    const book = make()
    book.rest({ id: 1, user: 1, side: 1, price: 100, left: 10, display: 4 })
    book.rest({ id: 2, side: 1, price: 100, left: 3, ...plain })
    assert.deepEqual(book.levels(1), [{ price: 100, lots: 7 }])
    const { trades } = book.match(0, 100, 12, Infinity, 2, 0)
    assert.deepEqual(
      trades.map(({ maker, lots }) => [maker, lots]),
      [
        [1, 4],
        [2, 3],
        [1, 4],
        [1, 1],
      ],
    )
    assert.deepEqual(book.levels(1), [{ price: 100, lots: 1 }])
  })

  test(`SPOT-STP-001: two orders of one user never trade with each other: the taker, the maker or both end (${name})`, () => {
    for (const [mode, ends] of [
      [0, { expired: [], left: 5, isSelfStopped: true }],
      [1, { expired: [1], left: 2, isSelfStopped: false }],
      [2, { expired: [1], left: 5, isSelfStopped: true }],
      [3, { expired: [], left: 0, isSelfStopped: false }],
    ] as const) {
      const book = make()
      book.rest({ id: 1, side: 1, price: 100, left: 5, ...plain })
      book.rest({ id: 2, side: 1, price: 100, left: 3, user: 9, display: 0 })
      const { expired, left, isSelfStopped } = book.match(0, 100, 5, Infinity, 1, mode)
      assert.deepEqual({ expired, left, isSelfStopped }, ends)
    }
  })

  test(`SPOT-STP-003: a decrement reduces both orders by the lots that they would have traded, hidden parts included (${name})`, () => {
    const book = make()
    book.rest({ id: 1, side: 1, price: 100, left: 5, ...plain })
    book.rest({ id: 2, side: 1, price: 101, left: 3, user: 9, display: 0 })
    book.rest({ id: 3, user: 1, side: 1, price: 102, left: 9, display: 2 })
    const { trades, expired, prevented, left, isSelfStopped } = book.match(0, 102, 13, Infinity, 1, 4)
    assert.deepEqual(trades, [{ maker: 2, price: 101, lots: 3 }])
    assert.deepEqual(prevented, [
      { maker: 1, price: 100, lots: 5 },
      { maker: 3, price: 102, lots: 5 },
    ])
    assert.deepEqual([expired, left, isSelfStopped], [[], 0, false])
    assert.deepEqual(book.levels(1), [{ price: 102, lots: 2 }])
    assert.equal(book.find(3)?.left, 4)
    // Prevented lots count against the amount of an order by amount.
    const spent = book.match(0, 102, 1000, 3 * 102 + 50, 1, 4)
    assert.deepEqual([spent.prevented, spent.left, spent.isBudgetSpent], [[{ maker: 3, price: 102, lots: 3 }], 997, true])
    assert.equal(book.canFill(0, 102, 1, 1, 4), false)
  })

  test(`SPOT-MARKET-003: a match stops before it exceeds its budget (${name})`, () => {
    const book = make()
    book.rest({ id: 1, side: 1, price: 100, left: 5, ...plain })
    const { trades, isBudgetSpent, left } = book.match(0, 200, 1000, 350, 2, 0)
    assert.deepEqual(trades, [{ maker: 1, price: 100, lots: 3 }])
    assert.equal(isBudgetSpent, true)
    assert.equal(left, 997)
  })
}

const price = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 98, max: 102 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 6000 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 31, 32, 1023, 1024, 2 ** 31 - 1) },
)
const lots = fc.integer({ min: 1, max: 30 })
const user = fc.integer({ min: 1, max: 3 })
const side = fc.constantFrom(0 as const, 1 as const)
/** A budget: an amount, or the exact value of the first lots of the other side's queue. */
const budget = fc.oneof(fc.record({ amount: fc.nat(5000) }), fc.record({ lots: fc.integer({ min: 1, max: 20 }) }))
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      user,
      side,
      price,
      lots,
      display: fc.constantFrom(0, 0, 1, 4),
      mode: fc.nat(4),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take' as const), user, side, price, lots, mode: fc.nat(4), budget }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('shrink' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('canFill' as const), user, side, price, lots, mode: fc.nat(4) }) },
)

/** Value of the first lots that a taker of this side would trade. */
function valueOf(book: NaiveBook, side: 0 | 1, lots: number): number {
  let left = lots
  let value = 0
  for (const order of book.queue(side === 0 ? 1 : 0)) {
    const taken = Math.min(left, order.visible)
    left -= taken
    value += taken * order.price
  }
  return value
}

test('SPOT-BOOK-003: the fast book gives the same results as the naive one, for any commands in any order', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 1, maxLength: 120, size: 'max' }), (actions) => {
      const fast = new FastBook()
      const naive = new NaiveBook()
      let id = 0
      for (const step of actions) {
        if (step.do === 'place') {
          id++
          const made = [fast, naive].map((book) => {
            const match = book.match(step.side, step.price, step.lots, Infinity, step.user, step.mode)
            const display = step.display < match.left ? step.display : 0
            if (match.left > 0 && !match.isSelfStopped) {
              book.rest({ id, user: step.user, side: step.side, price: step.price, left: match.left, display })
            }
            return match
          })
          assert.deepEqual(made[0], made[1])
        } else if (step.do === 'take') {
          const amount = 'amount' in step.budget ? step.budget.amount : valueOf(naive, step.side, step.budget.lots)
          const made = [fast, naive].map((book) => book.match(step.side, step.price, step.lots, amount, step.user, step.mode))
          assert.deepEqual(made[0], made[1])
        } else if (step.do === 'canFill') {
          const can = [fast, naive].map((book) => book.canFill(step.side, step.price, step.lots, step.user, step.mode))
          assert.equal(can[0], can[1])
        } else if (naive.orders.length > 0) {
          const order = naive.orders[step.pick % naive.orders.length]!
          if (step.do === 'remove') for (const book of [fast, naive]) book.remove(order.id)
          else if (order.left > 1) for (const book of [fast, naive]) book.shrink(order.id, Math.ceil(order.left / 2))
        }
        for (const each of [0, 1] as const) assert.deepEqual(fast.levels(each), naive.levels(each))
        assert.equal(fast.all.count, naive.orders.length)
        const asked = 'price' in step ? step.price : 100
        for (const each of [0, 1] as const) assert.equal(fast.crosses(each, asked), naive.crosses(each, asked))
      }
      for (const { id, price, left, visible, executed, executedLots } of naive.orders) {
        assert.deepEqual(fast.find(id), { price, left, visible, executed, executedLots })
        assert.deepEqual(fast.idsAt(price), naive.idsAt(price))
      }
    }),
    { numRuns: 300 },
  )
})
