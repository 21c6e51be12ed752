import type { Decimal } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'

export const dayMs = 86_400_000

/** Worth of a user's accounts at the end of a UTC day, and the money that came in from outside during the day. */
export type DayWorth = {
  /** First millisecond of the day. */
  readonly day: number
  /** In USDT at the last prices of the day, including the profit of open positions, less debts; null where a price is missing. */
  readonly worth: Decimal | null
  /** Faucet and deposits less withdrawals, each at the last price before it; null where a price is missing. */
  readonly inflow: Decimal | null
}

/**
 * Days `first` to `last`, each named by its first millisecond, oldest first. The current day is valued now. A price is the close
 * of the last finished minute of `<asset>USDT`. Empty when the user never had a balance.
 */
export async function dayWorths(pool: pg.Pool, user: UserId, first: number, last: number): Promise<readonly DayWorth[]> {
  const { rows } = await pool.query<DayWorth>(
    `with owned as (select kind, market, asset from balances where user_id = $1),
     days as (select day from generate_series($2::bigint, $3::bigint, ${dayMs}) day),
     amounts as (
       select day, owned.asset, sum(latest.total) as amount from days cross join owned
       cross join lateral (
         select total from balance_days held
         where held.user_id = $1 and held.kind = owned.kind and held.market = owned.market and held.asset = owned.asset and day_ms <= day
         order by day_ms desc limit 1
       ) latest
       group by day, owned.asset
       union all
       select day, owing.asset, -sum(latest.owed) from days cross join (select distinct market, asset from debt_days where user_id = $1) owing
       cross join lateral (
         select owed from debt_days debt
         where debt.user_id = $1 and debt.market = owing.market and debt.asset = owing.asset and day_ms <= day
         order by day_ms desc limit 1
       ) latest
       group by day, owing.asset
     ),
     worths as (
       select day, sum(value) as worth, bool_or(value is null) as is_missing
       from (select day, case when amount = 0 then 0 else amount * ${priceBefore('asset', `day + ${dayMs}`)} end as value from amounts) valued
       group by day
     ),
     inflows as (
       select day, sum(value) as inflow, bool_or(value is null) as is_missing
       from (
         select at_ms - at_ms % ${dayMs} as day, amount * ${priceBefore('asset', 'at_ms')} as value
         from (select distinct asset as name from owned) named
         cross join lateral (
           select asset, at_ms, delta + held_delta as amount from ledger_entries
           where user_id = $1 and user_id > 0 and asset = name and reason = 'faucet' and reason not in ('hold', 'release')
             and at_ms >= $2::bigint and at_ms < $3::bigint + ${dayMs}
         ) entry
       ) valued
       group by day
     )
     select day,
       case when worths.is_missing then null
         else trim_scale(round(coalesce(worth, 0) + coalesce(unrealised, 0), 6))::text end as worth,
       case when inflows.is_missing then null else trim_scale(round(coalesce(inflow, 0), 6))::text end as inflow
     from days left join worths using (day) left join inflows using (day)
     left join perp_days on perp_days.user_id = $1 and day_ms = day
     where exists (select from owned)
     order by day`,
    [user, first, last],
  )
  return rows
}

/** SQL for an asset's price in USDT: the close of the last minute that ended before a time. */
export function priceBefore(asset: string, at: string): string {
  return `case when ${asset} = 'USDT' then 1 else (
    select close from candles_1m where market = ${asset} || 'USDT' and open_time <= ${at} - 60000 order by open_time desc limit 1
  ) end`
}
