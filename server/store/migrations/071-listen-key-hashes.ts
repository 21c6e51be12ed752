import { type Kysely, sql } from 'kysely'

/**
 * Of a listen key stands only its hash: who reads these tables can open no stream. `seed`: what the key is drawn from again, with
 * the server's key, for who asks for the one that there is; of a token, which is told once, none. Keys from before end here:
 * clients ask for another one.
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
