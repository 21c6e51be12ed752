import { type Kysely, sql } from 'kysely'

/**
 * Logins. The database has only the hash of a token, so that a copy of the database logs nobody in. The token before a rotated
 * one stays valid until the new one is used: an answer lost on the way logs nobody out.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sessions (
      id uuid primary key,
      account uuid not null references accounts,
      token bytea not null unique check (length(token) = 32),
      token_since bigint not null,
      previous_token bytea unique check (length(previous_token) = 32),
      previous_until bigint,
      device text not null,
      device_key bytea not null check (length(device_key) = 32),
      ip text not null,
      created_at bigint not null,
      last_seen_at bigint not null,
      logged_in_at bigint not null,
      revoked_at bigint
    )`.execute(db)
  await sql`create index sessions_by_account on sessions (account, created_at desc)`.execute(db)
}
