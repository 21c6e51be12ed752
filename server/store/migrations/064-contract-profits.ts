import { type Kysely, sql } from 'kysely'

/**
 * Realised profit of each side of a Futures trade; null in spot markets. For trades from before this migration, the last trade of
 * a user in a command has the realised profit of the whole command: the tables don't show how it was divided.
 *
 * `margin_changes`: margin that users moved into isolated positions, below zero out of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table trades add column maker_realised numeric, add column taker_realised numeric`.execute(db)
  await sql`
    update trades set maker_realised = 0, taker_realised = 0
    where market in (select symbol from markets where definition ? 'perp')`.execute(db)
  for (const role of ['maker', 'taker'] as const) {
    await sql`
      with sides as (
        select market, trade_id, seq, maker_user as who, 'maker' as role from trades where maker_realised is not null
        union all
        select market, trade_id, seq, taker_user, 'taker' from trades where taker_realised is not null
      ),
      last as (select distinct on (seq, who) * from sides order by seq, who, trade_id desc, role desc),
      realised as (
        select seq, user_id, sum(delta + held_delta) as sum from ledger_entries
        where kind = 'perp' and reason = 'realised' and user_id > 0 group by seq, user_id
      )
      update trades trade set ${sql.ref(`${role}_realised`)} = realised.sum
      from last join realised on realised.seq = last.seq and realised.user_id = last.who
      where last.role = ${role} and trade.market = last.market and trade.trade_id = last.trade_id`.execute(db)
  }
  await sql`
    create table margin_changes (
      seq bigint primary key,
      at_ms bigint not null,
      user_id bigint not null,
      market text not null,
      side text not null,
      amount numeric not null
    )`.execute(db)
  await sql`create index margin_changes_user on margin_changes (user_id, market, at_ms, seq)`.execute(db)
  await sql`create index liquidations_user on liquidations (user_id, at_ms)`.execute(db)
}
