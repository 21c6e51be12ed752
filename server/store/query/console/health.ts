import type pg from 'pg'

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
