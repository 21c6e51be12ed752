import { type Kysely, sql } from 'kysely'

/**
 * Codes, the tokens for a reset that they are exchanged for, and counts of tries. There is one valid code per purpose and
 * address. An address for which no code is sent, because it has no account or already has one, gets a row like any other, with a
 * hash that no code matches.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table codes (
      channel text not null,
      target text not null,
      purpose text not null,
      hash bytea not null check (length(hash) = 32),
      tries integer not null default 0,
      sent_at bigint not null,
      expires_at bigint not null,
      used_at bigint,
      primary key (channel, target, purpose)
    )`.execute(db)
  await sql`
    create table code_counts (
      subject text primary key,
      since bigint not null,
      sent integer not null
    )`.execute(db)
  await sql`
    create table reset_tokens (
      token bytea primary key check (length(token) = 32),
      account uuid not null references accounts,
      expires_at bigint not null
    )`.execute(db)
  await sql`create index reset_tokens_by_account on reset_tokens (account)`.execute(db)
  await sql`
    create table login_tries (
      subject text primary key,
      tries double precision not null,
      last_at bigint not null,
      blocked_until bigint not null
    )`.execute(db)
}
