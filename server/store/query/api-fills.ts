import type { Decimal } from '@candor/core/money/brand.ts'
import type { OrderId, TradeId, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { isOf, type OrderAccount } from './api-orders.ts'

/** A user's side of a trade in a spot market. Time in milliseconds. */
export type ApiFillRow = {
  readonly id: TradeId
  readonly order_id: OrderId
  readonly list_id: OrderId | null
  readonly price: Decimal
  readonly quantity: Decimal
  readonly quote: Decimal
  readonly fee: Decimal
  readonly at_ms: number
  readonly is_buyer: boolean
  readonly is_maker: boolean
}

/** From a trade's number or a time on, the oldest; else the newest, up to a time. Times in milliseconds, both included. */
export type FillRange = {
  readonly order?: OrderId | undefined
  readonly fromId?: TradeId | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly limit: number
}

/** A user's fills of one account in one market, oldest first; both sides, where the user traded with itself. */
export async function fillsIn(
  pool: pg.Pool,
  user: UserId,
  symbol: string,
  account: OrderAccount,
  { order, fromId, start, end, limit }: FillRange,
): Promise<readonly ApiFillRow[]> {
  const isOldest = fromId !== undefined || start !== undefined
  const sort = isOldest ? 'id, is_maker' : 'id desc, is_maker desc'
  const { rows } = await pool.query<ApiFillRow>(
    // Numbers and times ascend together: the index is entered at the time of the first number, and of the order.
    `with the_order as (select placed_at_ms, updated_at_ms from orders where id = $4 and user_id = $1),
     span as (
       select greatest($6::bigint, (select at_ms from trades where market = $2 and trade_id >= $5 order by trade_id limit 1),
           (select placed_at_ms from the_order)) as first,
         least($7::bigint, (select updated_at_ms from the_order)) as last
     )
     select found.* from span cross join lateral (
       (${sideOf('maker', isOldest)})
       union all
       (${sideOf('taker', isOldest)})
     ) found
     order by ${sort} limit $8`,
    [user, symbol, account, order ?? null, fromId ?? 0, start ?? 0, end ?? Number.MAX_SAFE_INTEGER, limit],
  )
  return isOldest ? rows : rows.toReversed()
}

function sideOf(role: 'maker' | 'taker', isOldest: boolean): string {
  const isMaker = role === 'maker'
  return `select trade_id as id, ${role}_order as order_id, own.list_id, trades.price, trades.quantity, trim_scale(quote) as quote,
      trim_scale(${role}_fee) as fee, at_ms, taker_side = '${isMaker ? 'sell' : 'buy'}' as is_buyer, ${isMaker} as is_maker
    from trades join orders own on own.id = ${role}_order
    where ${role}_user = $1 and trades.market = $2 and at_ms between span.first and span.last and trade_id >= $5
      and ($4::bigint is null or ${role}_order = $4) and ${isOf('$3', 'own')}
    order by at_ms ${isOldest ? '' : 'desc'}, trade_id ${isOldest ? '' : 'desc'} limit $8`
}
