import type { Decimal } from '@candor/core/money/brand.ts'
import type pg from 'pg'

/**
 * The oldest of a market's trades from a number or a time on; without both, the newest up to a time. Times in milliseconds, both
 * included.
 */
export type TradeRange = {
  readonly fromId?: number | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly limit: number
}

export type TradeRow = {
  readonly id: number
  readonly price: Decimal
  readonly quantity: Decimal
  readonly quote: Decimal
  readonly at: number
  readonly takerSide: 'buy' | 'sell'
}

/** Trades of a market, oldest first. */
export async function tradesIn(pool: pg.Pool, symbol: string, range: TradeRange): Promise<readonly TradeRow[]> {
  const isOldest = range.fromId !== undefined || range.start !== undefined
  const { rows } = await pool.query<TradeRow>(
    `select trade_id as id, price, quantity, trim_scale(quote) as quote, at_ms as at, taker_side as "takerSide"
     from trades where market = $1 and trade_id between $2 and $3
     order by trade_id ${isOldest ? 'asc' : 'desc'} limit $4`,
    [symbol, ...(await numbersIn(pool, symbol, range)), range.limit],
  )
  return isOldest ? rows : rows.toReversed()
}

/** Trades of one taker order at one price and time, numbered `first` to `last`. The aggregate's number is that of its first trade. */
export type AggregateRow = {
  readonly first: number
  readonly last: number
  readonly price: Decimal
  readonly quantity: Decimal
  readonly at: number
  readonly takerSide: 'buy' | 'sell'
}

/** Aggregates of a market that begin in the range, oldest first. Numbers of trades have no gaps, so neighbours differ by one. */
export async function aggregatesIn(pool: pg.Pool, symbol: string, range: TradeRange): Promise<readonly AggregateRow[]> {
  const isOldest = range.fromId !== undefined || range.start !== undefined
  const same = (one: string, other: string) =>
    `(${one}.taker_order, ${one}.price, ${one}.at_ms) = (${other}.taker_order, ${other}.price, ${other}.at_ms)`
  const { rows } = await pool.query<AggregateRow>(
    `select head.trade_id as first, body.last, head.price, body.quantity, head.at_ms as at, head.taker_side as "takerSide"
     from (
       select * from trades one where market = $1 and trade_id between $2 and $3
         and not exists (select from trades prior where prior.market = $1 and prior.trade_id = one.trade_id - 1 and ${same('prior', 'one')})
       order by trade_id ${isOldest ? 'asc' : 'desc'} limit $4
     ) head
     cross join lateral (
       select coalesce(min(trade_id), ${Number.MAX_SAFE_INTEGER}) as next from (
         select trade_id from trades later where later.market = $1 and later.trade_id > head.trade_id and not ${same('later', 'head')}
         order by trade_id limit 1
       ) stop
     ) stop
     cross join lateral (
       select sum(quantity) as quantity, max(trade_id) as last from trades part
       where part.market = $1 and part.trade_id >= head.trade_id and part.trade_id < stop.next
     ) body
     order by head.trade_id`,
    [symbol, ...(await numbersIn(pool, symbol, range)), range.limit],
  )
  return rows
}

/**
 * First and last number of a range. Numbers ascend with time, so a binary search finds the first number at a time, with one read
 * of the primary key per step.
 */
async function numbersIn(pool: pg.Pool, symbol: string, { fromId, start, end }: TradeRange): Promise<readonly [number, number]> {
  const first = start === undefined ? 0 : await numberFrom(pool, symbol, start)
  const last = end === undefined ? Number.MAX_SAFE_INTEGER : (await numberFrom(pool, symbol, end + 1)) - 1
  return [Math.max(first, fromId ?? 0), last]
}

/** Number of the first trade at or after a time; above all numbers when there is none. */
async function numberFrom(pool: pg.Pool, symbol: string, at: number): Promise<number> {
  const { rows } = await pool.query<{ low: number | null; high: number | null }>(
    'select min(trade_id) as low, max(trade_id) as high from trades where market = $1',
    [symbol],
  )
  let low = rows[0]?.low ?? 0
  let high = (rows[0]?.high ?? -1) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await pool.query<{ at: number }>('select at_ms as at from trades where market = $1 and trade_id = $2', [symbol, middle])
    if ((found.rows[0] as { at: number }).at < at) low = middle + 1
    else high = middle
  }
  return low
}
