import { type Kysely, sql } from 'kysely'

/** What a program said of its order's strategy; null for nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders add column strategy_id bigint, add column strategy_type bigint`.execute(db)
}
