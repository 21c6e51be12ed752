import { type Kysely, sql } from 'kysely'

/** Debt of each Margin account in an asset, interest included, at the end of each UTC day on which it changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table debt_days (
      user_id bigint not null,
      market text not null,
      asset text not null,
      day_ms bigint not null,
      owed numeric not null,
      primary key (user_id, market, asset, day_ms)
    )`.execute(db)
}
