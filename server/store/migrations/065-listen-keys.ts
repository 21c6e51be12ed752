import { type Kysely, sql } from 'kysely'

/**
 * Listen keys open a user's own stream on a socket for a while, without a signature. They are stored as they are: a reader of
 * these tables sees more than such a stream shows. `is_token`: made for one use of a Margin account's stream, in addition to the
 * one key that an API key has for each stream.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table listen_keys (
      listen_key text primary key check (length(listen_key) = 64),
      api_key bigint not null,
      core_user bigint not null,
      stream text not null check (stream in ('spot', 'cross', 'isolated', 'futures')),
      market integer not null,
      is_token boolean not null,
      expires_at bigint not null
    )`.execute(db)
  await sql`create unique index listen_keys_by_api_key on listen_keys (api_key, stream, market) where not is_token`.execute(db)
  await sql`create index listen_tokens_by_api_key on listen_keys (api_key, expires_at) where is_token`.execute(db)
  await sql`create index listen_keys_by_end on listen_keys (expires_at)`.execute(db)
}
