import { type LiabilityProof, readLiabilityText } from '@candor/core/proof/liabilities.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { headKeys, newestNaming } from '../../store/query/proof/heads.ts'
import { nodeRows, ownersIn, type RowPlace, statementOf, statementSecret, uidOf } from '../../store/query/proof/statements.ts'
import { hashLeaves, parentsOf, type TreeName } from './fast-tree.ts'
import { leafBytes, nodeBytes, noncesOf, readLeaf, readSum, rowLevels, rowNodes } from './layout.ts'
import { leavesIn } from './owners.ts'

type ShownLeaf = LiabilityProof['trees'][number]['leaves'][number]

/** A customer's own leaves in the statement that the newest head names. Undefined while no head names one. */
export async function ownProof(pool: pg.Pool, user: UserId): Promise<LiabilityProof | undefined> {
  const head = await newestNaming(pool)
  if (head === undefined) return undefined
  const { n } = head.liabilities
  const [uid, statement, secret, keys] = await Promise.all([
    uidOf(pool, user),
    statementOf(pool, n),
    statementSecret(pool, n),
    headKeys(pool),
  ])
  const { trees } = (statement && readLiabilityText(statement.text)) ?? { trees: undefined }
  if (uid === undefined || statement === undefined || trees === undefined || secret === undefined) return undefined
  const owned = leavesIn(await ownersIn(pool, n, Number(uid) % secret.buckets), Number(uid))
  const places = owned.flatMap(({ tree, indexes }) => indexes.flatMap((index) => rowsOf(tree, index, trees[tree]!.size)))
  // One read for all leaves.
  const rows = await nodeRows(pool, n, places)
  let next = 0
  const shown = owned.map(({ tree, indexes }) => {
    const { asset, kind, size } = trees[tree]!
    const leaves = indexes.map((index) => {
      const count = rowsOf(tree, index, size).length
      return shownLeaf({ tree, asset, kind }, secret.seed, index, rows.slice(next, (next += count)))
    })
    return { asset, kind, leaves }
  })
  const { text, signature } = head
  return { uid, statement: statement.text, head: { n: head.n, text, signature }, keys, trees: shown }
}

/** Rows that have the siblings of a leaf and of the nodes above it, from the leaves upward. */
function rowsOf(tree: number, index: number, size: number): readonly RowPlace[] {
  const rows: RowPlace[] = []
  for (let level = 0; level === 0 || 2 ** level < size; level += rowLevels)
    rows.push({ tree, level, place: Math.floor(index / 2 ** (level + rowLevels)) })
  return rows
}

function shownLeaf(name: TreeName, seed: Buffer, index: number, rows: readonly Buffer[]): ShownLeaf {
  const path: { sum: number; hash: string }[] = []
  let place = index
  for (const [n, row] of rows.entries()) {
    let nodes = n === 0 ? hashLeaves(name, seed, Math.floor(index / rowNodes), row) : row
    for (let at = place % rowNodes; nodes.length > nodeBytes; at = Math.floor(at / 2), nodes = parentsOf(nodes)) {
      const beside = (at ^ 1) * nodeBytes
      path.push({ sum: readSum(nodes, beside), hash: nodes.toString('hex', beside + 8, beside + nodeBytes) })
    }
    place = Math.floor(place / rowNodes)
  }
  const { split, amount } = readLeaf(rows[0]!, (index % rowNodes) * leafBytes)
  return { split, index, nonce: noncesOf(seed, name.tree, index, 1).toString('hex'), amount, path }
}
