import type pg from 'pg'
import type { PostingKind } from './tables.ts'

/** One at a time allots numbers, so that they rise in the order in which their transactions commit. */
const allotLock = 0x64657001

/** To be called before the first posting of a transaction. */
export async function lockPostings(client: pg.PoolClient): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [allotLock])
}

/** The next number, under the lock. */
export async function nextCredit(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ credit: number }>('select coalesce(max(credit), 0) + 1 as credit from deposit_postings')
  return rows[0]!.credit
}

/** Writes for each of these credited deposits what the core is told about it. */
export async function writePostings(
  client: pg.PoolClient,
  kind: PostingKind,
  deposits: readonly number[],
  { isFinal, at }: { readonly isFinal: boolean; readonly at: number },
): Promise<void> {
  await client.query(
    `insert into deposit_postings (network, kind, credit, deposit, user_no, asset, amount, is_final, made_at)
     select network, $1, credit, id, user_no, asset, amount, $2, $3 from deposits where id = any($4) order by credit`,
    [kind, isFinal, at, deposits],
  )
}

/** Writes the credits of these deposits, in the order of their numbers. */
export async function writeCredits(client: pg.PoolClient, deposits: readonly number[], at: number): Promise<void> {
  await client.query(
    `insert into deposit_postings (network, kind, credit, deposit, user_no, asset, amount, is_final, made_at)
     select network, 'credit', credit, id, user_no, asset, amount, state = 'final', $1 from deposits where id = any($2) order by credit`,
    [at, deposits],
  )
}
