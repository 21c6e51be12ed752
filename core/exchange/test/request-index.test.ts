import type { UserId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ENTRY, HIGH, LOW, pageBits, UNKNOWN, USER } from '../requests/entry.ts'
import { RequestIndex } from '../requests/hash-index.ts'

type Id = { readonly low: number; readonly high: number; readonly user: number }

/** An index with its entries, and a map of the places that it must find. */
class World {
  readonly #pages: Int32Array[] = []
  readonly #index: RequestIndex
  readonly #known = new Map<string, number>()
  #next = 0

  constructor(secret: number, sizes: readonly number[]) {
    this.#index = new RequestIndex(this.#pages, secret, sizes)
  }

  add(id: Id): void {
    if (this.#known.has(keyOf(id))) return
    const place = this.#next++
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
