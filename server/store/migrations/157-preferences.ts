import { type Kysely, sql } from 'kysely'

/** Small settings of accounts, by name. The favourites move here. A value is at most 8 KiB. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table preferences (
      account uuid not null references accounts,
      name text not null check (name ~ '^[a-z-]{1,32}$'),
      revision integer not null check (revision > 0),
      value jsonb not null check (length(value::text) <= 8192),
      primary key (account, name)
    )`.execute(db)
  await sql`
    insert into preferences (account, name, revision, value)
    select account, 'favourites', 1, jsonb_build_object('symbols', to_jsonb(symbols)) from favourites`.execute(db)
  await sql`drop table favourites`.execute(db)
}
