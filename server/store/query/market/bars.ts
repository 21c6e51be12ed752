import type { Decimal } from '@candor/core/money/brand.ts'
import type pg from 'pg'

/**
 * How bars are made of stored ones. `lengthMs` null: calendar months. `originMs`: opening time of any one bar. `count`: most
 * stored bars in one.
 */
export type BarShape = {
  readonly unit: '1s' | '1m' | '1h'
  readonly lengthMs: number | null
  readonly originMs: number
  readonly count: number
}

/**
 * The oldest `limit` bars, or the newest, of the stored bars that opened at or after `from` and before `until`. Both ends are
 * opening times of bars.
 */
export type BarRange = { readonly from: number; readonly until: number; readonly limit: number; readonly isOldest: boolean }

/** Sums are of own trades only. `isReference`: the whole bar is reference history. */
export type TradeBar = {
  readonly time: number
  readonly open: Decimal
  readonly high: Decimal
  readonly low: Decimal
  readonly close: Decimal
  readonly volume: Decimal
  readonly quoteVolume: Decimal
  readonly takerVolume: Decimal
  readonly takerQuoteVolume: Decimal
  readonly trades: number
  readonly isReference: boolean
}

const prices = `(array_agg(open order by open_time))[1] as open, max(high) as high, min(low) as low,
  (array_agg(close order by open_time desc))[1] as close`

/** Bars of a market's trades of any length, oldest first. A period without trades has no bar. */
export async function tradeBars(pool: pg.Pool, symbol: string, shape: BarShape, range: BarRange): Promise<readonly TradeBar[]> {
  const own = (column: string) => `coalesce(sum(${column}) filter (where not is_reference), 0)`
  const { rows } = await pool.query<TradeBar>(
    `select ${bucketOf(shape)} as time, ${prices}, ${own('volume')} as volume, ${own('quote_volume')} as "quoteVolume",
       ${own('taker_volume')} as "takerVolume", ${own('taker_quote_volume')} as "takerQuoteVolume",
       ${own('trades')}::bigint as trades, bool_and(is_reference) as "isReference"
     from (
       select * from candles_${shape.unit} where market = $1 and open_time >= $2 and open_time < $3
       order by open_time ${orderOf(range)} limit ${range.limit * shape.count}
     ) stored
     group by 1 order by 1 ${orderOf(range)} limit ${range.limit}`,
    [symbol, range.from, range.until],
  )
  return range.isOldest ? rows : rows.toReversed()
}

/** The newest stored bar of a market's trades that opened before a time. */
export async function tradeBarBefore(pool: pg.Pool, symbol: string, unit: BarShape['unit'], at: number): Promise<TradeBar | undefined> {
  const shape = { unit, lengthMs: 1, originMs: 0, count: 1 }
  return (await tradeBars(pool, symbol, shape, { from: 0, until: at, limit: 1, isOldest: false }))[0]
}

/** Open, high, low, close and volume of the stored minutes from `from` up to `until`, in one bar. */
export async function tradeBarOver(pool: pg.Pool, symbol: string, from: number, until: number): Promise<TradeBar | undefined> {
  const lengthMs = until - from
  const shape = { unit: '1m', lengthMs, originMs: from, count: Math.ceil(lengthMs / 60_000) } as const
  return (await tradeBars(pool, symbol, shape, { from, until, limit: 1, isOldest: true }))[0]
}

export type MarkBar = Pick<TradeBar, 'time' | 'open' | 'high' | 'low' | 'close'>

/** Bars of a Futures market's mark or index, oldest first, the current minute included; a period without change has no bar. */
export async function markBars(
  pool: pg.Pool,
  symbol: string,
  price: 'mark' | 'index',
  shape: BarShape & { readonly unit: '1m' | '1h' },
  range: BarRange,
): Promise<readonly MarkBar[]> {
  const prefix = price === 'mark' ? '' : 'index_'
  const last = price === 'mark' ? 'mark' : 'index_price'
  const values = `${prefix}open as open, ${prefix}high as high, ${prefix}low as low`
  const { rows } = await pool.query<MarkBar>(
    `select ${bucketOf(shape)} as time, ${prices}
     from (
       (select open_time, ${values}, ${prefix}close as close from mark_candles_${shape.unit}
        where market = $1 and open_time >= $2 and open_time < $3
        order by open_time ${orderOf(range)} limit ${range.limit * shape.count})
       union all
       select open_time, ${values}, ${last} as close from perp_marks where market = $1 and open_time >= $2 and open_time < $3
     ) stored
     group by 1 order by 1 ${orderOf(range)} limit ${range.limit}`,
    [symbol, range.from, range.until],
  )
  return range.isOldest ? rows : rows.toReversed()
}

const orderOf = ({ isOldest }: BarRange): 'asc' | 'desc' => (isOldest ? 'asc' : 'desc')

/** SQL expression for the opening time of the bar that contains a stored one. */
function bucketOf({ lengthMs, originMs }: BarShape): string {
  if (lengthMs !== null) return `open_time - ((open_time - ${originMs}) % ${lengthMs} + ${lengthMs}) % ${lengthMs}`
  const local = `to_timestamp((open_time - ${originMs}) / 1000)`
  return `(extract(epoch from date_trunc('month', ${local}, 'UTC')) * 1000)::bigint + ${originMs}`
}
