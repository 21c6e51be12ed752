import { type Kysely, sql } from 'kysely'

/**
 * Signed heads of the journal, one each minute; the complete subtrees of the tree whose leaves they are; and the public keys that sign
 * them, each with the signature of the one before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table proof_keys (
      key integer primary key check (key > 0),
      public_key text not null unique check (public_key ~ '^[0-9a-f]{64}$'),
      signature text check (signature ~ '^[0-9a-f]{128}$'),
      check ((key = 1) = (signature is null))
    )`.execute(db)
  await sql`
    create table proof_heads (
      n bigint primary key check (n > 0),
      at_ms bigint not null,
      seq bigint not null,
      body text not null check (length(body) <= 1024),
      signature text not null check (signature ~ '^[0-9a-f]{128}$')
    )`.execute(db)
  await sql`
    create table proof_nodes (
      level smallint not null check (level >= 0),
      place bigint not null check (place >= 0),
      hash bytea not null check (length(hash) = 32),
      primary key (level, place)
    )`.execute(db)
}
