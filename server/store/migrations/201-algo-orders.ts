import { type Kysely, sql } from 'kysely'

/** Orders that the exchange carries out in parts, projected from the core's events. Orders name the one that they are a part of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table algo_orders (
      id bigint primary key,
      user_id bigint not null,
      client_id text not null,
      market text not null,
      kind text not null,
      side text not null,
      position text,
      reduce_only boolean not null,
      quantity numeric not null,
      parts integer not null,
      every_ms bigint not null,
      from_price numeric,
      to_price numeric,
      shape text,
      placed_at_ms bigint not null,
      parts_left integer not null,
      missed integer not null,
      last_refusal text,
      next_at_ms bigint,
      end_reason text,
      ended_at_ms bigint
    )`.execute(db)
  await sql`create index algo_orders_user on algo_orders (user_id, placed_at_ms desc, id desc)`.execute(db)
  await sql`alter table orders add column algo_id bigint`.execute(db)
  await sql`create index orders_algo on orders (algo_id) where algo_id is not null`.execute(db)
}
