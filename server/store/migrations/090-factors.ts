import { type Kysely, sql } from 'kysely'

/**
 * Second factors. The secret of an authenticator app is encrypted with the server's key; recovery codes and the tokens of logins
 * are stored as hashes; of a passkey there is only the public key. A proof belongs to one session. The words that mails begin with
 * are encrypted like the secret.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table authenticators (
      account uuid primary key references accounts,
      secret bytea,
      confirmed_at bigint,
      last_step bigint not null default 0,
      next_secret bytea,
      next_at bigint,
      check ((secret is null) = (confirmed_at is null)),
      check ((next_secret is null) = (next_at is null))
    )`.execute(db)
  await sql`
    create table recovery_codes (
      account uuid not null references accounts,
      hash bytea not null check (length(hash) = 32),
      primary key (account, hash)
    )`.execute(db)
  await sql`
    create table passkeys (
      id uuid primary key,
      account uuid not null references accounts,
      credential text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      label text not null,
      is_synced boolean not null,
      created_at bigint not null,
      last_used_at bigint
    )`.execute(db)
  await sql`create index passkeys_by_account on passkeys (account, created_at)`.execute(db)
  await sql`
    create table passkey_challenges (
      challenge bytea primary key check (length(challenge) = 32),
      account uuid references accounts,
      expires_at bigint not null
    )`.execute(db)
  await sql`
    create table login_steps (
      token bytea primary key check (length(token) = 32),
      account uuid not null references accounts,
      password_changed_at bigint not null,
      tries int not null default 0,
      expires_at bigint not null
    )`.execute(db)
  await sql`alter table sessions add column proven_at bigint`.execute(db)
  await sql`alter table accounts add column phrase bytea`.execute(db)
}
