import type pg from 'pg'
import { isLeftBehind, leftBehind } from '../left-behind.ts'

/** `name`: what waits; `oldestAt`: since when the first of it does. */
export type QueueSize = { readonly name: string; readonly waiting: number; readonly oldestAt: number | null }

/** Work that waits in the database. */
export async function queueSizes(pool: pg.Pool): Promise<readonly QueueSize[]> {
  const { rows } = await pool.query<QueueSize>(
    `select 'webhooks' as name, count(*)::int as waiting, min(created_at) as "oldestAt" from webhook_deliveries where state = 'waiting'
     union all select 'notices', count(*)::int, min(n.created_at) from notice_sends join notices n on n.number = notice_sends.notice
     union all select 'checks', count(*)::int, min(sent_at) from papers where state = 'waiting'`,
  )
  return rows
}

/** `bytes`: with indexes. */
export type TableSize = { readonly name: string; readonly bytes: number; readonly rows: number }

/** Size of the database in bytes, and its largest tables; rows are estimates. */
export async function databaseSize(pool: pg.Pool): Promise<{ readonly bytes: number; readonly tables: readonly TableSize[] }> {
  const { rows } = await pool.query<TableSize>(
    `select relname as name, pg_total_relation_size(oid)::bigint as bytes, greatest(reltuples, 0)::bigint as rows from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_total_relation_size(oid) desc limit 12`,
  )
  const { rows: whole } = await pool.query<{ bytes: number }>('select pg_database_size(current_database())::bigint as bytes')
  return { bytes: whole[0]?.bytes ?? 0, tables: rows }
}

/** Mails, messages and pushes that failed and are tried again. Their first attempt counts as one while it is made. */
export async function failingSends(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from notice_sends where tries > 1')
  return rows[0]?.count ?? 0
}

/** When the staff's decision that halted a market was carried out, for those that one halted. */
export async function haltedSince(pool: pg.Pool, symbols: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (symbols.length === 0) return new Map()
  const { rows } = await pool.query<{ subject: string; at: number }>(
    `select distinct on (subject) subject, done_at as at from operations
     where subject = any($1) and kind in ('spot', 'futures') and state = 'approved' and done_at is not null
       and terms->>'isTrading' = 'false' order by subject, id desc`,
    [symbols],
  )
  return new Map(rows.map(({ subject, at }) => [subject, at]))
}

/** `late`: requests for withdrawals that wait since before a moment, and since when the first does. `stuck`: payments that do not move. */
export type WithdrawalTroubles = {
  readonly late: number
  readonly oldestAt: number | null
  readonly stuck: number
  /** Why. */
  readonly reasons: readonly string[]
}

export async function withdrawalTroubles(pool: pg.Pool, lateBefore: number, now: number): Promise<WithdrawalTroubles> {
  const { rows } = await pool.query<WithdrawalTroubles>(
    `select count(*) filter (where w.state = 'requested' and w.requested_at_ms <= $1)::int as late,
       min(w.requested_at_ms) filter (where w.state = 'requested' and w.requested_at_ms <= $1) as "oldestAt",
       count(*) filter (where (w.state = 'approved' and p.trouble is not null) or ${isLeftBehind('w', 'p', '$2')})::int as stuck,
       coalesce(array_remove(array_agg(distinct coalesce(p.trouble, case when ${isLeftBehind('w', 'p', '$2')} then '${leftBehind}' end))
         filter (where w.state = 'approved'), null), '{}') as reasons
     from core_withdrawals w left join payouts p on p.withdrawal = w.id where w.state in ('requested', 'approved')`,
    [lateBefore, now],
  )
  return rows[0]!
}
