import { type Kysely, sql } from 'kysely'

/**
 * An account is (user_id, kind, market, asset). The exchange's own accounts have user 0 and their name as kind; market is '' for
 * all but isolated margin. A row of balances has the values after the last entry of its account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_entries (
      seq bigint not null,
      line integer not null,
      at_ms bigint not null,
      user_id bigint not null,
      kind text not null,
      market text not null,
      asset text not null,
      reason text not null,
      delta numeric not null,
      held_delta numeric not null,
      available numeric not null,
      held numeric not null,
      symbol text,
      order_id bigint,
      primary key (seq, line)
    )`.execute(db)
  // Holds and releases leave the sum of an account unchanged: neither records nor balances at midnight read them.
  await sql`
    create index ledger_entries_records on ledger_entries (user_id, asset, reason, at_ms, seq, line)
    where user_id > 0 and reason not in ('hold', 'release')`.execute(db)

  await sql`
    create table balances (
      user_id bigint not null,
      kind text not null,
      market text not null,
      asset text not null,
      available numeric not null,
      held numeric not null,
      seq bigint not null,
      primary key (user_id, kind, market, asset)
    )`.execute(db)
}
