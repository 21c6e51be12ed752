import { type Kysely, sql } from 'kysely'

/** How charts of accounts look, by market. A layout is at most 64 KiB. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chart_layouts (
      account uuid not null references accounts,
      symbol text not null check (symbol ~ '^[A-Z0-9]{2,20}$'),
      set_at timestamptz not null default clock_timestamp(),
      revision integer not null check (revision > 0),
      value jsonb not null check (length(value::text) <= 98304),
      primary key (account, symbol)
    )`.execute(db)
}
