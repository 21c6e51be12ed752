import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { emptyRoot, GrowingTree } from '@candor/core/proof/merkle.ts'
import { receiptLeaf, receiptText } from '@candor/core/proof/receipt.ts'
import { leafOf, type ReceiptLeaf, rowHashes, saltOf } from './receipts.ts'
import { ReceiptTree, type TreeRow } from './receipt-tree.ts'

const leafAt = (n: number): ReceiptLeaf => ({ seq: 10 + n, user: n % 7, hash: createHash('sha256').update(String(n)).digest() })

async function treeOf(leaves: readonly ReceiptLeaf[], pageLength = 200) {
  const rows: TreeRow[] = []
  const tree = new ReceiptTree(async (row) => void rows.push(row))
  for (let at = 0; at < leaves.length; at += pageLength) await tree.add(leaves.slice(at, at + pageLength))
  return { rows, ...(await tree.end()) }
}

test('the tree of a head’s receipts has the root that the core’s tree has', async () => {
  assert.deepEqual(await treeOf([]), { rows: [], size: 0, root: emptyRoot })
  const square = rowHashes ** 2
  const all = Array.from({ length: square + rowHashes + 3 }, (_, n) => leafAt(n))
  for (const size of [
    1,
    2,
    3,
    200,
    rowHashes - 1,
    rowHashes,
    rowHashes + 1,
    3 * rowHashes + 5,
    square - 1,
    square,
    square + 1,
    all.length,
  ]) {
    const leaves = all.slice(0, size)
    const twin = new GrowingTree()
    for (const { hash } of leaves) twin.add(hash)
    const { root, rows, size: counted } = await treeOf(leaves)
    assert.equal(counted, size)
    assert.deepEqual(Buffer.from(root), Buffer.from(twin.root()), `${size} leaves`)
    const bottom = rows.filter(({ level }) => level === 0)
    assert.deepEqual(Buffer.concat(bottom.map(({ hashes }) => hashes)), Buffer.concat(leaves.map(({ hash }) => hash)))
    for (const { level, place, seq, user } of rows) {
      const first = leaves[place * rowHashes ** (level + 1)]!
      assert.deepEqual([seq, user], [first.seq, first.user], `level ${level}, place ${place}`)
    }
  }
})

test('rows of the tree do not depend on the pages of its leaves', async () => {
  const leaves = Array.from({ length: 2 * rowHashes + 9 }, (_, n) => leafAt(n))
  assert.deepEqual(await treeOf(leaves, 1), await treeOf(leaves, leaves.length))
})

test('the platform’s leaf of a receipt is that of the core, however long its text is', () => {
  const secret = Buffer.alloc(32, 7)
  for (const lines of ['', 'order x\n', 'a long line '.repeat(10_000), 'order y\n']) {
    const row = { seq: 12, user: 3, at: 1_700_000_000_000, uid: '10000001', secret, lines }
    const text = receiptText({ seq: row.seq, at: row.at, user: row.uid }, lines)
    assert.deepEqual(leafOf(row), Buffer.from(receiptLeaf(saltOf(row), text)))
  }
})
