import { type Kysely, sql } from 'kysely'

/** Conversions whose quote was accepted, projected from the core's events. Quotes that nobody accepted are in no table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table conversions (
      id bigint primary key,
      user_id bigint not null,
      from_asset text not null,
      to_asset text not null,
      give numeric not null,
      get numeric not null,
      value numeric not null,
      from_price numeric not null,
      to_price numeric not null,
      state text not null check (state in ('accepted', 'filled', 'moved', 'no-index')),
      accepted_at_ms bigint not null,
      decides_from_ms bigint not null,
      ended_at_ms bigint
    )`.execute(db)
  await sql`create index conversions_user on conversions (user_id, accepted_at_ms desc, id desc)`.execute(db)
}
