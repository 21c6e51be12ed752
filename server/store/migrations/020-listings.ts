import { type Kysely, sql } from 'kysely'

/**
 * State with which the projector starts: its position in the journal, and the users, assets and markets that other rows name. All
 * tables of 020 to 029 are a function of the journal, except reference candles: they can be dropped and filled again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table projection (
      is_only boolean primary key default true check (is_only),
      seq bigint not null,
      at_ms bigint not null
    )`.execute(db)
  await sql`insert into projection (seq, at_ms) values (0, 0)`.execute(db)

  await sql`
    create table core_users (
      user_id bigint primary key,
      class text not null,
      referrer bigint not null,
      is_frozen boolean not null,
      tier integer not null
    )`.execute(db)
  await sql`
    create table assets (
      id integer primary key,
      symbol text not null unique,
      scale integer not null
    )`.execute(db)
  await sql`
    create table markets (
      id integer primary key,
      symbol text not null unique,
      base text not null,
      quote text not null,
      definition jsonb not null
    )`.execute(db)
}
