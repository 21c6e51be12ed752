import { type Kysely, sql } from 'kysely'

/** The part of an order's quantity that self-trade prevention removed; null for none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders add column prevented numeric`.execute(db)
}
