import { type Kysely, sql } from 'kysely'

/**
 * What each account of a user held, available and held together, at the end of each UTC day on which that changed. Holds
 * and releases leave the sum as it was, so the ledger entries of days past tell it too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table balance_days (
      user_id bigint not null,
      kind text not null,
      market text not null,
      asset text not null,
      day_ms bigint not null,
      total numeric not null,
      primary key (user_id, kind, market, asset, day_ms)
    )`.execute(db)
  await sql`
    insert into balance_days
    select distinct on (user_id, kind, market, asset, day_ms) user_id, kind, market, asset, at_ms - at_ms % 86400000 as day_ms, available + held
    from ledger_entries where user_id > 0
    order by user_id, kind, market, asset, day_ms, seq desc, line desc`.execute(db)
}
