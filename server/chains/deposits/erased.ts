import type pg from 'pg'
import type { DepositRow } from './tables.ts'

/** A screening that holds deposits to addresses of deleted accounts: nobody could use what is credited there. */
export function erasedScreen(pool: pg.Pool): (deposit: Pick<DepositRow, 'account'>) => Promise<string | undefined> {
  return async ({ account }) => {
    const { rows } = await pool.query<{ erased_at: number | null }>('select erased_at from accounts where id = $1', [account])
    return rows[0]?.erased_at == null ? undefined : 'erased'
  }
}
