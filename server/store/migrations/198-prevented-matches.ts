import { type Kysely, sql } from 'kysely'

/**
 * Matches that self-trade prevention kept from happening, projected from the core's events: both orders and their accounts, and what
 * each of them lost. Orders name the last one in which they lost something.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table prevented_matches (
      market text not null,
      match_id bigint not null,
      user_id bigint not null,
      at_ms bigint not null,
      mode text not null,
      price numeric not null,
      maker_order bigint not null,
      maker_account text not null,
      maker_quantity numeric,
      taker_order bigint not null,
      taker_account text not null,
      taker_quantity numeric,
      primary key (market, match_id)
    )`.execute(db)
  for (const role of ['maker', 'taker']) {
    const [name, order] = [sql.ref(`prevented_matches_${role}`), sql.ref(`${role}_order`)]
    await sql`create index ${name} on prevented_matches (user_id, market, ${order}, match_id)`.execute(db)
  }
  await sql`alter table orders add column prevented_match bigint`.execute(db)
}
