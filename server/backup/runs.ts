import type { Stored } from './chunks.ts'
import { BackupFault } from './fault.ts'
import type { BackupKeys } from './keys.ts'
import type { Place } from './place.ts'

/** A copy of the cluster's files, taken while it ran. */
export type Base = {
  /** `cluster`: the listing; `label`: what PostgreSQL needs to know where its log begins. */
  readonly cluster: Stored
  readonly label: string
  readonly firstSegment: number
  /** The newest command before the copy was complete, and the newest one soon after: a restore can end only after the copy. */
  readonly seqBefore: number
  readonly seqAfter: number
  /** When the copy was complete, in ms since 1970 by the database's clock. */
  readonly completeAt: number
}

/**
 * One run of `candor backup`. A full one has a base; every one has the log since the run before. Runs of one `line` follow each other without
 * a gap in the log; a restored exchange begins another line.
 */
export type Run = {
  readonly number: number
  /** The run before, by its mark; undefined for the first in the store. */
  readonly previous?: string
  /** The oldest run that is kept: from there to the newest, none may be missing. */
  readonly oldest: number
  /** Name of this store in the names of the database's replication slots. */
  readonly store: string
  readonly system: string
  readonly line: string
  readonly timeline: number
  readonly segmentBytes: number
  readonly version: string
  readonly mode: 'sandbox' | 'production'
  readonly beganAt: number
  readonly endedAt: number
  readonly base?: Base
  /** The listing of the log's segments, and the numbers of the first and the last. */
  readonly log: Stored
  readonly firstSegment: number
  readonly lastSegment: number
  /** Which transaction wrote which row of the journal: for each, three numbers (see `journal-index.ts`). */
  readonly index: Stored
  /** The newest command in the index. */
  readonly head: { readonly seq: number; readonly hash: string }
  /** A time after which, and before the end of the log, a transaction was committed. */
  readonly reachesTo: number
  /** Other files of the data folder, and photos. */
  readonly files: Stored
  readonly photos?: Stored
  readonly bytes: { readonly read: number; readonly fresh: number; readonly sent: number }
}

const objectOf = (number: number): string => `runs/${String(number).padStart(10, '0')}`
const numberOf = (object: string): number => Number(object.slice('runs/'.length))

export type Kept = { readonly runs: readonly Run[]; readonly damage: string | undefined }

/** The list of runs in a store. */
export class Runs {
  readonly #place: Place
  readonly #keys: BackupKeys

  constructor(place: Place, keys: BackupKeys) {
    this.#place = place
    this.#keys = keys
  }

  async newest(): Promise<Run | undefined> {
    const object = (await this.#place.list('runs')).at(-1)
    return object === undefined ? undefined : (await this.#read(object)).run
  }

  /**
   * The kept runs, oldest first, back to one that is missing, changed or in another's place: `damage` then names it, and those before it
   * are left out.
   *
   * throws  BackupFault when the newest one is damaged or of another key, or the store fails
   */
  async kept(): Promise<Kept> {
    const last = (await this.#place.list('runs')).at(-1)
    if (last === undefined) return { runs: [], damage: undefined }
    const newest = (await this.#read(last)).run
    if (objectOf(newest.number) !== last) throw new BackupFault(`${last} in the store has another run`)
    const runs = [newest]
    for (let { number, previous } = newest; --number >= newest.oldest; ) {
      const sealed = await this.#place.get(objectOf(number))
      if (sealed === undefined) return { runs, damage: `Run ${number} is missing in the store` }
      const opened = await this.#opened(objectOf(number), sealed).catch((cause: unknown) => {
        if (cause instanceof BackupFault) return cause
        throw cause
      })
      if (opened instanceof BackupFault) return { runs, damage: opened.message }
      if (opened.mark !== previous) return { runs, damage: `Run ${number + 1} does not follow the run before it` }
      runs.unshift(opened.run)
      previous = opened.run.previous
    }
    return { runs, damage: undefined }
  }

  /** Numbers of runs that were given up and are still there. */
  async below(oldest: number): Promise<readonly number[]> {
    return (await this.#place.list('runs')).map(numberOf).filter((number) => number < oldest)
  }

  markOf(run: Run): string {
    return this.#keys.nameOf(textOf(run))
  }

  /** throws  BackupFault when another run has this number, or a later one: an exchange with a copy of the database uses the store, too */
  async write(run: Run): Promise<void> {
    const last = (await this.#place.list('runs')).at(-1)
    if (last !== undefined && last >= objectOf(run.number))
      throw new BackupFault(
        `Another exchange with a copy of this database wrote run ${numberOf(last)} meanwhile: each needs a store of its own`,
      )
    await this.#place.put(objectOf(run.number), await this.#keys.seal(objectOf(run.number), textOf(run)))
    await this.#place.settle()
  }

  async delete(number: number): Promise<void> {
    await this.#place.delete(objectOf(number))
  }

  async #read(object: string): Promise<{ readonly run: Run; readonly mark: string }> {
    const sealed = await this.#place.get(object)
    if (sealed === undefined) throw new BackupFault(`${object} is missing in the store`)
    return this.#opened(object, sealed)
  }

  async #opened(object: string, sealed: Buffer): Promise<{ readonly run: Run; readonly mark: string }> {
    const text = await this.#keys.open(object, sealed)
    return { run: JSON.parse(text.toString('utf8')) as Run, mark: this.#keys.nameOf(text) }
  }
}

const textOf = (run: Run): Buffer => Buffer.from(JSON.stringify(run))
