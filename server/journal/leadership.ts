import type { JournalConnection } from './connection.ts'

/**
 * Makes this connection's engine the leader and returns its epoch. Waits for a write of the former leader that is under
 * way; from here on, each of its writes finds another epoch and inserts nothing.
 */
export async function takeLeadership(connection: JournalConnection): Promise<number> {
  const { rows } = await connection.query({ text: 'update leader set epoch = epoch + 1, since = now() returning epoch' })
  return rows[0].epoch
}
