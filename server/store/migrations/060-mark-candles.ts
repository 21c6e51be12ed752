import { type Kysely, sql } from 'kysely'

/**
 * Candles of mark and index of each Futures market: a row per minute, written when the minute is over, and a row per hour. The
 * current minute is stored beside the last mark. Reference candles come from other venues and precede the first own mark.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['mark_candles_1m', 'mark_candles_1h']) {
    await sql`
      create table ${sql.table(table)} (
        market text not null,
        open_time bigint not null,
        open numeric not null,
        high numeric not null,
        low numeric not null,
        close numeric not null,
        index_open numeric not null,
        index_high numeric not null,
        index_low numeric not null,
        index_close numeric not null,
        is_reference boolean not null,
        primary key (market, open_time)
      )`.execute(db)
  }
  await sql`
    alter table perp_marks
      add column open_time bigint,
      add column open numeric,
      add column high numeric,
      add column low numeric,
      add column index_open numeric,
      add column index_high numeric,
      add column index_low numeric`.execute(db)
}
