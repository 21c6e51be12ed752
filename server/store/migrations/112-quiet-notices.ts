import { type Kysely, sql } from 'kysely'

/** Marks what is sent of frequent notices, so that however many of them wait, the others go first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notice_sends add column is_quiet boolean not null default false`.execute(db)
  await sql`drop index notice_sends_due`.execute(db)
  await sql`create index notice_sends_due on notice_sends (is_quiet, next_at, number)`.execute(db)
}
