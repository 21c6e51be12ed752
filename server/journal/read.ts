import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { copyOut, safeInteger } from './copy-out.ts'
import { Damaged } from './fault.ts'
import { emptyHead, type Head, type Row, rowHash } from './row.ts'

const rowsPerTurn = 8

export type ReadOptions = { readonly rowsPerRead?: number }

/**
 * The rows after `from`, oldest first, up to the current end; each checked against its hash and its predecessor. Throws Damaged
 * at the first mismatch. The next read is in flight while the caller works on one.
 */
export async function* readJournal(pool: pg.Pool, from: Head = emptyHead, options: ReadOptions = {}): AsyncGenerator<Row> {
  const limit = options.rowsPerRead ?? 256
  let head = from
  let next = readRows(pool, head.seq, limit)
  for (;;) {
    const rows = await next
    const last = rows.at(-1)
    if (!last) return
    const isFull = rows.length === limit
    if (isFull) {
      next = readRows(pool, last.seq, limit)
      next.catch(() => undefined)
    }
    for (const [i, row] of rows.entries()) {
      checkRow(head, row)
      head = row
      yield row
      // Yields between rows, so that the database works while we do.
      if (i % rowsPerTurn === rowsPerTurn - 1) await setImmediate()
    }
    if (!isFull) return
  }
}

/** The newest row's place, or the empty journal's. Not checked against its predecessors. */
export async function readHead(pool: pg.Pool): Promise<Head> {
  const { rows } = await pool.query('select seq, hash from journal order by seq desc limit 1')
  return rows[0] ?? emptyHead
}

/** The place after the command `seq`, which must be the last of its batch: where a snapshot or a watermark stands. */
export async function readPlace(pool: pg.Pool, seq: number): Promise<Head> {
  if (seq === 0) return emptyHead
  const { rows } = await pool.query('select seq, hash from journal where seq = $1', [seq])
  if (!rows[0]) throw new Damaged(seq, 'no row ends here')
  return rows[0]
}

export function checkRow(head: Head, row: Row): void {
  if (row.seq !== head.seq + row.n) throw new Damaged(row.seq, `${row.n} commands can't follow ${head.seq}`)
  if (!equal(row.prevHash, head.hash)) throw new Damaged(row.seq, 'it does not follow the row before it')
  if (!equal(row.hash, rowHash(row.prevHash, row.epoch, row))) throw new Damaged(row.seq, 'its content does not match its hash')
}

async function readRows(pool: pg.Pool, after: number, limit: number): Promise<Row[]> {
  const client = await pool.connect()
  let failure: unknown
  try {
    const rows = await copyOut(
      client,
      `select seq, epoch, n, first_at, core_version, prev_hash, hash, events_digest, payload
       from journal where seq > ${after} order by seq limit ${limit}`,
    )
    return rows.map(toRow)
  } catch (cause) {
    failure = cause
    throw cause
  } finally {
    client.release(failure instanceof Error ? failure : undefined)
  }
}

function toRow(columns: Buffer[]): Row {
  const [seq, epoch, n, firstAt, coreVersion, prevHash, hash, eventsDigest, payload] = columns as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  return {
    seq: safeInteger(seq),
    epoch: safeInteger(epoch),
    n: safeInteger(n),
    firstAt: safeInteger(firstAt),
    coreVersion: safeInteger(coreVersion),
    prevHash,
    hash,
    eventsDigest,
    payload,
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
