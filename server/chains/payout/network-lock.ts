import type pg from 'pg'

/** Work of which only one process may do a network's at a time. The number is the first half of the lock, the network's name the other. */
export const networkWork = { payouts: 7135, sweeps: 7137, anchors: 7139, reserves: 7141 } as const
type Room = (typeof networkWork)[keyof typeof networkWork]

/** On this connection, until it unlocks or closes. returns  whether it got the lock */
export async function lockNetwork(client: pg.ClientBase, room: Room, network: string): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as got', [room, network])
  return rows[0]?.got === true
}

export async function unlockNetwork(client: pg.ClientBase, room: Room, network: string): Promise<void> {
  await client.query('select pg_advisory_unlock($1, hashtext($2))', [room, network])
}
