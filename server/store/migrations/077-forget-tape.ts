import { type Kysely, sql } from 'kysely'

/**
 * The index tape only grows for every process; what a sandbox keeps no longer goes through this function alone, as the
 * owner. In production nobody may call it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function forget_tape(before_ms bigint) returns void
    language sql security definer set search_path = pg_catalog, pg_temp as $$
      delete from public.index_tape where at_ms < before_ms;
      delete from public.tape_hours where hour_ms < before_ms - 3600000;
    $$`.execute(db)
  await sql`revoke all on function forget_tape(bigint) from public`.execute(db)
}
