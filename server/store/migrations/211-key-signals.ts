import { type Kysely, sql } from 'kysely'

/**
 * Signal addresses of API keys, and the calls that came to them. Of the secret in an address only the hash is stored. `minute`, `day`:
 * the windows of the two counts, so that the limits hold whatever the log still has. `identity`: what makes two calls the same alert.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table key_signals (
      key bigint primary key references api_keys,
      account uuid not null references accounts,
      hash bytea not null unique check (length(hash) = 32),
      is_on boolean not null,
      made_at bigint not null,
      symbols text[] not null check (cardinality(symbols) between 1 and 50),
      max_quote text not null,
      per_minute integer not null check (per_minute between 1 and 60),
      per_day integer not null check (per_day between 1 and 1000),
      max_age_s integer not null check (max_age_s between 1 and 3600),
      ips text[] not null,
      template jsonb,
      minute bigint not null default 0,
      minute_count integer not null default 0,
      day bigint not null default 0,
      day_count integer not null default 0
    )`.execute(db)
  await sql`create index key_signals_by_account on key_signals (account)`.execute(db)
  await sql`
    create table key_signal_calls (
      id bigint generated always as identity primary key,
      key bigint not null references key_signals on delete cascade,
      at bigint not null,
      ip text not null,
      text text not null check (length(text) <= 2048),
      result text not null,
      symbol text,
      order_id bigint,
      identity bytea,
      client_id text
    )`.execute(db)
  await sql`create index key_signal_calls_by_key on key_signal_calls (key, id)`.execute(db)
  await sql`create index key_signal_calls_by_identity on key_signal_calls (key, identity, id) where identity is not null`.execute(db)
  await sql`create index key_signal_calls_by_age on key_signal_calls (at)`.execute(db)
}
