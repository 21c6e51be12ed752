import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { inTransaction } from '../../transaction.ts'
import { dayMs, presentProfit } from './account-days.ts'
import { netReasons, statementReasons, type StatementReason, transferReasons } from './lines.ts'
import { pledgedBefore, presaleBefore, valueBefore } from './presales.ts'

type Account = { readonly kind: AccountKind; readonly market: string }

export type BalanceFact = Account & { readonly asset: string; readonly opening: Decimal; readonly closing: Decimal }
/** `value`: of money from or to other accounts or outside, in USDT at the price before each entry; null where one is missing. */
export type MoveFact = Account & {
  readonly asset: string
  readonly reason: StatementReason
  readonly amount: Decimal
  readonly value: Decimal | null
}
export type DebtFact = Account & {
  readonly asset: string
  readonly opening: Decimal
  readonly borrowed: Decimal
  readonly interest: Decimal
  readonly repaid: Decimal
  readonly closing: Decimal
}
/** `minute`: of a presale, the moment at which it was decided. */
export type PriceFact = {
  readonly asset: string
  readonly isClosing: boolean
  readonly price: Decimal
  readonly minute: number
  readonly isReference: boolean
  readonly isPresale: boolean
}

type Sums = { readonly opening: Decimal; readonly closing: Decimal }

/** Everything that a statement is made of, read at one moment. */
export type StatementFacts = {
  readonly balances: readonly BalanceFact[]
  readonly moves: readonly MoveFact[]
  readonly debts: readonly DebtFact[]
  readonly prices: readonly PriceFact[]
  readonly openProfit: Sums
  /** USDT that waits in presales, inside the value of the spot account. */
  readonly pledged: Sums
  /** Whether the tables contain the whole day. */
  readonly isFinal: boolean
}

/**
 * What the tables say of one UTC day of a user. The balances of its beginning and end are rows of `balance_days`, which the follower
 * writes from the journal in event time; the entries between are the ledger's.
 *
 * day    its first millisecond
 * today  the first millisecond of the current day, which is valued at the last prices and marks
 */
export function statementFacts(pool: pg.Pool, user: UserId, day: number, today: number): Promise<StatementFacts> {
  return inTransaction(pool, (client) => readFacts(client, user, day, today), 'isolation level repeatable read read only')
}

/** The reads of `statementFacts`, which need one view of the tables. */
export async function readFacts(client: Pick<pg.Pool, 'query'>, user: UserId, day: number, today: number): Promise<StatementFacts> {
  return {
    balances: await balances(client, user, day),
    moves: await moves(client, user, day),
    debts: await debts(client, user, day),
    prices: await prices(client, user, day),
    openProfit: await openProfit(client, user, day, today),
    pledged: await pledged(client, user, day),
    isFinal: await isOver(client, day),
  }
}

async function balances(client: Pick<pg.Pool, 'query'>, user: UserId, day: number): Promise<readonly BalanceFact[]> {
  const { rows } = await client.query<BalanceFact>(
    `select kind, market, asset, trim_scale(coalesce(early.total, 0))::text as opening, trim_scale(coalesce(late.total, 0))::text as closing
     from balances owned
     left join lateral (
       select total from balance_days held
       where held.user_id = $1 and held.kind = owned.kind and held.market = owned.market and held.asset = owned.asset and day_ms < $2::bigint
       order by day_ms desc limit 1
     ) early on true
     left join lateral (
       select total from balance_days held
       where held.user_id = $1 and held.kind = owned.kind and held.market = owned.market and held.asset = owned.asset and day_ms <= $2::bigint
       order by day_ms desc limit 1
     ) late on true
     where owned.user_id = $1 and (early.total is not null or late.total is not null)
     order by kind, market, asset`,
    [user, day],
  )
  return rows
}

async function moves(client: Pick<pg.Pool, 'query'>, user: UserId, day: number): Promise<readonly MoveFact[]> {
  const { rows } = await client.query<MoveFact>(
    `select kind, market, asset, reason, trim_scale(sum(amount))::text as amount,
       case when bool_or(is_valued and value is null) then null else trim_scale(coalesce(sum(value), 0))::text end as value
     from (
       select kind, market, asset, reason, amount, reason = any ($4::text[]) as is_valued,
         case when reason = any ($4::text[]) then amount * ${valueBefore('asset', 'at_ms')} end as value
       from (select distinct asset as name from balances where user_id = $1) named
       cross join unnest($3::text[]) why
       cross join lateral (
         select kind, market, asset, reason, at_ms, delta + held_delta as amount from ledger_entries
         where user_id = $1 and user_id > 0 and asset = name and reason = why and reason not in ('hold', 'release')
           and at_ms >= $2::bigint and at_ms < $2::bigint + ${dayMs}
       ) entry
     ) entries
     group by kind, market, asset, reason`,
    [user, day, statementReasons, [...netReasons, ...transferReasons]],
  )
  return rows
}

async function debts(client: Pick<pg.Pool, 'query'>, user: UserId, day: number): Promise<readonly DebtFact[]> {
  const { rows } = await client.query<DebtFact>(
    `select case when market = '' then 'margin-cross' else 'margin-isolated' end as kind, market, asset,
       trim_scale(coalesce(early.owed, 0))::text as opening, trim_scale(coalesce(late.owed, 0))::text as closing,
       trim_scale(coalesce(borrowed, 0))::text as borrowed, trim_scale(coalesce(interest, 0))::text as interest,
       trim_scale(coalesce(repaid, 0))::text as repaid
     from (select distinct market, asset from debt_days where user_id = $1 and day_ms <= $2::bigint) owing
     left join lateral (
       select owed from debt_days debt
       where debt.user_id = $1 and debt.market = owing.market and debt.asset = owing.asset and day_ms < $2::bigint
       order by day_ms desc limit 1
     ) early on true
     left join lateral (
       select owed from debt_days debt
       where debt.user_id = $1 and debt.market = owing.market and debt.asset = owing.asset and day_ms <= $2::bigint
       order by day_ms desc limit 1
     ) late on true
     cross join lateral (
       select sum(delta) filter (where cause in ('borrow', 'auto-borrow')) as borrowed,
         sum(delta) filter (where cause = 'interest') as interest,
         -sum(delta) filter (where cause not in ('borrow', 'auto-borrow', 'interest')) as repaid
       from loan_changes change
       where change.user_id = $1 and change.market = owing.market and change.asset = owing.asset
         and at_ms >= $2::bigint and at_ms < $2::bigint + ${dayMs}
     ) changes
     order by market, asset`,
    [user, day],
  )
  return rows
}

/** The last minutes before the beginning and before the end of the day. */
async function prices(client: Pick<pg.Pool, 'query'>, user: UserId, day: number): Promise<readonly PriceFact[]> {
  const { rows } = await client.query<PriceFact>(
    `select asset, is_closing as "isClosing", trim_scale(coalesce(last.close, sale.price))::text as price,
       coalesce(last.open_time, sale.decided_at_ms) as minute, coalesce(last.is_reference, false) as "isReference",
       last.close is null as "isPresale"
     from (
       select asset from balances where user_id = $1 union select asset from debt_days where user_id = $1
     ) owned
     cross join (values ($2::bigint, false), ($2::bigint + ${dayMs}, true)) moments (at, is_closing)
     left join lateral (
       select close, open_time, is_reference from candles_1m
       where market = asset || 'USDT' and open_time <= at - 60000 order by open_time desc limit 1
     ) last on true
     left join lateral (${presaleBefore('asset', 'at')}) sale on last.close is null
     where last.close is not null or sale.price is not null
     order by asset, is_closing`,
    [user, day],
  )
  return rows
}

async function pledged(client: Pick<pg.Pool, 'query'>, user: UserId, day: number): Promise<Sums> {
  const { rows } = await client.query<Sums>(
    `select trim_scale(round(${pledgedBefore('$2::bigint')}, 6))::text as opening,
       trim_scale(round(${pledgedBefore(`$2::bigint + ${dayMs}`)}, 6))::text as closing`,
    [user, day],
  )
  return rows[0]!
}

async function openProfit(client: Pick<pg.Pool, 'query'>, user: UserId, day: number, today: number): Promise<Sums> {
  const unwritten = `case when day >= $3::bigint or day = $3::bigint - ${dayMs} and not exists (select from perp_marks where at_ms >= $3::bigint)
    then ${presentProfit} else 0 end`
  const { rows } = await client.query<{ profit: Decimal }>(
    `select trim_scale(round(coalesce(unrealised, ${unwritten}), 6))::text as profit
     from (values ($2::bigint - ${dayMs}), ($2::bigint)) days (day)
     left join perp_days on perp_days.user_id = $1 and day_ms = day
     order by day`,
    [user, day, today],
  )
  return { opening: rows[0]?.profit ?? '0', closing: rows[1]?.profit ?? '0' }
}

async function isOver(client: Pick<pg.Pool, 'query'>, day: number): Promise<boolean> {
  const { rows } = await client.query<{ isOver: boolean }>(`select at_ms >= $1::bigint + ${dayMs} as "isOver" from projection`, [day])
  return rows[0]?.isOver === true
}
