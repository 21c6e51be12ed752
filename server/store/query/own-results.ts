import type { Decimal } from '@candor/core/money/brand.ts'
import type pg from 'pg'
import { priceBefore } from './worth.ts'

const dayMs = 86_400_000
/** Kinds of accounts whose results count against a customer's own limits. */
const risky = "('perp', 'margin-cross', 'margin-isolated', 'option')"

/**
 * SQL for an asset's price in USDT. One that had none yet counts at its first, and at 0 until then, when it comes, stays and goes: a
 * coin that has just been listed must not hide what all others lost.
 */
const price = (asset: string, at: string): string => `coalesce(${priceBefore(asset, at)},
  (select close from candles_1m where market = ${asset} || 'USDT' order by open_time limit 1), 0)`

/** SQL for the profit of a day that is over but not written yet, because no mark of today has arrived: nothing has moved since. */
const unwritten = `case when day = $3::bigint - ${dayMs} and not exists (select from perp_marks where at_ms >= $3::bigint)
  then (select profit from present) end`

/**
 * Results in Futures, Margin and Second together since the beginning of each of these UTC days, in USDT: the worth of those accounts now,
 * with the profit of open positions and less debts, against that at the end of the day before, less what was transferred in. Running
 * stakes of Second count as lost.
 */
export async function ownResults(pool: pg.Pool, user: number, starts: readonly number[], now: number): Promise<readonly Decimal[]> {
  const { rows } = await pool.query<{ result: Decimal }>(
    `with days as (select start, start - ${dayMs} as before from unnest($2::bigint[]) as start),
     ends as (select distinct day from (select before as day from days union all select $3::bigint) one),
     amounts as (
       select day, held.asset, latest.total as amount from ends
       cross join (select distinct kind, market, asset from balances where user_id = $1 and kind in ${risky}) held
       cross join lateral (
         select total from balance_days b
         where b.user_id = $1 and b.kind = held.kind and b.market = held.market and b.asset = held.asset and day_ms <= day
         order by day_ms desc limit 1
       ) latest
       union all
       select day, owing.asset, -latest.owed from ends
       cross join (select distinct market, asset from debt_days where user_id = $1) owing
       cross join lateral (
         select owed from debt_days d where d.user_id = $1 and d.market = owing.market and d.asset = owing.asset and day_ms <= day
         order by day_ms desc limit 1
       ) latest
     ),
     worths as (
       select day, sum(amount * ${price('asset', `day + ${dayMs}`)}) as worth from amounts group by day
     ),
     moved as (
       select at_ms, (delta + held_delta) * ${price('asset', 'at_ms')} as value from ledger_entries
       where user_id = $1 and kind in ${risky} and reason = 'transfer' and at_ms >= (select min(start) from days)
     ),
     present as (
       select coalesce(sum(quantity * mark - sign(quantity) * cost), 0) as profit from positions join perp_marks using (market) where user_id = $1
     ),
     open as (
       select day, case when day = $3::bigint then (select profit from present) else coalesce(
         (select unrealised from perp_days where user_id = $1 and day_ms = day), ${unwritten}, 0) end as profit from ends
     )
     select trim_scale(round(
         coalesce(late.worth, 0) + late_open.profit - coalesce(early.worth, 0) - early_open.profit
         - coalesce((select sum(value) from moved where at_ms >= days.start), 0), 6))::text as result
     from days
     left join worths late on late.day = $3::bigint left join worths early on early.day = days.before
     join open late_open on late_open.day = $3::bigint join open early_open on early_open.day = days.before
     order by array_position($2::bigint[], days.start)`,
    [user, starts, now - (now % dayMs)],
  )
  return rows.map(({ result }) => result)
}

/**
 * How many customers used each product since the beginning of a UTC day, and how many of them lost money there, interest and fees
 * included, at today's prices. Accounts of the exchange don't count.
 */
export async function lossCounts(
  pool: Pick<pg.Pool, 'query'>,
  since: number,
  now: number,
): Promise<readonly { readonly product: 'perp' | 'margin' | 'option'; readonly accounts: number; readonly losers: number }[]> {
  const { rows } = await pool.query<{ product: 'perp' | 'margin' | 'option'; accounts: number; losers: number }>(
    `with results as (
       select product, user_id, sum(amount * ${priceBefore('asset', '$2::bigint')}) as result from (
         select case when kind like 'margin%' then 'margin' else kind end as product, ledger_entries.user_id, asset,
           sum(delta + held_delta) as amount
         from ledger_entries join core_users on core_users.user_id = ledger_entries.user_id and class = 'retail'
         where kind in ${risky} and at_ms >= $1::bigint
           and reason not in ('transfer', 'hold', 'release')
         group by 1, 2, 3
         union all
         select 'margin', debts.user_id, asset, coalesce(before.owed, 0) - latest.owed from (
           select distinct user_id, market, asset from debt_days
           where user_id in (select user_id from core_users where class = 'retail')) debts
         cross join lateral (
           select owed from debt_days d where (d.user_id, d.market, d.asset) = (debts.user_id, debts.market, debts.asset)
           order by day_ms desc limit 1) latest
         left join lateral (
           select owed from debt_days d where (d.user_id, d.market, d.asset) = (debts.user_id, debts.market, debts.asset)
             and day_ms < $1::bigint - $1::bigint % ${dayMs}
           order by day_ms desc limit 1) before on true
         where coalesce(before.owed, 0) <> latest.owed
       ) entries group by 1, 2
     )
     select product, count(*)::int as accounts, count(*) filter (where result < 0)::int as losers
     from results where result is not null group by product`,
    [since, now],
  )
  return rows
}
