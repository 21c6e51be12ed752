import { type Kysely, sql } from 'kysely'

/**
 * Receipts: for each command and customer the lines of its text (`core/proof/receipt`). They begin after the last command that is in the
 * tables or in a head by now, which `projection.receipts_after` keeps. A customer's secret, from which the salts follow, is there from
 * the first head on that covers a receipt of theirs. `receipt_trees`: hashes of the tree of each head, 256 in a row; level 0 has the
 * leaves, and each next one the roots of the rows below. `seq` and `user_id`: the first receipt of the row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table receipts (
      seq bigint not null,
      user_id bigint not null check (user_id > 0),
      at_ms bigint not null,
      lines text not null,
      primary key (seq, user_id)
    )`.execute(db)
  await sql`create index receipts_of_user on receipts (user_id, seq)`.execute(db)
  await sql`
    create table receipt_users (
      user_id bigint primary key check (user_id > 0),
      uid text not null check (uid ~ '^[1-9][0-9]{8}$'),
      secret bytea not null check (length(secret) = 32),
      head bigint not null
    )`.execute(db)
  await sql`create index proof_heads_by_seq on proof_heads (seq, n)`.execute(db)
  await sql`
    create table receipt_trees (
      head bigint not null,
      level smallint not null check (level >= 0),
      place bigint not null check (place >= 0),
      seq bigint not null,
      user_id bigint not null,
      hashes bytea not null check (length(hashes) between 32 and 8192 and length(hashes) % 32 = 0),
      primary key (head, level, place)
    )`.execute(db)
  await sql`alter table projection add column receipts_after bigint not null default 0`.execute(db)
  await sql`update projection set receipts_after = greatest(seq, (select max(seq) from proof_heads))`.execute(db)
}
