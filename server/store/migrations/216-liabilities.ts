import { type Kysely, sql } from 'kysely'

/**
 * Statements of liabilities. Their leaves follow from a secret and from the parts of customers' balances, and are kept for the newest
 * statements only. Whether a user is one of the house's own, whose money is no liability.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table core_users add column is_house boolean not null default false`.execute(db)
  await sql`
    create table liability_statements (
      n bigint primary key check (n > 0),
      at_ms bigint not null,
      seq bigint not null,
      body text not null check (length(body) <= 131072)
    )`.execute(db)
  await sql`
    create table liability_secrets (
      n bigint primary key,
      seed bytea not null check (length(seed) = 32),
      buckets integer not null check (buckets > 0)
    )`.execute(db)
  // `tree`: place of its line in the statement, from 0. Level 0 has parts of balances, the others nodes of this height.
  await sql`
    create table liability_nodes (
      n bigint not null,
      tree smallint not null,
      level smallint not null,
      place integer not null,
      body bytea not null,
      primary key (n, tree, level, place)
    )`.execute(db)
  // Where the leaves of each customer are.
  await sql`
    create table liability_owners (
      n bigint not null,
      bucket integer not null,
      body bytea not null,
      primary key (n, bucket)
    )`.execute(db)
  await sql`create index proof_heads_at on proof_heads (at_ms)`.execute(db)
  // Hashes can't be compressed.
  await sql`alter table liability_nodes alter column body set storage external`.execute(db)
  await sql`alter table liability_owners alter column body set storage external`.execute(db)
}
