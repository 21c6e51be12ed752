import { type Kysely, sql } from 'kysely'

/** An order that waits for the working order of its list enters later than it was placed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders add column entered_at_ms bigint`.execute(db)
}
