/**
 * The signer's journal: a file of lines that only grows. A line is on disk before the signature that it announces leaves; lines that
 * are added together reach the disk together. Each line carries a MAC over itself and the MAC before it, under a key that only the signer has, so that nobody edits the past. A second file
 * holds the newest MAC, so that nobody cuts off the end.
 */
import { createHmac } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { CustodyFault, SignerRefused } from './reasons.ts'

export type Line<Entry> = { readonly seq: number; readonly at: number; readonly entry: Entry }
type Head = { readonly seq: number; readonly mac: string }

const genesis: Head = { seq: 0, mac: '0'.repeat(64) }
const nameOf = (folder: string): string => join(folder, 'journal.jsonl')
const headNameOf = (folder: string): string => join(folder, 'journal.head')

/** Begins an empty journal in a new folder. throws  CustodyFault when there is one */
export function beginJournal(folder: string, key: Buffer): void {
  if (existsSync(nameOf(folder)) || existsSync(headNameOf(folder))) throw new CustodyFault(`${folder} has a journal already`)
  writeHead(folder, key, genesis)
  closeSync(openSync(nameOf(folder), 'wx', 0o600))
  syncFolder(folder)
}

export class Journal<Entry> implements Disposable {
  readonly #folder: string
  readonly #key: Buffer
  readonly #handle: number
  /** MACs by number, from 1: the reconciliation proves with them that it knows the same journal. */
  readonly #macs: string[]
  /** Lines that are not on disk yet. */
  #added = ''
  #size: number
  #isBroken = false
  #isClosed = false

  /**
   * Opens a journal and gives each of its entries to `replay`. A last line that was cut off by a crash is dropped: nothing was
   * answered because of it.
   *
   * throws  CustodyFault when a line was changed, or the end is missing
   */
  constructor(folder: string, key: Buffer, replay: (line: Line<Entry>) => void) {
    this.#folder = folder
    this.#key = key
    const head = readHead(folder, key)
    this.#handle = openExisting(nameOf(folder))
    const bytes = readFileSync(this.#handle)
    const whole = bytes.lastIndexOf(0x0a) + 1
    this.#macs = []
    for (const text of bytes.subarray(0, whole).toString('utf8').split('\n').slice(0, -1)) {
      const line = checkedLine<Entry>(key, this.head, text)
      this.#macs.push(line.mac)
      replay(line)
    }
    if (this.#macs.length < head.seq || this.macOf(head.seq) !== head.mac) {
      closeSync(this.#handle)
      throw new CustodyFault('The end of the journal is missing')
    }
    ftruncateSync(this.#handle, whole)
    fsyncSync(this.#handle)
    this.#size = whole
    if (this.#macs.length > head.seq) writeHead(folder, key, this.head)
  }

  get head(): Head {
    return { seq: this.#macs.length, mac: this.#macs.at(-1) ?? genesis.mac }
  }

  macOf(seq: number): string | undefined {
    return seq === 0 ? genesis.mac : this.#macs[seq - 1]
  }

  /** Whether it failed: what it was given may not be on disk, so nothing that follows from it may leave. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** The entry counts once `commit` returned. throws  SignerRefused JOURNAL_FAILED */
  add(at: number, entry: Entry): Line<Entry> {
    if (this.#isBroken) throw new SignerRefused('JOURNAL_FAILED')
    const line = { seq: this.head.seq + 1, at, entry }
    const mac = macOf(this.#key, this.head.mac, JSON.stringify(line))
    this.#macs.push(mac)
    this.#added += `${JSON.stringify({ ...line, mac })}\n`
    return line
  }

  /** Returns once all that was added is on disk. throws  SignerRefused JOURNAL_FAILED, from then on always */
  commit(): void {
    if (this.#isBroken) throw new SignerRefused('JOURNAL_FAILED')
    if (this.#added === '') return
    try {
      // Another writer, or somebody's hand: two journals of one signer would pay twice.
      if (fstatSync(this.#handle).size !== this.#size) throw new CustodyFault('Somebody else writes the journal')
      const bytes = Buffer.from(this.#added)
      if (writeSync(this.#handle, bytes) !== bytes.length) throw new CustodyFault('The disk took only a part')
      fsyncSync(this.#handle)
      this.#size += bytes.length
      this.#added = ''
      writeHead(this.#folder, this.#key, this.head)
    } catch (cause) {
      this.#isBroken = true
      throw new SignerRefused('JOURNAL_FAILED', { cause })
    }
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#isBroken = true
    closeSync(this.#handle)
  }
}

function checkedLine<Entry>(key: Buffer, before: Head, text: string): Line<Entry> & { readonly mac: string } {
  try {
    const { seq, at, entry, mac } = JSON.parse(text) as Line<Entry> & { mac: string }
    if (seq !== before.seq + 1 || macOf(key, before.mac, JSON.stringify({ seq, at, entry })) !== mac) throw new Error('its MAC is wrong')
    return { seq, at, entry, mac }
  } catch (cause) {
    throw new CustodyFault(`Line ${before.seq + 1} of the journal was changed`, { cause })
  }
}

function macOf(key: Buffer, before: string, text: string): string {
  return createHmac('sha256', key).update(before).update(text).digest('hex')
}

const headMac = (key: Buffer, { seq, mac }: Head): string => macOf(key, 'head', `${seq} ${mac}`)

function readHead(folder: string, key: Buffer): Head {
  try {
    const [seq, mac, proof] = readFileSync(headNameOf(folder), 'utf8').trim().split(' ')
    const head = { seq: Number(seq), mac: mac as string }
    if (headMac(key, head) !== proof) throw new Error('its MAC is wrong')
    return head
  } catch (cause) {
    throw new CustodyFault('The file with the newest MAC of the journal is missing or was changed', { cause })
  }
}

/** The file is whole at every moment: it is written beside and then renamed. */
function writeHead(folder: string, key: Buffer, head: Head): void {
  const beside = `${headNameOf(folder)}.new`
  const handle = openSync(beside, 'w', 0o600)
  try {
    writeSync(handle, `${head.seq} ${head.mac} ${headMac(key, head)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(beside, headNameOf(folder))
  syncFolder(folder)
}

function openExisting(path: string): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_APPEND)
  } catch (cause) {
    throw new CustodyFault('The journal is missing', { cause })
  }
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
