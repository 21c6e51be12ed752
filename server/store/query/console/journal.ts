import type { BatchRow, SnapshotRow } from '@candor/core/protocol/wire/console/journal.ts'
import type pg from 'pg'

const pageSize = 100

/** Batches below a position, newest first. */
export async function batches(pool: pg.Pool, before: number): Promise<readonly BatchRow[]> {
  const { rows } = await pool.query<BatchRow>(
    `select seq, seq - n + 1 as first, n, first_at as at, epoch, core_version as version, encode(hash, 'hex') as hash,
       encode(prev_hash, 'hex') as previous, encode(events_digest, 'hex') as digest
     from journal where seq < $1 order by seq desc limit $2`,
    [before, pageSize],
  )
  return rows
}

/** Snapshots that are kept, newest first. */
export async function snapshots(pool: pg.Pool): Promise<readonly SnapshotRow[]> {
  const { rows } = await pool.query<SnapshotRow>(
    `select seq, core_version as version, encode(state_hash, 'hex') as state, encode(journal_hash, 'hex') as journal, bytes,
       (extract(epoch from made_at) * 1000)::bigint as at from list_snapshots() order by seq desc`,
  )
  return rows
}

/** `checked`: batches whose hash was computed. `last`: end of the last of them. `broken`: ends of those that don't fit. */
export type ChainCheck = { readonly checked: number; readonly last: number | null; readonly broken: readonly number[] }

/** Computes the hashes of the batches with commands from one position to another, in the database, at most `max` batches. */
export async function checkChain(
  pool: pg.Pool,
  { from, to, max }: { readonly from: number; readonly to: number; readonly max: number },
): Promise<ChainCheck> {
  const { rows } = await pool.query<ChainCheck>(
    `select count(*)::int as checked, max(seq) as last, coalesce(array_agg(seq::int8 order by seq) filter (where not (is_linked and is_hashed)), '{}') as broken
     from check_journal($1, $2, $3)`,
    [from, to, max],
  )
  const { checked = 0, last = null, broken = [] } = rows[0] ?? {}
  return { checked, last, broken: broken.map(Number) }
}
