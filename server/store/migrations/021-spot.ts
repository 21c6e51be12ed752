import { type Kysely, sql } from 'kysely'

/**
 * Lists are read newest first by keyset, as one short index scan per market (status, side), merged: so each index starts with all
 * columns by which a list can be filtered.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table orders (
      id bigint primary key,
      list_id bigint,
      user_id bigint not null,
      client_id text not null,
      market text not null,
      side text not null,
      type text not null,
      time_in_force text not null,
      status text not null,
      price numeric,
      quantity numeric,
      spend numeric,
      executed numeric not null,
      executed_quote numeric not null,
      average numeric,
      post_only boolean not null,
      display numeric,
      trigger jsonb,
      close_reason text,
      placed_at_ms bigint not null,
      updated_at_ms bigint not null
    )`.execute(db)
  await sql`
    create index orders_history on orders (user_id, market, status, side, placed_at_ms, id)
    where status in ('filled', 'cancelled', 'expired')`.execute(db)

  await sql`
    create table trades (
      market text not null,
      trade_id bigint not null,
      seq bigint not null,
      at_ms bigint not null,
      price numeric not null,
      quantity numeric not null,
      quote numeric not null,
      taker_side text not null,
      maker_order bigint not null,
      taker_order bigint not null,
      maker_user bigint not null,
      taker_user bigint not null,
      maker_fee numeric not null,
      taker_fee numeric not null,
      primary key (market, trade_id)
    )`.execute(db)
  await sql`create index trades_maker on trades (maker_user, market, at_ms, trade_id)`.execute(db)
  await sql`create index trades_taker on trades (taker_user, market, at_ms, trade_id)`.execute(db)
}
