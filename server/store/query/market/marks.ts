import { endTimeOf, openTimeOf } from '@candor/core/market-data/calendar.ts'
import type { Decimal, Millis } from '@candor/core/money/brand.ts'
import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireCandle, WireCandles } from '@candor/core/protocol/wire/market.ts'
import type pg from 'pg'
import { bucketOf, storedPerBar } from './market.ts'
import { endOfTime, pageLimit } from '../page.ts'

/** Every interval except seconds: marks are stored by the minute. */
export type MarkInterval = Exclude<Interval, '1s'>

type Row = { time: number; open: Decimal; high: Decimal; low: Decimal; close: Decimal; is_reference: boolean }

/**
 * Bars of a Futures market's mark or index that opened at or before `endTime`, newest last, the current one included; a period
 * without change has no bar. They record no trades: volumes are 0.
 */
export async function markCandles(
  pool: pg.Pool,
  symbol: string,
  price: 'mark' | 'index',
  interval: MarkInterval,
  options: { readonly endTime?: number | undefined; readonly limit?: number | undefined } = {},
): Promise<WireCandles> {
  const limit = pageLimit(options.limit, 1000, 500)
  const { unit, count } = storedPerBar(interval)
  const prefix = price === 'mark' ? '' : 'index_'
  const close = price === 'mark' ? 'mark' : 'index_price'
  const values = `${prefix}open as open, ${prefix}high as high, ${prefix}low as low`
  // The last bar includes stored bars that opened after `endTime`.
  const end = options.endTime === undefined ? endOfTime : endTimeOf(interval, openTimeOf(interval, options.endTime as Millis)) - 1
  const { rows } = await pool.query<Row>(
    `select ${bucketOf(interval)} as time, (array_agg(open order by open_time))[1] as open, max(high) as high, min(low) as low,
       (array_agg(close order by open_time desc))[1] as close, bool_and(is_reference) as is_reference
     from (
       (select open_time, ${values}, ${prefix}close as close, is_reference from mark_candles_${unit}
        where market = $1 and open_time <= $2 order by open_time desc limit ${limit * count})
       union all
       select open_time, ${values}, ${close} as close, false from perp_marks where market = $1 and open_time <= $2
     ) stored
     group by 1 order by 1 desc limit $3`,
    [symbol, end, limit],
  )
  return { symbol, interval, candles: rows.toReversed().map(toCandle) }
}

function toCandle({ time, open, high, low, close, is_reference }: Row): WireCandle {
  return [time, open, high, low, close, '0', '0', 0, is_reference ? 1 : 0]
}
