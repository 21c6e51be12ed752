import { type Kysely, sql } from 'kysely'

/**
 * Programs' API keys. The journal stores `number` with each command, so a deleted key keeps its row and loses its secret. The
 * secret of an HMAC key is encrypted with the server's key; of an Ed25519 key only the public half is stored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      number bigint generated always as identity primary key,
      id uuid not null unique,
      account uuid not null references accounts,
      key text not null unique check (length(key) = 64),
      label text not null,
      kind text not null check (kind in ('hmac', 'ed25519')),
      secret bytea,
      public_key text,
      scopes text[] not null check (scopes <@ array['read', 'trade', 'withdraw'] and 'read' = any (scopes)),
      ips text[] not null,
      created_at bigint not null,
      expires_at bigint,
      last_used_at bigint,
      last_ip text,
      deleted_at bigint,
      check (deleted_at is not null or (kind = 'hmac') = (secret is not null)),
      check ((kind = 'ed25519') = (public_key is not null)),
      check (deleted_at is null or secret is null)
    )`.execute(db)
  await sql`create index api_keys_by_account on api_keys (account, number)`.execute(db)
}
