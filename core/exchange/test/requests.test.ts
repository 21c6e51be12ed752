import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { packText } from '../../protocol/codec/text.ts'
import { Records } from '../../protocol/codec/records.ts'
import { Exchange } from '../exchange.ts'
import { Requests, UNKNOWN } from '../requests.ts'

const slots = new Float64Array(8)
const max = 16
const capacity = 32
const looksMax = 8

function named(text: string, body = 0): Float64Array {
  packText(text, slots, 0, 6)
  slots[6] = body
  return slots
}

type Memory = { readonly key: string; readonly code: number; readonly body: number; readonly number: number; readonly refusal: number }

/** The same promise with a Map, which keeps the order in which keys were set. */
class Twin {
  readonly #known = new Map<string, Memory>()
  readonly #isOpen: (number: number) => boolean

  constructor(isOpen: (number: number) => boolean) {
    this.#isOpen = isOpen
  }

  get(key: string): Memory | undefined {
    return this.#known.get(key)
  }

  list(): readonly Memory[] {
    return [...this.#known.values()]
  }

  add(memory: Memory): void {
    const most = this.#known.size === capacity ? capacity : looksMax
    for (let looks = 0; this.#known.size >= max && looks < most; looks++) {
      const [oldest] = this.#known.values() as unknown as [Memory]
      this.#known.delete(oldest.key)
      if (oldest.refusal === 0 && oldest.number !== 0 && this.#isOpen(oldest.number)) this.#known.set(oldest.key, oldest)
    }
    this.#known.set(memory.key, memory)
  }
}

const request = fc.record({
  user: fc.integer({ min: 0, max: 3 }),
  name: fc.nat(60),
  code: fc.constantFrom(10, 11),
  body: fc.constantFrom(0, 1, -1, 4_294_967_295, 4_294_967_296, 2 ** 52, -(2 ** 52)),
  number: fc.constantFrom(0, 1, 2 ** 32 + 1, 2 ** 52),
  refusal: fc.constantFrom(0, 0, 0, 7, 169),
  isOpen: fc.boolean(),
  isRestored: fc.nat(40).map((n) => n === 0),
  hasLeg: fc.nat(9).map((n) => n === 0),
})

test('SPOT-ONCE-001: the last requests and those with open orders are remembered as a map remembers them, restored or not', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 300, size: 'max' }), (list) => {
      const open = new Set<number>()
      const isOpen = (number: number): boolean => open.has(number)
      const twin = new Twin(isOpen)
      let requests = new Requests(isOpen, max)
      list.forEach(({ user, name, code, body, number: base, refusal, hasLeg, ...given }, n) => {
        if (given.isRestored) requests = restored(requests, isOpen)
        const key = `${user}/r${name}`
        const known = twin.get(key)
        const place = requests.meet(user, named(`r${name}`, body), 0, code, 6, 7)
        if (known !== undefined) {
          assert.equal(requests.isSame(place), known.code === code && known.body === body)
          assert.deepEqual([requests.number(place), requests.refusal(place)], [known.number, known.refusal])
          return
        }
        assert.equal(place, UNKNOWN)
        if (hasLeg && twin.get(`${user}/leg${n}`) === undefined) {
          requests.add(user, named(`leg${n}`), 0, -1, 0, 0, n + 1, 0)
          twin.add({ key: `${user}/leg${n}`, code: -1, body: 0, number: n + 1, refusal: 0 })
        }
        const number = base === 0 ? 0 : base + n
        if (given.isOpen && number !== 0) open.add(number)
        if (open.size > 12) for (const oldest of [...open].slice(0, 8)) open.delete(oldest)
        requests.keep(number, refusal)
        twin.add({ key, code, body, number, refusal })
      })
      const all = twin.list()
      for (let user = 0; user <= 3; user++) {
        for (let name = 0; name <= 60; name++) {
          const place = requests.find(user, named(`r${name}`), 0)
          const known = twin.get(`${user}/r${name}`)
          assert.equal(place === UNKNOWN ? undefined : requests.number(place), known?.number)
        }
      }
      assert.deepEqual(numbersIn(requests), [all.map(({ number }) => number), all.map((memory) => memory.refusal)])
    }),
    { numRuns: 300 },
  )
})

test('SPOT-ONCE-001: requests are found while the memory grows, and forgotten ones are not', () => {
  const count = 200_000
  const few = 60_000
  const requests = new Requests(() => false, few)
  for (let n = 0; n < count; n++) {
    if (requests.meet(1 + (n % 7), named(`id-${n}`, n), 0, 11, 6, 7) !== UNKNOWN) assert.fail(`${n} was met before it came`)
    requests.keep(n + 1, 0)
    const old = n - (n % few)
    if (n % 97 === 0) assert.equal(requests.number(requests.find(1 + (old % 7), named(`id-${old}`), 0)), old + 1)
  }
  const copy = restored(requests, () => false, few)
  for (const memory of [requests, copy]) {
    for (let n = 0; n < count; n++) {
      const place = memory.meet(1 + (n % 7), named(`id-${n}`, n), 0, 11, 6, 7)
      const isRight = n < count - few ? place === UNKNOWN : memory.number(place) === n + 1 && memory.isSame(place)
      if (!isRight) assert.fail(`${n} is remembered wrongly`)
      if (memory.find(1 + ((n + 1) % 7), named(`id-${n}`, n), 0) !== UNKNOWN) assert.fail(`${n} is another user's`)
    }
  }
})

/** Two of 2^16 ids agree in some 16 bits of their hashes once per pair in 65,536; ids that hash alike would do so far more often. */
test('SPOT-ONCE-002: ids that differ in few characters have hashes that agree no more often than chance would have it', () => {
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
    const requests = new Requests(() => false)
    for (let n = 0; n < count; n++) {
      if (requests.meet(5, named(pattern(n), n), 0, 11, 6, 7) !== UNKNOWN) assert.fail(`pattern ${at}: ${n} is another's`)
      requests.keep(n, 0)
    }
    const dump = new Records()
    requests.dump(dump)
    for (const [first, second, shift] of [
      [1, 2, 0],
      [1, 2, 16],
      [2, 1, 16],
    ] as const) {
      const seen = new Map<number, number>()
      let pairs = 0
      for (let n = 0; n < count; n++) {
        const low = (dump.data[1 + n * 7 + first - 1]! >>> shift) & 0xffff
        const high = (dump.data[1 + n * 7 + second - 1]! >>> shift) & 0xff
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

function restored(requests: Requests, isOpen: (number: number) => boolean, most = max): Requests {
  const dump = new Records()
  requests.dump(dump)
  const copy = new Requests(isOpen, most)
  assert.equal(copy.restore(dump.data, 0), dump.length)
  const again = new Records()
  copy.dump(again)
  assert.deepEqual(Buffer.from(again.bytes()), Buffer.from(dump.bytes()))
  return copy
}

function numbersIn(requests: Requests): readonly (readonly number[])[] {
  const { data, length } = ((dump) => (requests.dump(dump), dump))(new Records())
  const rows = Array.from({ length: (length - 1) / 7 }, (_, n) => 1 + n * 7)
  return [rows.map((row) => data[row + 6]!), rows.map((row) => data[row + 5]!)]
}

test('what is no command is thrown at, not read for ever', () => {
  assert.throws(() => Exchange.create().executeAll(new Float64Array(32), 0, 32, new Records()), /unknown command code 0/)
})
