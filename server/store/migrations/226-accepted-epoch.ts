import { type Kysely, sql } from 'kysely'

/** A person accepted this database as it was: what witnesses saw under earlier epochs counts no more. Accepting a copy of an earlier version adds it, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table leader add column if not exists accepted_epoch bigint not null default 0`.execute(db)
}
