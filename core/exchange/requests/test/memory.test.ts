/** The memory of requests: outcomes by client id, what is forgotten, and what a dump keeps. */
import type { UserId } from '../../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packText } from '../../../protocol/codec/text.ts'
import { Records } from '../../../protocol/codec/records.ts'
import { refuseLarge, refuseMemory } from '../../test/short-memory.ts'
import { UNKNOWN } from '../entry.ts'
import type { KeptRequest } from '../kept.ts'
import { Requests } from '../requests.ts'

const limits = { retail: 6, maker: 12, all: 1_000_000, last: 3 }
const slots = new Float64Array(8)
const id = (user: number): UserId => user as UserId

/** A memory of requests with the numbers of the open orders. */
class Given {
  readonly open = new Set<number>()
  requests: Requests

  constructor(change: object = {}) {
    this.requests = this.#made(change)
  }

  #made(change: object): Requests {
    return new Requests(
      (number) => this.open.has(number),
      (user) => user === 3,
      { ...limits, ...change },
      9,
    )
  }

  /** Sends a request. Returns "new", or the number and refusal of the first one with this id, and whether the body is the same. */
  send(user: number, name: string, outcome: { body?: number; code?: number; number?: number; refusal?: number } = {}): string {
    const { body = 0, code = 11, number = 0, refusal = 0 } = outcome
    const { requests } = this
    const place = requests.meet(id(user), named(name, body), 0, code, 6, 7)
    if (place !== UNKNOWN) return `${requests.number(place)} ${requests.refusal(place)} ${requests.isSame(place)}`
    requests.keep(number, refusal)
    return 'new'
  }

  knows(user: number, name: string): boolean {
    return this.requests.find(id(user), named(name), 0) !== UNKNOWN
  }

  dumped(): Records {
    const into = new Records()
    into.reserve(1)
    for (const _ of this.requests.dump(into));
    return into
  }

  restore(change: object = {}): this {
    const dump = this.dumped()
    this.requests = this.#made(change)
    assert.equal(this.requests.restore(dump.data, 1, 13), dump.length)
    assert.deepEqual(Buffer.from(this.dumped().bytes()), Buffer.from(dump.bytes()))
    return this
  }
}

function named(name: string, body = 0): Float64Array {
  packText(name, slots, 0, 6)
  slots[6] = body
  return slots
}

test('SPOT-ONCE-001: a repeat finds the number and the refusal of the first request, to the last bit', () => {
  const given = new Given()
  assert.equal(given.send(1, 'small', { body: 5, number: 7 }), 'new')
  assert.equal(given.send(1, 'large', { number: 2 ** 53 - 1 }), 'new')
  assert.equal(given.send(1, 'word', { number: 2 ** 32 + 2 ** 31 }), 'new')
  assert.equal(given.send(1, 'refused', { refusal: 2_047 }), 'new')
  for (const one of [given, given.restore()]) {
    assert.equal(one.send(1, 'small', { body: 5 }), '7 0 true')
    assert.equal(one.send(1, 'small', { body: 6 }), '7 0 false')
    assert.equal(one.send(1, 'small', { body: 5, code: 12 }), '7 0 false')
    assert.equal(one.send(1, 'large'), `${2 ** 53 - 1} 0 true`)
    assert.equal(one.send(1, 'word'), `${2 ** 32 + 2 ** 31} 0 true`)
    assert.equal(one.send(1, 'refused'), '0 2047 true')
    assert.equal(one.knows(2, 'small'), false)
  }
})

test('SPOT-ONCE-001: an id older than the ring is free again, unless its order is open', () => {
  const given = new Given()
  // Orders are numbered from 1 on: number 0 stands for none.
  given.open.add(50).add(51).add(0)
  given.send(1, 'open', { number: 50 })
  given.send(1, 'closed', { number: 49 })
  given.send(1, 'refused', { number: 51, refusal: 3 })
  given.send(1, 'nothing', { number: 0 })
  for (let n = 0; n < 6; n++) given.send(1, `later-${n}`)
  for (const one of [given, given.restore()]) {
    assert.deepEqual(
      ['open', 'closed', 'refused', 'nothing', 'later-0'].map((name) => one.knows(1, name)),
      [true, false, false, false, true],
    )
  }
  assert.equal(given.send(1, 'closed', { number: 60 }), 'new')
  assert.equal(given.send(1, 'closed'), '60 0 true')
  assert.equal(given.knows(1, 'later-0'), false)
  given.open.delete(50)
  assert.equal(given.send(1, 'open', { number: 61 }), 'new')
})

test('SPOT-ONCE-004: a request that is added besides the running one is remembered, and does not disturb it', () => {
  const given = new Given()
  const { requests } = given
  assert.equal(requests.meet(id(1), named('list', 4), 0, 11, 6, 7), UNKNOWN)
  requests.add(id(1), named('leg', 8), 0, 12, 6, 7, 70, 0)
  assert.equal(requests.find(id(1), named('other'), 0), UNKNOWN)
  requests.keep(69, 0)
  assert.deepEqual([given.send(1, 'list', { body: 4 }), given.send(1, 'leg', { body: 8, code: 12 })], ['69 0 true', '70 0 true'])
  assert.equal(given.send(1, 'leg', { body: 8 }), '70 0 false')
  assert.deepEqual([requests.numberNear(id(1), named('leg'), 0), requests.numberNear(id(2), named('leg'), 0)], [70, 0])
  assert.deepEqual([requests.count, requests.room(id(1)).next], [2, 2])
})

test('SPOT-ONCE-001: requests that were announced get the same outcomes as others', () => {
  const given = new Given()
  const { requests } = given
  given.send(1, 'known', { number: 5 })
  // The memory is asked for two requests and knows the second.
  const both = new Float64Array(20)
  packText('fresh', both, 0, 6)
  packText('known', both, 10, 6)
  const meet = (at: number) => requests.meet(id(1), both, at, 11, at + 6, at + 7)
  for (const announced of [[0, 10], [10], []]) {
    requests.expectNone()
    for (const at of announced) requests.expect(id(1), both, at)
    requests.reach()
    requests.reachId(id(1), both, 10)
    if (announced.length === 2) {
      assert.equal(meet(0), UNKNOWN)
      requests.keep(6, 0)
    }
    assert.equal(requests.number(meet(10)), 5)
    assert.equal(requests.number(meet(0)), 6)
  }
})

test('SPOT-ONCE-001: an announcement counts for its own slots only', () => {
  const given = new Given()
  const { requests } = given
  given.send(1, 'known', { number: 5 })
  const [announced, other] = [new Float64Array(8), new Float64Array(8)]
  packText('known', announced, 0, 6)
  packText('other', other, 0, 6)
  requests.expectNone()
  requests.expect(id(1), announced, 0)
  assert.notEqual(requests.meet(id(1), announced, 0, 11, 6, 7), UNKNOWN)
  requests.expectNone()
  requests.expect(id(1), announced, 0)
  assert.equal(requests.meet(id(1), other, 0, 11, 6, 7), UNKNOWN)
  // Of more than 32 announced requests, the later ones get their outcome too.
  const many = new Float64Array(41 * 8)
  requests.expectNone()
  for (let n = 0; n <= 40; n++) {
    packText(n === 40 ? 'known' : `n${n}`, many, n * 8, 6)
    requests.expect(id(1), many, n * 8)
  }
  for (let n = 0; n <= 40; n++) {
    const place = requests.meet(id(1), many, n * 8, 11, n * 8 + 6, n * 8 + 7)
    assert.equal(place === UNKNOWN ? 0 : requests.number(place), n === 40 ? 5 : 0)
  }
})

test('SPOT-GROW-002: the places of the first 32 announced requests are read, and that of a client id that is named', () => {
  const given = new Given({ retail: 60 })
  const { requests } = given
  const all = new Float64Array(40 * 8)
  for (let n = 0; n < 40; n++) {
    given.send(1, `n${n}`, { number: 5 + n })
    packText(`n${n}`, all, n * 8, 6)
  }
  const announced = (...names: readonly number[]): number => {
    requests.expectNone()
    for (const n of names) requests.expect(id(1), all, n * 8)
    return requests.reach()
  }
  const names = Array.from({ length: 40 }, (_, n) => n)
  const each = names.map((n) => announced(n))
  assert.ok(new Set(each).size > 30 && !each.includes(0), each.join())
  assert.deepEqual([announced(), announced(3, 4)], [0, each[3]! ^ each[4]!])
  const first = each.slice(0, 32).reduce((read, one) => read ^ one, 0)
  assert.equal(announced(...names), first)
  assert.deepEqual(
    names.map((n) => requests.reachId(id(1), all, n * 8)),
    each,
  )
})

test('SPOT-ONCE-002: a body that agrees in only one half of the hash is another body', () => {
  const given = new Given()
  const { requests } = given
  const words = new Int32Array(slots.buffer)
  /** The first hash of the body whose first slot has these words. */
  const hashes = (even: number, odd: number) => {
    named('a')
    words.set([even, odd], 12)
    const { bodyLow, bodyHigh } = requests.hashes(id(1), slots, 0, 11, 6, 7)
    return [bodyLow, bodyHigh] as const
  }
  const [low, high] = hashes(7, 9)
  // A half of the hash is a product of one word plus the other one.
  const sameLow = [8, (9 + low - hashes(8, 9)[0]) | 0] as const
  const sameHigh = [(7 + high - hashes(7, 10)[1]) | 0, 10] as const
  assert.equal(hashes(...sameLow)[0], low)
  assert.equal(hashes(...sameHigh)[1], high)
  for (const [body, isSame] of [
    [[7, 9], true],
    [sameLow, false],
    [sameHigh, false],
  ] as const) {
    named('a')
    words.set(body, 12)
    const place = requests.meet(id(1), slots, 0, 11, 6, 7)
    if (place === UNKNOWN) requests.keep(3, 0)
    else assert.equal(requests.isSame(place), isSame)
  }
  named('a')
  words.set([7, 9], 12)
  assert.equal(requests.isSame(requests.meet(id(1), slots, 0, 11, 6, 7)), true)
})

test('SPOT-ONCE-007: each request is told before it is remembered, and the remembered ones can be listed', () => {
  const given = new Given()
  const { requests } = given
  const large = 2 ** 52 + 2 ** 31 + 3
  given.open.add(40)
  const told: KeptRequest[] = []
  requests.watch((request) => told.push(request))
  given.send(1, 'first', { number: 40, body: 3 })
  given.send(2, 'second', { refusal: 9 })
  requests.add(id(1), named('leg', 8), 0, 12, 6, 7, large, 0)
  given.send(0, 'user', { number: 7 })
  const hashes = [requests.hashes(id(1), named('first', 3), 0, 11, 6, 7), requests.hashes(id(2), named('second'), 0, 11, 6, 7)]
  const leg = requests.hashes(id(1), named('leg', 8), 0, 12, 6, 7)
  const expected = [
    { ...hashes[0], number: 40, refusal: 0 },
    { ...hashes[1], number: 0, refusal: 9 },
    { ...leg, number: large, refusal: 0 },
    { ...requests.hashes(id(0), named('user'), 0, 11, 6, 7), number: 7, refusal: 0 },
  ]
  assert.deepEqual(told, expected)
  for (const one of [given, given.restore()]) {
    const byUser = (users?: readonly number[]): readonly KeptRequest[] => [...one.requests.all(users && new Set(users))]
    assert.deepEqual(byUser([2]), [expected[1]])
    assert.deepEqual(byUser([1]), [expected[0], expected[2]])
    assert.deepEqual(byUser([0]), [expected[3]])
    assert.equal(byUser().length, 4)
    assert.deepEqual(byUser([7]), [])
  }
  for (let n = 0; n < 6; n++) given.send(1, `later-${n}`)
  assert.deepEqual(
    [...given.requests.all(new Set([1]))].map(({ number }) => number),
    [40, 0, 0, 0, 0, 0, 0],
    'the first one has an open order',
  )
})

test('SPOT-CORE-002: a dump has each user’s requests, oldest first, with the count of those kept for open orders', () => {
  const given = new Given()
  given.open.add(40)
  given.send(5, 'b', { number: 1 })
  given.send(2, 'open', { number: 40 })
  for (let n = 0; n < 7; n++) given.send(2, `x${n}`, { number: 100 + n })
  const { data } = given.dumped()
  const words = new Int32Array(data.buffer)
  assert.deepEqual([...data.subarray(1, 4)], [3, 7, 1])
  assert.deepEqual(
    Array.from({ length: 7 }, (_, n) => words[(4 + n * 3) * 2 + 4]),
    [40, 101, 102, 103, 104, 105, 106],
  )
  assert.deepEqual([...data.subarray(25, 28)], [6, 1, 0])
  assert.equal(data[31], 0)
})

test('SPOT-CORE-002: a dump keeps a request that only its open order keeps, and that of a user of number 0', () => {
  const given = new Given({ all: 2 })
  given.open.add(40)
  given.send(0, 'user', { number: 1 })
  given.send(1, 'open', { number: 40 })
  // Each new request takes the place of the only one that user 1, then user 0, has.
  given.send(2, 'b')
  given.send(2, 'c')
  given.send(0, 'again', { number: 2 })
  assert.deepEqual([given.knows(0, 'user'), given.knows(1, 'open'), given.knows(0, 'again')], [false, true, true])
  const { data } = given.dumped()
  assert.deepEqual([...data.subarray(1, 4)], [1, 1, 0])
  assert.deepEqual([...data.subarray(7, 10)], [2, 1, 1])
  given.restore({ all: 2 })
  assert.deepEqual([given.knows(0, 'user'), given.knows(1, 'open'), given.knows(0, 'again')], [false, true, true])
  given.open.delete(40)
  assert.equal(given.knows(1, 'open'), false)
})

test('SPOT-CORE-002: the requests of a dump of version 12, one list for all users, are read back', () => {
  const given = new Given()
  const [a, b] = [given.requests.hashes(id(1), named('a', 5), 0, 11, 6, 7), given.requests.hashes(id(2), named('b'), 0, 11, 6, 7)]
  const record = ({ idLow, idHigh, bodyLow, bodyHigh, user }: typeof a, refusal: number, number: number): readonly number[] => [
    idLow,
    idHigh,
    bodyLow,
    bodyHigh,
    user,
    refusal,
    number,
  ]
  const data = Float64Array.from([99, 2, ...record(a, 0, 2 ** 40 + 3), ...record(b, 12, 0), 98])
  assert.equal(given.requests.restore(data, 1, 12), data.length - 1)
  assert.equal(given.requests.count, 2)
  for (const one of [given, given.restore()])
    assert.deepEqual([one.send(1, 'a', { body: 5 }), one.send(2, 'b'), one.knows(2, 'a')], [`${2 ** 40 + 3} 0 true`, '0 12 true', false])
})

test('SPOT-ONCE-001: requests on many pages are remembered and listed, and a dump pauses', () => {
  const given = new Given({ retail: 30_000 })
  for (let n = 0; n < 25_000; n++) given.send(1 + (n % 2), `id-${n}`, { number: n + 1 })
  const copy = new Given({ retail: 30_000 })
  copy.requests = given.restore({ retail: 30_000 }).requests
  for (let n = 0; n < 25_000; n += 11) assert.equal(copy.send(1 + (n % 2), `id-${n}`), `${n + 1} 0 true`)
  assert.equal([...copy.requests.all()].length, 25_000)
  let pauses = 0
  for (const _ of copy.requests.dump(new Records())) pauses++
  assert.equal(pauses, 1)
})

test('FUNDS-ROWS-005: the memory of all requests is allocated at once, and a system that gives only part of it is told', (t) => {
  const whole = new Given()
  whole.send(1, 'a', { number: 7 })
  assert.equal(whole.requests.reserve(), true)
  // The index asks first, then the users with two tables.
  for (const refused of [0, 1, 2]) {
    const given = new Given()
    given.send(1, 'a', { number: 7 })
    if (refused === 0) refuseMemory(t, (bytes) => bytes > 2 ** 27)
    else refuseLarge(t, refused)
    assert.equal(given.requests.reserve(), false, `table ${refused}`)
    t.mock.restoreAll()
    assert.equal(given.send(1, 'a'), '7 0 true')
    assert.equal(given.send(1, 'b', { number: 8 }), 'new')
    assert.equal(given.send(1, 'b'), '8 0 true')
  }
})
