import { mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { writeDurably } from '../store/durable-file.ts'
import { StoreFault } from '../store/fault.ts'
import { readHead } from './read.ts'
import { emptyHead, type Head } from './row.ts'
import { readSeen, recordOf, type Seen, WitnessFile } from './witness-file.ts'

/** The database lacks acknowledged commands: it was rolled back, or is a different one. Only a person can decide what to do. */
export class RolledBack extends StoreFault {
  constructor(head: Head, seen: Head) {
    super(
      `The database was rolled back or is another one: its journal ends at ${nameOf(head)}, but ${nameOf(seen)} was acknowledged. ` +
        'Restore the right database, or accept this one and lose what came after: candor witness accept',
    )
    this.name = 'RolledBack'
  }
}

/** The journal has commands, but nothing outside the database says up to where it was acknowledged. Only a person can say. */
export class NoWitness extends StoreFault {
  constructor(path: string) {
    super(
      `${path} is missing, and the journal is not empty: nothing tells whether the database was rolled back. ` +
        'Bring the witness back, or accept the database as it is: candor witness accept',
    )
    this.name = 'NoWitness'
  }
}

const flushEveryMs = 100
/** The witness's file in its folder. */
const pathIn = (folder: string): string => join(folder, 'witness')

/**
 * Records outside the database how far its journal was acknowledged, in a file that is at most 100 ms behind. It shows when an
 * older or different database was brought back, and keeps any epoch from being given twice.
 */
export class Witness implements AsyncDisposable {
  readonly #file: WitnessFile
  readonly #onFault: (cause: unknown) => void
  #seen: Seen
  #isUnsaved = false
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  private constructor(path: string, seen: Seen, onFault: (cause: unknown) => void) {
    this.#file = new WitnessFile(path)
    this.#seen = seen
    this.#onFault = onFault
  }

  /** The witness in a folder; an empty one where there is none yet. Throws when its file is not a witness, or can't be read. */
  static async open(folder: string, onFault: (cause: unknown) => void = () => undefined): Promise<Witness> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = pathIn(folder)
    return new Witness(path, (await readSeen(path)) ?? { epoch: 0, ...emptyHead }, onFault)
  }

  get seen(): Seen {
    return this.#seen
  }

  /** Notes an acknowledged row. Costs the caller nothing: it is written a moment later. */
  note(epoch: number, { seq, hash }: Head): void {
    this.#seen = { epoch: Math.max(epoch, this.#seen.epoch), seq, hash }
    this.#isUnsaved = true
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#onFault), flushEveryMs)
  }

  /** Resolves when everything noted is on disk. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write())
    return this.#writing
  }

  /**
   * Returns false when a person accepted the database after what was seen: that counts no more.
   *
   * throws  RolledBack when the journal lacks acknowledged commands
   */
  check(pool: pg.Pool): Promise<boolean> {
    return checkSeen(pool, this.#seen)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await using _ = this.#file
    await this.flush()
  }

  async #write(): Promise<void> {
    if (!this.#isUnsaved) return
    this.#isUnsaved = false
    try {
      await this.#file.write(this.#seen)
    } catch (cause) {
      this.#isUnsaved = true
      throw cause
    }
  }
}

/** Checks a data folder before anything is started on it. Throws RolledBack like `check`. */
export async function checkWitness(pool: pg.Pool, folder: string): Promise<void> {
  const seen = await readSeen(pathIn(folder))
  if (seen !== undefined) await checkSeen(pool, seen)
}

/** Runs before production starts on existing data. Throws NoWitness when the journal has commands and there is no witness. */
export async function demandWitness(pool: pg.Pool, folder: string): Promise<void> {
  const path = pathIn(folder)
  if ((await readSeen(path)) !== undefined) return
  const { rows } = await pool.query<{ has: boolean }>('select exists (select from journal) as has')
  if (rows[0]!.has) throw new NoWitness(path)
}

/**
 * Accepts the database as it is. Commands acknowledged beyond it are lost; epochs continue from the highest ever given. If the
 * witness is lost or damaged, nobody knows that epoch: they continue from the number of seconds since 1970, `nowMs / 1000`. This is
 * above every epoch ever given, because each start of an engine takes one, and an engine takes longer than a second to start over
 * and over.
 */
export async function acceptDatabase(
  pool: pg.Pool,
  folder: string,
  nowMs = Date.now(),
): Promise<{ readonly before: Seen | undefined; readonly now: Seen }> {
  const path = pathIn(folder)
  // An unreadable file is no reason to refuse: it is replaced.
  const before = await readSeen(path).catch(() => undefined)
  const { rows } = await pool.query<{ epoch: number }>('select epoch from leader')
  const epochs = [rows[0]?.epoch ?? 0, before?.epoch ?? Math.floor(nowMs / 1_000)]
  const now = { epoch: Math.max(...epochs), ...(await readHead(pool)) }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeDurably(path, recordOf(now))
  return { before, now }
}

/**
 * Returns false when the epoch that was seen is before the one of which a person accepted the database.
 *
 * throws  RolledBack when the journal lacks the row that was seen; a StoreFault that passes when the server follows another one and
 *         may be behind it
 */
export async function checkSeen(pool: pg.Pool, seen: Seen): Promise<boolean> {
  if (seen.seq === 0) return true
  const { rows } = await pool.query<{ hash: Buffer | null; accepted: number; follows: boolean }>(
    // Data of an earlier version has no such column.
    `select (select hash from journal where seq = $1) as hash, pg_is_in_recovery() as follows,
            coalesce((select to_jsonb(leader) ->> 'accepted_epoch' from leader)::bigint, 0) as accepted`,
    [seen.seq],
  )
  const { hash, accepted, follows } = rows[0]!
  if (follows) throw new StoreFault('The database follows another one and may be behind it', { isRetryable: true })
  if (seen.epoch < accepted) return false
  if (!hash?.equals(seen.hash)) throw new RolledBack(await readHead(pool), seen)
  return true
}

/** "command 71 (hash 0a1b2c3d…)" */
export const nameOf = ({ seq, hash }: Head): string => `command ${seq} (hash ${Buffer.from(hash).toString('hex').slice(0, 16)}…)`
