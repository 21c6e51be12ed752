import type { Millis } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Span } from '../days.ts'
import type { Thresholds } from '../thresholds.ts'
import type { Range } from './ranges.ts'
import type { Reads } from './reads.ts'

/** Orders that an account placed in a market on a day. `value`s are price × quantity, rounded. */
export type OrderSums = {
  readonly market: string
  readonly user: UserId
  readonly orders: number
  /** Cancelled by their owner without any fill. */
  readonly cancelled: number
  /** Cancelled so, large, and within seconds. */
  readonly large: number
  /** Of the median order of the market. */
  readonly median: number
  readonly from: Millis
  readonly to: Millis
}

/** An account, or several that may belong to one person, in a market. `median`: as in `OrderSums`. */
export type Quoting = { readonly market: string; readonly users: readonly UserId[]; readonly median: number }

export type LargeOrder = {
  readonly id: number
  readonly user: UserId
  readonly isBuy: boolean
  readonly price: number
  readonly value: number
  readonly placed: Millis
  readonly cancelled: Millis
}

/** A fill of an account. `orderValue`: of its whole order. */
export type Fill = {
  readonly at: Millis
  readonly user: UserId
  readonly isBuy: boolean
  readonly order: number
  readonly value: number
  readonly orderValue: number
}

export type Orders = { readonly sums: readonly OrderSums[]; readonly orders: number; readonly prevented: number }

/**
 * Accounts with large orders that were cancelled quickly, or with many orders of which hardly one traded. Of `linked` accounts each
 * that has one such large order, because others of the same person may have had the rest. The median is that of orders
 * that traded: orders that are only shown cost nothing, and could raise it. Market makers of the exchange are left out: the tables have
 * only those of their orders that traded.
 */
export async function suspectOrders(
  reads: Reads,
  range: Range,
  { own, linked }: { readonly own: readonly UserId[]; readonly linked: readonly UserId[] },
  { spoofing, cancels }: Thresholds,
): Promise<Orders> {
  const { rows } = await reads.client.query<OrderSums & { readonly all: number; readonly prevented: number }>(
    `with day as materialized (
       select market, user_id, status, executed, executed <= $10::float8 * quantity as unfilled, executed_quote, price * quantity as value,
         placed_at_ms, updated_at_ms, prevented
       from orders where id >= $1 and id < $2 and not user_id = any($3)
     ),
     medians as (
       select market, percentile_disc(0.5) within group (order by coalesce(value, executed_quote)) as median
       from day where executed > 0 group by market
     ),
     sums as (
       select market, user_id, median, count(*) as orders, count(*) filter (where status = 'cancelled' and executed = 0) as cancelled,
         count(*) filter (where status = 'cancelled' and unfilled and updated_at_ms - placed_at_ms <= $4 and value >= $5 * median) as large,
         min(placed_at_ms) as "from", max(updated_at_ms) as "to"
       from day left join medians using (market) group by 1, 2, 3
     )
     select s.market, s.user_id::bigint as user, s.orders::bigint, s.cancelled::bigint, s.large::bigint, s.median::float8, s."from", s."to",
       (select count(*) from day)::bigint as all, (select count(*) from day where prevented > 0)::bigint as prevented
     from (select null) nothing left join sums s on s.large >= $6 or (s.large > 0 and s.user_id = any($11)) or (s.orders >= $7 and s.cancelled >= $8::float8 * s.orders)
     order by s.large desc nulls last, s.orders desc, s.user_id limit $9`,
    [
      ...[range.from, range.to, own, spoofing.lifeMaxMs, spoofing.medianTimes, spoofing.movesMin],
      ...[cancels.ordersMin, cancels.shareMin, reads.limits.quoters, spoofing.filledMax, linked],
    ],
  )
  const { all: orders, prevented } = rows[0]!
  return {
    sums: reads.taken(
      'quoters',
      rows.filter(({ user }) => user !== null),
    ),
    orders,
    prevented,
  }
}

/**
 * The large orders of an account, or of linked ones, that were cancelled quickly, oldest first. Only those that are close to a fill of the
 * other side: thousands of others, which cost nothing, would stand before them.
 */
export async function largeOrders(
  reads: Reads,
  { market, users, median }: Quoting,
  { from, to }: Span,
  { spoofing }: Thresholds,
): Promise<readonly LargeOrder[]> {
  const { rows } = await reads.client.query<LargeOrder>(
    `select id, user_id::bigint as user, side = 'buy' as "isBuy", price::float8, (price * quantity)::float8 as value, placed_at_ms as placed,
       updated_at_ms as cancelled
     from orders o
     where user_id = any($1) and market = $2 and status = 'cancelled' and side in ('buy', 'sell') and placed_at_ms >= $3 and placed_at_ms < $4
       and executed <= $8::float8 * quantity and updated_at_ms - placed_at_ms <= $5 and price * quantity >= $6
       and (
         exists (
           select from trades t where t.maker_user = any($1) and t.market = $2 and t.taker_side = o.side
             and t.at_ms between o.updated_at_ms - $9::bigint and o.updated_at_ms + $10::bigint
         ) or exists (
           select from trades t where t.taker_user = any($1) and t.market = $2 and t.taker_side <> o.side
             and t.at_ms between o.updated_at_ms - $9::bigint and o.updated_at_ms + $10::bigint
         )
       )
     order by placed_at_ms, id limit $7`,
    [
      ...[users, market, from, to, spoofing.lifeMaxMs, spoofing.medianTimes * median, reads.limits.largeOrders, spoofing.filledMax],
      // Orders of one move may be cancelled a little before or after the one that a fill stands beside.
      ...[spoofing.afterFillMs + spoofing.togetherMs, spoofing.togetherMs],
    ],
  )
  return reads.taken('largeOrders', rows)
}

/** The fills of an account, or of linked ones, in a market on a day, oldest first. */
export async function fillsOf(reads: Reads, { market, users }: Quoting, { from, to }: Span): Promise<readonly Fill[]> {
  const { rows } = await reads.client.query<Fill & { readonly isMaker: boolean }>(
    `select at, f."user"::bigint as user, "isBuy", "isMaker", f.id as "order", f.quote::float8 as value,
       coalesce(o.price, f.price)::float8 * coalesce(o.quantity, f.quantity)::float8 as "orderValue"
     from (
       (select at_ms as at, maker_user as "user", taker_side = 'sell' as "isBuy", true as "isMaker", maker_order as id, price, quantity, quote, trade_id
        from trades where maker_user = any($1) and market = $2 and at_ms >= $3 and at_ms < $4 order by at_ms, trade_id limit $5)
       union all
       (select at_ms, taker_user, taker_side = 'buy', false, taker_order, price, quantity, quote, trade_id
        from trades where taker_user = any($1) and market = $2 and at_ms >= $3 and at_ms < $4 order by at_ms, trade_id limit $5)
     ) f left join orders o on o.id = f.id order by at, trade_id`,
    [users, market, from, to, reads.limits.fills],
  )
  for (const asMaker of [true, false])
    reads.taken(
      'fills',
      rows.filter(({ isMaker }) => isMaker === asMaker),
    )
  return rows.map(({ isMaker: _, ...fill }) => fill)
}
