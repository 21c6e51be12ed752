import { type Kysely, sql } from 'kysely'

/** Reference bars come from other venues and precede the market's first own trade; an own trade in the same bar replaces them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['candles_1s', 'candles_1m', 'candles_1h']) {
    await sql`
      create table ${sql.table(table)} (
        market text not null,
        open_time bigint not null,
        open numeric not null,
        high numeric not null,
        low numeric not null,
        close numeric not null,
        volume numeric not null,
        quote_volume numeric not null,
        trades bigint not null,
        is_reference boolean not null,
        primary key (market, open_time)
      )`.execute(db)
  }

  await sql`create table volume_hours (hour bigint primary key, usdt numeric not null)`.execute(db)
}
