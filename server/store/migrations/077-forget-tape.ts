import { type Kysely, sql } from 'kysely'

/**
 * Processes can only append to the index tape. This function, which runs with the owner's rights, is the only way to delete ticks
 * that a sandbox no longer keeps. In production nobody may call it.
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
