import type { Side, TimeInForce } from '@candor/core/protocol/command/spot.ts'
import type { CloseReason } from '@candor/core/protocol/event/index.ts'
import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { WireMarginOrder } from '@candor/core/protocol/wire/margin.ts'
import type { WirePerpOrder } from '@candor/core/protocol/wire/perp.ts'
import type { OrderStatus, WireFill, WireOrder, WireTrigger } from '@candor/core/protocol/wire/spot.ts'
import type pg from 'pg'
import { decodeCursor, endOfTime, pageLimit, toPage } from './page.ts'

/** Orders and trades of spot markets and of Futures share the same tables. */
export type MarketKind = 'spot' | 'perp'

export type OrderHistoryFilter = {
  readonly kind: MarketKind
  readonly market?: MarketId | undefined
  readonly side?: Side | undefined
  readonly status?: OrderStatus | undefined
  /** Orders placed at or after this time, in milliseconds. */
  readonly from?: number | undefined
  /** Orders placed at or before this time. */
  readonly to?: number | undefined
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

export type FillFilter = {
  readonly kind: MarketKind
  readonly market?: MarketId | undefined
  readonly order?: OrderId | undefined
  /** Fills at or after this time, in milliseconds. */
  readonly from?: number | undefined
  /** Fills at or before this time. */
  readonly to?: number | undefined
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

type OrderRow = {
  id: number
  list_id: number | null
  client_id: string
  market: string
  side: Side
  type: 'limit' | 'market'
  time_in_force: TimeInForce
  status: OrderStatus
  price: string | null
  quantity: string | null
  spend: string | null
  executed: string
  executed_quote: string
  average: string | null
  post_only: boolean
  display: string | null
  trigger: WireTrigger | null
  close_reason: CloseReason | null
  placed_at_ms: number
  updated_at_ms: number
  perp: WirePerpOrder | null
  margin: WireMarginOrder | null
  algo_id: number | null
}

const orderColumns = `id, list_id, client_id, market, side, type, time_in_force, status, price, quantity, trim_scale(spend) as spend,
  executed, trim_scale(executed_quote) as executed_quote, average, post_only, display, trigger, close_reason,
  placed_at_ms, updated_at_ms, perp, margin, algo_id`

/** A user's orders that have left the book, latest placed first. */
export async function orderHistory(pool: pg.Pool, user: UserId, filter: OrderHistoryFilter): Promise<WirePage<WireOrder>> {
  const limit = pageLimit(filter.limit)
  const cursor = decodeCursor(filter.before, 2)
  const [lastAt] = cursor as [number]
  const { rows } = await pool.query<OrderRow>(
    `select found.* from markets
     cross join (values ('filled'), ('cancelled'), ('expired')) ended(how)
     cross join (values ('buy'), ('sell')) sides(word)
     cross join lateral (
       select ${orderColumns} from orders
       where user_id = $1 and market = symbol and status = how and status in ('filled', 'cancelled', 'expired') and side = word
         and placed_at_ms between $5 and $6 and (placed_at_ms, id) < ($7, $8)
       order by placed_at_ms desc, id desc limit $9
     ) found
     where (definition ? 'perp') = $10 and ($2::bigint is null or markets.id = $2) and ($3::text is null or word = $3) and ($4::text is null or how = $4)
     order by placed_at_ms desc, id desc limit $9`,
    [
      user,
      filter.market ?? null,
      filter.side ?? null,
      filter.status ?? null,
      filter.from ?? 0,
      // The index is entered at this bound; the comparison with the cursor then only cuts within one millisecond.
      Math.min(filter.to ?? endOfTime, lastAt),
      ...cursor,
      limit + 1,
      filter.kind === 'perp',
    ],
  )
  return toPage(rows, limit, toOrder, (row) => [row.placed_at_ms, row.id])
}

/** One order of the user with its fills, oldest first; undefined when the tables have no such order of this user. */
export async function orderById(
  pool: pg.Pool,
  user: UserId,
  id: OrderId,
): Promise<{ readonly order: WireOrder; readonly fills: readonly WireFill[] } | undefined> {
  const { rows } = await pool.query<OrderRow>(`select ${orderColumns} from orders where id = $1 and user_id = $2`, [id, user])
  const [row] = rows
  if (row === undefined) return undefined
  const kind = row.perp === null ? 'spot' : 'perp'
  const { items } = await fills(pool, user, { kind, order: id, limit: orderFillsMax }, orderFillsMax)
  return { order: toOrder(row), fills: items.toReversed().map(({ isMargin: _isMargin, ...fill }) => fill) }
}

type FillRow = {
  market_id: number
  role: number
  trade_id: number
  order_id: number
  symbol: string
  side: Side
  price: string
  quantity: string
  quote: string
  fee: string
  fee_asset: string
  is_margin: boolean
  at_ms: number
}

const orderFillsMax = 1000

/** A user's fills, newest first; both sides of a trade in which the user is both maker and taker. */
export async function fills(pool: pg.Pool, user: UserId, filter: FillFilter, max?: number): Promise<WirePage<WireFill>> {
  const limit = pageLimit(filter.limit, max)
  const cursor = decodeCursor(filter.before, 4)
  const { rows } = await pool.query<FillRow>(
    `with the_order as (select market, placed_at_ms, updated_at_ms from orders where id = $3 and user_id = $1),
     span as (
       select greatest($10::bigint, coalesce((select placed_at_ms from the_order), 0)) as first,
         least($4::bigint, $11::bigint, coalesce((select updated_at_ms from the_order), $4::bigint)) as last
     )
     select newest.*, coalesce((select margin is not null from orders where id = order_id), false) as is_margin from (
     select found.*, case when side = 'buy' and not is_perp then base else quote_asset end as fee_asset
     from (select id as number, symbol as name, base, quote as quote_asset, definition ? 'perp' as is_perp from markets) listed
     cross join span
     cross join lateral (
       (${fillsOf('maker', 0)})
       union all
       (${fillsOf('taker', 1)})
     ) found
     where is_perp = $9 and ($2::bigint is null or number = $2) and ($3::bigint is null or name = (select market from the_order))
     order by at_ms desc, market_id desc, trade_id desc, role desc limit $8) newest
     order by at_ms desc, market_id desc, trade_id desc, role desc`,
    [
      user,
      filter.market ?? null,
      filter.order ?? null,
      ...cursor,
      limit + 1,
      filter.kind === 'perp',
      filter.from ?? 0,
      filter.to ?? endOfTime,
    ],
  )
  return toPage(rows, limit, toFill, (row) => [row.at_ms, row.market_id, row.trade_id, row.role])
}

/** One market's fills of one role: a short scan of that role's index. The cursor separates rows of the same millisecond. */
function fillsOf(role: 'maker' | 'taker', number: 0 | 1): string {
  const opposite = "case when taker_side = 'buy' then 'sell' else 'buy' end"
  return `select number as market_id, ${number} as role, trade_id, ${role}_order as order_id, market as symbol, at_ms, price, quantity,
      ${role === 'taker' ? 'taker_side' : opposite} as side, trim_scale(quote) as quote, trim_scale(${role}_fee) as fee
    from trades
    where ${role}_user = $1 and market = name and at_ms between span.first and span.last
      and (at_ms, number, trade_id, ${number}) < ($4::bigint, $5::bigint, $6::bigint, $7::bigint) and ($3::bigint is null or ${role}_order = $3)
    order by at_ms desc, trade_id desc limit $8`
}

function toOrder(row: OrderRow): WireOrder {
  return {
    id: String(row.id),
    clientId: row.client_id,
    ...(row.list_id === null ? {} : { listId: String(row.list_id) }),
    symbol: row.market,
    side: row.side,
    type: row.type,
    timeInForce: row.time_in_force,
    status: row.status,
    ...(row.price === null ? {} : { price: row.price }),
    ...(row.quantity === null ? {} : { quantity: row.quantity }),
    ...(row.spend === null ? {} : { spend: row.spend }),
    executed: row.executed,
    executedQuote: row.executed_quote,
    ...(row.average === null ? {} : { average: row.average }),
    postOnly: row.post_only,
    ...(row.display === null ? {} : { display: row.display }),
    ...(row.trigger === null ? {} : { trigger: row.trigger }),
    ...(row.perp === null ? {} : { perp: row.perp }),
    ...(row.margin === null ? {} : { margin: { account: row.margin.account, borrow: row.margin.borrow } }),
    ...(row.close_reason === null ? {} : { closeReason: row.close_reason }),
    ...(row.algo_id === null ? {} : { algoId: String(row.algo_id) }),
    placedAt: row.placed_at_ms,
    updatedAt: row.updated_at_ms,
  }
}

function toFill(row: FillRow): WireFill {
  return {
    tradeId: String(row.trade_id),
    orderId: String(row.order_id),
    symbol: row.symbol,
    side: row.side,
    role: row.role === 1 ? 'taker' : 'maker',
    price: row.price,
    quantity: row.quantity,
    quote: row.quote,
    fee: row.fee,
    feeAsset: row.fee_asset,
    ...(row.is_margin ? { isMargin: true } : {}),
    time: row.at_ms,
  }
}
