import { headLeaf, readHeadText } from '@candor/core/proof/head.ts'
import { type CheckSignature, HeadKeys } from '@candor/core/proof/head-keys.ts'
import { GrowingTree } from '@candor/core/proof/merkle.ts'
import { toHex } from '@candor/core/proof/sha256.ts'
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type pg from 'pg'
import { headKeys } from '../store/query/proof/heads.ts'

const pageRows = 2_000

type Row = { readonly n: number; readonly text: string; readonly signature: string; readonly hash: string | null; readonly epoch: number }

/**
 * Compares the signed heads with the journal: each must name a row that is there, carry the root of all heads before it, and be signed by
 * the key that it names, which the key before it announced. Returns the first difference as a sentence; none when all agree.
 */
export async function compareHeads(client: Pick<pg.PoolClient, 'query'>): Promise<readonly string[]> {
  const keys = new HeadKeys(isHeadSigned)
  const wrongKeys = await keys.take(await headKeys(client))
  if (wrongKeys !== undefined) return [`The list of keys that sign heads ${wrongKeys}`]
  const { rows } = await client.query<{ before: number }>('select seq - n as before from journal order by seq limit 1')
  const pruned = rows[0]?.before ?? 0
  const tree = new GrowingTree()
  for (let page = await rowsAfter(client, 0); page.length > 0; page = await rowsAfter(client, tree.size)) {
    for (const row of page) {
      const wrong = await differenceOf(row, tree, keys, pruned)
      if (wrong !== undefined) return [`Head ${row.n} ${wrong}`]
      tree.add(headLeaf(row.text))
    }
  }
  return []
}

/** `pruned`: the journal's rows up to here are no longer kept. */
async function differenceOf(
  { n, text, signature, hash, epoch }: Row,
  tree: GrowingTree,
  keys: HeadKeys,
  pruned: number,
): Promise<string | undefined> {
  const head = readHeadText(text)
  if (head === undefined || head.n !== n || n !== tree.size + 1) return 'is out of place'
  if (!(await keys.isSigned(head, text, signature))) return 'is not signed by its key'
  if (head.log !== toHex(tree.root())) return 'does not follow from the heads before it'
  if (hash === null && head.seq <= pruned) return undefined
  if (hash !== head.hash || epoch !== head.epoch) return `is not of this journal: another row ends at ${head.seq}, or none`
  return undefined
}

async function rowsAfter(client: Pick<pg.PoolClient, 'query'>, n: number): Promise<readonly Row[]> {
  const { rows } = await client.query<Row>(
    `select head.n, head.body as text, head.signature, encode(journal.hash, 'hex') as hash, coalesce(journal.epoch, 0) as epoch
     from proof_heads head left join journal using (seq) where head.n > $1 order by head.n limit ${pageRows}`,
    [n],
  )
  return rows
}

/** Whether the Ed25519 key signed the text, by the platform. */
export const isHeadSigned: CheckSignature = async (publicKey, text, signature) =>
  verify(null, Buffer.from(text, 'latin1'), keyOf(publicKey), Buffer.from(signature, 'hex'))

function keyOf(publicKey: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') }, format: 'jwk' })
}
