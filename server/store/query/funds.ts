import type { Decimal } from '@candor/core/money/brand.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WirePage, WireRecord } from '@candor/core/protocol/wire/funds.ts'
import type pg from 'pg'
import { decodeCursor, endOfTime, pageLimit, toPage } from './page.ts'

export type RecordFilter = {
  readonly type?: WireRecord['type'] | undefined
  readonly asset?: string | undefined
  /** At or after, in milliseconds. */
  readonly from?: number | undefined
  /** At or before. */
  readonly to?: number | undefined
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

type EntryRow = {
  seq: number
  line: number
  at_ms: number
  reason: WireRecord['type']
  kind: AccountKind
  asset: string
  amount: Decimal
  balance: Decimal
  symbol: string | null
  order_id: number | null
}

/**
 * What came into and went out of a user's accounts, newest first. A trade is shown as the money that it moved, whether
 * that was available or held before; holds and releases move nothing and are not shown.
 */
export async function records(pool: pg.Pool, user: UserId, filter: RecordFilter = {}): Promise<WirePage<WireRecord>> {
  const limit = pageLimit(filter.limit)
  const cursor = decodeCursor(filter.before, 3)
  // The index is entered at this bound; the comparison with the cursor then only cuts within one millisecond.
  const last = Math.min(filter.to ?? endOfTime, cursor[0] as number)
  const { rows } = await pool.query<EntryRow>(
    `select found.* from (select distinct asset as held_asset from balances where user_id = $1) owned
     cross join (values ('faucet'), ('transfer'), ('trade'), ('fee')) shown(word)
     cross join lateral (
       select seq, line, at_ms, reason, kind, asset, trim_scale(delta + held_delta) as amount, trim_scale(available + held) as balance,
         symbol, order_id
       from ledger_entries
       where user_id = $1 and user_id > 0 and asset = held_asset and reason = shown.word and reason not in ('hold', 'release')
         and at_ms between $4 and $5 and (at_ms, seq, line) < ($6::bigint, $7::bigint, $8::bigint) and delta + held_delta <> 0
       order by at_ms desc, seq desc, line desc limit $9
     ) found
     where ($2::text is null or held_asset = $2) and ($3::text is null or shown.word = $3)
     order by at_ms desc, seq desc, line desc limit $9`,
    [user, filter.asset ?? null, filter.type ?? null, filter.from ?? 0, last, ...cursor, limit + 1],
  )
  return toPage(rows, limit, toRecord, (row) => [row.at_ms, row.seq, row.line])
}

function toRecord(row: EntryRow): WireRecord {
  return {
    id: `${row.seq}-${row.line}`,
    type: row.reason,
    account: row.kind,
    asset: row.asset,
    amount: row.amount,
    balance: row.balance,
    status: 'completed',
    time: row.at_ms,
    ...(row.symbol === null ? {} : { symbol: row.symbol }),
    ...(row.order_id === null ? {} : { orderId: String(row.order_id) }),
  }
}

/** What a user had of an asset, all accounts together, when a day began, and what came in from outside since. */
export type DayStart = {
  readonly asset: string
  /** Available and held together. */
  readonly amount: Decimal
  /** `amount` in USDT at the last price before; null where there was none. */
  readonly amountUsdt: Decimal | null
  /** Credits from outside since (faucet, deposits) less withdrawals. */
  readonly inflow: Decimal
  /** `inflow` in USDT, each at the last price before it; null where there was none. */
  readonly inflowUsdt: Decimal | null
}

/**
 * What today's profit is counted from: profit = worth now − Σ amountUsdt − Σ inflowUsdt. `since`: the day's first
 * millisecond. Prices are closes of minutes of `<asset>USDT`, the last one that ended before.
 */
export async function dayStart(pool: pg.Pool, user: UserId, since: number): Promise<readonly DayStart[]> {
  const { rows } = await pool.query<DayStart>(
    `with owned as (select asset, kind, market from balances where user_id = $1),
     at_midnight as (
       select owned.asset, coalesce(sum(entry.total), 0) as amount
       from owned left join lateral (
         select latest.total from (values ('faucet'), ('transfer'), ('trade'), ('fee')) shown(word)
         cross join lateral (
           select available + held as total, seq, line from ledger_entries
           where user_id = $1 and user_id > 0 and asset = owned.asset and reason = shown.word and reason not in ('hold', 'release')
             and kind = owned.kind and market = owned.market and at_ms < $2
           order by at_ms desc, seq desc, line desc limit 1
         ) latest
         order by latest.seq desc, latest.line desc limit 1
       ) entry on true
       group by owned.asset
     ),
     inflows as (
       select asset, at_ms, delta + held_delta as amount from ledger_entries
       where user_id = $1 and user_id > 0 and asset in (select asset from owned) and reason = 'faucet' and at_ms >= $2
     )
     select asset, trim_scale(amount) as amount, case when amount = 0 then 0 else trim_scale(round(amount * ${priceBefore('asset', '$2::bigint')}, 6)) end as "amountUsdt",
       coalesce((select trim_scale(sum(amount)) from inflows where inflows.asset = at_midnight.asset), 0) as inflow,
       case when exists (select from inflows where inflows.asset = at_midnight.asset)
         then (select trim_scale(round(sum(amount * ${priceBefore('inflows.asset', 'at_ms')}), 6)) from inflows where inflows.asset = at_midnight.asset)
         else 0 end as "inflowUsdt"
     from at_midnight order by asset`,
    [user, since],
  )
  return rows
}

/** USDT for one coin by the last minute that ended before a time. */
function priceBefore(asset: string, at: string): string {
  return `case when ${asset} = 'USDT' then 1 else (
    select close from candles_1m where market = ${asset} || 'USDT' and open_time <= ${at} - 60000 order by open_time desc limit 1
  ) end`
}
