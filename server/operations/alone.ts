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

/** Decisions of one process that may wait for their turn. Each holds a request, and none holds a connection to the database. */
const waitingMax = 50

/** Lets the decisions of this process wait for each other before they ask for a connection, which the one under way needs, too. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** throws  Refused UNAVAILABLE when too many wait */
  async next<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= waitingMax) throw new Refused('UNAVAILABLE', { retryAfter: 5 })
    this.#waiting++
    const run = this.#last.then(work).finally(() => this.#waiting--)
    this.#last = run.catch(() => undefined)
    return run
  }

  async settled(): Promise<void> {
    await this.#last
  }
}
