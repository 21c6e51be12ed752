import { setTimeout as sleep } from 'node:timers/promises'
import { JournalConnection } from './connection.ts'
import { Fenced, NotWritten } from './fault.ts'
import { takeLeadership } from './leadership.ts'
import { emptyHead, type Row } from './row.ts'
import { RolledBack } from './witness.ts'

export type JournalOptions = {
  /** How long a write is retried before it counts as not written. A commit in flight is always awaited. */
  readonly giveUpMs?: number
  /** The highest epoch that a witness has seen: the new epoch must be above it. */
  readonly seenEpoch?: number
}

const insertRow = `
  insert into journal (seq, epoch, n, first_at, core_version, prev_hash, hash, events_digest, payload)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9 from leader where epoch = $2 for key share`

/** The leader's writer: writes rows one at a time, and knows whether each is durable. */
export class JournalWriter {
  readonly epoch: number
  readonly #url: string
  readonly #giveUpMs: number
  #connection: JournalConnection | undefined

  private constructor(url: string, epoch: number, connection: JournalConnection | undefined, options: JournalOptions) {
    this.#url = url
    this.epoch = epoch
    this.#connection = connection
    this.#giveUpMs = options.giveUpMs ?? 5000
  }

  /** Takes the leadership. No other engine can append after this. */
  static async lead(url: string, options: JournalOptions = {}): Promise<JournalWriter> {
    const connection = await JournalConnection.open(url)
    try {
      return new JournalWriter(url, await takeLeadership(connection, options.seenEpoch), connection, options)
    } catch (cause) {
      connection.drop()
      throw cause
    }
  }

  /** The writer of a leader that took the leadership elsewhere. It connects at its first row. */
  static leading(url: string, epoch: number, options: JournalOptions = {}): JournalWriter {
    return new JournalWriter(url, epoch, undefined, options)
  }

  /**
   * Resolves when the row is durable, wherever the configuration demands it. Throws Fenced when another engine leads, RolledBack
   * when the database has lost the row before it, NotWritten when it could not be written in time: then all state in memory after
   * the row must be discarded.
   */
  async append(row: Row): Promise<void> {
    const deadline = performance.now() + this.#giveUpMs
    let isUnknown = false
    for (let tries = 0; ; tries++) {
      let isInserting = false
      try {
        this.#connection ??= await JournalConnection.open(this.#url)
        if (tries > 0 && (await this.#isPresent(this.#connection, row))) return await this.#writeBarrier(this.#connection)
        isInserting = true
        return await this.#insert(this.#connection, row)
      } catch (cause) {
        if (cause instanceof Fenced || cause instanceof RolledBack) throw cause
        this.#connection?.drop()
        this.#connection = undefined
        if (isInserting && !isRolledBack(cause)) isUnknown = true
        if (performance.now() > deadline) throw new NotWritten(isUnknown, cause)
        await sleep(Math.min(500, 20 * 2 ** tries))
      }
    }
  }

  async close(): Promise<void> {
    await this.#connection?.close()
    this.#connection = undefined
  }

  async #insert(connection: JournalConnection, row: Row): Promise<void> {
    const { rowCount } = await connection.query({
      name: 'append',
      text: insertRow,
      values: [
        row.seq,
        this.epoch,
        row.n,
        row.firstAt,
        row.coreVersion,
        asBuffer(row.prevHash),
        asBuffer(row.hash),
        asBuffer(row.eventsDigest),
        asBuffer(row.payload),
      ],
    })
    if (rowCount !== 1) throw new Fenced(`Epoch ${this.epoch} does not lead any more`)
  }

  async #isPresent(connection: JournalConnection, row: Row): Promise<boolean> {
    const { rows } = await connection.query({
      text: `select (select epoch from leader) as epoch, (select hash from journal where seq = $1) as hash,
                    (select hash from journal where seq = $2) as before, coalesce((select max(seq) from journal), 0) as head`,
      values: [row.seq, row.seq - row.n],
    })
    const { epoch, hash, before, head } = rows[0] as { epoch: number; hash: Buffer | null; before: Buffer | null; head: number }
    // An older copy of the database has our epoch too, and would accept the row after a gap.
    const previous = { seq: row.seq - row.n, hash: row.prevHash }
    if (previous.seq > 0 && !before?.equals(row.prevHash))
      throw new RolledBack({ seq: head, hash: await this.#hashAt(connection, head) }, previous)
    if (epoch !== this.epoch) throw new Fenced(`Epoch ${epoch} leads, not ${this.epoch}`)
    if (hash && !hash.equals(row.hash)) throw new Fenced(`Another row stands at ${row.seq}`)
    return hash !== null
  }

  async #hashAt(connection: JournalConnection, seq: number): Promise<Uint8Array> {
    const { rows } = await connection.query({ text: 'select hash from journal where seq = $1', values: [seq] })
    return (rows[0] as { hash: Buffer } | undefined)?.hash ?? emptyHead.hash
  }

  /** A visible row may exist on this machine only. The next commit carries it to the standby. */
  async #writeBarrier(connection: JournalConnection): Promise<void> {
    const { rowCount } = await connection.query({ text: 'update leader set since = since where epoch = $1', values: [this.epoch] })
    if (rowCount !== 1) throw new Fenced(`Epoch ${this.epoch} does not lead any more`)
  }
}

/**
 * Whether the database itself reports that it did not commit: it is read-only, out of resources, or the statement was cancelled
 * before the commit.
 */
function isRolledBack(cause: unknown): boolean {
  return /^(25006|53|57014)/.test((cause as { code?: string }).code ?? '')
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
