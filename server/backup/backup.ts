import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Store } from '../store/open.ts'
import { ChunkReader, ChunkWriter } from './chunks.ts'
import { storeCluster } from './cluster.ts'
import { BackupFault, NoRoom } from './fault.ts'
import { encodeIndex } from './journal-index.ts'
import type { BackupKeys } from './keys.ts'
import { LogCopy } from './log-copy.ts'
import { type Mode, storeFiles, storePhotos } from './own-files.ts'
import type { Place } from './place.ts'
import { discard } from './retention.ts'
import { type Base, type Run, Runs } from './runs.ts'
import { BackupSession } from './session.ts'
import { segmentBefore } from './wal.ts'

export type BackupOptions = {
  /** The embedded database, connected as its owner. */
  readonly store: Store
  readonly dataFolder: string
  readonly mode: Mode
  /** The folder of photos; undefined: they are in a bucket, which has its own care. */
  readonly photosFolder: string | undefined
  readonly place: Place
  readonly keys: BackupKeys
  readonly version: string
  /** A full one even where the log since the last run would do. */
  readonly isFull?: boolean
  /** No further run will continue this one: the database does not keep its log for it. */
  readonly isLast?: boolean
  /** How many full backups are kept, with the runs after them; undefined: all. */
  readonly keep?: number | undefined
  readonly say?: (line: string) => void
}

/**
 * Makes one backup while trading goes on. Nothing of it counts before its run is written at the end: an interrupted one leaves the older
 * runs as they are, and the next one removes what it left.
 *
 * throws  BackupFault when another run is in progress, the store is another exchange's, or the key is not that of the store
 */
export async function backUp(options: BackupOptions): Promise<Run> {
  const { store, place, keys, keep } = options
  const runs = new Runs(place, keys)
  await using session = await BackupSession.open(store)
  // Read under the lock: a run that ended while this one began counts, and its number is taken.
  const newest = await runs.newest()
  if (newest !== undefined && newest.system !== session.cluster.system)
    throw new BackupFault(`${place.where} has the backups of another database: each needs a place of its own`)
  const number = (newest?.number ?? 0) + 1
  const wasInterrupted = (await place.list('pending')).length > 0
  const pending = `pending/${String(number).padStart(10, '0')}`
  await place.clean()
  await place.put(pending, Buffer.alloc(0))
  const making = new Making(options, session, number, newest)
  const run = await making.make(runs).catch(async (cause: unknown) => {
    if (cause instanceof NoRoom && (await session.isAlone())) await making.undo()
    if (!session.hasLost(cause)) throw cause
    throw new BackupFault(
      'The database went away during the backup, or could keep its log for it no longer. What was stored counts as nothing: run it again',
      { cause },
    )
  })
  if (options.isLast !== true)
    await session.keepLog(run.store, (run.lastSegment + 1) * run.segmentBytes).catch((cause: unknown) => {
      // The run is complete. The database keeps more of its log than the next run needs, or none, and then the next one is full.
      options.say?.(`Run ${run.number} is complete, but the database could not be told what to keep: ${(cause as Error).message}`)
    })
  const isAlone = () => session.isAlone()
  if (keep !== undefined || wasInterrupted) await discard({ place, keys, runs, say: options.say, isAlone })
  for (const object of await place.list('pending')) if (await isAlone()) await place.delete(object)
  return run
}

/** The log that a run has to copy. */
type Line = { readonly line: string; readonly store: string; readonly from: number | undefined; readonly afterSeq: number | undefined }

class Making {
  readonly #options: BackupOptions
  readonly #session: BackupSession
  readonly #number: number
  readonly #newest: Run | undefined
  readonly #beganAt = Date.now()
  #chunks: ChunkWriter | undefined

  constructor(options: BackupOptions, session: BackupSession, number: number, newest: Run | undefined) {
    this.#options = options
    this.#session = session
    this.#number = number
    this.#newest = newest
  }

  async make(runs: Runs): Promise<Run> {
    const { place, keys, dataFolder, mode, photosFolder, version, keep } = this.#options
    const { segmentBytes, timeline, system } = this.#session.cluster
    const chunks = (this.#chunks = await ChunkWriter.open(place, keys))
    const line = await this.#line()
    const isBase = line.from === undefined || this.#options.isFull === true
    const start = isBase ? Math.floor((await this.#session.begin()) / segmentBytes) : 0
    const firstSegment = line.from ?? start
    const folder = join(dataFolder, 'postgres', 'data', 'pg_wal')
    const log = new LogCopy({ session: this.#session, chunks, folder, store: line.store, first: firstSegment })
    const base = isBase ? await this.#base(chunks, start, log) : undefined

    // Rows that can be read now are committed before the log is cut.
    const head = await this.#session.head()
    const index = await this.#session.index(line.afterSeq ?? base!.seqBefore, head.seq)
    const { end, reachesTo } = await this.#session.cut()
    const lastSegment = segmentBefore(end, segmentBytes)
    await log.upTo(lastSegment)
    await log.release()
    // Photos are written before the rows that name them, so all that the log names are there now.
    const before = { reader: new ChunkReader(place, keys), photos: this.#newest?.photos }
    const photos = photosFolder === undefined ? {} : { photos: await storePhotos(chunks, photosFolder, before) }
    const files = await storeFiles(chunks, dataFolder, mode)
    const rows = await chunks.addAll(encodeIndex(index))
    const segments = await log.end()
    // The last of what the run names: what is added after this, nobody waits for.
    await chunks.settle()
    const run: Run = {
      number: this.#number,
      ...(this.#newest === undefined ? {} : { previous: runs.markOf(this.#newest) }),
      oldest: await this.#oldest(runs, keep, base !== undefined),
      ...{ store: line.store, line: line.line, system, timeline, segmentBytes, version, mode },
      ...{ beganAt: this.#beganAt, endedAt: Date.now(), ...(base === undefined ? {} : { base }) },
      ...{ log: segments, firstSegment, lastSegment, index: rows, head, reachesTo, files, ...photos, bytes: chunks.sums },
    }
    // Fails without the connection, and so without the lock: another run may have begun, which took this one for interrupted.
    await this.#session.position()
    await runs.write(run)
    return run
  }

  /** Removes what was stored. */
  async undo(): Promise<void> {
    await this.#chunks?.undo()
  }

  /** Continues the line of the newest run if the database still has its log; begins another one otherwise. */
  async #line(): Promise<Line> {
    const { isLast = false, say } = this.#options
    const newest = this.#newest
    if (newest !== undefined && !isLast) {
      const { line, store, head, lastSegment } = newest
      const reason = await this.#whyNotAfter(newest)
      if (reason === undefined) return { line, store, from: lastSegment + 1, afterSeq: head.seq }
      // No run continues from what it holds.
      await this.#session.dropLog(store)
      say?.(`${reason}: this is a full backup.`)
    }
    const store = newest?.store ?? randomBytes(6).toString('hex')
    await this.#session.holdLog(store)
    return { line: randomBytes(6).toString('hex'), store, from: undefined, afterSeq: undefined }
  }

  /** Why this run can't continue the newest one; undefined: it can. */
  async #whyNotAfter({ number, store, timeline, lastSegment, head }: Run): Promise<string | undefined> {
    const { cluster } = this.#session
    if (timeline !== cluster.timeline) return `The database was restored since run ${number}`
    const from = (lastSegment + 1) * cluster.segmentBytes
    // A copy of the database's folder, or of its disk, has the same timeline, and holds the log from where the copy was made.
    if ((await this.#session.position()) < from || !(await this.#session.has(head)))
      return `The database was set back, or is another copy than that of run ${number}`
    return (await this.#session.holdsLog(store, from)) ? undefined : `The log after run ${number} is gone`
  }

  async #base(chunks: ChunkWriter, firstSegment: number, log: LogCopy): Promise<Base> {
    const cluster = await storeCluster(chunks, join(this.#options.dataFolder, 'postgres', 'data'), () => log.follow())
    const { seq: seqBefore } = await this.#session.head()
    const { label, completeAt } = await this.#session.complete()
    const { seq: seqAfter } = await this.#session.head()
    return { cluster, label, firstSegment, seqBefore, seqAfter, completeAt }
  }

  /** The oldest run to keep: the oldest of the newest `keep` full ones. */
  async #oldest(runs: Runs, keep: number | undefined, isFull: boolean): Promise<number> {
    if (this.#newest === undefined) return this.#number
    if (keep === undefined) return this.#newest.oldest
    const { runs: kept, damage } = await runs.kept()
    const full = kept.filter(({ base }) => base !== undefined).map(({ number }) => number)
    const newest = (isFull ? [...full, this.#number] : full).slice(-keep)
    // Runs before a damaged one stay until enough full ones are there without them: the damaged one may be brought back.
    if (damage !== undefined && newest.length < keep) return this.#newest.oldest
    return newest[0] ?? this.#newest.oldest
  }
}
