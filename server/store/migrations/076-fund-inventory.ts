import { type Kysely, sql } from 'kysely'

/** Inventory of the insurance fund in each Futures market after each command that changed it. Queries show it with a delay of an hour. */
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
