import { type Kysely, sql } from 'kysely'

/** Orders of Second, in USDT, with prices of their market's index. `result` is null until an order is settled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table options (
      id bigint primary key,
      user_id bigint not null,
      client_id text not null,
      market text not null,
      direction text not null,
      stake numeric not null,
      profit_ppm integer not null,
      profit numeric not null,
      accepted_at_ms bigint not null,
      strike_from_ms bigint not null,
      expires_at_ms bigint not null,
      window_ms integer not null,
      gap_max_ms integer not null,
      guard_ppm integer not null,
      reference numeric not null,
      strike numeric,
      strike_tick bigint,
      strike_at_ms bigint,
      result text,
      void_reason text,
      price numeric,
      payout numeric,
      settled_at_ms bigint
    )`.execute(db)
  await sql`create index options_history on options (user_id, settled_at_ms, id) where result is not null`.execute(db)
  await sql`create index options_settled on options (settled_at_ms) where result is not null`.execute(db)
}
