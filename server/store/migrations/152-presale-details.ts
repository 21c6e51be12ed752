import { type Kysely, sql } from 'kysely'

/**
 * What customers read about presales, and whitepapers. Rows never change: the terms of a presale name both by their hashes, and other texts
 * are other rows. `details`: the text that was hashed. A number is taken when its first details are written; those of the first start have
 * no member.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table presale_papers (
      hash text primary key check (hash = encode(sha256(bytes), 'hex')),
      bytes bytea not null,
      uploaded_by uuid references staff,
      uploaded_at bigint not null
    )`.execute(db)
  await sql`
    create table presale_details (
      number bigint not null check (number > 0),
      hash text not null check (hash = encode(sha256(convert_to(details, 'UTF8')), 'hex')),
      token text not null,
      details text not null,
      prepared_by uuid references staff,
      prepared_at bigint not null,
      primary key (number, hash)
    )`.execute(db)
}
