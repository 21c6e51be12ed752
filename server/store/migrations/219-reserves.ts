import { type Kysely, sql } from 'kysely'

/** Signatures by which addresses say that they are the exchange's, and statements of what they hold. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reserve_signatures (
      network text not null,
      address text not null,
      day text not null check (day ~ '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$'),
      head bigint not null references proof_heads,
      signature text not null check (signature ~ '^[0-9a-f]{128}1[bc]$'),
      made_at bigint not null,
      primary key (network, address, day)
    )`.execute(db)
  await sql`create index reserve_signatures_day on reserve_signatures (day)`.execute(db)
  await sql`
    create table reserve_statements (
      n bigint primary key check (n > 0),
      at_ms bigint not null,
      head bigint not null references proof_heads,
      body text not null check (length(body) <= 4194304),
      signature text check (signature ~ '^[0-9a-f]{128}$')
    )`.execute(db)
}
