import type { Decimal } from '@candor/core/money/brand.ts'
import type { MarginOrder } from '@candor/core/protocol/event/index.ts'
import type { OrderId, PreventedMatchId, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { orderColumns, type OrderRow } from '../order-row.ts'

/** Accounts whose spot-market orders are listed: the three kinds are never mixed in one answer. */
export type OrderAccount = 'spot' | MarginOrder['account']

/** An order of a spot market. */
export type ApiOrderRow = OrderRow & {
  readonly user_id: UserId
  readonly spend: Decimal | null
  readonly display: Decimal | null
  readonly prevented: Decimal | null
  readonly prevented_match: PreventedMatchId | null
  readonly strategy_id: number | null
  readonly strategy_type: number | null
  readonly margin: MarginOrder | null
}

const columns = `id, user_id, (select markets.id from markets where symbol = market) as market_id, ${orderColumns},
  trim_scale(spend) as spend, display, prevented, prevented_match, strategy_id, strategy_type, margin`

/** SQL condition that an order's row belongs to the account that parameter `$n` names. */
export const isOf = (account: string, order = 'orders'): string => `coalesce(${order}.margin ->> 'account', 'spot') = ${account}`

/** Those of the given orders that are the user's and in spot markets, of all accounts. */
export async function ordersById(pool: pg.Pool, user: UserId, ids: readonly OrderId[]): Promise<readonly ApiOrderRow[]> {
  if (ids.length === 0) return []
  const { rows } = await pool.query<ApiOrderRow>(
    `select ${columns} from orders where id = any($1::bigint[]) and user_id = $2 and perp is null`,
    [ids, user],
  )
  return rows
}

/** The user's newest order with this client id. */
export async function orderByClientId(pool: pg.Pool, user: UserId, clientId: string): Promise<ApiOrderRow | undefined> {
  const { rows } = await pool.query<ApiOrderRow>(
    `select ${columns} from orders where user_id = $1 and client_id = $2 and perp is null order by id desc limit 1`,
    [user, clientId],
  )
  return rows[0]
}

/** The oldest orders from a number or a time on; without both, the newest up to a time. Times in milliseconds, both included. */
export type OrderRange = {
  readonly fromId?: OrderId | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly limit: number
}

/** Orders of one market and account that have left the book, oldest first. */
export async function closedOrders(
  pool: pg.Pool,
  user: UserId,
  symbol: string,
  account: OrderAccount,
  { fromId, start, end, limit }: OrderRange,
): Promise<readonly ApiOrderRow[]> {
  const isOldest = fromId !== undefined || start !== undefined
  const order = isOldest ? 'placed_at_ms, id' : 'placed_at_ms desc, id desc'
  const { rows } = await pool.query<ApiOrderRow>(
    // Numbers and times ascend together: the index is entered at the time of the first number.
    `with first as (
       select greatest($5::bigint, coalesce((select placed_at_ms from orders where id >= $4 order by id limit 1), 9007199254740991)) as at
     )
     select found.* from (values ('filled'), ('cancelled'), ('expired')) ended(how)
     cross join (values ('buy'), ('sell')) sides(word)
     cross join first
     cross join lateral (
       select ${columns} from orders
       where user_id = $1 and market = $2 and status = how and status in ('filled', 'cancelled', 'expired') and side = word
         and placed_at_ms between first.at and $6 and id >= $4 and ${isOf('$3')}
       order by ${order} limit $7
     ) found
     order by ${order} limit $7`,
    [user, symbol, account, fromId ?? 0, start ?? 0, end ?? Number.MAX_SAFE_INTEGER, limit],
  )
  return isOldest ? rows : rows.toReversed()
}

/** Orders of the user's lists of one account, all of each, ordered by list. The first of a list is 1, 3 or 5 after it, by its kind. `limit` counts lists. */
export async function listLegs(
  pool: pg.Pool,
  user: UserId,
  account: OrderAccount,
  { fromId, start, end, limit }: OrderRange,
): Promise<readonly ApiOrderRow[]> {
  const isOldest = fromId !== undefined || start !== undefined
  const { rows } = await pool.query<ApiOrderRow>(
    `select ${columns} from orders
     where user_id = $1 and perp is null and list_id in (
       select list_id from orders
       where user_id = $1 and perp is null and list_id is not null and id = any(array[list_id + 1, list_id + 3, list_id + 5]) and list_id >= $3
         and placed_at_ms between $4 and $5 and ${isOf('$2')}
       order by list_id ${isOldest ? '' : 'desc'} limit $6
     )
     order by list_id, id`,
    [user, account, fromId ?? 0, start ?? 0, end ?? Number.MAX_SAFE_INTEGER, limit],
  )
  return rows
}

/** Client ids of lists whose legs have client ids of their own, by the client id of the first leg. */
export async function listClientIds(pool: pg.Pool, user: UserId, legs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (legs.length === 0) return new Map()
  const { rows } = await pool.query<{ leg: string; list: string }>(
    'select leg_client_id as leg, list_client_id as list from order_list_client_ids where user_id = $1 and leg_client_id = any($2)',
    [user, legs],
  )
  return new Map(rows.map(({ leg, list }) => [leg, list]))
}

/** Client ids of first legs whose list has this client id. */
export async function firstLegsOf(pool: pg.Pool, user: UserId, list: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ leg: string }>(
    'select leg_client_id as leg from order_list_client_ids where user_id = $1 and list_client_id = $2',
    [user, list],
  )
  return rows.map(({ leg }) => leg)
}

/**
 * Stores a list's client id before the list is sent. Returns an identifier of the stored row; undefined when its first leg
 * already had a row, which stays.
 */
export async function expectListClientId(pool: pg.Pool, user: UserId, leg: string, list: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ version: string }>(
    `insert into order_list_client_ids (user_id, leg_client_id, list_client_id) values ($1, $2, $3)
     on conflict (user_id, leg_client_id) do nothing returning xmin::text as version`,
    [user, leg, list],
  )
  return rows[0]?.version
}

/** Stores the client id of a list that was accepted. */
export async function keepListClientId(pool: pg.Pool, user: UserId, leg: string, list: string): Promise<void> {
  await pool.query(
    `insert into order_list_client_ids (user_id, leg_client_id, list_client_id) values ($1, $2, $3)
     on conflict (user_id, leg_client_id) do update set list_client_id = excluded.list_client_id`,
    [user, leg, list],
  )
}

/**
 * Deletes the row of a list that was refused. If a list with the same leg was accepted meanwhile, it wrote the row again, and the
 * row stays.
 */
export async function forgetListClientId(pool: pg.Pool, user: UserId, leg: string, version: string): Promise<void> {
  await pool.query('delete from order_list_client_ids where user_id = $1 and leg_client_id = $2 and xmin::text = $3', [user, leg, version])
}
