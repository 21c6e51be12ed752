import { type Kysely, sql } from 'kysely'

/** A person accepted this database as it was: what witnesses saw under earlier epochs counts no more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table leader add column accepted_epoch bigint not null default 0`.execute(db)
}
