import { type Kysely, sql } from 'kysely'

/** What the insurance fund carried in each contract after each command that changed it. Queries show what is an hour old. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table fund_inventory (
      market text not null,
      at_ms bigint not null,
      quantity numeric not null,
      cost numeric not null,
      primary key (market, at_ms)
    )`.execute(db)
}
