import { type Kysely, sql } from 'kysely'

/**
 * Limits on deposits, and what came into each account from outside by UTC day, in USDT at the price of that moment. `ended_at`: the
 * customer was told that the pause is over.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table own_limits drop constraint own_limits_kind_check,
      add constraint own_limits_kind_check check (kind in (
        'loss-day', 'loss-week', 'loss-month', 'session-day', 'deposit-day', 'deposit-week', 'deposit-month'))`.execute(db)
  await sql`
    create table deposit_days (
      account uuid not null references accounts,
      day_ms bigint not null,
      amount numeric not null check (amount >= 0),
      primary key (account, day_ms)
    )`.execute(db)
  await sql`alter table own_rests add column ended_at bigint`.execute(db)
  await sql`create index own_rests_running on own_rests (until) where ended_at is null`.execute(db)
}
