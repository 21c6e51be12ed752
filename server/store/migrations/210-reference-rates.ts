import { type Kysely, sql } from 'kysely'

/** Daily reference rates of currencies: units for one euro, as their source published them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reference_rates (
      day text primary key check (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
      per_euro jsonb not null check (length(per_euro::text) <= 8192),
      fetched_at bigint not null
    )`.execute(db)
}
