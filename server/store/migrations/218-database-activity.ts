import { type Kysely, sql } from 'kysely'

/**
 * Connections, locks and the oldest transaction of the database for the metrics. Other users' sessions show their state only to the
 * owner, so the function runs as the owner; it tells numbers and nothing of what the sessions do.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function database_activity()
    returns table (connections integer, connections_max integer, oldest_transaction_s double precision, waiting_locks integer)
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
      select count(*)::integer, current_setting('max_connections')::integer,
        coalesce(extract(epoch from clock_timestamp() - min(a.xact_start) filter (where a.datname = current_database()
          and a.backend_type = 'client backend' and a.pid <> pg_backend_pid())), 0)::double precision,
        (count(*) filter (where a.wait_event_type = 'Lock'))::integer
      from pg_stat_activity a where a.backend_type = 'client backend'
    $$`.execute(db)
  await sql`revoke all on function database_activity() from public`.execute(db)
}
