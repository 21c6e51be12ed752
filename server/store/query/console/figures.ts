import type pg from 'pg'

/** Sums of an hour in millionths of a USDT, as whole numbers in text. `house` may be negative. */
export type FigureHour = {
  readonly hour: number
  readonly traded: string
  readonly fees: string
  readonly liquidated: string
  readonly stakes: string
  readonly house: string
}

/** A count of people by hour. */
export type HourCount = { readonly hour: number; readonly count: number }

const millionths = (column: string): string => `trunc(sum(${column}) * 1000000)::text as ${column}`

/** The hours of a span that have any. */
export async function figureHours(pool: pg.Pool, from: number, to: number): Promise<readonly FigureHour[]> {
  const names = ['traded', 'fees', 'liquidated', 'stakes', 'house'].map(millionths).join(', ')
  const { rows } = await pool.query<FigureHour>(
    `select hour, ${names} from (
       select hour, usdt as traded, 0 as fees, 0 as liquidated, 0 as stakes, 0 as house from volume_hours where hour >= $1 and hour < $2
       union all select hour, 0, fees, liquidated, stakes, house from figure_hours where hour >= $1 and hour < $2
     ) found group by hour order by hour`,
    [from, to],
  )
  return rows
}

/** Customers by the hour of their first trade of the day. */
export async function traderHours(pool: pg.Pool, from: number, to: number): Promise<readonly HourCount[]> {
  const { rows } = await pool.query<HourCount>(
    `select hour, count(*)::int as count from trader_days where day_ms >= $1 and day_ms < $2 group by hour order by hour`,
    [from, to],
  )
  return rows
}

/** How many different customers traded in a span of days: `until` is the end of its last hour. */
export async function traderCount(pool: pg.Pool, from: number, until: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from (select distinct user_id from trader_days where day_ms >= $1 and day_ms < $2 and hour < $2) found`,
    [from, until],
  )
  return rows[0]?.count ?? 0
}

/** Customers by the hour in which they registered. */
export async function customerHours(pool: pg.Pool, from: number, to: number): Promise<readonly HourCount[]> {
  const { rows } = await pool.query<HourCount>(
    `select created_at - created_at % 3600000 as hour, count(*)::int as count from accounts
     where class = 'retail' and created_at >= $1 and created_at < $2 group by 1 order by 1`,
    [from, to],
  )
  return rows
}

/** A fund's balance, and its change since the end of yesterday; null if it had none then. */
export type FundChange = { readonly fund: string; readonly asset: string; readonly balance: string; readonly change: string | null }

export async function fundChanges(pool: pg.Pool, day: number): Promise<readonly FundChange[]> {
  const { rows } = await pool.query<FundChange>(
    `select kind as fund, b.asset, trim_scale(available + held)::text as balance, trim_scale(available + held - past.balance)::text as change
     from balances b left join lateral (
       select balance from fund_days d where d.fund = b.kind and d.asset = b.asset and day_ms < $1 order by day_ms desc limit 1
     ) past on true
     where user_id = 0 and kind in ('insurance', 'insurance-margin', 'option-house') order by kind, b.asset`,
    [day],
  )
  return rows
}

/** Open orders of Second, all markets and both directions together. `cost`: what they would cost if all of them won. */
export async function openStakes(pool: pg.Pool) {
  const { rows } = await pool.query<{ orders: number; stakes: string; largest: string; cost: string }>(
    `select count(*)::int as orders, trim_scale(coalesce(sum(stake), 0))::text as stakes,
       trim_scale(coalesce(max(stake), 0))::text as largest, trim_scale(coalesce(sum(profit), 0))::text as cost
     from options where result is null`,
  )
  return rows[0]!
}
