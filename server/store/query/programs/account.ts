import type { UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'

/** Time of the spot account's last change, in milliseconds; undefined for one that never had a balance. */
export async function lastEntryAt(pool: pg.Pool, user: UserId): Promise<number | undefined> {
  const { rows } = await pool.query<{ at: number | null }>(
    `select max(at_ms) as at from ledger_entries where seq = (select max(seq) from balances where user_id = $1 and kind = 'spot')`,
    [user],
  )
  return rows[0]?.at ?? undefined
}
