import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { netReasons, transferReasons } from './lines.ts'
import { pledgedBefore, presaleBefore, valueBefore } from './presales.ts'
import { priceBefore } from './prices.ts'

export const dayMs = 86_400_000

/** One account of a user at the end of a UTC day, and what came in during the day. */
export type AccountDay = {
  /** First millisecond of the day. */
  readonly day: number
  readonly kind: AccountKind
  /** Of an isolated Margin account, else ''. */
  readonly market: string
  /** In USDT at the last prices of the day, with the profit of open positions and less debts; null where a price is missing. */
  readonly worth: Decimal | null
  /** What presales account for in `worth`: sums that wait for a decision, and tokens at their presale price. */
  readonly presales: Decimal
  /** From outside less to outside, each at the last price before it; null where a price is missing. */
  readonly net: Decimal | null
  /** From the user's other accounts less to them, likewise. */
  readonly moved: Decimal | null
}

/** SQL for the profit of all open positions at the last marks. */
export const presentProfit = `(select coalesce(sum(quantity * mark - sign(quantity) * cost), 0)
  from positions join perp_marks using (market) where user_id = $1)`

/**
 * Days `first` to `last`, each named by its first millisecond, oldest first. A day is written into `perp_days` with the first mark of
 * the next: until then the positions of yesterday, `today` − 1, are the present ones. Open positions of `today` are not valued.
 * Empty when the user never had a balance.
 */
export async function accountDays(
  pool: Pick<pg.Pool, 'query'>,
  user: UserId,
  { first, last, today }: { readonly first: number; readonly last: number; readonly today: number },
): Promise<readonly AccountDay[]> {
  const { rows } = await pool.query<AccountDay>(
    `with owned as (select kind, market, asset from balances where user_id = $1),
     owing as (
       select distinct case when market = '' then 'margin-cross' else 'margin-isolated' end as kind, market, asset
       from debt_days where user_id = $1
     ),
     accounts as (
       select kind, market from owned union select kind, market from owing
       union select 'perp', '' where exists (select from perp_days where user_id = $1)
     ),
     days as (select day from generate_series($2::bigint, $3::bigint, ${dayMs}) day),
     amounts as (
       select day, owned.kind, owned.market, owned.asset, latest.total as amount from days cross join owned
       cross join lateral (
         select total from balance_days held
         where held.user_id = $1 and held.kind = owned.kind and held.market = owned.market and held.asset = owned.asset and day_ms <= day
         order by day_ms desc limit 1
       ) latest
       union all
       select day, owing.kind, owing.market, owing.asset, -latest.owed from days cross join owing
       cross join lateral (
         select owed from debt_days debt
         where debt.user_id = $1 and debt.market = owing.market and debt.asset = owing.asset and day_ms <= day
         order by day_ms desc limit 1
       ) latest
     ),
     prices as materialized (
       select day, asset, market_price is null as is_presale,
         coalesce(market_price, (select price from (${presaleBefore('asset', `day + ${dayMs}`)}) sale)) as price
       from (
         select day, asset, ${priceBefore('asset', `day + ${dayMs}`)} as market_price
         from (select distinct day, asset from amounts where amount <> 0) used
       ) marked
     ),
     pledges as (select day, 'spot' as kind, '' as market, ${pledgedBefore(`day + ${dayMs}`)} as pledged from days),
     worths as (
       select day, kind, market, sum(amount * price) as worth, bool_or(price is null) as is_missing,
         sum(amount * price) filter (where is_presale) as of_tokens
       from amounts join prices using (day, asset) where amount <> 0 group by day, kind, market
     ),
     moves as (
       select day, kind, market,
         sum(value) filter (where is_net) as net, bool_or(value is null) filter (where is_net) as is_net_missing,
         sum(value) filter (where not is_net) as moved, bool_or(value is null) filter (where not is_net) as is_moved_missing
       from (
         select at_ms - at_ms % ${dayMs} as day, kind, market, is_net, amount * ${valueBefore('asset', 'at_ms')} as value
         from (select distinct asset as name from owned) named
         cross join (
           select why, true as is_net from unnest($4::text[]) why union all select why, false from unnest($5::text[]) why
         ) reasons
         cross join lateral (
           select kind, market, asset, at_ms, delta + held_delta as amount from ledger_entries
           where user_id = $1 and user_id > 0 and asset = name and reason = why and reason not in ('hold', 'release')
             and at_ms >= $2::bigint and at_ms < $3::bigint + ${dayMs}
         ) entry
       ) valued
       group by day, kind, market
     )
     select day, kind, market,
       case when worths.is_missing then null
         else trim_scale(round(coalesce(worth, 0) + coalesce(pledged, 0)
           + coalesce(case when kind = 'perp' then coalesce(unrealised, ${unwritten}) end, 0), 6))::text
       end as worth,
       trim_scale(round(coalesce(of_tokens, 0) + coalesce(pledged, 0), 6))::text as presales,
       case when is_net_missing then null else trim_scale(round(coalesce(net, 0), 6))::text end as net,
       case when is_moved_missing then null else trim_scale(round(coalesce(moved, 0), 6))::text end as moved
     from days cross join accounts left join worths using (day, kind, market) left join moves using (day, kind, market)
     left join pledges using (day, kind, market)
     left join perp_days on perp_days.user_id = $1 and day_ms = day
     where exists (select from owned)
     order by day, kind, market`,
    [user, first, last, netReasons, transferReasons, today],
  )
  return rows
}

const unwritten = `case when day = $6::bigint - ${dayMs} and not exists (select from perp_marks where at_ms >= $6::bigint)
  then ${presentProfit} end`
