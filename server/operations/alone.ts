import { sql } from 'kysely'
import { Refused } from '../refused.ts'
import type { OperationsDb } from './tables.ts'

/** PostgreSQL's error code when a lock is not free in time. */
const lockNotAvailable = '55P03'

/**
 * Runs one decision at a time, from reading the terms to the outcome of its command: of two at once, the later would undo the earlier.
 *
 * throws  Refused UNAVAILABLE when another one is still under way after ten seconds
 */
export function alone<T>(db: OperationsDb, work: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (held) => {
    await sql`set lock_timeout = '10s'`.execute(held)
    try {
      await sql`select pg_advisory_lock(hashtext('operations-decided'))`.execute(held)
    } catch (cause) {
      if ((cause as { readonly code?: string }).code !== lockNotAvailable) throw cause
      throw new Refused('UNAVAILABLE', { retryAfter: 5 })
    } finally {
      await sql`reset lock_timeout`.execute(held)
    }
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtext('operations-decided'))`.execute(held)
    }
  })
}
