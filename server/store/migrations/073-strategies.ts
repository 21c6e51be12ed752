import { type Kysely, sql } from 'kysely'

/** The strategy that a program named for its order; null for none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders add column strategy_id bigint, add column strategy_type bigint`.execute(db)
}
