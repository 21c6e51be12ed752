import { type Kysely, sql } from 'kysely'

/** API keys may be RSA keys, too, of which the public half is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table api_keys
      drop constraint api_keys_kind_check,
      drop constraint api_keys_check1,
      add constraint api_keys_kind_check check (kind in ('hmac', 'ed25519', 'rsa')),
      add constraint api_keys_public_check check ((kind <> 'hmac') = (public_key is not null))`.execute(db)
}
