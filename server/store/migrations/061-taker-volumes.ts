import { type Kysely, sql } from 'kysely'

const bars = [
  ['candles_1s', 1_000],
  ['candles_1m', 60_000],
  ['candles_1h', 3_600_000],
] as const

/** The part of a candle's volume that takers bought. Existing bars get it from their trades; reference bars have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, length] of bars) {
    await sql`
      alter table ${sql.table(table)}
        add column taker_volume numeric not null default 0,
        add column taker_quote_volume numeric not null default 0`.execute(db)
    await sql`
      update ${sql.table(table)} as bar set taker_volume = bought.quantity, taker_quote_volume = bought.quote
      from (
        select market, at_ms - at_ms % ${sql.lit(length)} as open_time, sum(quantity) as quantity, sum(quote) as quote
        from trades where taker_side = 'buy' group by 1, 2
      ) bought
      where bar.market = bought.market and bar.open_time = bought.open_time and not bar.is_reference`.execute(db)
  }
}
