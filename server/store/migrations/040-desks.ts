import { type Kysely, sql } from 'kysely'

/** What all desks share: who is certified, and what an order of a contract or of a margin account has beyond one of spot. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table core_users add column is_certified boolean not null default false`.execute(db)
  await sql`alter table orders add column perp jsonb, add column margin jsonb`.execute(db)
}
