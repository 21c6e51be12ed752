import { type ProofHead, readHeadText } from '@candor/core/proof/head.ts'
import type { Subtree } from '@candor/core/proof/merkle.ts'
import type pg from 'pg'

type Queries = Pick<pg.Pool, 'query'>

/** A head as it was signed: its text, and the signature in hex. */
export type SignedHead = {
  readonly n: number
  readonly at: number
  readonly seq: number
  readonly text: string
  readonly signature: string
}

/** A key that signs or signed heads. `signature`: of the key before it; null for the first. Both in hex. */
export type HeadKey = { readonly key: number; readonly publicKey: string; readonly signature: string | null }

const columns = 'n, at_ms as at, seq, body as text, signature'

/** The newest head; undefined before the first. */
export async function lastHead(queries: Queries): Promise<SignedHead | undefined> {
  return (await queries.query<SignedHead>(`select ${columns} from proof_heads order by n desc limit 1`)).rows[0]
}

/** The newest head, with the statement of liabilities that it names; undefined when it names none. */
export async function newestNaming(queries: Queries): Promise<(SignedHead & Pick<ProofHead, 'liabilities'>) | undefined> {
  const last = await lastHead(queries)
  const liabilities = last && readHeadText(last.text)?.liabilities
  return last === undefined || liabilities === undefined || liabilities.n === 0 ? undefined : { ...last, liabilities }
}

/** A head a minute: within this many the next statement is there. */
const namingMax = 30

/** The first head that names a statement of liabilities; undefined when there is none yet, or it was passed over. */
export async function headNaming(
  queries: Queries,
  { n, at }: { readonly n: number; readonly at: number },
): Promise<SignedHead | undefined> {
  const { rows } = await queries.query<SignedHead>(
    `select ${columns} from proof_heads where at_ms >= $1 order by at_ms, n limit ${namingMax}`,
    [at],
  )
  return rows.find(({ text }) => readHeadText(text)?.liabilities.n === n)
}

/** Heads before the number `before`, newest first. */
export async function headsBefore(queries: Queries, before: number | undefined, limit: number): Promise<readonly SignedHead[]> {
  const sql = `select ${columns} from proof_heads where $1::bigint is null or n < $1 order by n desc limit $2`
  return (await queries.query<SignedHead>(sql, [before ?? null, limit])).rows
}

/** Heads from the number `from` on, oldest first. */
export async function headsFrom(queries: Queries, from: number, limit: number): Promise<readonly SignedHead[]> {
  return (await queries.query<SignedHead>(`select ${columns} from proof_heads where n >= $1 order by n limit $2`, [from, limit])).rows
}

/** All keys, oldest first. */
export async function headKeys(queries: Queries): Promise<readonly HeadKey[]> {
  return (await queries.query<HeadKey>('select key, public_key as "publicKey", signature from proof_keys order by key')).rows
}

/**
 * Hashes of complete subtrees of the tree of heads, in the order of `places`.
 *
 * throws  Error when one is not stored, because there are too few heads
 */
export async function treeNodes(queries: Queries, places: readonly Subtree[]): Promise<readonly Uint8Array[]> {
  if (places.length === 0) return []
  const { rows } = await queries.query<{ hash: Buffer | null }>(
    `select nodes.hash from unnest($1::smallint[], $2::bigint[]) with ordinality as wanted (level, place, n)
     left join proof_nodes nodes using (level, place) order by wanted.n`,
    [places.map(({ level }) => level), places.map(({ place }) => place)],
  )
  return rows.map(({ hash }, n) => {
    if (hash === null) throw new Error(`subtree ${places[n]!.place} of level ${places[n]!.level} is not stored`)
    return Uint8Array.from(hash)
  })
}
