/** How many requests of each user are remembered: a ring per user, and a limit for all together. */
import type { UserId } from '../../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usersMax } from '../../../ledger/blocks.ts'
import { Records } from '../../../protocol/codec/records.ts'
import { refuseLarge } from '../../test/short-memory.ts'
import { EXPECTED, USER } from '../expected-fields.ts'
import { type RequestLimits, requestLimits, RequestUsers } from '../users.ts'

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

/** A naive twin: the numbers of each user's requests, and the lists of users. */
class Twin {
  readonly lists: number[][] = Array.from({ length: 32 }, () => [])
  readonly #limits: RequestLimits
  readonly #kept = new Map<number, number[]>()
  readonly #next = new Map<number, number>()
  cursor = 0
  end = 0

  constructor(limits: RequestLimits) {
    this.#limits = limits
  }

  of(user: number): number[] {
    const known = this.#kept.get(user)
    if (known !== undefined) return known
    const mine: number[] = []
    this.#kept.set(user, mine)
    return mine
  }

  get total(): number {
    return [...this.#kept.values()].reduce((sum, { length }) => sum + length, 0)
  }

  add(user: number): void {
    const mine = this.of(user)
    const number = this.#next.get(user) ?? 0
    const before = this.#listOf(user)
    this.#next.set(user, number + 1)
    this.end = Math.max(this.end, user + 1)
    mine.push(number)
    if (mine.length > (isMaker(user) ? this.#limits.maker : this.#limits.retail)) {
      mine.shift()
      return
    }
    this.#move(user, before)
    if (this.total > this.#limits.all) this.#lose()
  }

  #lose(): void {
    const heaviest = this.lists.findLast((members) => members.length > 0)
    if (heaviest !== undefined) {
      const user = heaviest.shift()!
      heaviest.push(user)
      return this.#take(user)
    }
    for (let looks = 0; looks < 64; looks++) {
      this.cursor = (this.cursor + 1) % this.end
      if (this.of(this.cursor).length > 0) return this.#take(this.cursor)
    }
  }

  #take(user: number): void {
    const before = this.#listOf(user)
    this.of(user).shift()
    this.#move(user, before)
  }

  #listOf(user: number): number | undefined {
    const count = this.of(user).length
    return count <= this.#limits.last ? undefined : Math.floor(Math.log2(count))
  }

  #move(user: number, before: number | undefined): void {
    const after = this.#listOf(user)
    if (before === after) return
    if (before !== undefined) this.lists[before]!.splice(this.lists[before]!.indexOf(user), 1)
    if (after !== undefined) this.lists[after]!.push(user)
  }
}

/** The contents of a dump: the users of each list, then the last user who lost a request while nobody was in a list. */
function dumped(all: RequestUsers): readonly number[] {
  const into = new Records()
  all.dump(into)
  return [...into.data.subarray(0, into.length)]
}

/** How many requests of a user are remembered. */
function countOf(all: RequestUsers, user: number): number {
  const { ownRing, ownLeft } = all.room(id(user))
  return ownRing - ownLeft
}

/** The same users, restored from a dump. */
function restored(all: RequestUsers, change: Partial<RequestLimits>): RequestUsers {
  const copy = users(change)
  for (let user = 0; user < all.end; user++) {
    const count = countOf(all, user)
    if (count > 0) copy.set(id(user), all.room(id(user)).next - count, count)
  }
  copy.restore(Float64Array.from(dumped(all)), 0)
  return copy
}

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

test('SPOT-ONCE-006: any users lose the same requests in the same turns as in a naive twin, restored or not', () => {
  const changes = [
    {},
    { retail: 9, maker: 20, all: 32, last: 5 },
    { retail: 4, maker: 9, all: 14, last: 0 },
    { all: 6, last: 0 },
    { all: 11, last: 4 },
  ]
  let state = 1
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  for (const change of changes) {
    const twin = new Twin({ ...limits, ...change })
    let all = users(change)
    let user = 0
    for (let step = 0; step < 2_000; step++) {
      // Some users send many requests in a row.
      if (below(3) === 0) user = below(2) === 0 ? below(10) : 3 + below(3)
      twin.add(user)
      const number = all.add(id(user))
      assert.equal(all.room(id(user)).next, number + 1)
      assert.equal(all.total, twin.total)
      for (let each = 0; each < 10; each++) {
        const count = twin.of(each).length
        if (countOf(all, each) !== count) assert.fail(`user ${each} has ${countOf(all, each)} of ${count} requests at step ${step}`)
      }
      assert.deepEqual(dumped(all), [...twin.lists.flatMap((members) => [members.length, ...members]), twin.cursor])
      if (step < 400) assert.equal(all.end, twin.end)
      if (step % 400 === 399) all = restored(all, change)
    }
  }
})

test('SPOT-ONCE-001: the memory keeps 1,000 requests of a retail user, 20,000 of a maker, 8,000,000 of all, and the last 64 of each', () => {
  assert.deepEqual(requestLimits, { retail: 1_000, maker: 20_000, all: 8_000_000, last: 64 })
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
  for (const [user, total] of [
    [64, 1],
    [65, 2],
  ] as const) {
    const few = users({ all: 1 })
    add(few, user, 1)
    add(few, 70, 1)
    assert.deepEqual([few.total, counts(few, user)], [total, [total - 1]], `user ${user} is look ${user}`)
  }
  // User 0 comes after the last one, 69: from user 21 on, the 64th look is at user 14.
  const round = users({ all: 1 })
  for (const user of [69, 20, 14, 20, 20]) add(round, user, 1)
  assert.deepEqual([counts(round, 14, 20, 69), round.total], [[0, 1, 0], 1])
  add(round, 14, 1)
  assert.deepEqual([counts(round, 14, 20, 69), round.total], [[0, 1, 0], 1])
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

test('FUNDS-ROWS-002: users keep their turns while the tables grow, up to the largest user', () => {
  const all = users({ all: 16 })
  const many = [1_500, 7, 200_000, usersMax]
  for (const user of many) add(all, user, 4)
  assert.deepEqual([counts(all, ...many), all.total, all.end], [[4, 4, 4, 4], 16, usersMax + 1])
  const copy = users({ all: 16 })
  for (const user of many) copy.set(id(user), 0, 4)
  copy.restore(Float64Array.from(dumped(all)), 0)
  for (const [n, lost] of [
    [3, 4, 4, 4],
    [3, 3, 4, 4],
    [3, 3, 3, 4],
    [3, 3, 3, 3],
  ].entries()) {
    for (const one of [all, copy]) {
      add(one, n < 3 ? 9 : 10, 1)
      assert.deepEqual(counts(one, ...many), lost)
    }
  }
})

test('FUNDS-ROWS-007: users report when the system gives the memory of one table only, and keep their requests and turns', (t) => {
  for (const refused of [0, 1]) {
    const all = users({ all: 13 })
    add(all, 1, 4)
    refuseLarge(t, refused)
    assert.equal(all.reserve(), false)
    t.mock.restoreAll()
    add(all, 5_000, 4)
    add(all, 300_000, 4)
    assert.deepEqual([counts(all, 1, 5_000, 300_000), all.total], [[4, 4, 4], 12])
    add(all, 2, 4)
    assert.deepEqual([counts(all, 1, 5_000, 300_000, 2), all.total], [[3, 3, 3, 4], 13])
  }
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
  words[EXPECTED + USER] = 2_000
  assert.deepEqual([all.reach(words, 1), all.reach(words, 2)], [5, 5 ^ 1])
  assert.deepEqual(counts(all, 7, 2_000), [5, 1])
})
