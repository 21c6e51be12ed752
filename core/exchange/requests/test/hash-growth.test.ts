/** How the index of remembered requests grows, which memory it takes and touches, and which entries it reads. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { refuseMemory } from '../../test/short-memory.ts'
import { RequestIndex } from '../hash-index.ts'
import { Both, id, type Id } from './indexed.ts'

/** Adds ids of increasing numbers, and returns how many words of entries each addition reads. */
function adder(both: Both): (count: number) => readonly number[] {
  let next = 0
  return (count) => Array.from({ length: count }, () => both.readsOf(() => both.add(id(next++))))
}

const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0)

test('an index grows once it has seven requests per bucket: a small one at once, a large one by two buckets with each request', () => {
  const both = new Both(3, [3, 4, 17])
  const add = adder(both)
  /** Two words for each request of these two of sixteen buckets. */
  const wordsIn = (bucket: number): number =>
    2 * [...both.twin.values()].filter(([, { low, high }]) => ((both.index.hash(low, high) & 15) >> 1) * 2 === bucket).length
  assert.deepEqual(add(56), zeros(56))
  both.remove(id(0))
  assert.deepEqual(add(2), [0, 2 * 56])
  assert.deepEqual(add(55), zeros(55))
  for (let bucket = 0; bucket < 16; bucket += 2) {
    // With fewer requests, the growth that has begun continues.
    if (bucket === 4) for (let n = 10; n < 30; n++) both.remove(id(n))
    const words = wordsIn(bucket)
    assert.deepEqual(add(1), [words], `buckets ${bucket} and ${bucket + 1}`)
    both.agrees()
  }
  assert.deepEqual(add(300), zeros(300))
  both.agrees()
})

test('an index of the last size stays as it is, however many requests come', () => {
  const both = new Both(3, [1, 3])
  const add = adder(both)
  assert.deepEqual(add(15), [...zeros(14), 2 * 14])
  assert.deepEqual(add(400), zeros(400))
  both.agrees()
})

test('an index of 16,384 buckets or more splits them and reads only the entries of requests that found no room', () => {
  const both = new Both(11, [14, 17])
  const count = 7 * 2 ** 14 + 2 ** 13
  const words = adder(both)(count).reduce((sum, each) => sum + each, 0)
  // One request in thirty finds its bucket full.
  assert.ok(words > 0 && words < (2 * count) / 20, `${words} words for ${count} requests`)
  for (let n = 0; n < count + 100; n += 5) both.finds(id(n))
})

test('FUNDS-ROWS-005: an index that takes its memory at once first grows as far as it is copied at once, and takes none later', (t) => {
  const taken: number[] = []
  const both = new Both(5, [1, 3, 16, 17])
  adder(both)(10)
  refuseMemory(t, (bytes) => {
    taken.push(bytes)
    return false
  })
  assert.equal(
    both.readsOf(() => both.index.reserve()),
    2 * 2 * 10,
  )
  assert.equal(taken.length, 2)
  both.agrees()

  const large = new Both(5, [3, 21])
  const add = adder(large)
  add(10)
  taken.length = 0
  assert.equal(
    large.readsOf(() => large.index.reserve()),
    0,
  )
  assert.equal(taken.length, 1)
  assert.deepEqual([add(46), add(1)[0]! > 0], [zeros(46), true])
  add(10)
  assert.equal(taken.length, 1, 'the index grows in the memory that it has')
  large.agrees()
})

/** The arrays of words that are allocated from now on. */
function allocations(t: TestContext): readonly Int32Array[] {
  const all: Int32Array[] = []
  const kept = new Proxy(Int32Array, {
    construct(target, given: unknown[], newTarget) {
      const made: Int32Array = Reflect.construct(target, given, newTarget)
      all.push(made)
      return made
    },
  })
  t.mock.property(globalThis, 'Int32Array', kept)
  return all
}

test('each of the last 256 requests before an index grows touches another part of the memory that it grows into', (t) => {
  const allocated = allocations(t)
  const lengthOf = (bits: number): number => {
    const before = allocated.length
    assert.ok(new RequestIndex([], 0, [bits]))
    return Math.max(...allocated.slice(before).map(({ length }) => length))
  }
  const [from, to] = [lengthOf(8), lengthOf(17)]
  const both = new Both(5, [8, 17])
  const add = adder(both)
  both.index.reserve()
  const table = allocated.at(-1)!
  const part = (to - from) / 256
  const end = to + part
  add(7 * 256 - 257)
  table.fill(-1, from, end)
  add(1)
  assert.equal(table.subarray(from, end).indexOf(0), -1, 'none touches it earlier')
  add(256)
  const touched: number[] = []
  for (let at = table.indexOf(0, from); at >= 0 && at < end; at = table.indexOf(0, at + 1)) touched.push(Math.floor((at - from) / part))
  assert.deepEqual(
    touched,
    Array.from({ length: 256 }, (_, n) => n),
  )
  table.fill(0, from, end)
  assert.ok(add(1)[0]! > 0, 'then it grows')
  both.agrees()
})

test('a new id is told from the remembered ones without reading their entries, unless fifteen bits of hash agree', () => {
  const both = new Both(3, [1, 3])
  const facts = (one: Id): readonly [bucket: number, tag: number, more: number] => {
    const hash = both.index.hash(one.low, one.high)
    return [hash & 1, hash >>> 24, (hash >>> 14) & 127]
  }
  const first = id(1)
  const [bucket, tag, more] = facts(first)
  const found = (is: (one: Id) => boolean): Id => {
    for (let n = 2; ; n++) if (is(id(n))) return id(n)
  }
  const second = found((one) => facts(one)[0] === bucket && facts(one)[1] !== tag && facts(one)[2] !== more)
  const alike = found((one) => facts(one)[0] === bucket && facts(one)[1] === tag && facts(one)[2] === facts(second)[2])
  both.add(first)
  both.add(second)
  assert.equal(
    both.readsOf(() => both.finds(alike)),
    0,
  )
  assert.equal(
    both.readsOf(() => both.finds(second)),
    3,
  )
  both.add(alike)
  both.agrees()
})
