import { type Kysely, sql } from 'kysely'

/** What a customer took from the faucet of the sandbox on one UTC day, in units of the asset: one row, which all gateways count in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table faucet_days (
      user_id bigint not null,
      asset integer not null,
      day_ms bigint not null,
      units bigint not null check (units >= 0),
      primary key (user_id, asset)
    )`.execute(db)
}
