import type { UserId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { packText } from '../../protocol/codec/text.ts'
import { Records } from '../../protocol/codec/records.ts'
import { UNKNOWN } from '../requests/entry.ts'
import { Requests } from '../requests/requests.ts'

const slots = new Float64Array(8)
const limits = { retail: 6, maker: 12, all: 20, last: 3 }
const isMaker = (user: number): boolean => user === 3

function named(text: string, body = 0): Float64Array {
  packText(text, slots, 0, 6)
  slots[6] = body
  return slots
}

type Memory = {
  readonly key: string
  readonly user: number
  readonly ordinal: number
  readonly code: number
  readonly body: number
  readonly number: number
  readonly refusal: number
}

/** A naive twin with one list per user, and with lists of the users that have many requests. */
class Twin {
  readonly #rings = new Map<number, string[]>()
  readonly #known = new Map<string, Memory>()
  readonly #lists = new Map<number, number[]>()
  readonly #isOpen: (number: number) => boolean
  #total = 0
  #cursor = 0

  constructor(isOpen: (number: number) => boolean) {
    this.#isOpen = isOpen
  }

  get(key: string): Memory | undefined {
    const memory = this.#known.get(key)
    if (memory === undefined) return undefined
    const isLast = this.#ring(memory.user).includes(key)
    return isLast || (memory.refusal === 0 && memory.number !== 0 && this.#isOpen(memory.number)) ? memory : undefined
  }

  /** Remembered requests by user, oldest first. */
  list(): readonly Memory[] {
    const known = [...this.#known.values()].filter(({ key }) => this.get(key) !== undefined)
    return known.sort((a, b) => a.user - b.user || a.ordinal - b.ordinal)
  }

  add(memory: Memory): void {
    this.#known.set(memory.key, memory)
    const ring = this.#ring(memory.user)
    this.#change(memory.user, () => ring.push(memory.key))
    this.#total++
    if (ring.length > (isMaker(memory.user) ? limits.maker : limits.retail)) {
      this.#total--
      this.#change(memory.user, () => ring.shift())
    } else if (this.#total > limits.all) this.#lose()
  }

  #lose(): void {
    const heaviest = [...this.#lists].filter(([, users]) => users.length > 0).sort(([a], [b]) => b - a)[0]
    if (heaviest !== undefined) {
      const [user] = heaviest[1] as [number]
      heaviest[1].push(heaviest[1].shift()!)
      this.#change(user, () => this.#ring(user).shift())
      this.#total--
      return
    }
    const end = Math.max(...this.#rings.keys()) + 1
    for (;;) {
      this.#cursor = this.#cursor + 1 < end ? this.#cursor + 1 : 0
      if (this.#ring(this.#cursor).length === 0) continue
      this.#ring(this.#cursor).shift()
      this.#total--
      return
    }
  }

  #ring(user: number): string[] {
    const known = this.#rings.get(user)
    if (known !== undefined) return known
    const ring: string[] = []
    this.#rings.set(user, ring)
    return ring
  }

  #change(user: number, change: () => void): void {
    const listOf = (): number => {
      const count = Math.min(this.#ring(user).length, isMaker(user) ? limits.maker : limits.retail)
      return count <= limits.last ? -1 : Math.floor(Math.log2(count))
    }
    const before = listOf()
    change()
    const after = listOf()
    if (before === after) return
    const old = this.#lists.get(before) ?? []
    if (before >= 0) old.splice(old.indexOf(user), 1)
    if (after >= 0) this.#lists.set(after, [...(this.#lists.get(after) ?? []), user])
  }
}

const request = fc.record({
  user: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 9 })),
  name: fc.nat(60),
  code: fc.constantFrom(10, 11),
  body: fc.constantFrom(0, 1, -1, 4_294_967_295, 4_294_967_296, 2 ** 52, -(2 ** 52)),
  number: fc.constantFrom(0, 1, 2 ** 32 + 1, 2 ** 52),
  refusal: fc.constantFrom(0, 0, 0, 7, 169),
  isOpen: fc.boolean(),
  isRestored: fc.nat(40).map((n) => n === 0),
  hasLeg: fc.nat(9).map((n) => n === 0),
})

test('SPOT-ONCE-001: the memory keeps the same requests as the naive twin, restored or not', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 300, size: 'max' }), (list) => {
      const open = new Set<number>()
      const isOpen = (number: number): boolean => open.has(number)
      const twin = new Twin(isOpen)
      let requests = new Requests(isOpen, isMaker, limits)
      list.forEach(({ user, name, code, body, number: base, refusal, hasLeg, ...given }, n) => {
        if (given.isRestored) requests = restored(requests, isOpen)
        const key = `${user}/r${name}`
        const known = twin.get(key)
        const place = requests.meet(user as UserId, named(`r${name}`, body), 0, code, 6, 7)
        if (known !== undefined) {
          assert.equal(requests.isSame(place), known.code === code && known.body === body)
          assert.deepEqual([requests.number(place), requests.refusal(place)], [known.number, known.refusal])
          return
        }
        assert.equal(place, UNKNOWN)
        if (hasLeg && twin.get(`${user}/leg${n}`) === undefined) {
          requests.add(user as UserId, named(`leg${n}`), 0, -1, 0, 0, n + 1, 0)
          twin.add({ key: `${user}/leg${n}`, user, ordinal: n - 0.5, code: -1, body: 0, number: n + 1, refusal: 0 })
        }
        const number = base === 0 ? 0 : base + n
        if (given.isOpen && number !== 0) open.add(number)
        if (open.size > 40) for (const oldest of [...open].slice(0, 30)) open.delete(oldest)
        requests.keep(number, refusal)
        twin.add({ key, user, ordinal: n, code, body, number, refusal })
      })
      const all = twin.list()
      for (let user = 0; user <= 9; user++) {
        for (let name = 0; name <= 60; name++) {
          const place = requests.find(user as UserId, named(`r${name}`), 0)
          const known = twin.get(`${user}/r${name}`)
          assert.equal(place === UNKNOWN ? undefined : requests.number(place), known?.number)
        }
      }
      assert.deepEqual(numbersIn(requests), [all.map(({ number }) => number), all.map((memory) => memory.refusal)])
    }),
    { numRuns: 300 },
  )
})

test('SPOT-ONCE-001: remembered requests are found while the memory grows, and forgotten ones are not', () => {
  const count = 400_000
  const few = 20_000
  const most = { retail: few, maker: few, all: 7 * few, last: 64 }
  const requests = new Requests(
    () => false,
    () => false,
    most,
  )
  for (let n = 0; n < count; n++) {
    if (requests.meet((1 + (n % 7)) as UserId, named(`id-${n}`, n), 0, 11, 6, 7) !== UNKNOWN) assert.fail(`${n} was met before it came`)
    requests.keep(n + 1, 0)
    const old = Math.max(n % 7, n - 7 * (few - 1))
    if (n % 97 === 0) assert.equal(requests.number(requests.find((1 + (old % 7)) as UserId, named(`id-${old}`), 0)), old + 1)
  }
  const copy = restored(requests, () => false, most)
  for (const memory of [requests, copy]) {
    for (let n = 0; n < count; n++) {
      const place = memory.meet((1 + (n % 7)) as UserId, named(`id-${n}`, n), 0, 11, 6, 7)
      const isRight = n < count - 7 * few ? place === UNKNOWN : memory.number(place) === n + 1 && memory.isSame(place)
      if (!isRight) assert.fail(`${n} is remembered wrongly`)
      if (memory.find((1 + ((n + 1) % 7)) as UserId, named(`id-${n}`, n), 0) !== UNKNOWN) assert.fail(`${n} is another user's`)
    }
  }
})

test('SPOT-ONCE-006: one user’s refused requests push no other user’s client ids out of the memory', () => {
  const few = { retail: 1000, maker: 20_000, all: 8000, last: 64 }
  const requests = new Requests(
    () => false,
    (user) => user < 5,
    few,
  )
  const send = (user: number, id: string, refusal: number): boolean => {
    const isNew = requests.meet(user as UserId, named(id), 0, 11, 6, 7) === UNKNOWN
    if (isNew) requests.keep(refusal === 0 ? 7 : 0, refusal)
    return isNew
  }
  for (let n = 0; n < 500; n++) send(9, `customer-${n}`, 0)
  for (let user = 10; user < 20; user++) for (let n = 0; n < 64; n++) send(user, `other-${n}`, 0)
  // Each maker may have 20,000, more than the limit for all users.
  for (let n = 0; n < 100_000; n++) send(1 + (n % 4), `flood-${n}`, 70)
  for (let n = 0; n < 500; n++) assert.equal(send(9, `customer-${n}`, 0), false)
  for (let user = 10; user < 20; user++) for (let n = 0; n < 64; n++) assert.equal(send(user, `other-${n}`, 0), false)
})

/** By chance, the hashes of two ids agree in 24 given bits for one pair in 2^24. A weak hash would agree far more often. */
test('SPOT-ONCE-002: hashes of ids that differ in few characters agree no more often than by chance', () => {
  const alphabet = 'abcdefghijklmnop'
  const patterns: readonly ((n: number) => string)[] = [
    (n) => `order-${n}`,
    (n) => `${n.toString(36)}-7`,
    (n) => [12, 8, 4, 0].map((shift) => `xx${alphabet[(n >> shift) & 15]}xxx`).join(''),
    (n) => [12, 8, 4, 0].map((shift) => `${alphabet[(n >> shift) & 15]}00000`).join(''),
    (n) => [12, 8, 4, 0].map((shift) => `00000${alphabet[(n >> shift) & 15]}`).join(''),
  ]
  const count = 2 ** 16
  for (const [at, pattern] of patterns.entries()) {
    const requests = new Requests(
      () => false,
      () => true,
      { retail: count, maker: count, all: count, last: 64 },
    )
    for (let n = 0; n < count; n++) {
      if (requests.meet(5 as UserId, named(pattern(n), n), 0, 11, 6, 7) !== UNKNOWN) assert.fail(`pattern ${at}: ${n} is another's`)
      requests.keep(n, 0)
    }
    const dump = new Records()
    for (const _ of requests.dump(dump));
    const words = new Int32Array(dump.data.buffer)
    for (const [first, second, shift] of [
      [1, 2, 0],
      [1, 2, 16],
      [2, 1, 16],
    ] as const) {
      const seen = new Map<number, number>()
      let pairs = 0
      for (let n = 0; n < count; n++) {
        const low = (words[6 + n * 6 + first - 1]! >>> shift) & 0xffff
        const high = (words[6 + n * 6 + second - 1]! >>> shift) & 0xff
        const both = low * 256 + high
        const others = seen.get(both) ?? 0
        pairs += others
        seen.set(both, others + 1)
      }
      const expected = (count * (count - 1)) / 2 / 2 ** 24
      assert.ok(pairs < expected * 1.6, `pattern ${at}: ${pairs} pairs agree instead of ${expected}`)
    }
  }
})

function restored(requests: Requests, isOpen: (number: number) => boolean, most = limits): Requests {
  const dump = dumped(requests)
  const copy = new Requests(isOpen, isMaker, most)
  assert.equal(copy.restore(dump.data, 0, 13), dump.length)
  assert.deepEqual(Buffer.from(dumped(copy).bytes()), Buffer.from(dump.bytes()))
  return copy
}

function dumped(requests: Requests): Records {
  const dump = new Records()
  for (const _ of requests.dump(dump));
  return dump
}

/** Numbers and refusals of the remembered requests, by user, oldest first. */
function numbersIn(requests: Requests): readonly (readonly number[])[] {
  const { data } = dumped(requests)
  const words = new Int32Array(data.buffer)
  const numbers: number[] = []
  const refusals: number[] = []
  for (let at = 0; data[at] !== 0; ) {
    const count = data[at + 1]!
    for (let n = 0, slot = at + 3; n < count; n++, slot += 3) {
      numbers.push((words[slot * 2 + 5]! & (2 ** 21 - 1)) * 2 ** 32 + (words[slot * 2 + 4]! >>> 0))
      refusals.push(words[slot * 2 + 5]! >>> 21)
    }
    at += 3 + count * 3
  }
  return [numbers, refusals]
}
