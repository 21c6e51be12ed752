import type { Decimal } from '@candor/core/money/brand.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { recordTypes, type WirePage, type WireRecord } from '@candor/core/protocol/wire/funds.ts'
import type pg from 'pg'
import { decodeCursor, endOfTime, pageLimit, toPage } from './page.ts'

export type RecordFilter = {
  readonly type?: WireRecord['type'] | undefined
  readonly asset?: string | undefined
  /** Entries at or after this time, in milliseconds. */
  readonly from?: number | undefined
  /** Entries at or before this time. */
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
  market: string
  symbol: string | null
  order_id: number | null
}

/**
 * Money into and out of a user's accounts, newest first. A trade is listed as the amount it moved, whether that was available or
 * held before; holds and releases move nothing and are not listed.
 */
export async function records(pool: pg.Pool, user: UserId, filter: RecordFilter = {}): Promise<WirePage<WireRecord>> {
  const limit = pageLimit(filter.limit)
  const cursor = decodeCursor(filter.before, 3)
  // The index is entered at this bound; the comparison with the cursor then only cuts within one millisecond.
  const last = Math.min(filter.to ?? endOfTime, cursor[0] as number)
  const { rows } = await pool.query<EntryRow>(
    `select found.* from (select distinct asset as held_asset from balances where user_id = $1) owned
     cross join unnest($10::text[]) shown(word)
     cross join lateral (
       select seq, line, at_ms, reason, kind, asset, trim_scale(delta + held_delta) as amount, trim_scale(available + held) as balance,
         market, symbol, order_id
       from ledger_entries
       where user_id = $1 and user_id > 0 and asset = held_asset and reason = shown.word and reason not in ('hold', 'release')
         and at_ms between $4 and $5 and (at_ms, seq, line) < ($6::bigint, $7::bigint, $8::bigint) and delta + held_delta <> 0
       order by at_ms desc, seq desc, line desc limit $9
     ) found
     where ($2::text is null or held_asset = $2) and ($3::text is null or shown.word = $3)
     order by at_ms desc, seq desc, line desc limit $9`,
    [user, filter.asset ?? null, filter.type ?? null, filter.from ?? 0, last, ...cursor, limit + 1, recordTypes],
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
    ...symbolOf(row),
    ...(row.order_id === null ? {} : { orderId: String(row.order_id) }),
  }
}

/** The market of the entry's cause, else the market of its isolated account. */
function symbolOf({ symbol, market }: EntryRow): { readonly symbol?: string } {
  const shown = symbol ?? market
  return shown === '' ? {} : { symbol: shown }
}

/** Sum that a user got from the faucet since a time, in decimals of the asset. */
export async function faucetSince(pool: pg.Pool, user: UserId, asset: string, since: number): Promise<Decimal> {
  const { rows } = await pool.query<{ sum: Decimal }>(
    `select coalesce(trim_scale(sum(delta + held_delta)), 0)::text as sum from ledger_entries
     where user_id = $1 and user_id > 0 and asset = $2 and reason = 'faucet' and reason not in ('hold', 'release') and at_ms >= $3`,
    [user, asset, since],
  )
  return rows[0]?.sum ?? '0'
}
