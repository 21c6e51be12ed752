import { type Kysely, sql } from 'kysely'

/**
 * Balance of each account of a user, available and held together, at the end of each UTC day on which it changed. Holds and
 * releases leave this sum unchanged, so the ledger entries of days past are enough to fill the table.
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
