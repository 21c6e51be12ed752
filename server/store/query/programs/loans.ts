import type { Decimal } from '@candor/core/money/brand.ts'
import type { LoanCause } from '@candor/core/protocol/event/margin.ts'
import type { Side, TimeInForce } from '@candor/core/protocol/command/spot.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { offsetOf, type Paged, pagedOf, pageOf, type Span } from './transfers.ts'
import { endOfTime } from '../page.ts'

/** `market`: symbol of an isolated account, '' for the cross account. */
export type LoanFilter = Span & { readonly market: string; readonly asset?: string | undefined; readonly seq?: number | undefined }

/** The amount by which a loan raised a debt, or by which a repayment lowered principal and interest. `seq` is its number. */
export type LoanRow = {
  readonly seq: number
  readonly at: number
  readonly asset: string
  readonly cause: LoanCause
  readonly amount: Decimal
  readonly principal: Decimal
  readonly interest: Decimal
}

const causes = {
  borrow: ['borrow', 'auto-borrow'],
  repay: ['repay', 'auto-repay', 'liquidation', 'insurance'],
  interest: ['interest'],
} as const satisfies Record<string, readonly LoanCause[]>

/** SQL that names as `found` the changes of a user's debts in one account, of one cause. */
const foundChanges = `found as (
  select change.* from (select distinct asset as coin from debt_days where user_id = $1 and market = $2) owing
  cross join lateral (
    select seq, line, at_ms as at, asset, cause, delta, principal, interest from loan_changes
    where user_id = $1 and market = $2 and asset = coin and at_ms between $3 and $4 and cause = any ($5::text[])
      and ($7::bigint is null or seq = $7)
  ) change
  where $6::text is null or coin = $6
)`

const valuesOf = (user: UserId, filter: LoanFilter, kind: keyof typeof causes): readonly unknown[] => [
  ...[user, filter.market, filter.startTime ?? 0, filter.endTime ?? endOfTime, causes[kind]],
  ...[filter.asset ?? null, filter.seq ?? null, ...offsetOf(filter)],
]

/**
 * Loans or repayments of a user, newest first. The debt's change before a repayment shows how much went to principal and how much
 * to interest.
 */
export async function loansOf(pool: pg.Pool, user: UserId, kind: 'borrow' | 'repay', filter: LoanFilter): Promise<Paged<LoanRow>> {
  const { rows } = await pool.query<LoanRow & { total: number }>(
    `with ${foundChanges}
     select shown.seq, shown.at, shown.asset, shown.cause, shown.total, trim_scale(abs(shown.delta)) as amount,
       trim_scale(abs(shown.principal - coalesce(prior.principal, 0))) as principal,
       trim_scale(case when shown.delta < 0 then coalesce(prior.interest, 0) - shown.interest else 0 end) as interest
     from (${pageOf('found', '$8', '$9', 'line')}) shown
     left join lateral (
       select principal, interest from loan_changes
       where user_id = $1 and market = $2 and asset = shown.asset and at_ms <= shown.at
         and (at_ms, seq, line) < (shown.at, shown.seq, shown.line)
       order by at_ms desc, seq desc, line desc limit 1
     ) prior on true
     order by shown.at desc, shown.seq desc, shown.line desc`,
    [...valuesOf(user, filter, kind)],
  )
  return pagedOf(rows)
}

/** A charge of interest: on `principal`, at that hour's rate; `daily` is this rate for a day, as a fraction. */
export type InterestRow = {
  readonly seq: number
  readonly at: number
  readonly asset: string
  readonly interest: Decimal
  readonly principal: Decimal
  readonly daily: Decimal
  readonly is_first: boolean
}

/** Interest of a user's debts, newest first. The first charge of a loan comes right after the loan, on the borrowed amount. */
export async function interestOf(pool: pg.Pool, user: UserId, filter: LoanFilter): Promise<Paged<InterestRow>> {
  const { rows } = await pool.query<InterestRow & { total: number }>(
    `with ${foundChanges}
     select shown.seq, shown.at, shown.asset, shown.total, trim_scale(shown.delta) as interest, lent.amount is not null as is_first,
       trim_scale(coalesce(lent.amount, shown.principal)) as principal,
       trim_scale(round(shown.delta * 24 / nullif(coalesce(lent.amount, shown.principal), 0), 8)) as daily
     from (${pageOf('found', '$8', '$9', 'line')}) shown
     left join lateral (
       select delta as amount from loan_changes
       where seq = shown.seq and line = shown.line - 1 and user_id = $1 and market = $2 and asset = shown.asset
         and cause in ('borrow', 'auto-borrow')
     ) lent on true
     order by shown.at desc, shown.seq desc, shown.line desc`,
    [...valuesOf(user, filter, 'interest')],
  )
  return pagedOf(rows)
}

/** `daily`: the rate for a day, as a fraction. */
export type DailyRate = { readonly day: number; readonly daily: Decimal }

/** The daily rate at the end of each UTC day, newest first; days before the pool's first change are left out. */
export async function dailyRates(pool: pg.Pool, asset: string, first: number, last: number): Promise<readonly DailyRate[]> {
  const { rows } = await pool.query<DailyRate>(
    `select day, trim_scale(rate * 24 / 100) as daily from generate_series($2::bigint, $3::bigint, 86400000) day
     cross join lateral (
       select rate from lend_rates where asset = $1 and hour_ms < day + 86400000 order by hour_ms desc limit 1
     ) latest
     order by day desc`,
    [asset, first, last],
  )
  return rows
}

/** An order that liquidated a Margin account. */
export type LiquidationRow = {
  readonly seq: number
  readonly at: number
  readonly order_id: number
  readonly symbol: string
  readonly side: Side
  readonly time_in_force: TimeInForce
  readonly price: Decimal | null
  readonly quantity: Decimal | null
  readonly executed: Decimal
  readonly average: Decimal | null
  readonly is_isolated: boolean
  readonly updated_at: number
}

/** Orders that liquidated a user's Margin accounts, of one isolated account or of all, newest first. */
export async function liquidationOrders(
  pool: pg.Pool,
  user: UserId,
  filter: Span & { readonly market?: string | undefined },
): Promise<Paged<LiquidationRow>> {
  const { rows } = await pool.query<LiquidationRow & { total: number }>(
    `with found as (
       select step.seq, step.line, step.at_ms as at, step.order_id, step.market <> '' as is_isolated from margin_liquidations step
       where user_id = $1 and at_ms between $2 and $3 and order_id is not null and ($4::text is null or market = $4)
     )
     select shown.*, sold.market as symbol, sold.side, sold.time_in_force, sold.price, sold.quantity, sold.executed, sold.average,
       sold.updated_at_ms as updated_at
     from (${pageOf('found', '$5', '$6', 'line')}) shown
     left join orders sold on sold.id = shown.order_id
     order by shown.at desc, shown.seq desc, shown.line desc`,
    [user, filter.startTime ?? 0, filter.endTime ?? endOfTime, filter.market ?? null, ...offsetOf(filter)],
  )
  return pagedOf(rows)
}
