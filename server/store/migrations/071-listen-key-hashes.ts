import { type Kysely, sql } from 'kysely'

/**
 * Only the hash of a listen key is stored, so a reader of these tables can open no stream. `seed`: with the server's key it gives
 * the listen key again, for a client that asks for the existing one; null for tokens, which are shown once. Earlier keys are
 * deleted: clients ask for new ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from listen_keys`.execute(db)
  await sql`alter table listen_keys drop column listen_key`.execute(db)
  await sql`
    alter table listen_keys
      add column hash bytea primary key check (length(hash) = 32),
      add column seed bytea check (length(seed) = 32),
      add check (is_token = (seed is null))`.execute(db)
}
