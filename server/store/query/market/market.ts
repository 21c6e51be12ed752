import { endTimeOf, openTimeOf } from '@candor/core/market-data/calendar.ts'
import type { Decimal, Millis } from '@candor/core/money/brand.ts'
import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireCandle, WireCandles, WireTrade, WireVolume } from '@candor/core/protocol/wire/market.ts'
import type pg from 'pg'
import { endOfTime, pageLimit } from '../page.ts'

const hourMs = 3_600_000

type Source = { readonly table: 'candles_1s' | 'candles_1m' | 'candles_1h'; readonly perBar: number; readonly bucket: string }

/**
 * Source of each interval's bars: a table, the most stored bars that make one, and the opening time of the bar that contains a
 * stored one.
 */
const sources: { readonly [I in Interval]: Source } = {
  '1s': { table: 'candles_1s', perBar: 1, bucket: 'open_time' },
  '1m': { table: 'candles_1m', perBar: 1, bucket: 'open_time' },
  '5m': { table: 'candles_1m', perBar: 5, bucket: floorTo(5 * 60_000) },
  '15m': { table: 'candles_1m', perBar: 15, bucket: floorTo(15 * 60_000) },
  '30m': { table: 'candles_1m', perBar: 30, bucket: floorTo(30 * 60_000) },
  '1h': { table: 'candles_1h', perBar: 1, bucket: 'open_time' },
  '4h': { table: 'candles_1h', perBar: 4, bucket: floorTo(4 * hourMs) },
  '1d': { table: 'candles_1h', perBar: 24, bucket: floorTo(24 * hourMs) },
  // Weeks begin on Monday, months on the first, both at 00:00 UTC.
  '1w': { table: 'candles_1h', perBar: 7 * 24, bucket: truncTo('week') },
  '1M': { table: 'candles_1h', perBar: 31 * 24, bucket: truncTo('month') },
}

/** SQL expression for the opening time of the bar that contains a stored one, for stored minutes and hours alike. */
export function bucketOf(interval: Interval): string {
  return interval === '1h' ? floorTo(hourMs) : sources[interval].bucket
}

/** Unit of the stored bars that make a bar of an interval, and the most of them in one. */
export function storedPerBar(interval: Interval): { readonly unit: '1m' | '1h'; readonly count: number } {
  return { unit: sources[interval].table === 'candles_1h' ? '1h' : '1m', count: sources[interval].perBar }
}

function floorTo(lengthMs: number): string {
  return `open_time - open_time % ${lengthMs}`
}

function truncTo(unit: 'week' | 'month'): string {
  return `(extract(epoch from date_trunc('${unit}', to_timestamp(open_time / 1000), 'UTC')) * 1000)::bigint`
}

type CandleRow = {
  time: number
  open: Decimal
  high: Decimal
  low: Decimal
  close: Decimal
  volume: Decimal
  quote_volume: Decimal
  trades: number
  is_reference: boolean
}

/**
 * Bars of a market that opened at or before `endTime`, newest last; a period without trades has no bar. A bar is reference
 * history when all of it is; otherwise only own trades count as volume.
 */
export async function candles(
  pool: pg.Pool,
  symbol: string,
  interval: Interval,
  options: { readonly endTime?: number | undefined; readonly limit?: number | undefined } = {},
): Promise<WireCandles> {
  const limit = pageLimit(options.limit, 1000, 500)
  const { table, perBar, bucket } = sources[interval]
  const own = (column: string) =>
    `case when bool_and(is_reference) then sum(${column}) else sum(${column}) filter (where not is_reference) end`
  const text =
    perBar === 1
      ? `select open_time as time, open, high, low, close, volume, trim_scale(quote_volume) as quote_volume, trades, is_reference
         from ${table} where market = $1 and open_time <= $2 order by open_time desc limit $3`
      : `select ${bucket} as time, (array_agg(open order by open_time))[1] as open, max(high) as high, min(low) as low,
           (array_agg(close order by open_time desc))[1] as close, ${own('volume')} as volume,
           trim_scale(${own('quote_volume')}) as quote_volume, (${own('trades')})::bigint as trades, bool_and(is_reference) as is_reference
         from (select * from ${table} where market = $1 and open_time <= $2 order by open_time desc limit ${limit * perBar}) stored
         group by 1 order by 1 desc limit $3`
  // The last bar includes stored bars that opened after `endTime`.
  const end = options.endTime === undefined ? endOfTime : endTimeOf(interval, openTimeOf(interval, options.endTime as Millis)) - 1
  const { rows } = await pool.query<CandleRow>(text, [symbol, end, limit])
  return { symbol, interval, candles: rows.toReversed().map(toCandle) }
}

function toCandle(row: CandleRow): WireCandle {
  const { time, open, high, low, close, volume, quote_volume, trades, is_reference } = row
  return [time, open, high, low, close, volume, quote_volume, trades, is_reference ? 1 : 0]
}

type TradeRow = { trade_id: number; price: string; quantity: string; quote: string; at_ms: number; taker_side: 'buy' | 'sell' }

/** The market's last trades, newest first. */
export async function trades(pool: pg.Pool, symbol: string, limit?: number): Promise<readonly WireTrade[]> {
  const { rows } = await pool.query<TradeRow>(
    `select trade_id, price, quantity, trim_scale(quote) as quote, at_ms, taker_side
     from trades where market = $1 order by trade_id desc limit $2`,
    [symbol, pageLimit(limit, 1000, 100)],
  )
  return rows.map((row) => ({
    id: String(row.trade_id),
    price: row.price,
    quantity: row.quantity,
    quote: row.quote,
    time: row.at_ms,
    takerSide: row.taker_side,
  }))
}

/** Value of trades on this exchange in USDT, each at the price of its time: whole hours, the current one included. */
export async function siteVolume(pool: pg.Pool, now: number): Promise<WireVolume> {
  const hour = now - (now % hourMs)
  const sum = (hours: number) => `trim_scale(coalesce(sum(usdt) filter (where hour > $1::bigint - ${hours * hourMs}), 0))`
  const { rows } = await pool.query<{ h24: Decimal; d7: Decimal; d30: Decimal }>(
    `select ${sum(24)} as h24, ${sum(7 * 24)} as d7, ${sum(30 * 24)} as d30 from volume_hours where hour > $1::bigint - ${30 * 24 * hourMs}`,
    [hour],
  )
  return { asset: 'USDT', ...(rows[0] as { h24: Decimal; d7: Decimal; d30: Decimal }) }
}
