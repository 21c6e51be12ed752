import type { Decimal } from '@candor/core/money/brand.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { endOfTime } from '../page.ts'

/** A span of time, both ends included, and a page of it: pages count from 1. */
export type Span = {
  readonly startTime: number | undefined
  readonly endTime: number | undefined
  readonly current: number
  readonly size: number
}

export type Paged<Row> = { readonly total: number; readonly rows: readonly Row[] }

/** `seq` is the number of the transfer. Markets are those of isolated accounts, '' for other accounts. */
export type TransferRow = {
  readonly seq: number
  readonly at: number
  readonly asset: string
  readonly amount: Decimal
  readonly from_market: string
  readonly to_market: string
}

/** `market`: of an isolated account, as its symbol. */
export type TransferFilter = Span & {
  readonly from: AccountKind
  readonly to: AccountKind
  readonly asset?: string | undefined
  readonly fromMarket?: string | undefined
  readonly toMarket?: string | undefined
}

/** Transfers of a user from one kind of account to another, newest first. Both entries of a transfer have the `seq` of its command. */
export async function transfersOf(pool: pg.Pool, user: UserId, filter: TransferFilter): Promise<Paged<TransferRow>> {
  const { rows } = await pool.query<TransferRow & { total: number }>(
    `with moved as (
       select gone.seq, gone.at_ms as at, gone.asset, trim_scale(-gone.delta) as amount, gone.market as from_market, come.market as to_market
       from (select distinct asset as held_asset from balances where user_id = $1) owned
       cross join lateral (
         select seq, at_ms, asset, delta, market from ledger_entries
         where user_id = $1 and user_id > 0 and asset = held_asset and reason = 'transfer' and reason not in ('hold', 'release')
           and at_ms between $4 and $5 and kind = $2 and delta < 0 and ($6::text is null or market = $6)
       ) gone
       cross join lateral (
         select market from ledger_entries other
         where other.seq = gone.seq and other.user_id = $1 and other.asset = gone.asset and other.reason = 'transfer' and other.delta > 0
           and other.kind = $3 and ($7::text is null or other.market = $7)
       ) come
       where $8::text is null or held_asset = $8
     )
     ${pageOf('moved', '$9', '$10')}`,
    [
      ...[user, filter.from, filter.to, filter.startTime ?? 0, filter.endTime ?? endOfTime],
      ...[filter.fromMarket ?? null, filter.toMarket ?? null, filter.asset ?? null, ...offsetOf(filter)],
    ],
  )
  return pagedOf(rows)
}

/** SQL for one page of a table expression with columns `at` and `seq`, newest first, each row with the count of all rows. */
export function pageOf(name: string, size: string, offset: string, line = 'seq'): string {
  return `select page.*, counted.total from (select count(*)::int as total from ${name}) counted
    left join lateral (select * from ${name} order by at desc, seq desc, ${line} desc limit ${size} offset ${offset}) page on true
    order by page.at desc, page.seq desc, page.${line} desc`
}

/** Size and offset of a page. */
export function offsetOf({ current, size }: Span): readonly [size: number, offset: number] {
  return [size, (current - 1) * size]
}

/** The page from the rows of a `pageOf` query: a page beyond the last comes as one row of nulls. */
export function pagedOf<Row extends { readonly seq: number }>(found: readonly (Row & { readonly total: number })[]): Paged<Row> {
  const rows = found.filter(({ seq }) => seq !== null).map(({ total: _total, ...row }) => row as unknown as Row)
  return { total: found[0]?.total ?? 0, rows }
}
