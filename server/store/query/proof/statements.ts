import type { UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'

type Queries = Pick<pg.Pool, 'query'>

/** A statement of liabilities as heads name it. */
export type StoredStatement = { readonly n: number; readonly at: number; readonly seq: number; readonly text: string }

/** The leaves of the last statements are kept, so that the one that the newest head names always has its own. */
export const keptStatements = 3

const columns = 'n, at_ms as at, seq, body as text'

/** The newest statement; undefined before the first. */
export async function lastStatement(queries: Queries): Promise<StoredStatement | undefined> {
  return (await queries.query<StoredStatement>(`select ${columns} from liability_statements order by n desc limit 1`)).rows[0]
}

/** The newest statement that is not younger than a head of this position and time. */
export async function statementFor(
  queries: Queries,
  { seq, at }: Pick<StoredStatement, 'seq' | 'at'>,
): Promise<StoredStatement | undefined> {
  const sql = `select ${columns} from liability_statements where seq <= $1 and at_ms <= $2 order by n desc limit 1`
  return (await queries.query<StoredStatement>(sql, [seq, at])).rows[0]
}

export async function statementOf(queries: Queries, n: number): Promise<StoredStatement | undefined> {
  return (await queries.query<StoredStatement>(`select ${columns} from liability_statements where n = $1`, [n])).rows[0]
}

/** Statements before the number `before`, newest first. */
export async function statementsBefore(queries: Queries, before: number | undefined, limit: number): Promise<readonly StoredStatement[]> {
  const sql = `select ${columns} from liability_statements where $1::bigint is null or n < $1 order by n desc limit $2`
  return (await queries.query<StoredStatement>(sql, [before ?? null, limit])).rows
}

/** The public number of a customer; undefined when the user has no account. */
export async function uidOf(queries: Queries, user: UserId): Promise<string | undefined> {
  return (await queries.query<{ uid: string }>('select uid from accounts where core_user = $1', [user])).rows[0]?.uid
}

/** What hides the leaves of a statement, and the count of buckets of their owners; undefined when its leaves are no longer kept. */
export async function statementSecret(
  queries: Queries,
  n: number,
): Promise<{ readonly seed: Buffer; readonly buckets: number } | undefined> {
  return (await queries.query<{ seed: Buffer; buckets: number }>('select seed, buckets from liability_secrets where n = $1', [n])).rows[0]
}

/** The customers of one bucket and the places of their leaves. Empty when there are none. */
export async function ownersIn(queries: Queries, n: number, bucket: number): Promise<Buffer> {
  const { rows } = await queries.query<{ body: Buffer }>('select body from liability_owners where n = $1 and bucket = $2', [n, bucket])
  return rows[0]?.body ?? Buffer.alloc(0)
}

/** A row of nodes: `level` 0 has leaves. */
export type RowPlace = { readonly tree: number; readonly level: number; readonly place: number }

/**
 * Rows of nodes, in the order of `places`.
 *
 * throws  Error when one is not stored
 */
export async function nodeRows(queries: Queries, n: number, places: readonly RowPlace[]): Promise<readonly Buffer[]> {
  if (places.length === 0) return []
  const { rows } = await queries.query<{ body: Buffer | null }>(
    `select body from unnest($2::smallint[], $3::smallint[], $4::integer[]) with ordinality as wanted (tree, level, place, nth)
     left join liability_nodes nodes on nodes.n = $1 and nodes.tree = wanted.tree and nodes.level = wanted.level and nodes.place = wanted.place
     order by nth`,
    [n, ...(['tree', 'level', 'place'] as const).map((name) => places.map((place) => place[name]))],
  )
  return rows.map(({ body }, nth) => {
    if (body === null) throw new Error(`statement ${n} has no nodes at ${Object.values(places[nth]!).join('/')}`)
    return body
  })
}
