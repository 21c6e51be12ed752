import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  areEqual,
  consistencyPlaces,
  emptyRoot,
  GrowingTree,
  isExtended,
  leafHash,
  levelsOf,
  pathInLevels,
  pathPlaces,
  rootOfPath,
  rootOfSubtrees,
  type Subtree,
  subtreesOf,
} from './merkle.ts'

/** The definition of RFC 6962, 2.1, word by word and by the platform. */
function slowRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const sha = (...parts: readonly Uint8Array[]): Uint8Array =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
  if (leaves.length === 0) return sha()
  if (leaves.length === 1) return sha(Uint8Array.of(0), leaves[0]!)
  let k = 1
  while (k * 2 < leaves.length) k *= 2
  return sha(Uint8Array.of(1), slowRoot(leaves.slice(0, k)), slowRoot(leaves.slice(k)))
}

/** PATH(m, D) of RFC 6962, 2.1.1. */
function slowPath(m: number, leaves: readonly Uint8Array[]): readonly Uint8Array[] {
  if (leaves.length === 1) return []
  let k = 1
  while (k * 2 < leaves.length) k *= 2
  return m < k
    ? [...slowPath(m, leaves.slice(0, k)), slowRoot(leaves.slice(k))]
    : [...slowPath(m - k, leaves.slice(k)), slowRoot(leaves.slice(0, k))]
}

const most = 40
const data = Array.from({ length: most }, (_, n) => new TextEncoder().encode(`leaf ${n}`))
const at = (leaves: readonly Uint8Array[], { level, place }: Subtree): Uint8Array =>
  slowRoot(leaves.slice(place * 2 ** level, (place + 1) * 2 ** level))
const same = (a: Uint8Array | undefined, b: Uint8Array): void => assert.deepEqual(a && [...a], [...b])

test('PROOF-TREE-001: the root of a tree of 0 to 40 leaves, from its complete subtrees, is that of RFC 6962', () => {
  same(emptyRoot, slowRoot([]))
  same(leafHash(data[0]!), slowRoot(data.slice(0, 1)))
  const growing = new GrowingTree()
  for (let size = 0; size <= most; size++) {
    const leaves = data.slice(0, size)
    same(growing.root(), slowRoot(leaves))
    assert.equal(growing.size, size)
    growing.add(leafHash(data[size % most]!))
    same(rootOfSubtrees(subtreesOf(size).map((one) => at(leaves, one))), slowRoot(leaves))
  }
})

test('PROOF-TREE-002: the path of every leaf is that of RFC 6962 and leads to the root', () => {
  for (let size = 1; size <= most; size++) {
    const leaves = data.slice(0, size)
    for (let index = 0; index < size; index++) {
      const path = pathPlaces(index, size).map((step) => rootOfSubtrees(step.map((one) => at(leaves, one))))
      assert.deepEqual(
        path.map((one) => [...one]),
        slowPath(index, leaves).map((one) => [...one]),
      )
      same(rootOfPath(leafHash(leaves[index]!), index, size, path), slowRoot(leaves))
    }
  }
})

test('PROOF-TREE-002: from all levels of a tree, too, each leaf has the path of RFC 6962', () => {
  for (let size = 1; size <= most; size++) {
    const leaves = data.slice(0, size)
    const levels = levelsOf(leaves.map(leafHash))
    same(levels.at(-1)![0], slowRoot(leaves))
    for (let n = 0; n < size; n++) {
      const path = pathInLevels(levels, n)
      assert.deepEqual(
        path.map((hash) => [...hash]),
        slowPath(n, leaves).map((hash) => [...hash]),
      )
    }
  }
})

test('PROOF-TREE-003: a path with any other bit, length, index or size leads to another root or to none', () => {
  const size = 21
  const leaves = data.slice(0, size)
  const [root, leaf] = [slowRoot(leaves), leafHash(leaves[9]!)]
  const path = slowPath(9, leaves).map((one) => Uint8Array.from(one))
  const leads = (index: number, count: number, steps: readonly Uint8Array[]): boolean => {
    const found = rootOfPath(leaf, index, count, steps)
    return found !== undefined && areEqual(found, root)
  }
  assert.ok(leads(9, size, path))
  for (let step = 0; step < path.length; step++)
    for (let bit = 0; bit < 256; bit++) {
      const other = path.map((one) => Uint8Array.from(one))
      other[step]![bit >> 3]! ^= 1 << (bit & 7)
      assert.ok(!leads(9, size, other))
    }
  assert.ok(
    !leads(9, size, path.slice(1)) &&
      !leads(9, size, [...path, path[0]!]) &&
      !leads(
        9,
        size,
        path.map((one) => one.subarray(1)),
      ),
  )
  for (let index = -1; index <= size; index++) assert.equal(leads(index, size, path), index === 9)
  for (const wrong of [0.5, Number.NaN, -1, 2 ** 60]) assert.ok(!leads(wrong, size, path) && !leads(9, wrong, path))
})

test('PROOF-TREE-004: of any two trees of which one begins with the leaves of the other, this is proved; a tree with another beginning is not passed', () => {
  for (let size = 1; size <= most; size++) {
    const leaves = data.slice(0, size)
    const forked = [Uint8Array.of(7), ...leaves.slice(1)]
    for (let before = 1; before <= size; before++) {
      const places = consistencyPlaces(before, size)
      const hashes = (of: readonly Uint8Array[]) => ({
        old: places.old.map((one) => at(of, one)),
        added: places.added.map((one) => at(of, one)),
      })
      const [old, now] = [
        { root: slowRoot(leaves.slice(0, before)), size: before },
        { root: slowRoot(leaves), size },
      ]
      assert.ok(isExtended(old, now, hashes(leaves)))
      assert.ok(!isExtended(old, { root: slowRoot(forked), size }, hashes(forked)))
      assert.ok(!isExtended(old, { root: slowRoot(forked), size }, { old: hashes(leaves).old, added: hashes(forked).added }))
      const added = hashes(leaves).added.map((one) => Uint8Array.from(one, (byte, n) => (n === 31 ? byte ^ 1 : byte)))
      assert.equal(isExtended(old, now, { old: hashes(leaves).old, added }), before === size)
    }
  }
  assert.ok(!isExtended({ root: emptyRoot, size: 3 }, { root: emptyRoot, size: 2 }, { old: [], added: [] }))
})
