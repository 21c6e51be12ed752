import type { Queries } from './connection.ts'

/** What a watcher of the leadership sees: the lease is alive while one of both changes. */
export type Leadership = { readonly epoch: number; readonly renewals: number }

/**
 * The condition is checked on the locked row. The lock waits for the writes and renewals in flight of the leader, whose appends hold
 * `for key share`; after it, these find another epoch and change nothing. `$1`: the highest epoch known outside this database.
 */
const take = (condition: string): string => `
  update leader set epoch = greatest(leader.epoch + 1, $1 + 1, leader.accepted_epoch), renewals = leader.renewals + 1, since = now()
  from (select only_row from leader where ${condition} for update) as seen where leader.only_row = seen.only_row
  returning leader.epoch`
const takeAlways = take('true')
const takeUnrenewed = take('epoch = $2 and renewals = $3')
const takeOwn = take('epoch = $2')

/**
 * Makes this connection's engine the leader and returns its epoch. Waits for the former leader's write in flight. After that, the
 * former leader's writes find another epoch and insert nothing.
 *
 * seenEpoch  the highest epoch known outside this database: the new one is above it
 */
export async function takeLeadership(connection: Queries, seenEpoch = 0): Promise<number> {
  return (await taken(connection, takeAlways, [seenEpoch]))!
}

/**
 * Makes this connection's engine the leader if the lease is still as it was seen. The commit is the barrier. Returns the new epoch;
 * undefined when the leader has renewed its lease, or another one took over. After an error it is not known whether this engine leads.
 */
export function takeOver(connection: Queries, seen: Leadership, seenEpoch: number): Promise<number | undefined> {
  return taken(connection, takeUnrenewed, [seenEpoch, seen.epoch, seen.renewals])
}

/** Begins a new epoch of a leader that discarded its memory. Undefined when another one took over meanwhile. */
export function takeAgain(connection: Queries, ownEpoch: number, seenEpoch: number): Promise<number | undefined> {
  return taken(connection, takeOwn, [seenEpoch, ownEpoch])
}

/** Raises the counter of renewals. Returns false when another one leads. */
export async function renewLease(connection: Queries, epoch: number): Promise<boolean> {
  const { rowCount } = await connection.query({
    name: 'renew',
    text: 'update leader set renewals = renewals + 1 where epoch = $1',
    values: [epoch],
  })
  return rowCount === 1
}

async function taken(connection: Queries, text: string, values: readonly number[]): Promise<number | undefined> {
  const { rows } = await connection.query({ text, values: [...values] })
  return (rows[0] as { epoch: number } | undefined)?.epoch
}
