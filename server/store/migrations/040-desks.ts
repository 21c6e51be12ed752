import { type Kysely, sql } from 'kysely'

/**
 * Columns for all desks: whether a user is verified, and the fields that an order of Futures or of a Margin account has beyond
 * those of spot.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table core_users add column is_certified boolean not null default false`.execute(db)
  await sql`alter table orders add column perp jsonb, add column margin jsonb`.execute(db)
}
