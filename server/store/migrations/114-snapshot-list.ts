import { type Kysely, sql } from 'kysely'

/** Places and hashes of the snapshots for the console. The gateway may not read the tables of snapshots themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function list_snapshots()
    returns table (seq bigint, core_version integer, state_hash bytea, journal_hash bytea, bytes bigint, made_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
      select s.seq, s.core_version, s.state_hash, s.journal_hash, s.bytes, s.made_at from public.snapshots s
    $$`.execute(db)
  await sql`revoke all on function list_snapshots() from public`.execute(db)
}
