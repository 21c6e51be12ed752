import { createHash } from 'node:crypto'
import { type FileHandle, open, readFile, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '../store/durable-file.ts'
import { StoreFault } from '../store/fault.ts'
import type { Head } from './row.ts'

/** The furthest known point of the journal: the newest epoch, and the newest acknowledged command. */
export type Seen = { readonly epoch: number } & Head

/** Length of a record in bytes: a block of the disk, so that a write that a power cut interrupts can't spoil the record before. */
export const recordBytes = 4096

/**
 * The file of a witness, open for writing. It has two records, written in turn and in place: making and naming a new file for each
 * record would load the disk that the journal is synced to.
 */
export class WitnessFile implements AsyncDisposable {
  readonly #path: string
  #file: FileHandle | undefined
  #identity: string | undefined
  /** Record that is written next. */
  #turn = 0

  constructor(path: string) {
    this.#path = path
  }

  /** Resolves when the record is on disk. After an error, or when the file was removed or replaced, the next record begins a new file. */
  async write(seen: Seen): Promise<void> {
    const record = Buffer.from(recordOf(seen))
    if (this.#file !== undefined && (await identityOf(this.#path)) !== this.#identity) await this[Symbol.asyncDispose]()
    if (this.#file === undefined) return this.#begin(record)
    try {
      await put(this.#file, record, this.#turn * recordBytes)
      this.#turn = 1 - this.#turn
    } catch (cause) {
      await this[Symbol.asyncDispose]()
      throw cause
    }
  }

  /** Puts a file with this record alone in the place of any older one. */
  async #begin(record: Buffer): Promise<void> {
    const draft = `${this.#path}.new`
    const file = await open(draft, 'w', 0o600)
    try {
      await put(file, record, 0)
      await rename(draft, this.#path)
      syncFolder(dirname(this.#path))
      this.#identity = await identityOf(this.#path)
    } catch (cause) {
      await file.close()
      throw cause
    }
    this.#file = file
    this.#turn = 1
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }
}

/** Differs from that of every other file on the machine; undefined when there is no file at the path. */
async function identityOf(path: string): Promise<string | undefined> {
  const facts = await stat(path).catch(() => undefined)
  return facts && `${facts.dev} ${facts.ino}`
}

async function put(file: FileHandle, record: Buffer, at: number): Promise<void> {
  const { bytesWritten } = await file.write(record, 0, record.length, at)
  if (bytesWritten !== record.length) throw new Error(`The disk took ${bytesWritten} of ${record.length} bytes of the witness`)
  await file.datasync()
}

/**
 * Reads the witness. Returns undefined when there is no file. If both records are whole, the further one counts; a damaged record is
 * ignored. Throws a StoreFault when both are damaged, or when the file can't be read.
 */
export async function readSeen(path: string): Promise<Seen | undefined> {
  let text: string
  try {
    text = await readFile(path, 'latin1')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StoreFault(`${path} can't be read: ${(cause as Error).message}. Check the disk; candor witness accept writes it again`, {
      cause,
    })
  }
  const records = [text.slice(0, recordBytes), text.slice(recordBytes)]
  const [first, second] = records.map(seenIn).filter((seen) => seen !== undefined)
  const only = first ?? seenInLine(text)
  if (only === undefined) throw new StoreFault(`${path} is not a valid witness file. Check the disk; candor witness accept writes it anew`)
  if (second === undefined) return only
  const isSecond = second.seq > only.seq || (second.seq === only.seq && second.epoch > only.epoch)
  return isSecond ? second : only
}

/** A record: epoch, number and hash of the newest command, and a check of these, filled up with spaces. */
export function recordOf({ epoch, seq, hash }: Seen): string {
  const facts = `${epoch} ${seq} ${Buffer.from(hash).toString('hex')}`
  return `${`${facts} ${checkOf(facts)}`.padEnd(recordBytes - 1)}\n`
}

function seenIn(record: string): Seen | undefined {
  const [, facts, check] = /^([0-9]{1,15} [0-9]{1,16} [0-9a-f]{64}) ([0-9a-f]{16}) *\n$/.exec(record) ?? []
  if (facts === undefined || record.length !== recordBytes || check !== checkOf(facts)) return undefined
  return seenInLine(`${facts}\n`)
}

/** The whole file as earlier versions wrote it: the facts alone. */
function seenInLine(text: string): Seen | undefined {
  const [, epoch, seq, hash] = /^([0-9]{1,15}) ([0-9]{1,16}) ([0-9a-f]{64})\n$/.exec(text) ?? []
  return hash === undefined ? undefined : { epoch: Number(epoch), seq: Number(seq), hash: Buffer.from(hash, 'hex') }
}

const checkOf = (facts: string): string => createHash('sha256').update(facts).digest('hex').slice(0, 16)
