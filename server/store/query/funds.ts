import type { Decimal } from '@candor/core/money/brand.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { recordTypes, type WirePage, type WireRecord, type WireRecordSum } from '@candor/core/protocol/wire/funds.ts'
import type pg from 'pg'
import { decodeCursor, endOfTime, pageLimit, toPage } from './page.ts'

export type SumFilter = {
  readonly type?: WireRecord['type'] | undefined
  readonly asset?: string | undefined
  readonly account?: AccountKind | undefined
  /** Entries at or after this time, in milliseconds. */
  readonly from?: number | undefined
  /** Entries at or before this time. */
  readonly to?: number | undefined
}
export type RecordFilter = SumFilter & { readonly before?: string | undefined; readonly limit?: number | undefined }

type EntryRow = {
  seq: number
  line: number
  at_ms: number
  reason: WireRecord['type']
  kind: AccountKind
  asset: string
  amount: Decimal
  balance: Decimal
  released: Decimal
  market: string
  symbol: string | null
  order_id: number | null
}

/**
 * Money into and out of a user's accounts, newest first. A trade is listed as the amount it moved, whether that was available or
 * held before; holds and releases move nothing and are not listed. A release of presale tokens moves nothing either, but is listed,
 * because the tokens can be used from then on.
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
         trim_scale(delta) as released, market, symbol, order_id
       from ledger_entries
       where user_id = $1 and user_id > 0 and asset = held_asset and reason = shown.word and reason not in ('hold', 'release')
         and at_ms between $4 and $5 and (at_ms, seq, line) < ($6::bigint, $7::bigint, $8::bigint)
         and (delta + held_delta <> 0 or reason = 'presale-release') and ($11::text is null or kind = $11)
       order by at_ms desc, seq desc, line desc limit $9
     ) found
     where ($2::text is null or held_asset = $2) and ($3::text is null or shown.word = $3)
     order by at_ms desc, seq desc, line desc limit $9`,
    [
      ...[user, filter.asset ?? null, filter.type ?? null, filter.from ?? 0, last, ...cursor, limit + 1, recordTypes],
      filter.account ?? null,
    ],
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
    ...(row.reason === 'presale-release' ? { released: row.released } : {}),
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

/**
 * What came into and went out of a user's accounts by asset, over all entries that the filter lists. Transfers between the user's own
 * accounts count only when one account, or transfers, are asked for: all together they bring in nothing.
 */
export async function recordSums(pool: pg.Pool, user: UserId, filter: SumFilter = {}): Promise<readonly WireRecordSum[]> {
  const reasons = recordTypes.filter((type) =>
    filter.type === undefined ? type !== 'transfer' || filter.account !== undefined : type === filter.type,
  )
  const { rows } = await pool.query<WireRecordSum>(
    `select asset, trim_scale(coalesce(sum(moved) filter (where moved > 0), 0)) as "in",
       trim_scale(coalesce(-sum(moved) filter (where moved < 0), 0)) as out
     from (select distinct asset as held_asset from balances where user_id = $1) owned
     cross join unnest($6::text[]) shown(word)
     cross join lateral (
       select asset, delta + held_delta as moved from ledger_entries
       where user_id = $1 and user_id > 0 and asset = held_asset and reason = shown.word and reason not in ('hold', 'release')
         and at_ms between $3 and $4 and ($5::text is null or kind = $5) and delta + held_delta <> 0
     ) found
     where $2::text is null or held_asset = $2
     group by asset order by asset`,
    [user, filter.asset ?? null, filter.from ?? 0, filter.to ?? endOfTime, filter.account ?? null, reasons],
  )
  return rows
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
