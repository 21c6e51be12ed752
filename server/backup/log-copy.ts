import { join } from 'node:path'
import { BackupFault } from './fault.ts'
import type { ChunkWriter, Stored } from './chunks.ts'
import { ListingWriter } from './listing.ts'
import type { BackupSession } from './session.ts'
import { segmentName } from './wal.ts'

/**
 * The share of what the database keeps at most that may be copied log, so that the next run can continue if this one fails. Beyond it, the
 * next run is full. The rest is for what is written while one file is copied.
 */
const keptShare = 0.5

export type LogParts = {
  readonly session: BackupSession
  readonly chunks: ChunkWriter
  /** `pg_wal` of the running database. */
  readonly folder: string
  /** The store whose slot holds the log. */
  readonly store: string
  readonly first: number
}

/**
 * Copies the segments of the log in their order: those that are complete also while the files of the database are copied, so that the
 * database need not keep all of them until the last file is there.
 */
export class LogCopy {
  readonly #parts: LogParts
  readonly #listing: ListingWriter
  /** The segment that is copied next. */
  #next: number
  /** The first segment that the database has to keep. */
  #kept: number

  constructor(parts: LogParts) {
    this.#parts = parts
    this.#listing = new ListingWriter(parts.chunks)
    this.#next = parts.first
    this.#kept = parts.first
  }

  /** Copies what is complete, and lets the database discard what it need not keep. Called between any two files. */
  async follow(): Promise<void> {
    const { session } = this.#parts
    await this.upTo(Math.floor((await session.position()) / session.cluster.segmentBytes) - 1)
    await this.release()
  }

  /** Lets the database discard what is copied, but for what the next run would need if this one failed. */
  async release(): Promise<void> {
    const { session, store } = this.#parts
    const { segmentBytes, keptMaxBytes } = session.cluster
    const mayKeep = session.isPassing ? 0 : keptMaxBytes * keptShare
    if ((this.#next - this.#kept) * segmentBytes <= mayKeep) return
    await session.releaseLog(store, this.#next * segmentBytes)
    this.#kept = this.#next
  }

  /**
   * Copies up to this segment.
   *
   * throws  BackupFault when the database has discarded any of them
   */
  async upTo(last: number): Promise<void> {
    const { session, folder, store } = this.#parts
    const { timeline, segmentBytes } = session.cluster
    if (this.#next > last) return
    const first = this.#next
    for (; this.#next <= last; this.#next++) {
      const name = segmentName(timeline, this.#next, segmentBytes)
      if (!(await this.#listing.file(name, join(folder, name))))
        throw new BackupFault(
          `The database discarded its log before it was copied (${name}): make a full backup when there is less traffic`,
        )
    }
    // A segment whose file was used again while it was read would have the bytes of two.
    if (!(await session.holdsLog(store, (first + 1) * segmentBytes - 1)))
      throw new BackupFault('The database discarded its log while it was copied: make a full backup when there is less traffic')
  }

  end(): Promise<Stored> {
    return this.#listing.end()
  }
}
