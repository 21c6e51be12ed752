/** How many requests of each user are remembered: a ring per user, and a limit for all together. */
import type { UserId } from '../../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usersMax } from '../../../ledger/blocks.ts'
import { Records } from '../../../protocol/codec/records.ts'
import { EXPECTED, USER } from '../expected-fields.ts'
import { type RequestLimits, RequestUsers } from '../users.ts'

const limits: RequestLimits = { retail: 6, maker: 12, all: 20, last: 3 }
const id = (user: number): UserId => user as UserId
/** User 3 is a maker. */
const isMaker = (user: number): boolean => user === 3

const users = (change: Partial<RequestLimits> = {}): RequestUsers => new RequestUsers(isMaker, { ...limits, ...change })

/** Adds this many requests of a user. Returns their numbers. */
const add = (all: RequestUsers, user: number, count: number): readonly number[] => Array.from({ length: count }, () => all.add(id(user)))

/** Numbers of a user's requests that are remembered. */
const remembered = (all: RequestUsers, user: number): readonly number[] =>
  Array.from({ length: 60 }, (_, n) => n).filter((number) => number < all.room(id(user)).next && all.isLast(id(user), number))

const counts = (all: RequestUsers, ...who: readonly number[]): readonly number[] => who.map((user) => remembered(all, user).length)

test('SPOT-ONCE-001: the last requests of a user are remembered, twice as many of a maker', () => {
  const all = users({ all: 100 })
  assert.deepEqual(add(all, 1, 5), [0, 1, 2, 3, 4])
  assert.deepEqual([remembered(all, 1), all.total, all.end], [[0, 1, 2, 3, 4], 5, 2])
  add(all, 1, 3)
  assert.deepEqual([remembered(all, 1), all.total], [[2, 3, 4, 5, 6, 7], 6])
  assert.deepEqual(add(all, 3, 14).at(-1), 13)
  assert.deepEqual([remembered(all, 3), all.total, all.end], [[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], 18, 4])
  assert.deepEqual(counts(all, 0, 2, 4), [0, 0, 0])
  assert.equal(all.isLast(id(1), 1), false)
})

test('SPOT-ONCE-007: a user can see how many requests are certain to be remembered, and how many more fit', () => {
  const all = users()
  assert.deepEqual(all.room(id(1)), { ring: 6, left: 6, isCrowded: false, ownRing: 6, ownLeft: 6, next: 0 })
  assert.deepEqual(all.room(id(1_000_000)), { ring: 6, left: 6, isCrowded: false, ownRing: 6, ownLeft: 6, next: 0 })
  add(all, 1, 4)
  assert.deepEqual(all.room(id(1)), { ring: 6, left: 2, isCrowded: false, ownRing: 6, ownLeft: 2, next: 4 })
  add(all, 3, 5)
  assert.deepEqual(all.room(id(3)), { ring: 12, left: 7, isCrowded: false, ownRing: 12, ownLeft: 7, next: 5 })
  add(all, 2, 1)
  // Half of the places of all users are used.
  assert.deepEqual(all.room(id(3)), { ring: 3, left: 0, isCrowded: true, ownRing: 12, ownLeft: 7, next: 5 })
  assert.deepEqual(all.room(id(2)), { ring: 3, left: 2, isCrowded: true, ownRing: 6, ownLeft: 5, next: 1 })
  add(all, 1, 9)
  assert.deepEqual(all.room(id(1)), { ring: 3, left: 0, isCrowded: true, ownRing: 6, ownLeft: 0, next: 13 })
})

test('SPOT-ONCE-006: beyond the limit for all, the users with most requests lose their oldest ones in turn', () => {
  const all = users({ retail: 8, maker: 16 })
  add(all, 1, 5)
  add(all, 2, 5)
  add(all, 3, 9)
  add(all, 4, 1)
  assert.deepEqual([counts(all, 1, 2, 3, 4), all.total], [[5, 5, 9, 1], 20])
  // The maker alone has eight or more, until it has seven.
  add(all, 4, 1)
  assert.deepEqual([counts(all, 1, 2, 3, 4), remembered(all, 3)[0], all.total], [[5, 5, 8, 2], 1, 20])
  add(all, 5, 1)
  assert.deepEqual(counts(all, 1, 2, 3, 4, 5), [5, 5, 7, 2, 1])
  // Then the three have four to seven each, and take turns in the order in which they came to this number.
  add(all, 5, 1)
  assert.deepEqual(counts(all, 1, 2, 3, 4, 5), [4, 5, 7, 2, 2])
  add(all, 6, 1)
  assert.deepEqual(counts(all, 1, 2, 3, 4, 5, 6), [4, 4, 7, 2, 2, 1])
  add(all, 6, 1)
  assert.deepEqual(counts(all, 1, 2, 3, 4, 5, 6), [4, 4, 6, 2, 2, 2])
  add(all, 7, 2)
  assert.deepEqual(counts(all, 1, 2, 3, 4, 5, 6, 7), [3, 3, 6, 2, 2, 2, 2])
  add(all, 7, 1)
  add(all, 8, 2)
  assert.deepEqual([counts(all, 1, 2, 3, 4, 5, 6, 7, 8), all.total], [[3, 3, 3, 2, 2, 2, 3, 2], 20])
})

test('SPOT-ONCE-006: when nobody has more than the last ones, users lose one each in turn by their number', () => {
  const all = users({ all: 6 })
  for (const user of [2, 4, 5]) add(all, user, 2)
  const steps: (readonly number[])[] = []
  for (const user of [7, 7, 7, 9, 9]) {
    add(all, user, 1)
    steps.push(counts(all, 2, 4, 5, 7, 9))
    assert.equal(all.total, 6)
  }
  assert.deepEqual(steps, [
    [1, 2, 2, 1, 0],
    [1, 1, 2, 2, 0],
    [1, 1, 1, 3, 0],
    [1, 1, 1, 2, 1],
    [1, 1, 1, 2, 1],
  ])
})

test('SPOT-ONCE-006: one request looks at 64 users at most, so that the limit may be passed for a while', () => {
  const all = users({ all: 2 })
  add(all, 1, 1)
  add(all, 100, 1)
  add(all, 200, 1)
  assert.deepEqual([counts(all, 1, 100, 200), all.total], [[0, 1, 1], 2])
  add(all, 200, 1)
  assert.deepEqual([counts(all, 100, 200), all.total], [[1, 2], 3])
  add(all, 200, 1)
  assert.deepEqual([counts(all, 100, 200), all.total], [[0, 3], 3])
})

test('SPOT-CORE-002: restored users have the same requests, and lose them in the same turns', () => {
  const all = users({ retail: 8, maker: 16 })
  for (const [user, count] of [
    [2, 5],
    [1, 6],
    [3, 9],
    [9, 2],
  ] as const)
    add(all, user, count)
  const into = new Records()
  into.reserve(1)
  all.dump(into)
  // The lists of users with 4 to 7 and with 8 to 15 requests; then who lost one last, when nobody was in a list.
  const expected = Array.from({ length: 32 }, (_, list) => (list === 2 ? [3, 2, 1, 3] : [0])).flat()
  assert.deepEqual([...into.data.subarray(1, into.length)], [...expected, 0])
  const copy = users({ retail: 8, maker: 16 })
  for (const user of [1, 2, 3, 9]) {
    const count = remembered(all, user).length
    copy.set(id(user), all.room(id(user)).next - count, count)
  }
  assert.equal(copy.restore(into.data, 1), into.length)
  for (let step = 0; step < 60; step++) {
    const user = [1, 4, 5, 3, 9, 2, 6, 7, 8, 5][(step * 7) % 10]!
    for (const one of [all, copy]) add(one, user, 1)
    const who = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert.deepEqual([counts(copy, ...who), copy.total, copy.end], [counts(all, ...who), all.total, all.end], `step ${step}`)
    assert.ok(all.total <= limits.all)
  }
})

test('SPOT-CORE-002: the turn by number goes on where it was before the restart', () => {
  const all = users({ all: 4 })
  for (const user of [1, 2, 3, 4, 5]) add(all, user, 1)
  const into = new Records()
  all.dump(into)
  assert.equal(into.data[into.length - 1], 1)
  const copy = users({ all: 4 })
  for (const user of [2, 3, 4, 5]) copy.set(id(user), 0, 1)
  copy.restore(into.data, 0)
  for (const one of [all, copy]) {
    add(one, 6, 1)
    assert.deepEqual(counts(one, 2, 3, 4, 5, 6), [0, 1, 1, 1, 1])
  }
})

test('FUNDS-ROWS-002: users keep their requests while the tables grow, by requests and by a dump', () => {
  const all = users({ all: 1e6 })
  const copy = users({ all: 1e6 })
  for (const user of [1, 1_023, 1_024, 1_025, 5_000, 100_000]) {
    add(all, user, 5)
    copy.set(id(user), 2, 5)
  }
  add(all, 100_000, 3)
  add(copy, 100_000, 3)
  assert.deepEqual(counts(all, 1, 1_023, 1_024, 1_025, 5_000, 100_000), [5, 5, 5, 5, 5, 6])
  assert.deepEqual(counts(copy, 1, 1_023, 1_024, 1_025, 5_000, 100_000), [5, 5, 5, 5, 5, 6])
  assert.deepEqual([all.end, copy.end, all.total, copy.total], [100_001, 100_001, 31, 31])
  assert.equal(remembered(copy, 100_000)[0], 4)
})

test('FUNDS-ROWS-005: the memory for all users is allocated at once, and keeps their requests', () => {
  const all = users()
  add(all, 1, 4)
  assert.equal(all.reserve(), true)
  add(all, usersMax, 5)
  add(all, 1, 1)
  assert.deepEqual([counts(all, 1, usersMax), all.end], [[5, 5], usersMax + 1])
})

test('SPOT-GROW-002: reading ahead changes nothing, also for users who never sent a request', () => {
  const all = users({ all: 1e6 })
  const words = new Int32Array(2 * EXPECTED)
  words[USER] = 7
  words[EXPECTED + USER] = usersMax
  assert.equal(all.reach(words, 2), 0)
  add(all, 7, 5)
  add(all, 2_000, 1)
  assert.equal(all.reach(words, 2), 5)
  assert.deepEqual(counts(all, 7, 2_000), [5, 1])
})
