import type { JournalConnection } from './connection.ts'

/**
 * Makes this connection's engine the leader and returns its epoch. Waits for the former leader's write in flight. After that, the
 * former leader's writes find another epoch and insert nothing.
 *
 * seenEpoch  the highest epoch known outside this database: the new one is above it
 */
export async function takeLeadership(connection: JournalConnection, seenEpoch = 0): Promise<number> {
  const { rows } = await connection.query({
    text: 'update leader set epoch = greatest(epoch, $1) + 1, since = now() returning epoch',
    values: [seenEpoch],
  })
  return rows[0].epoch
}
