import type { JournalConnection } from './connection.ts'

/**
 * Makes this connection's engine the leader and returns its epoch. Waits for a write of the former leader that is under
 * way; from here on, each of its writes finds another epoch and inserts nothing.
 *
 * seenEpoch  the highest that anybody outside this database knows of: the new one is above it
 */
export async function takeLeadership(connection: JournalConnection, seenEpoch = 0): Promise<number> {
  const { rows } = await connection.query({
    text: 'update leader set epoch = greatest(epoch, $1) + 1, since = now() returning epoch',
    values: [seenEpoch],
  })
  return rows[0].epoch
}
