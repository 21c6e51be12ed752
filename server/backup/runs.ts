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

  /** All kept runs, oldest first. throws  BackupFault when one is missing, in another's place, or changed */
  async all(): Promise<readonly Run[]> {
    const objects = await this.#place.list('runs')
    const last = objects.at(-1)
    if (last === undefined) return []
    const newest = (await this.#read(last)).run
    const runs: Run[] = []
    let mark: string | undefined
    for (const object of objects.filter((each) => numberOf(each) >= newest.oldest)) {
      const found = await this.#read(object)
      const expected = newest.oldest + runs.length
      if (found.run.number !== expected) throw new BackupFault(`Run ${expected} is missing in the store`)
      if (mark !== undefined && found.run.previous !== mark) throw new BackupFault(`Run ${expected} does not follow the run before it`)
      mark = found.mark
      runs.push(found.run)
    }
    if (runs.length === 0 || runs[0]!.number !== newest.oldest) throw new BackupFault(`Run ${newest.oldest} is missing in the store`)
    return runs
  }

  /** Numbers of runs that were given up and are still there. */
  async below(oldest: number): Promise<readonly number[]> {
    return (await this.#place.list('runs')).map(numberOf).filter((number) => number < oldest)
  }

  markOf(run: Run): string {
    return this.#keys.nameOf(textOf(run))
  }

  async write(run: Run): Promise<void> {
    await this.#place.put(objectOf(run.number), await this.#keys.seal(objectOf(run.number), textOf(run)))
    await this.#place.settle()
  }

  async delete(number: number): Promise<void> {
    await this.#place.delete(objectOf(number))
  }

  async #read(object: string): Promise<{ readonly run: Run; readonly mark: string }> {
    const sealed = await this.#place.get(object)
    if (sealed === undefined) throw new BackupFault(`${object} is missing in the store`)
    const text = await this.#keys.open(object, sealed)
    return { run: JSON.parse(text.toString('utf8')) as Run, mark: this.#keys.nameOf(text) }
  }
}

const textOf = (run: Run): Buffer => Buffer.from(JSON.stringify(run))
