import { createHash } from 'node:crypto'
import type pg from 'pg'
import { inTransaction } from '../store/transaction.ts'
import { copyOut } from './copy-out.ts'
import { Damaged, NoSnapshot } from './fault.ts'
import { coreVersion, type Head } from './row.ts'

/** A dump of the core's state after `seq`, with the journal's hash there: replay continues from this position. */
export type Snapshot = Head & { readonly coreVersion: number; readonly dump: Uint8Array }

type SnapshotRow = { readonly core_version: number; readonly state_hash: Buffer; readonly journal_hash: Buffer }

const chunkBytes = 1 << 20
/** Recovery skips a damaged snapshot, so more than one stays. */
const kept = 3
/** The newest of each so many commands stays for good. To execute them again takes about 50 s of processor time. */
const stretch = 4_000_000

/**
 * Stores the snapshot in one transaction. Of this core it keeps the newest few and the newest of each stretch of commands. Of each earlier
 * core it keeps the newest: an upgrade took over there, and an audit begins there. It deletes the others. An existing snapshot at `seq`
 * stays.
 */
export async function saveSnapshot(pool: pg.Pool, snapshot: Snapshot): Promise<void> {
  const { seq, hash, coreVersion: madeBy, dump } = snapshot
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `insert into snapshots (seq, core_version, state_hash, journal_hash, bytes) values ($1, $2, $3, $4, $5)
       on conflict (seq) do nothing`,
      [seq, madeBy, createHash('sha256').update(dump).digest(), Buffer.from(hash), dump.length],
    )
    if (rowCount !== 1) return
    for (let chunk = 0; chunk * chunkBytes < dump.length; chunk++) {
      const bytes = Buffer.from(dump.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes))
      await client.query('insert into snapshot_chunks (seq, chunk, bytes) values ($1, $2, $3)', [seq, chunk, bytes])
    }
    await client.query(
      `delete from snapshots where seq not in (select seq from snapshots where core_version = $2 order by seq desc limit $1)
       and seq not in (select max(seq) from snapshots group by core_version, case when core_version = $2 then seq / $3::bigint end)`,
      [kept, coreVersion, stretch],
    )
  })
}

/** Positions of the stored snapshots, newest first. */
export async function listSnapshots(pool: pg.Pool): Promise<readonly number[]> {
  const { rows } = await pool.query('select seq from snapshots order by seq desc')
  return rows.map(({ seq }) => seq)
}

/**
 * Loads the snapshot at `seq`. Reads it in one view of the database: one that is deleted meanwhile is read whole or not at all.
 *
 * throws  NoSnapshot when there is none (any more), Damaged when the chunks don't match the hash that was stored with them
 */
export async function loadSnapshot(pool: pg.Pool, seq: number): Promise<Snapshot> {
  const read = async (client: pg.PoolClient): Promise<{ readonly row: SnapshotRow; readonly dump: Buffer }> => {
    const { rows } = await client.query<SnapshotRow>('select core_version, state_hash, journal_hash from snapshots where seq = $1', [seq])
    if (!rows[0]) throw new NoSnapshot(seq)
    const chunks = await copyOut(client, `select bytes from snapshot_chunks where seq = ${Number(seq)} order by chunk`)
    return { row: rows[0], dump: Buffer.concat(chunks.flat()) }
  }
  const { row, dump } = await inTransaction(pool, read, 'isolation level repeatable read read only')
  if (!createHash('sha256').update(dump).digest().equals(row.state_hash))
    throw new Damaged(seq, 'the snapshot differs from its stored hash')
  return {
    seq,
    hash: row.journal_hash,
    coreVersion: row.core_version,
    dump: new Uint8Array(dump.buffer, dump.byteOffset, dump.length),
  }
}
