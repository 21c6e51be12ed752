import { Exchange } from '@candor/core/exchange/exchange.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type pg from 'pg'
import { Damaged, NoSnapshot } from './fault.ts'
import { readJournal } from './read.ts'
import { replayRow } from './replay.ts'
import { coreVersion, coreVersionsBefore, emptyHead, type Head, type Row } from './row.ts'
import { secret } from './secret.ts'
import { listSnapshots, loadSnapshot } from './snapshots.ts'
import { checkUpgrade, endsBefore } from './upgrade.ts'

export type Recovered = { readonly exchange: Exchange; readonly head: Head; readonly snapshotSeq: number; readonly replayed: number }

export type RecoverOptions = {
  /** Each row of the tail with its events, valid during the call. */
  readonly onReplayed?: (row: Row, events: Records) => void
  /** An unusable snapshot is not fatal: an older one and a longer tail give the same state. */
  readonly onBadSnapshot?: (damage: Damaged) => void
}

/**
 * The state at the end of the journal: newest usable snapshot, then the tail, every row's hash and digest checked. Throws
 * NotClosed when the previous build left a tail.
 */
export async function recover(pool: pg.Pool, options: RecoverOptions = {}): Promise<Recovered> {
  await checkUpgrade(pool)
  const { exchange, place } = await restoreNewest(pool, options)
  const events = new Records()
  let head = place
  let replayed = 0
  for await (const row of readJournal(pool, place)) {
    replayRow(exchange, row, events)
    options.onReplayed?.(row, events)
    head = { seq: row.seq, hash: row.hash }
    replayed += row.n
  }
  return { exchange, head, snapshotSeq: place.seq, replayed }
}

async function restoreNewest(pool: pg.Pool, options: RecoverOptions): Promise<{ exchange: Exchange; place: Head }> {
  for (const seq of await listSnapshots(pool)) {
    try {
      return await restoreSnapshot(pool, seq)
    } catch (cause) {
      if (!(cause instanceof Damaged)) throw cause
      if (!(cause instanceof NoSnapshot)) options.onBadSnapshot?.(cause)
    }
  }
  return { exchange: Exchange.create(secret), place: emptyHead }
}

/**
 * The state of the snapshot at `seq`. Throws Damaged when it differs from its stored hash, or belongs to another core in the
 * middle of its rows.
 */
export async function restoreSnapshot(pool: pg.Pool, seq: number): Promise<{ readonly exchange: Exchange; readonly place: Head }> {
  const { dump, hash, coreVersion: madeBy } = await loadSnapshot(pool, seq)
  const isTakenOver = coreVersionsBefore.includes(madeBy) && (await endsBefore(pool, seq))
  if (madeBy !== coreVersion && !isTakenOver) throw new Damaged(seq, `the snapshot was made by version ${madeBy} of the core`)
  const exchange = restore(seq, dump)
  if (exchange.seq !== seq) throw new Damaged(seq, `the snapshot holds the state at ${exchange.seq}`)
  return { exchange, place: { seq, hash } }
}

function restore(seq: number, dump: Uint8Array): Exchange {
  try {
    return Exchange.restore(dump, secret)
  } catch (cause) {
    throw new Damaged(seq, `the snapshot can't be restored: ${(cause as Error).message}`)
  }
}
