import type { CloseReason } from '@candor/core/protocol/event/index.ts'
import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { WirePerpOrder } from '@candor/core/protocol/wire/perp.ts'
import type pg from 'pg'
import { orderColumns, type OrderRow } from '../order-row.ts'

/** A Futures order. */
export type PerpOrderRow = OrderRow & { readonly perp: WirePerpOrder }

const columns = `orders.id, markets.id as market_id, ${orderColumns}, perp`
const from = 'orders join markets on markets.symbol = orders.market'

/** One order of a user in one Futures market or in any, by its number; or by a client id, the last order that had it. */
export async function perpOrder(
  pool: pg.Pool,
  user: UserId,
  market: MarketId | undefined,
  which: { readonly id: OrderId } | { readonly clientId: string },
): Promise<PerpOrderRow | undefined> {
  const [found, value] = 'id' in which ? ['orders.id = $3', which.id] : ['client_id = $3', which.clientId]
  const { rows } = await pool.query<PerpOrderRow>(
    `select ${columns} from ${from} where user_id = $1 and ($2::bigint is null or markets.id = $2) and perp is not null and ${found}
     order by orders.id desc limit 1`,
    [user, market ?? null, value],
  )
  return rows[0]
}

/** Reasons for which only a triggered order can close. */
const afterActing: readonly CloseReason[] = ['filled', 'ioc', 'fok', 'post-only', 'self-trade', 'slippage', 'no-level']

/**
 * SQL condition that a conditional order was triggered: it has a trigger time or, where that is unknown, a fill, or it closed for
 * one of the `reasons`.
 */
const hasActed = (reasons: string): string =>
  `(triggered_at_ms is not null or executed > 0 or coalesce(close_reason = any(${reasons}::text[]), false))`

/** The same for a row. */
export function hasRowActed({ triggered_at_ms, executed, close_reason }: PerpOrderRow): boolean {
  return triggered_at_ms !== null || Number(executed) > 0 || (close_reason !== null && afterActing.includes(close_reason))
}

export type EndedOrders = {
  readonly market: MarketId
  /** Orders from this number on. */
  readonly fromId?: number | undefined
  /** Orders placed at or after `start`, and at or before `end`, in milliseconds. */
  readonly start?: number | undefined
  readonly end?: number | undefined
  /** True: orders that were placed with a trigger. False: those whose trigger acted, and those without one. */
  readonly isConditional: boolean
  readonly limit: number
}

/**
 * Orders of a user that have left the book, oldest first: from a number or a time on the oldest, without both the newest. Numbers
 * ascend with time, so a scan by time begins at the order with the first number or, if it is missing, at the one before it.
 */
export async function endedPerpOrders(pool: pg.Pool, user: UserId, filter: EndedOrders): Promise<readonly PerpOrderRow[]> {
  const isOldest = filter.fromId !== undefined || filter.start !== undefined
  const order = isOldest ? 'asc' : 'desc'
  const { rows } = await pool.query<PerpOrderRow>(
    `with begin as (
       select greatest($3::bigint, coalesce((select placed_at_ms from orders where id <= $5 order by id desc limit 1), 0)) as at
     )
     select found.* from begin
     cross join (values ('filled'), ('cancelled'), ('expired')) ended(how)
     cross join (values ('buy'), ('sell')) sides(word)
     cross join lateral (
       select ${columns} from ${from}
       where user_id = $1 and markets.id = $2 and status = how and status in ('filled', 'cancelled', 'expired') and side = word
         and placed_at_ms between begin.at and $4 and orders.id >= $5
         and (trigger is not null or not $6) and ($6 or trigger is null or ${hasActed('$8')})
       order by placed_at_ms ${order}, orders.id ${order} limit $7
     ) found
     order by id ${order} limit $7`,
    [
      ...[user, filter.market, filter.start ?? 0, filter.end ?? Number.MAX_SAFE_INTEGER],
      ...[filter.fromId ?? 0, filter.isConditional, filter.limit, afterActing],
    ],
  )
  return isOldest ? rows : rows.toReversed()
}
