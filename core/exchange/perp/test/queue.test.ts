/** The queue of auto-deleveraging: how it is built and kept, who is closed, and who pays for the losses of others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lots, Millis, Ticks, Units } from '../../../money/brand.ts'
import type { OrderId, UserId } from '../../../protocol/ids.ts'
import { scoreOf } from '../../../risk/perp-rank.ts'
import { bearSome, isUnpaid } from '../liquidation/bear.ts'
import { deleverage, NOT_READY } from '../liquidation/deleverage.ts'
import { forgetRankings, nextOf, rankingOf } from '../liquidation/rank.ts'
import { Ranking } from '../records/ranking.ts'
import { BOTH, LONG, SHORT } from '../records/state.ts'
import type { Holding } from '../records/state.ts'
import { insuranceRow, outsideRow } from '../rules/money.ts'
import { Alone } from './alone.ts'

/** A world in which users 1 to `count` are each short one lot, sold at 110 with a margin of 110. */
function shorts(count: number): Alone {
  const alone = new Alone()
  for (let user = 1; user <= count; user++) alone.opens(user, -1, 110, 110)
  return alone
}

const usersOf = (ranking: Ranking | undefined): readonly number[] | undefined => ranking?.places.map(({ user }) => user)

test('PERP-ADL-002: the queue of a side has its open positions of one market only, the highest score first', () => {
  const alone = new Alone()
  const other = alone.lists(5)
  alone.opens(1, -10, 110, 1100)
  alone.opens(2, -10, 110, 200)
  alone.opens(3, 30, 110, 3300)
  alone.opens(4, -10, 190, 100, { contract: other })
  const gone = alone.opens(5, -10, 190, 100)
  gone.lots = 0 as Lots
  // A loss: it comes last.
  alone.opens(6, -10, 90, 500)
  alone.opens(7, 10, 90, 100)
  alone.x.userCount = 9
  // 100 of profit on 1,100 at an equity of 300, then of 1,200, then the loss.
  assert.deepEqual(usersOf(rankingOf(alone.x, alone.contract, 1)), [2, 1, 6])
  assert.deepEqual(usersOf(rankingOf(alone.x, alone.contract, 0)), [7, 3])
  assert.deepEqual(usersOf(rankingOf(alone.x, other, 1)), [4])
  assert.deepEqual(usersOf(rankingOf(alone.x, other, 0)), [])
})

test('PERP-ADL-002: one command values 500 positions and visits 5,000 users, and the next one continues', () => {
  const exact = shorts(500)
  assert.equal(rankingOf(exact.x, exact.contract, 1)?.places.length, 500)
  const more = shorts(501)
  more.at(7)
  assert.equal(rankingOf(more.x, more.contract, 1), undefined)
  assert.equal(rankingOf(more.x, more.contract, 1), undefined, 'the command has used up its valuations')
  // What is not ready is neither old nor forgotten.
  more.at(5000).contract.mark = 99 as Ticks
  forgetRankings(more.x)
  more.x.perp.beginCommand()
  const ready = rankingOf(more.x, more.contract, 1)
  assert.deepEqual([ready?.places.length, ready?.atMs, ready?.mark, more.x.perp.valued], [501, 5000, 99, 1])
  const empty = new Alone()
  empty.opens(1, -1, 110, 110)
  empty.x.userCount = 5000
  assert.deepEqual(usersOf(rankingOf(empty.x, empty.contract, 1)), [1])
  const crowd = new Alone()
  crowd.opens(1, -1, 110, 110)
  crowd.x.userCount = 5001
  assert.equal(rankingOf(crowd.x, crowd.contract, 1), undefined)
  assert.deepEqual(usersOf(rankingOf(crowd.x, crowd.contract, 1)), [1])
})

test('PERP-ADL-002: a queue is kept for a second, longer at an unchanged mark, and built again once it is used up', () => {
  const alone = shorts(2).at(1000)
  const { x, contract } = alone
  const queue = (): Ranking | undefined => rankingOf(x, contract, 1)
  const first = queue()
  assert.equal(queue(), first)
  alone.at(2000).contract.mark = 99 as Ticks
  assert.equal(queue(), first)
  alone.at(2001).contract.mark = 100 as Ticks
  assert.equal(queue(), first)
  contract.mark = 99 as Ticks
  const second = queue()
  assert.notEqual(second, first)
  assert.deepEqual([second?.atMs, second?.mark], [2001, 99])
  // Used up within the same millisecond at the same mark, there is nobody left.
  second!.next = 2
  assert.equal(queue(), second)
  second!.next = 1
  assert.equal(alone.at(2002) && queue(), second)
  second!.next = 2
  const third = queue()
  assert.notEqual(third, second)
  third!.next = 2
  contract.mark = 98 as Ticks
  const fourth = queue()
  assert.notEqual(fourth, third)
  // A queue that left positions out may have others behind its last one.
  const place = fourth!.places[0]!
  while (fourth!.places.length < 1024) fourth!.places.push(place)
  assert.equal(queue(), fourth)
  fourth!.next = 1024
  assert.notEqual(queue(), fourth)
})

test('PERP-ADL-002: a queue that is more than a second old is forgotten at the next index tick', () => {
  const alone = shorts(2).at(1000)
  const { x, contract } = alone
  alone.opens(3, 2, 90, 20)
  const [longs, first] = [rankingOf(x, contract, 0), rankingOf(x, contract, 1)]
  alone.at(2000)
  forgetRankings(x)
  assert.deepEqual([contract.rankings[0] === longs, contract.rankings[1] === first], [true, true])
  longs!.atMs = 1001 as Millis
  alone.at(2001)
  forgetRankings(x)
  assert.deepEqual([contract.rankings[0] === longs, contract.rankings[1]], [true, undefined])
})

test('PERP-ADL-002: positions that ended or began anew since the queue was built are passed over', () => {
  const alone = shorts(4)
  const { x, contract } = alone
  const ranking = rankingOf(x, contract, 1)!
  const next = (): number | undefined => nextOf(x, contract, ranking)?.user
  const holding = (user: number): Holding => x.perp.holding(user as UserId, contract, BOTH)
  assert.deepEqual([next(), next(), ranking.next], [1, 1, 0])
  holding(1).lots = 0 as Lots
  assert.deepEqual([next(), ranking.next], [2, 1])
  holding(2).id = 900 as OrderId
  assert.deepEqual([next(), ranking.next], [3, 2])
  const lost = { user: 77 as UserId, side: BOTH, position: 1 as OrderId, score: scoreOf(0 as Units, 1 as Units, 1 as Units, 1 as Units) }
  ranking.places.splice(2, 2, lost)
  assert.deepEqual([next(), ranking.next], [undefined, 3])
})

/** Closes lots of a bankrupt position at a price against the queue; returns what is closed and by how many lots each time. */
function closes(
  alone: Alone,
  lots: number,
  price: number,
  account = undefined as Holding['account'] | undefined,
): readonly [number, ...number[]] {
  const parts: number[] = []
  const untaken = { contract: alone.contract, lots: lots as Lots, price: price as Ticks, account, close: (part: Lots) => parts.push(part) }
  return [deleverage(alone.x, untaken), ...parts]
}

test('PERP-ADL-001: a closing takes whole positions in the order of the queue and a part of the last, and pays each its profit', () => {
  const alone = new Alone()
  alone.opens(1, -10, 110, 1100)
  alone.opens(2, -10, 120, 300)
  alone.opens(3, -10, 105, 1050)
  alone.opens(9, 30, 100, 300)
  assert.deepEqual(closes(alone, 15, 102), [15, 10, 5])
  // 10 × 18 and the margin, 5 × 8 and half of the margin.
  assert.deepEqual(
    [alone.has(2), alone.has(1), alone.has(3)],
    [
      [481, 0],
      [591, 550],
      [1, 1050],
    ],
  )
  assert.deepEqual(
    alone.told('perp.deleveraged').map(({ user, lots, price, bankruptUser, position }) => [user, lots, price, bankruptUser, position]),
    [
      [2, 10, 102, 0, 102],
      [1, 5, 102, 0, 101],
    ],
  )
  assert.deepEqual([alone.x.perp.partners, alone.x.perp.ended.length], [2, 1])
  const longs = new Alone()
  longs.opens(1, 10, 90, 900)
  longs.opens(9, -10, 100, 100)
  assert.deepEqual(closes(longs, -4, 98), [4, 4])
  assert.deepEqual(longs.has(1), [4 * 8 + 360 + 1, 540])
})

test('PERP-ADL-002: one command closes against 32 positions and passes over 256 that can’t bear the price', () => {
  const many = shorts(40)
  assert.deepEqual(closes(many, 40, 100)[0], 32)
  assert.deepEqual([closes(many, 8, 100), many.x.perp.partners], [[0], 32])
  many.x.perp.beginCommand()
  assert.deepEqual(closes(many, 8, 100)[0], 8)
  assert.equal(shorts(501) && closes(shorts(501), 1, 100)[0], NOT_READY)
  assert.equal(NOT_READY, -1)
  // These sold at 110 with a margin of 5: closing at 116 would cost them 6. Their scores are the highest.
  const unable = (count: number): Alone => {
    const alone = new Alone()
    for (let user = 1; user <= count; user++) alone.opens(user, -1, 110, 5)
    alone.opens(400, -1, 110, 100)
    return alone
  }
  const few = unable(255)
  assert.deepEqual(closes(few, 1, 116), [1, 1])
  // The next closing may be at a price that they can bear.
  assert.equal(few.contract.rankings[1]!.next, 0)
  few.x.perp.beginCommand()
  assert.deepEqual(closes(few, 1, 115), [1, 1])
  assert.equal(few.told('perp.deleveraged').at(-1)!.user, 1)
  assert.deepEqual(closes(unable(256), 1, 116), [0])
})

test('PERP-ADL-002: the account that is liquidated is not closed against itself', () => {
  const alone = new Alone()
  const long = alone.opens(1, 10, 100, 100, { side: LONG })
  alone.opens(1, -10, 120, 100, { side: SHORT })
  alone.opens(2, -10, 110, 1100)
  assert.deepEqual(closes(alone, 10, 102, long.account), [10, 10])
  assert.deepEqual(
    alone.told('perp.deleveraged').map(({ user, bankruptUser }) => [user, bankruptUser]),
    [[2, 1]],
  )
})

test('PERP-ADL-002: a queue that a closing has used up is built again for the next one, with the positions opened since', () => {
  const alone = shorts(1).at(1000)
  assert.deepEqual(closes(alone, 2, 100), [1, 1])
  alone.at(1001).opens(2, -1, 110, 110)
  assert.deepEqual(closes(alone, 1, 100), [1, 1])
  assert.equal(alone.told('perp.deleveraged').at(-1)!.user, 2)
})

const sumsOf = ({ x, contract }: Alone): readonly number[] => [
  ...contract.unpaid,
  x.perp.hole,
  x.ledger.available(insuranceRow(x)),
  x.perp.partners,
]

test('PERP-ADL-003: a loss is paid by the fund, then by winners in their order, each with its whole profit, and the rest is missing', () => {
  const alone = new Alone(30)
  alone.opens(1, 10, 90, 900)
  alone.opens(2, 10, 95, 95)
  alone.opens(3, 10, 103, 1030)
  alone.opens(4, -30, 96, 2880)
  alone.contract.unpaid[0] = 160
  bearSome(alone.x)
  // 30 from the fund, 50 from user 2, 80 of 100 from user 1.
  assert.deepEqual(sumsOf(alone), [0, 0, 0, 0, 2])
  const [one, two] = [1, 2].map((user) => alone.x.perp.holding(user as UserId, alone.contract, BOTH))
  assert.deepEqual([one!.cost, two!.cost, one!.margin, two!.margin], [980, 1000, 900, 95])
  assert.deepEqual(
    alone.told('perp.deleveraged').map(({ user, lots, price, bankruptUser, position }) => [user, lots, price, bankruptUser, position]),
    [
      [2, 0, 100, 0, 102],
      [1, 0, 100, 0, 101],
    ],
  )
  assert.deepEqual(
    alone.told('entry').map(({ reason, delta }) => `${reason} ${delta}`),
    [
      ...['insurance -30', 'insurance 30'],
      ...['realised -50', 'realised 50', 'deleverage -50', 'deleverage 50'],
      ...['realised -80', 'realised 80', 'deleverage -80', 'deleverage 80'],
    ],
  )
  assert.deepEqual(
    alone.told('perp.position').map(({ user, cost }) => [user, cost]),
    [
      [2, 1000],
      [1, 980],
    ],
  )
  // User 1 has 20 left and stays first; after that nobody has a profit.
  alone.contract.unpaid[0] = 15
  bearSome(alone.x)
  assert.deepEqual([...sumsOf(alone), one!.cost], [0, 0, 0, 0, 3, 995])
  alone.contract.unpaid[0] = 8
  bearSome(alone.x)
  assert.deepEqual([...sumsOf(alone), one!.cost], [0, 0, 3, 0, 5, 1000])
  assert.deepEqual(
    [alone.has(1), alone.has(2), alone.has(3)],
    [
      [1, 900],
      [1, 95],
      [1, 1030],
    ],
  )
  assert.equal(alone.x.ledger.available(outsideRow(alone.x)), 30)
})

test('PERP-ADL-003: shorts pay for longs, a fund that suffices pays alone, and nothing is due without a loss', () => {
  const alone = new Alone(30)
  const other = alone.lists(5)
  const { x, contract } = alone
  const winner = alone.opens(1, -10, 110, 1100)
  assert.equal(isUnpaid(x), false)
  contract.unpaid[1] = 30
  assert.equal(isUnpaid(x), true)
  bearSome(x)
  assert.deepEqual([sumsOf(alone), contract.rankings, isUnpaid(x)], [[0, 0, 0, 0, 0], [undefined, undefined], false])
  contract.unpaid[1] = 40
  bearSome(x)
  assert.deepEqual([sumsOf(alone), winner.cost, contract.rankings[0]], [[0, 0, 0, 0, 1], 1060, undefined])
  other.unpaid[0] = 5
  assert.equal(isUnpaid(x), true)
  // While the market does not liquidate, the loss waits.
  other.gate.advance(x.atMs, true, false)
  bearSome(x)
  assert.deepEqual([isUnpaid(x), other.unpaid[0], x.perp.hole], [false, 5, 0])
})

test('PERP-ADL-003: one command takes from 32 winners, and an incomplete queue is built again before a loss counts as missing', () => {
  const alone = new Alone()
  for (let user = 1; user <= 40; user++) alone.opens(user, 1, 90, 90)
  alone.contract.unpaid[0] = 400
  bearSome(alone.x)
  assert.deepEqual(sumsOf(alone), [80, 0, 0, 0, 32])
  alone.x.perp.beginCommand()
  bearSome(alone.x)
  assert.deepEqual(sumsOf(alone), [0, 0, 0, 0, 8])
  const even = new Alone()
  even.opens(1, 10, 100, 1000)
  even.contract.unpaid[0] = 5
  bearSome(even.x)
  assert.deepEqual([sumsOf(even), even.told('perp.deleveraged')], [[0, 0, 5, 0, 1], []], 'a position without profit pays nothing')
  const cut = new Alone()
  const full = new Ranking()
  const lost = { user: 77 as UserId, side: BOTH, position: 1 as OrderId, score: scoreOf(0 as Units, 1 as Units, 1 as Units, 1 as Units) }
  for (let n = 0; n < 1024; n++) full.add(lost)
  Object.assign(full, { isReady: true, mark: 100, atMs: 0 })
  cut.contract.rankings[0] = full
  cut.contract.unpaid[0] = 7
  bearSome(cut.x)
  assert.deepEqual(sumsOf(cut), [7, 0, 0, 0, 0])
  bearSome(cut.x)
  assert.deepEqual(sumsOf(cut), [0, 0, 7, 0, 0])
  // Somebody in the incomplete queue can pay.
  const winner = cut.opens(1, 1, 90, 90)
  full.places[0] = { ...lost, user: winner.user, position: winner.id }
  full.next = 0
  cut.contract.rankings[0] = full
  cut.contract.unpaid[0] = 7
  bearSome(cut.x)
  assert.deepEqual([sumsOf(cut), winner.cost], [[0, 0, 7, 0, 1], 97])
  const big = shorts(501)
  big.contract.unpaid[1] = 3
  bearSome(big.x)
  assert.deepEqual(sumsOf(big), [0, 3, 0, 0, 0])
  assert.equal(big.told('perp.deleveraged').length, 0)
  big.x.perp.beginCommand()
  bearSome(big.x)
  assert.deepEqual(sumsOf(big), [0, 0, 0, 0, 1])
})
