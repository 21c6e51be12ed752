import { type Kysely, sql } from 'kysely'

/** Since when the browser of a login is no known device any more: a reset, or a change of the password elsewhere. Null: it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column device_forgotten_at bigint`.execute(db)
}
