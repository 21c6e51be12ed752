/** The index of remembered requests, on its own and with small tables. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestPlace } from '../entry.ts'
import { refuseMemory } from '../../test/short-memory.ts'
import { EXPECTED, HASH } from '../expected-fields.ts'
import { Both, id, type Id } from './indexed.ts'

test('SPOT-ONCE-001: the index finds its requests and no others while it grows through all its sizes', () => {
  for (const [secret, sizes, count] of [
    [0, [1, 3, 6], 900],
    [7, [1, 2, 4, 8], 2_500],
    [-5, [4, 5, 7], 1_200],
  ] as const) {
    const both = new Both(secret, sizes)
    for (let n = 0; n < count; n++) {
      both.add(id(n))
      if (n % 3 === 0) both.remove(id(n >> 1))
      both.finds(id(n))
      both.finds(id(n >> 1))
      both.finds(id(n + 1))
      if (n % 97 === 0) both.agrees()
    }
    both.agrees()
    // Beyond its last size all buckets are full, and requests stand beside them.
    for (const [, one] of [...both.twin.values()]) {
      both.remove(one)
      both.finds(one)
    }
    for (let n = 0; n < count; n++) both.finds(id(n))
  }
})

test('SPOT-ONCE-001: requests that find their bucket full are found, removed, and moved when the bucket is split', () => {
  // Two buckets for up to 254 requests before the index begins to grow.
  const both = new Both(3, [1, 4])
  const index = both.index
  const crowded: Id[] = []
  const others: Id[] = []
  for (let n = 0; crowded.length < 40; n++) {
    const hash = index.hash(id(n).low, id(n).high)
    if ((hash & 1) === 0) crowded.push(id(n))
    else if (others.length < 5) others.push(id(n))
  }
  for (const one of [...crowded.slice(0, 14), ...others]) both.add(one)
  both.agrees()
  both.remove(crowded[13]!)
  both.remove(crowded[2]!)
  both.agrees()
  both.add(crowded[13]!)
  both.remove(crowded[0]!)
  both.agrees()
  for (const one of crowded.slice(14)) both.add(one)
  both.agrees()
  for (const one of crowded.filter((_, n) => n % 2 === 1)) {
    both.remove(one)
    both.finds(one)
  }
  both.agrees()
  assert.throws(() => index.remove(index.hash(crowded[1]!.low, crowded[1]!.high), 1 as RequestPlace), /not in the index/)
})

test('SPOT-ONCE-001: ids that the index keeps alike in all but their words are told apart', () => {
  for (const changed of ['low', 'high'] as const) {
    const both = new Both(3, [1, 3])
    const seen = new Map<string, Id>()
    let pairs = 0
    for (let n = 0; n < 4_000 && pairs < 3; n++) {
      const one = { low: 7, high: 9, user: 1, [changed]: Math.imul(n, 0x9e3779b1) }
      const hash = both.index.hash(one.low, one.high)
      // The byte of hash of a request, what stands beside its place, and its bucket in either size.
      const key = `${hash >>> 24} ${(hash >>> 14) & 127} ${hash & 7}`
      const other = seen.get(key)
      seen.set(key, one)
      if (other === undefined) continue
      pairs++
      both.add(other)
      both.finds(one)
      both.add(one)
      both.agrees()
      both.remove(other)
      both.finds(other)
      both.finds(one)
    }
    assert.equal(pairs, 3)
  }
})

test('SPOT-ONCE-001: a new id is unknown in a full bucket, whatever the bucket after it contains', () => {
  const both = new Both(3, [1])
  const hashOf = ({ low, high }: Id): number => both.index.hash(low, high)
  const found = (is: (hash: number) => boolean, count: number): readonly Id[] => {
    const all: Id[] = []
    for (let n = 0; all.length < count; n++) if (is(hashOf(id(n)))) all.push(id(n))
    return all
  }
  const crowd = found((hash) => (hash & 1) === 0, 13)
  const next = found((hash) => (hash & 1) === 1, 4)
  for (const one of [...crowd, ...next]) both.add(one)
  // A search that runs past the end of the full bucket would find a place for such an id.
  const [looks] = found((hash) => {
    const isCount = hash >>> 24 === 12 + 16
    return (hash & 1) === 0 && isCount && ((hash >>> 14) & 127) === hashOf(next[3]!) >>> 25
  }, 1)
  both.finds(looks!)
  both.agrees()
})

test('SPOT-ONCE-001: a bucket that is full before and after its split has each request once', () => {
  const both = new Both(3, [1, 4])
  const crowded: Id[] = []
  for (let n = 0; crowded.length < 16; n++) if ((both.index.hash(id(n).low, id(n).high) & 15) === 0) crowded.push(id(n))
  for (const one of crowded) both.add(one)
  both.agrees()
  for (const one of crowded.toReversed()) {
    both.remove(one)
    both.finds(one)
    both.agrees()
  }
})

test('SPOT-ONCE-001: a large index splits two buckets with each request, and finds all meanwhile', () => {
  const both = new Both(11, [14, 17])
  const count = 7 * 2 ** 14
  for (let n = 0; n < count + 9_000; n++) {
    both.add(id(n))
    if (n >= count - 10 && n % 50 === 0) {
      both.finds(id(n - 40_000))
      both.remove(id(n - 40_000))
      both.finds(id(n - 40_000))
    }
    if (n > count && n % 1_500 === 0) for (let m = 0; m < n; m += 7) both.finds(id(m))
  }
  for (let n = 0; n < count + 10_000; n++) both.finds(id(n))
})

test('SPOT-ONCE-001: the index of an exchange finds its first requests, and those after it has grown once', () => {
  const both = new Both(9)
  for (let n = 0; n < 5_000; n++) {
    both.finds(id(n))
    both.add(id(n))
    if (n % 1_000 === 0) both.agrees()
  }
  both.agrees()
})

test('FUNDS-ROWS-005: the memory of the whole index is allocated at once, and its requests stay', () => {
  const both = new Both(5, [1, 3, 17])
  for (let n = 0; n < 20; n++) both.add(id(n))
  assert.equal(both.index.reserve(), true)
  both.agrees()
  for (let n = 20; n < 400; n++) both.add(id(n))
  both.agrees()
})

test('FUNDS-ROWS-007: an index that the system gives no more memory reports this, and finds its requests while it grows', (t) => {
  const both = new Both(5, [1, 3, 15, 17])
  for (let n = 0; n < 20; n++) both.add(id(n))
  refuseMemory(t, (bytes) => bytes > 2 ** 23)
  assert.equal(both.index.reserve(), false)
  t.mock.restoreAll()
  for (let n = 20; n < 400; n++) both.add(id(n))
  both.agrees()
})

test('SPOT-GROW-002: reading ahead changes nothing', () => {
  const both = new Both(5, [2, 4])
  const words = new Int32Array(2 * EXPECTED)
  for (let n = 0; n < 20; n++) both.add(id(n))
  words[HASH] = both.index.hash(id(3).low, id(3).high)
  words[EXPECTED + HASH] = both.index.hash(id(90).low, id(90).high)
  const read = [0, 1, 2].map((count) => both.index.reach(words, count))
  assert.equal(read[0], 0)
  assert.notEqual(read[1], 0)
  const [first, second] = [words.slice(0, EXPECTED), words.slice(EXPECTED)].map((one) => both.index.reach(one, 1))
  assert.notEqual(first, second)
  assert.deepEqual(read.slice(1), [first, first! ^ second!])
  both.agrees()
})
