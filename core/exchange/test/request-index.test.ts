import type { UserId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ENTRY, HIGH, LOW, pageBits, UNKNOWN, USER } from '../requests/entry.ts'
import type { RequestPlace } from '../requests/entry.ts'
import { RequestIndex } from '../requests/hash-index.ts'

type Id = { readonly low: number; readonly high: number; readonly user: number }

/** An index with its entries, and a map of the places that it must find. */
class World {
  readonly #pages: Int32Array[] = []
  readonly #index: RequestIndex
  readonly #known = new Map<string, RequestPlace>()
  #next = 0

  constructor(secret: number, sizes: readonly number[]) {
    this.#index = new RequestIndex(this.#pages, secret, sizes)
  }

  add(id: Id): void {
    if (this.#known.has(keyOf(id))) return
    const place = this.#next++ as RequestPlace
    if (place >>> pageBits === this.#pages.length) this.#pages.push(new Int32Array(ENTRY << pageBits))
    const at = (place & (2 ** pageBits - 1)) * ENTRY
    const page = this.#pages[place >>> pageBits]!
    page[at + LOW] = id.low
    page[at + HIGH] = id.high
    page[at + USER] = id.user
    this.#index.add(this.#hash(id), place)
    this.#known.set(keyOf(id), place)
  }

  remove(id: Id): void {
    const place = this.#known.get(keyOf(id))
    if (place === undefined) return
    this.#index.remove(this.#hash(id), place)
    this.#known.delete(keyOf(id))
  }

  check(id: Id): void {
    const found = this.#index.find(this.#hash(id), id.low, id.high, id.user as UserId)
    if (found !== (this.#known.get(keyOf(id)) ?? UNKNOWN)) assert.fail(`${keyOf(id)} is found at ${found}`)
  }

  #hash({ low, high }: Id): number {
    return this.#index.hash(low, high)
  }
}

const keyOf = ({ low, high, user }: Id): string => `${low} ${high} ${user}`

test('SPOT-ONCE-001: the index finds its entries and nothing else, however much it has grown', () => {
  const step = fc.record({ low: fc.nat(40), high: fc.nat(12), user: fc.nat(3), isAdded: fc.nat(3).map((n) => n > 0) })
  fc.assert(
    fc.property(fc.integer(), fc.array(step, { maxLength: 2000, size: 'max' }), (secret, steps) => {
      const world = new World(secret, [1, 3, 6, 8])
      for (const { isAdded, ...id } of steps) {
        if (isAdded) world.add(id)
        else world.remove(id)
        world.check(id)
      }
      for (const id of steps) world.check(id)
    }),
    { numRuns: 60 },
  )
  // Grows through sizes at which the number of a bucket has more bits than an entry has room for beside the place.
  const world = new World(7, [2, 13, 15, 18])
  const count = 500_000
  const id = (n: number): Id => ({ low: Math.imul(n, 0x9e3779b1), high: n, user: n & 7 })
  for (let n = 0; n < count; n++) {
    world.add(id(n))
    if (n % 3 === 0) world.remove(id(n >> 1))
  }
  for (let n = 0; n < count; n++) world.check(id(n))
})

test('SPOT-ONCE-009: client ids that collide under one secret do not collide under another', () => {
  const buckets = 2 ** 16
  const known = new RequestIndex([], 0)
  const chosen: Id[] = []
  for (let n = 0; chosen.length < 200; n++) {
    const id = { low: Math.imul(n, 0x9e3779b1), high: ~n, user: 1 + (n % 1000) }
    if ((known.hash(id.low, id.high) & (buckets - 1)) === 5) chosen.push(id)
  }
  for (const secret of [1, 0x12345678, -2, 0x7fffffff]) {
    const other = new RequestIndex([], secret)
    const places = new Set(chosen.map(({ low, high }) => other.hash(low, high) & (buckets - 1)))
    assert.ok(places.size > 190, `secret ${secret}: ${chosen.length} ids in ${places.size} buckets`)
  }
})

test('SPOT-ONCE-009: ids whose hashes follow a pattern fill no bucket, for any secret', () => {
  const bits = 16
  const mask = 2 ** bits - 1
  const parts: readonly ((value: number) => [number, number])[] = [(v) => [v, 77], (v) => [77, v], (v) => [v, v], (v) => [v, -v | 0]]
  const steps = Array.from({ length: 21 }, (_, shift) => 2 ** shift).concat(0x85ebca6b, 0xc2b2ae35, 0x9e3779b1, 65_537)
  for (const secret of [0, 1, 0x12345678, -2, 0x7fffffff]) {
    const index = new RequestIndex([], secret)
    for (const step of steps) {
      for (const part of parts) {
        const counts = new Uint16Array(mask + 1)
        for (let n = 0; n < 4096; n++) counts[index.hash(...part(Math.imul(n, step))) & mask]!++
        const most = counts.reduce((a, b) => Math.max(a, b))
        assert.ok(most <= 8, `secret ${secret}: ${most} of 4,096 ids in steps of ${step} meet`)
      }
    }
  }
})

test('SPOT-ONCE-009: two hashes that differ in one or two bits meet for few secrets only', () => {
  const mask = 2 ** 16 - 1
  const secrets = Array.from({ length: 400 }, (_, n) => Math.imul(n + 1, 0x9e3779b1) ^ (n << 7))
  const indexes = secrets.map((secret) => new RequestIndex([], secret))
  for (let one = 0; one < 64; one++) {
    for (let other = one; other < 64; other++) {
      const low = (one < 32 ? 1 << one : 0) ^ (other < 32 && other !== one ? 1 << other : 0)
      const high = (one >= 32 ? 1 << (one - 32) : 0) ^ (other >= 32 && other !== one ? 1 << (other - 32) : 0)
      let meetings = 0
      for (const index of indexes) if (((index.hash(1234, 5678) ^ index.hash(1234 ^ low, 5678 ^ high)) & mask) === 0) meetings++
      assert.ok(meetings <= 4, `bits ${one} and ${other}: ${meetings} of ${secrets.length} secrets`)
    }
  }
})
