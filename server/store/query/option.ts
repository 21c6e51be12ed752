import type { Decimal } from '@candor/core/money/brand.ts'
import type { Direction } from '@candor/core/protocol/command/option.ts'
import type { OptionResult, VoidReason } from '@candor/core/protocol/event/option.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { WireOption, WireOptionFigures } from '@candor/core/protocol/wire/option.ts'
import type pg from 'pg'
import { decodeCursor, endOfTime, pageLimit, toPage } from './page.ts'

export type OptionFilter = {
  readonly symbol?: string | undefined
  readonly result?: OptionResult | undefined
  /** Orders settled at or after this time, in milliseconds. */
  readonly from?: number | undefined
  /** Orders settled at or before this time. */
  readonly to?: number | undefined
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

type OptionRow = {
  id: number
  client_id: string
  market: string
  direction: Direction
  stake: Decimal
  profit_ppm: number
  profit: Decimal
  accepted_at_ms: number
  strike_from_ms: number
  expires_at_ms: number
  window_ms: number
  gap_max_ms: number
  guard_ppm: number
  reference: Decimal
  strike: Decimal | null
  strike_tick: number | null
  strike_at_ms: number | null
  result: OptionResult | null
  void_reason: VoidReason | null
  price: Decimal | null
  settle_profit: Decimal | null
  settled_at_ms: number | null
}

const columns = `id, client_id, market, direction, trim_scale(stake) as stake, profit_ppm, trim_scale(profit) as profit, accepted_at_ms,
  strike_from_ms, expires_at_ms, window_ms, gap_max_ms, guard_ppm, reference, strike, strike_tick, strike_at_ms, result, void_reason,
  price, trim_scale(payout - stake) as settle_profit, settled_at_ms`

/** A user's settled Second orders, latest settled first. */
export async function optionHistory(pool: pg.Pool, user: UserId, filter: OptionFilter = {}): Promise<WirePage<WireOption>> {
  const limit = pageLimit(filter.limit)
  const cursor = decodeCursor(filter.before, 2)
  const last = Math.min(filter.to ?? endOfTime, cursor[0] as number)
  const { rows } = await pool.query<OptionRow>(
    `select ${columns} from options
     where user_id = $1 and result is not null and ($2::text is null or market = $2) and ($3::text is null or result = $3)
       and settled_at_ms between $4 and $5 and (settled_at_ms, id) < ($6, $7)
     order by settled_at_ms desc, id desc limit $8`,
    [user, filter.symbol ?? null, filter.result ?? null, filter.from ?? 0, last, ...cursor, limit + 1],
  )
  return toPage(rows, limit, toOption, (row) => [row.settled_at_ms as number, row.id])
}

/** One order of the user; undefined when the tables have no such order of this user. */
export async function optionById(pool: pg.Pool, user: UserId, id: OrderId): Promise<WireOption | undefined> {
  const { rows } = await pool.query<OptionRow>(`select ${columns} from options where id = $1 and user_id = $2`, [id, user])
  return rows[0] === undefined ? undefined : toOption(rows[0])
}

/** Totals of a user's settled orders, without void ones. */
export async function optionTotals(
  pool: pg.Pool,
  user: UserId,
): Promise<{ readonly wins: number; readonly losses: number; readonly ties: number; readonly net: Decimal }> {
  const { rows } = await pool.query(
    `select count(*) filter (where result = 'win')::int as wins, count(*) filter (where result = 'lose')::int as losses,
       count(*) filter (where result = 'tie')::int as ties, trim_scale(coalesce(sum(payout - stake), 0)) as net
     from options where user_id = $1 and result is not null`,
    [user],
  )
  return rows[0]
}

/** Sums of a user's orders settled since a time, without void ones. */
export type SettledSums = { readonly orders: number; readonly stakesUsdt: Decimal; readonly resultUsdt: Decimal }

export async function settledSums(pool: pg.Pool, user: UserId, since: number): Promise<SettledSums> {
  const { rows } = await pool.query<SettledSums>(
    `select count(*)::int as orders, trim_scale(coalesce(sum(stake), 0)) as "stakesUsdt",
       trim_scale(coalesce(sum(payout - stake), 0)) as "resultUsdt"
     from options where user_id = $1 and result is not null and result <> 'void' and settled_at_ms >= $2`,
    [user, since],
  )
  return rows[0]!
}

/** Totals over all customers of orders settled since a time; void orders are counted apart, by cause. */
export async function optionFigures(pool: pg.Pool, since: number): Promise<WireOptionFigures> {
  const { rows } = await pool.query(
    `with each_customer as (
       select count(*) as orders, count(*) filter (where result = 'win') as won, sum(stake) as staked, sum(payout - stake) as net
       from options where result is not null and result <> 'void' and settled_at_ms >= $1 group by user_id
     )
     select coalesce(sum(orders), 0)::int as orders, count(*)::int as customers, count(*) filter (where net < 0)::int as "customersThatLost",
       coalesce(round(100 * sum(won) / nullif(sum(orders), 0), 1), 0)::text as "wonPercent",
       trim_scale(coalesce(sum(staked), 0)) as staked, trim_scale(coalesce(sum(net), 0)) as net,
       (select json_build_object('guard', count(*) filter (where void_reason = 'guard'), 'gap', count(*) filter (where void_reason = 'gap'),
          'sources', count(*) filter (where void_reason = 'sources'))
        from options where result = 'void' and settled_at_ms >= $1) as voids
     from each_customer`,
    [since],
  )
  return rows[0]
}

function toOption(row: OptionRow): WireOption {
  const isSettled = row.result !== null
  return {
    id: String(row.id),
    clientId: row.client_id,
    symbol: row.market,
    direction: row.direction,
    stake: row.stake,
    profitPpm: row.profit_ppm,
    profit: row.profit,
    fee: '0',
    seconds: (row.expires_at_ms - row.strike_from_ms) / 1000,
    status: isSettled ? 'settled' : row.strike === null ? 'placed' : 'running',
    acceptedAt: row.accepted_at_ms,
    strikeFrom: row.strike_from_ms,
    expiresAt: row.expires_at_ms,
    windowMs: row.window_ms,
    gapMaxMs: row.gap_max_ms,
    guardPpm: row.guard_ppm,
    reference: row.reference,
    ...(row.strike === null ? {} : { strike: row.strike, strikeTick: row.strike_tick as number, strikeAt: row.strike_at_ms as number }),
    ...(row.result === null ? {} : { result: row.result }),
    ...(row.void_reason === null || row.void_reason === 'none' ? {} : { voidReason: row.void_reason }),
    ...(row.price === null ? {} : { settlePrice: row.price }),
    ...(row.settle_profit === null ? {} : { settleProfit: row.settle_profit, settledAt: row.settled_at_ms as number }),
  }
}
