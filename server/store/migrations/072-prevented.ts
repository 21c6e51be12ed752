import { type Kysely, sql } from 'kysely'

/** Of an order's quantity, what left it to prevent a trade with its owner's other orders; null for none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders add column prevented numeric`.execute(db)
}
