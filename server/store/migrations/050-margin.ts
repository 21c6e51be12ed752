import { type Kysely, sql } from 'kysely'

/** Margin trading and lending. Market '' is the cross account; sums are of the named asset, values in USDT. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Every change of a debt, and the debt after it. `delta` is above zero when the debt grew.
  await sql`
    create table loan_changes (
      seq bigint not null,
      line integer not null,
      at_ms bigint not null,
      user_id bigint not null,
      market text not null,
      asset text not null,
      cause text not null,
      delta numeric not null,
      principal numeric not null,
      interest numeric not null,
      primary key (seq, line)
    )`.execute(db)
  await sql`create index loan_changes_user on loan_changes (user_id, market, asset, at_ms, seq, line)`.execute(db)

  // `level` is assets ÷ debt. `order_id` is null where the insurance fund repaid.
  await sql`
    create table margin_liquidations (
      seq bigint not null,
      line integer not null,
      at_ms bigint not null,
      user_id bigint not null,
      market text not null,
      order_id bigint,
      level numeric not null,
      liquidation_level numeric not null,
      assets numeric not null,
      debt numeric not null,
      fee numeric not null,
      insured numeric not null,
      primary key (seq, line)
    )`.execute(db)
  await sql`create index margin_liquidations_user on margin_liquidations (user_id, at_ms, seq, line)`.execute(db)

  // `earned`: all interest that was ever added to the claim.
  await sql`
    create table lend_claims (
      user_id bigint not null,
      asset text not null,
      claim numeric not null,
      earned numeric not null,
      primary key (user_id, asset)
    )`.execute(db)

  // A pool's last rate and utilization in each hour in which they changed, both in percent.
  await sql`
    create table lend_rates (
      asset text not null,
      hour_ms bigint not null,
      rate numeric not null,
      utilization numeric not null,
      primary key (asset, hour_ms)
    )`.execute(db)
}
