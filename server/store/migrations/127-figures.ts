import { type Kysely, sql } from 'kysely'

/**
 * Figures for the staff: sums of each hour in USDT, the hour of each customer's first trade of a UTC day, and the balance of each fund at
 * the end of each UTC day on which it changed. Hours and traders begin with this step; the days of the funds are in the ledger.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table figure_hours (
      hour bigint primary key,
      fees numeric not null,
      liquidated numeric not null,
      stakes numeric not null,
      house numeric not null
    )`.execute(db)
  await sql`
    create table trader_days (
      day_ms bigint not null,
      user_id bigint not null,
      hour bigint not null,
      primary key (day_ms, user_id)
    )`.execute(db)
  await sql`
    create table fund_days (
      fund text not null,
      asset text not null,
      day_ms bigint not null,
      balance numeric not null,
      primary key (fund, asset, day_ms)
    )`.execute(db)
  await sql`
    insert into fund_days
    select distinct on (kind, asset, day_ms) kind, asset, at_ms - at_ms % 86400000 as day_ms, available + held
    from ledger_entries where user_id = 0 and kind in ('insurance', 'insurance-margin', 'option-house')
    order by kind, asset, day_ms, seq desc, line desc`.execute(db)
}
