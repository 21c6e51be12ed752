import type pg from 'pg'

/** One of: a session that ended (`account` and `session`), rights of a member or an account of a firm (`account`), a key, a listen key's hash. */
export type RevocationRow = {
  readonly number: number
  readonly account: string | null
  readonly session: string | null
  readonly key: string | null
  readonly listenKey: string | null
}

/** `next`: the oldest transaction that was still running; the next read begins there. */
export type Revoked = { readonly next: string; readonly rows: readonly RevocationRow[] }

/**
 * What was revoked by transactions from `from` on. Some of it may have been read before: a transaction that ran meanwhile hides none.
 *
 * from  undefined: nothing is read but where to begin
 */
export async function revokedSince(pool: pg.Pool, from: string | undefined): Promise<Revoked> {
  const { rows } = await pool.query<RevocationRow & { readonly next: string }>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text as next, r.number, account, session, key, encode(listen_key, 'hex') as "listenKey"
     from (select $1::xid8 as start) begun left join revocations r on r.xid >= start order by r.number`,
    [from ?? null],
  )
  return { next: rows[0]!.next, rows: rows.filter(({ number }) => number !== null) }
}

/** What every gateway has long read, or forgotten by its own clock. */
export async function forgetRevocations(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from revocations where made_at < now() - interval '1 hour'`)
}
