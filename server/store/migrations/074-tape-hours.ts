import { type Kysely, sql } from 'kysely'

/**
 * Whole hours of the public index tape, ready to be sent: each the gzip of its lines in `/proof/tape.ndjson`. The follower writes
 * them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tape_hours (
      hour_ms bigint primary key,
      first_tick bigint not null,
      last_tick bigint not null,
      body bytea not null
    )`.execute(db)
  // The body is compressed already.
  await sql`alter table tape_hours alter column body set storage external`.execute(db)
}
