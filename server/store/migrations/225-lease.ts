import { type Kysely, sql } from 'kysely'

/** The leader of several machines renews its lease by raising `renewals`. Whoever sees the same number for long enough may take over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table leader add column renewals bigint not null default 0`.execute(db)
}
