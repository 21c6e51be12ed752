import type { Decimal } from '@candor/core/money/brand.ts'
import type { EntryReason } from '@candor/core/protocol/event/index.ts'
import type { OrderId, TradeId, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import { type FillRange, type FillRow, fillsBetween } from '../fills-between.ts'

/** Times in milliseconds, both included. */
type Times = { readonly start?: number | undefined; readonly end?: number | undefined; readonly limit: number }

/** A user's side of a Futures trade; `realised` is profit or loss. */
export type PerpFillRow = FillRow & { readonly realised: Decimal; readonly position: 'both' | 'long' | 'short' }

/** A user's fills in one Futures market, oldest first; both sides of a trade in which the user is both maker and taker. */
export async function perpFills(pool: pg.Pool, user: UserId, symbol: string, range: FillRange): Promise<readonly PerpFillRow[]> {
  return fillsBetween<PerpFillRow>(pool, user, symbol, range, {
    columns: (role) => `trim_scale(coalesce(${role}_realised, 0)) as realised,
      coalesce((select perp ->> 'position' from orders own where own.id = ${role}_order), 'both') as position`,
  })
}

export type PerpEntryRow = {
  readonly seq: number
  readonly line: number
  readonly at_ms: number
  readonly reason: EntryReason
  readonly asset: string
  readonly amount: Decimal
  /** Market of the entry's cause, if it has one. */
  readonly symbol: string | null
  /** Trade of the entry's cause, if its command made only one. */
  readonly trade_id: TradeId | null
}

export type PerpEntryRange = Times & {
  readonly symbol?: string | undefined
  readonly reasons: readonly EntryReason[]
  readonly offset: number
}

/** Movements of a user's Futures account, oldest first: with a start time the oldest from there on, without one the newest. */
export async function perpEntries(pool: pg.Pool, user: UserId, range: PerpEntryRange): Promise<readonly PerpEntryRow[]> {
  const direction = range.start === undefined ? 'desc' : 'asc'
  const { rows } = await pool.query<PerpEntryRow>(
    `select entry.*, (
       select case when count(distinct trade_id) = 1 then min(trade_id) end from (
         ${tradesAs('maker')}
         union all
         ${tradesAs('taker')}
       ) traded
     ) as trade_id
     from (
       select found.* from (select distinct asset as held_asset from balances where user_id = $1 and kind = 'perp') owned
       cross join unnest($2::text[]) shown(word)
       cross join lateral (
         select seq, line, at_ms, reason, asset, trim_scale(delta + held_delta) as amount, symbol from ledger_entries
         where user_id = $1 and user_id > 0 and asset = held_asset and reason = shown.word and reason not in ('hold', 'release')
           and at_ms between $3 and $4 and kind = 'perp' and delta + held_delta <> 0 and ($5::text is null or symbol = $5)
         order by at_ms ${direction}, seq ${direction}, line ${direction} limit $6::bigint + $7
       ) found
       order by at_ms ${direction}, seq ${direction}, line ${direction} limit $6 offset $7
     ) entry
     order by at_ms ${direction}, seq ${direction}, line ${direction}`,
    [
      ...[user, range.reasons, range.start ?? 0, range.end ?? Number.MAX_SAFE_INTEGER],
      ...[range.symbol ?? null, range.limit, range.offset],
    ],
  )
  return range.start === undefined ? rows.toReversed() : rows
}

/** SQL for the numbers of the trades of an entry's command in which the user had this role: the index finds them by their time. */
function tradesAs(role: 'maker' | 'taker'): string {
  return `select trade_id from trades
    where ${role}_user = $1 and market = entry.symbol and at_ms = entry.at_ms and seq = entry.seq
      and entry.reason in ('realised', 'fee', 'liquidation-fee')`
}

export type MarginChangeRow = { readonly at_ms: number; readonly side: 'both' | 'long' | 'short'; readonly amount: Decimal }
/** `isIn`: true for changes into positions only, false for changes out of them only. */
export type MarginChangeRange = Times & { readonly isIn?: boolean | undefined }

/**
 * Margin that a user moved into isolated positions of a market, below zero out of them, oldest first: with a start time the
 * oldest changes from there on, without one the newest.
 */
export async function marginChanges(
  pool: pg.Pool,
  user: UserId,
  symbol: string,
  range: MarginChangeRange,
): Promise<readonly MarginChangeRow[]> {
  const direction = range.start === undefined ? 'desc' : 'asc'
  const { rows } = await pool.query<MarginChangeRow>(
    `select at_ms, side, trim_scale(amount) as amount from margin_changes
     where user_id = $1 and market = $2 and at_ms between $3 and $4 and ($5::boolean is null or (amount > 0) = $5)
     order by at_ms ${direction}, seq ${direction} limit $6`,
    [user, symbol, range.start ?? 0, range.end ?? Number.MAX_SAFE_INTEGER, range.isIn ?? null, range.limit],
  )
  return range.start === undefined ? rows.toReversed() : rows
}

export type ForcedRange = Times & { readonly symbol?: string | undefined }

/** Numbers of the orders that liquidated a user, oldest first: with a start time the oldest from there on, without one the newest. */
export async function forcedOrders(
  pool: pg.Pool,
  user: UserId,
  range: ForcedRange,
): Promise<readonly { readonly id: OrderId; readonly market: string }[]> {
  const direction = range.start === undefined ? 'desc' : 'asc'
  const { rows } = await pool.query<{ id: OrderId; market: string }>(
    `select order_id as id, market from liquidations
     where user_id = $1 and at_ms between $2 and $3 and order_id is not null and ($4::text is null or market = $4)
     order by at_ms ${direction}, seq ${direction}, line ${direction} limit $5`,
    [user, range.start ?? 0, range.end ?? Number.MAX_SAFE_INTEGER, range.symbol ?? null, range.limit],
  )
  return range.start === undefined ? rows.toReversed() : rows
}
