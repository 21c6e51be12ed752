import type { Millis } from '@candor/core/money/brand.ts'
import type pg from 'pg'
import type { Span } from '../days.ts'

/** Ids of a span: `from` included, `to` not. */
export type Range = { readonly from: number; readonly to: number }
type Queries = Pick<pg.ClientBase, 'query'>
/** Ids ascend with time in each of these, so that a day is found by its key and needs no index by time. */
type Series = {
  readonly table: 'orders' | 'trades'
  readonly id: 'id' | 'trade_id'
  readonly at: 'placed_at_ms' | 'at_ms'
  readonly market?: string
}

export const ordersOf = (client: Queries, span: Span): Promise<Range> =>
  rangeOf(client, { table: 'orders', id: 'id', at: 'placed_at_ms' }, span)

export const tradesOf = (client: Queries, market: string, span: Span): Promise<Range> =>
  rangeOf(client, { table: 'trades', id: 'trade_id', at: 'at_ms', market }, span)

async function rangeOf(client: Queries, series: Series, { from, to }: Span): Promise<Range> {
  const { table, id, market } = series
  const { rows } = await client.query<{ low: number | null; high: number | null }>(
    `select min(${id}) as low, max(${id}) as high from ${table} ${market === undefined ? '' : 'where market = $1'}`,
    market === undefined ? [] : [market],
  )
  const { low, high } = rows[0]!
  if (low === null || high === null) return { from: 0, to: 0 }
  const first = await firstAt(client, series, { from: low, to: high + 1 }, from)
  return { from: first, to: await firstAt(client, series, { from: first, to: high + 1 }, to) }
}

/** The first id from a time on, by halving: about 30 reads of the key. `range.to` if there is none. */
async function firstAt(client: Queries, { table, id, at, market }: Series, range: Range, time: Millis): Promise<number> {
  let { from, to } = range
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const { rows } = await client.query<{ id: number; at: number }>(
      `select ${id} as id, ${at} as at from ${table} where ${market === undefined ? '' : 'market = $2 and '}${id} >= $1 order by ${id} limit 1`,
      market === undefined ? [middle] : [middle, market],
    )
    const [row] = rows
    if (row === undefined || row.at >= time) to = middle
    else from = row.id + 1
  }
  return from
}
