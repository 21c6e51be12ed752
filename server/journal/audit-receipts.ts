import { readHeadText } from '@candor/core/proof/head.ts'
import { toHex } from '@candor/core/proof/sha256.ts'
import type pg from 'pg'
import { headsFrom } from '../store/query/proof/heads.ts'
import { leavesOf, type ReceiptRange } from '../store/query/proof/receipts.ts'
import { ReceiptTree, type TreeRow } from '../store/query/proof/receipt-tree.ts'
import { readWatermark } from '../store/projector/watermark.ts'

type Queries = pg.PoolClient

const pageHeads = 1_000

/**
 * Builds the tree of receipts of each head again from the tables, as far as these reach. Returns the first head that names another one, or
 * whose stored tree differs; none when all agree.
 */
export async function compareReceipts(client: Queries): Promise<readonly string[]> {
  const { seq: end } = await readWatermark(client)
  let after = 0
  for (let page = await headsFrom(client, 1, pageHeads); page.length > 0; page = await headsFrom(client, page.at(-1)!.n + 1, pageHeads)) {
    for (const { n, seq, text } of page) {
      if (seq > end) return []
      const { size, root, isStored } = await treeOf(client, { head: n, after, seq })
      const named = readHeadText(text)?.receipts
      if (size !== named?.size || root !== named.root) return [`Head ${n} has other receipts than the tables`]
      if (!isStored) return [`The stored tree of the receipts of head ${n} is not that of its receipts`]
      after = seq
    }
  }
  return []
}

type Tree = { readonly size: number; readonly root: string; readonly isStored: boolean }

async function treeOf(client: Queries, range: ReceiptRange): Promise<Tree> {
  const rows: TreeRow[] = []
  const tree = new ReceiptTree(async (row) => void rows.push(row))
  for await (const leaves of leavesOf(client, range)) await tree.add(leaves)
  const { size, root } = await tree.end()
  const stored = await client.query<TreeRow>(
    'select level, place, seq, user_id as user, hashes from receipt_trees where head = $1 order by level, place',
    [range.head],
  )
  const wanted = rows.sort((a, b) => a.level - b.level || a.place - b.place)
  const isStored = stored.rows.length === wanted.length && stored.rows.every((row, n) => isSame(row, wanted[n]!))
  return { size, root: toHex(root), isStored }
}

function isSame(a: TreeRow, b: TreeRow): boolean {
  return a.level === b.level && a.place === b.place && a.seq === b.seq && a.user === b.user && a.hashes.equals(b.hashes)
}
