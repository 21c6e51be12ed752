import type { Decimal } from '@candor/core/money/brand.ts'
import type { OrderId, TradeId, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'

/** A user's side of a trade, with times in milliseconds. A `fee` above zero was paid. */
export type FillRow = {
  readonly id: TradeId
  readonly order_id: OrderId
  readonly price: Decimal
  readonly quantity: Decimal
  readonly quote: Decimal
  readonly fee: Decimal
  readonly at_ms: number
  readonly is_buyer: boolean
  readonly is_maker: boolean
}

/** The oldest fills from a trade's number or a time on; without both, the newest up to a time. Times in milliseconds, both included. */
export type FillRange = {
  readonly order?: OrderId | undefined
  readonly fromId?: TradeId | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly limit: number
}

/** Columns and conditions that one kind of fills adds to `FillRow`, by the user's role in the trade. */
export type Kind = {
  readonly columns: (role: Role) => string
  readonly join?: (role: Role) => string
  /** A condition, which may name `value` as `$8`. */
  readonly where?: string
  readonly value?: string
}

/** Prefix of a trade's columns, as in `maker_order`. */
type Role = 'maker' | 'taker'

/** A user's fills in one market, oldest first; both sides of a trade in which the user is both maker and taker. */
export async function fillsBetween<Row extends FillRow>(
  pool: pg.Pool,
  user: UserId,
  symbol: string,
  { order, fromId, start, end, limit }: FillRange,
  kind: Kind,
): Promise<readonly Row[]> {
  const isOldest = fromId !== undefined || start !== undefined
  const { rows } = await pool.query<Row>(
    // Numbers and times ascend together: the index is entered at the time of the first number, or of the order's placing.
    `with the_order as (select placed_at_ms, updated_at_ms from orders where id = $3 and user_id = $1),
     span as (
       select greatest($5::bigint, (select at_ms from trades where market = $2 and trade_id >= $4 order by trade_id limit 1),
           (select placed_at_ms from the_order)) as first,
         least($6::bigint, (select updated_at_ms from the_order)) as last
     )
     select found.* from span cross join lateral (
       (${sideOf('maker', isOldest, kind)})
       union all
       (${sideOf('taker', isOldest, kind)})
     ) found
     order by ${isOldest ? 'id, is_maker' : 'id desc, is_maker desc'} limit $7`,
    [
      ...[user, symbol, order ?? null, fromId ?? 0, start ?? 0, end ?? Number.MAX_SAFE_INTEGER, limit],
      ...(kind.value === undefined ? [] : [kind.value]),
    ],
  )
  return isOldest ? rows : rows.toReversed()
}

function sideOf(role: Role, isOldest: boolean, { columns, join, where }: Kind): string {
  const isMaker = role === 'maker'
  const direction = isOldest ? '' : 'desc'
  const own = `${role}_order`
  return `select trade_id as id, ${own} as order_id, trades.price, trades.quantity, trim_scale(quote) as quote,
      trim_scale(${role}_fee) as fee, at_ms, taker_side = '${isMaker ? 'sell' : 'buy'}' as is_buyer, ${isMaker} as is_maker,
      ${columns(role)}
    from trades ${join?.(role) ?? ''}
    where ${role}_user = $1 and trades.market = $2 and at_ms between span.first and span.last and trade_id >= $4
      and ($3::bigint is null or ${own} = $3) ${where === undefined ? '' : `and ${where}`}
    order by at_ms ${direction}, trade_id ${direction} limit $7`
}
