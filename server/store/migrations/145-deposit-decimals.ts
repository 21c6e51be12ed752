import { type Kysely, sql } from 'kysely'

/** Digits of a deposit's token, so that it can be shown after the token was taken off the file of networks. Null: not known yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deposits add column decimals smallint check (decimals between 0 and 36)`.execute(db)
}
