import { type Kysely, sql } from 'kysely'

/** Whole hours of the public index tape, ready to be sent: gzip of what `/proof/tape.ndjson` says of them. Built by the follower. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tape_hours (
      hour_ms bigint primary key,
      first_tick bigint not null,
      last_tick bigint not null,
      body bytea not null
    )`.execute(db)
  // It is compressed already.
  await sql`alter table tape_hours alter column body set storage external`.execute(db)
}
