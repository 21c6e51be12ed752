import { formatLots, formatTicks } from '@candor/core/money/price.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { Candle, Market } from '@candor/core/protocol/market.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { StoreFault } from '../../fault.ts'
import { Columns } from '../../projection/columns.ts'
import { barColumns } from '../../projection/market.ts'

/**
 * Fills a chart with candles from before the market's first own trade. Later ones are left out and existing ones stay, so a
 * repeat changes nothing. `candles`: complete ones, in ticks, lots and quote units. Waits while the market is not in the tables
 * yet; throws a retryable StoreFault when it stays away.
 */
export async function insertReferenceCandles(
  pool: pg.Pool,
  market: MarketId,
  interval: '1m' | '1h',
  candles: readonly Candle[],
): Promise<void> {
  const { definition, quote_scale } = await listedMarket(pool, market)
  const { symbol, tick, lot } = definition
  const firstOwn = await firstOwnOpening(pool, symbol, interval)
  const rows = new Columns(`candles_${interval}`, barColumns, '(market, open_time) do nothing')
  for (const { openTime, open, high, low, close, lots, quote, trades } of candles) {
    if (openTime >= firstOwn) continue
    const prices = [open, high, low, close].map((ticks) => formatTicks(ticks, tick))
    rows.push(symbol, openTime, ...prices, formatLots(lots, lot), formatFixed(quote, quote_scale), trades, true)
  }
  const statement = rows.take()
  for (const values of statement?.batches ?? []) await pool.query(statement!.text, values as string[])
}

/**
 * Copies the bars of the spot market that a Futures market follows into the Futures market's chart, if that is empty, as
 * reference: their trades don't count as volume here. A repeat changes nothing.
 */
export async function copyReferenceCandles(pool: pg.Pool, from: MarketId, to: MarketId): Promise<void> {
  const [source, target] = [await listedMarket(pool, from), await listedMarket(pool, to)]
  for (const interval of ['1m', '1h'] as const) {
    await pool.query(
      `insert into candles_${interval}
         (market, open_time, open, high, low, close, volume, quote_volume, trades, is_reference)
       select $2, open_time, open, high, low, close, volume, quote_volume, trades, true from candles_${interval}
       where market = $1 and not exists (select from candles_${interval} where market = $2)
       on conflict (market, open_time) do nothing`,
      [source.definition.symbol, target.definition.symbol],
    )
  }
}

/**
 * Fills the mark and index charts of a Futures market with its spot market's bars from before the first own mark, as reference. A
 * repeat changes nothing.
 */
export async function copyReferenceMarks(pool: pg.Pool, from: MarketId, to: MarketId): Promise<void> {
  const [source, target] = [await listedMarket(pool, from), await listedMarket(pool, to)]
  for (const interval of ['1m', '1h'] as const) {
    await pool.query(
      `insert into mark_candles_${interval}
       select $2, open_time, open, high, low, close, open, high, low, close, true from candles_${interval}
       where market = $1 and open_time < coalesce(
           (select min(open_time) from mark_candles_${interval} where market = $2 and not is_reference),
           (select open_time from perp_marks where market = $2),
           $3::bigint
         )
         and not exists (select from mark_candles_${interval} where market = $2 and is_reference)
       on conflict (market, open_time) do nothing`,
      [source.definition.symbol, target.definition.symbol, Number.MAX_SAFE_INTEGER],
    )
  }
}

const waitMs = 10_000
const pollMs = 50

async function listedMarket(pool: pg.Pool, market: MarketId): Promise<{ readonly definition: Market; readonly quote_scale: number }> {
  for (const until = Date.now() + waitMs; ; await sleep(pollMs)) {
    const { rows } = await pool.query(
      'select definition, scale as quote_scale from markets join assets on assets.symbol = quote where markets.id = $1',
      [market],
    )
    if (rows[0] !== undefined) return rows[0]
    if (Date.now() > until) throw new StoreFault(`Market ${market} is not in the tables`, { isRetryable: true })
  }
}

async function firstOwnOpening(pool: pg.Pool, symbol: string, interval: '1m' | '1h'): Promise<number> {
  const { rows } = await pool.query<{ open_time: number }>(
    `select open_time from candles_${interval} where market = $1 and not is_reference order by open_time limit 1`,
    [symbol],
  )
  return rows[0]?.open_time ?? Number.MAX_SAFE_INTEGER
}
