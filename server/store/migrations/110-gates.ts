import { type Kysely, sql } from 'kysely'

/**
 * Gates of an account: the declared country of residence, with the time at which its owner also declared to be of age, and the origin
 * of each accepted version of the user agreement. `is_home_due`: the core still has to be told the account's regions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table accounts
      add column residence text check (residence ~ '^[A-Z]{2}$'),
      add column declared_at bigint,
      add column is_home_due boolean not null default false,
      add check ((residence is null) = (declared_at is null))`.execute(db)
  await sql`create index accounts_home_due on accounts (id) where is_home_due`.execute(db)
  // Entries from before this migration have no origin; a registration has no session yet.
  await sql`alter table agreements add column session uuid, add column ip text, add column device text`.execute(db)
}
