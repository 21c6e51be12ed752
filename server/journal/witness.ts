import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { writeDurably } from '../store/durable-file.ts'
import { StoreFault } from '../store/fault.ts'
import { readHead } from './read.ts'
import { emptyHead, type Head } from './row.ts'

/** The furthest known point of the journal: the newest epoch, and the newest acknowledged command. */
export type Seen = { readonly epoch: number } & Head

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
const fileName = 'witness'

/**
 * Records outside the database how far its journal was acknowledged, in a file that is at most 100 ms behind. It shows when an
 * older or different database was brought back, and keeps any epoch from being given twice.
 */
export class Witness implements AsyncDisposable {
  readonly #path: string
  readonly #onFault: (cause: unknown) => void
  #seen: Seen
  #isUnsaved = false
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  private constructor(path: string, seen: Seen, onFault: (cause: unknown) => void) {
    this.#path = path
    this.#seen = seen
    this.#onFault = onFault
  }

  /** The witness in a folder; an empty one where there is none yet. Throws when its file is not a witness, or can't be read. */
  static async open(folder: string, onFault: (cause: unknown) => void = () => undefined): Promise<Witness> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return new Witness(join(folder, fileName), (await readSeen(folder)) ?? { epoch: 0, ...emptyHead }, onFault)
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

  /** throws  RolledBack when the journal lacks acknowledged commands */
  check(pool: pg.Pool): Promise<void> {
    return checkSeen(pool, this.#seen)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush()
  }

  async #write(): Promise<void> {
    if (!this.#isUnsaved) return
    this.#isUnsaved = false
    const draft = `${this.#path}.new`
    try {
      const file = await open(draft, 'w', 0o600)
      try {
        await file.writeFile(textOf(this.#seen))
        await file.datasync()
      } finally {
        await file.close()
      }
      await rename(draft, this.#path)
    } catch (cause) {
      this.#isUnsaved = true
      throw cause
    }
  }
}

/** Checks a data folder before anything is started on it. Throws RolledBack like `check`. */
export async function checkWitness(pool: pg.Pool, folder: string): Promise<void> {
  const seen = await readSeen(folder)
  if (seen !== undefined) await checkSeen(pool, seen)
}

/** Runs before production starts on existing data. Throws NoWitness when the journal has commands and there is no witness. */
export async function demandWitness(pool: pg.Pool, folder: string): Promise<void> {
  if ((await readSeen(folder)) !== undefined) return
  const { rows } = await pool.query<{ has: boolean }>('select exists (select from journal) as has')
  if (rows[0]!.has) throw new NoWitness(join(folder, fileName))
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
  // An unreadable file is no reason to refuse: it is replaced.
  const before = await readSeen(folder).catch(() => undefined)
  const { rows } = await pool.query<{ epoch: number }>('select epoch from leader')
  const epochs = [rows[0]?.epoch ?? 0, before?.epoch ?? Math.floor(nowMs / 1_000)]
  const now = { epoch: Math.max(...epochs), ...(await readHead(pool)) }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeDurably(join(folder, fileName), textOf(now))
  return { before, now }
}

async function checkSeen(pool: pg.Pool, seen: Seen): Promise<void> {
  if (seen.seq === 0) return
  const { rows } = await pool.query<{ hash: Buffer }>('select hash from journal where seq = $1', [seen.seq])
  if (rows[0] === undefined || !rows[0].hash.equals(seen.hash)) throw new RolledBack(await readHead(pool), seen)
}

async function readSeen(folder: string): Promise<Seen | undefined> {
  let text: string
  try {
    text = await readFile(join(folder, fileName), 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StoreFault(
      `${join(folder, fileName)} can't be read: ${(cause as Error).message}. Check the disk; candor witness accept writes it again`,
      { cause },
    )
  }
  const [, epoch, seq, hash] = /^([0-9]{1,15}) ([0-9]{1,16}) ([0-9a-f]{64})\n$/.exec(text) ?? []
  if (epoch === undefined || seq === undefined || hash === undefined) {
    throw new StoreFault(`${join(folder, fileName)} is not a valid witness file. Check the disk; candor witness accept writes it anew`)
  }
  return { epoch: Number(epoch), seq: Number(seq), hash: Buffer.from(hash, 'hex') }
}

const textOf = ({ epoch, seq, hash }: Seen): string => `${epoch} ${seq} ${Buffer.from(hash).toString('hex')}\n`
/** "command 71 (hash 0a1b2c3d…)" */
export const nameOf = ({ seq, hash }: Head): string => `command ${seq} (hash ${Buffer.from(hash).toString('hex').slice(0, 16)}…)`
