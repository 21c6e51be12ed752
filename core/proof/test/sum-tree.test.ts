import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { toHex } from '../sha256.ts'
import { isTreeSum, leafOwner, rootOfSumPath, type SumNode, sumLeaf, sumNode, sumTreeLevels, treeSumMax } from '../sum-tree.ts'
import { type SlowNode, slowLeaf, slowNode, slowPath, slowRoot } from './sum-trees.ts'

const node = ({ sum, hash }: SlowNode): SumNode => ({ sum: Number(sum), hash: Uint8Array.from(hash) })
const shown = ({ sum, hash }: SumNode): string => `${sum} ${toHex(hash)}`
const nonce = fc.uint8Array({ minLength: 16, maxLength: 16 })

test('PROOF-LIABILITY-003: leaves and nodes are the hashes of the documented bytes', () => {
  const owner = leafOwner({ uid: '123456789', asset: 'USDT', kind: 'claims', split: 2 })
  assert.equal(toHex(owner), createHash('sha256').update('123456789 USDT claims 2').digest('hex'))
  const amount = fc.oneof(fc.nat(), fc.integer({ min: 0, max: treeSumMax / 2 }))
  fc.assert(
    fc.property(nonce, nonce, amount, amount, (left, right, a, b) => {
      const slow = [slowLeaf(left, '123456789 USDT claims 2', BigInt(a)), slowLeaf(right, '123456789 USDT claims 2', BigInt(b))] as const
      const own = [sumLeaf(left, owner, a), sumLeaf(right, owner, b)] as const
      assert.deepEqual(own.map(shown), slow.map(node).map(shown))
      assert.equal(shown(sumNode(...own)), shown(node(slowNode(...slow))))
    }),
  )
  const fixed = sumNode(sumLeaf(new Uint8Array(16), owner, 1), sumLeaf(new Uint8Array(16).fill(255), owner, treeSumMax - 1))
  assert.equal(shown(fixed), `4503599627370496 d9e5c05c815677635d4781d2afda0fa4262216a15c395f09ccf37a6261630f7e`)
})

test('PROOF-LIABILITY-004: every leaf has one path to the root; any other leaf, step, index or size leads elsewhere or nowhere', () => {
  for (const size of [1, 2, 4, 8, 16]) {
    const slow = Array.from({ length: size }, (_, n) => slowLeaf(Buffer.alloc(16, n), `u${n}`, BigInt(n * n)))
    const root = shown(node(slowRoot(slow)))
    const leads = (leaf: SumNode, index: number, count: number, path: readonly SumNode[]): boolean => {
      const found = rootOfSumPath(leaf, index, count, path)
      return found !== undefined && shown(found) === root
    }
    for (const [index, one] of slow.entries()) {
      const [leaf, path] = [node(one), slowPath(slow, index).map(node)]
      for (let place = -1; place <= size; place++) assert.equal(leads(leaf, place, size, path), place === index)
      for (const count of [0, size - 1, size + 1, size * 2, size / 2]) assert.ok(!leads(leaf, index, count, path))
      for (const wrong of [0.5, Number.NaN, -0.5, 2 ** 60]) assert.ok(!leads(leaf, wrong, size, path) && !leads(leaf, index, wrong, path))
      assert.ok(!leads({ ...leaf, sum: leaf.sum + 1 }, index, size, path) || size === 1)
      assert.ok(!leads(leaf, index, size, [...path, leaf]) && (size === 1 || !leads(leaf, index, size, path.slice(1))))
      for (const [step, beside] of path.entries()) {
        const changed = [
          { ...beside, sum: beside.sum + 1 },
          { ...beside, hash: beside.hash.map((byte, n) => (n === 5 ? byte ^ 1 : byte)) },
        ]
        for (const other of [...changed, { ...beside, hash: beside.hash.slice(1) }])
          assert.ok(!leads(leaf, index, size, path.with(step, other)))
      }
    }
  }
})

test('PROOF-LIABILITY-005: an amount or sum that is negative, not whole or above 2^52 is refused wherever it stands', () => {
  const zeros = new Uint8Array(32)
  for (const wrong of [-1, -0, 0.5, Number.NaN, Infinity, treeSumMax + 1, 2 ** 53]) {
    assert.ok(!isTreeSum(wrong), String(wrong))
    assert.throws(() => sumLeaf(new Uint8Array(16), zeros, wrong), RangeError)
    const other = { sum: wrong, hash: zeros }
    assert.equal(rootOfSumPath({ sum: 2, hash: zeros }, 0, 2, [other]), undefined)
  }
  for (const other of ['1', null, 1n]) assert.ok(!isTreeSum(other))
  assert.ok(isTreeSum(0) && isTreeSum(treeSumMax))
  const half = { sum: treeSumMax / 2 + 1, hash: zeros }
  assert.throws(() => sumNode(half, half), RangeError)
  // Beyond 2^64 the eight bytes would begin again at zero.
  assert.equal(
    rootOfSumPath(half, 0, 4, [
      { sum: treeSumMax / 2 - 1, hash: zeros },
      { sum: 1, hash: zeros },
    ]),
    undefined,
  )
  assert.notEqual(
    rootOfSumPath(half, 0, 4, [
      { sum: treeSumMax / 2 - 1, hash: zeros },
      { sum: 0, hash: zeros },
    ]),
    undefined,
  )
})

test('PROOF-LIABILITY-004: only powers of two up to 2^40 are sizes of trees', () => {
  for (let level = 0; level <= 40; level++) assert.equal(sumTreeLevels(2 ** level), level)
  for (const wrong of [0, -2, 3, 5, 2 ** 40 - 1, 2 ** 41, 0.5, Number.NaN, Infinity]) assert.equal(sumTreeLevels(wrong), undefined)
})
