/**
 * The auditor's copy: the journal, its signed heads, and the salts of receipts as lines of JSON, compressed. It holds what the core decides
 * on, numbers of users and addresses, and the UIDs of users with receipts; no names, emails, documents or addresses of chains.
 */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { readWatermark } from '../../store/projector/watermark.ts'
import { headKeys, headsFrom, lastHead, type SignedHead } from '../../store/query/proof/heads.ts'
import { readJournal } from '../read.ts'
import { coreVersion, emptyHead, type Head, type Row } from '../row.ts'
import { loadSnapshot } from '../snapshots.ts'
import { upgradePlace } from '../upgrade.ts'
import { saltBytes } from './receipts.ts'
import { CopiedSalts } from './salts.ts'

const headsPerRead = 1_000
const dumpBytes = 768 * 1_024

/** `salts`: of receipts that are in the tree of a head. */
export type WrittenCopy = {
  readonly seq: number
  readonly hash: string
  readonly rows: number
  readonly heads: number
  readonly salts: number
}

/**
 * Writes the whole journal to a new file. May run beside the exchange, and ends at the row that was the last when it came there. Where an
 * earlier build decided the first rows, the copy begins with the state that it left.
 *
 * throws  when the file exists, a row differs from its hash, or the tables of receipts are behind the heads
 */
export async function writeCopy(pool: pg.Pool, path: string): Promise<WrittenCopy> {
  const written = { seq: 0, hash: '', rows: 0, heads: 0, salts: 0 }
  await pipeline(Readable.from(linesOf(pool, written)), createZstdCompress(), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  return written
}

type Counted = { -readonly [Name in keyof WrittenCopy]: WrittenCopy[Name] }

async function* linesOf(pool: pg.Pool, written: Counted): AsyncGenerator<string> {
  const upgraded = await upgradePlace(pool)
  yield line({ journal: 2, core: coreVersion })
  let place: Head = emptyHead
  if (upgraded !== undefined) {
    const { seq, hash, dump } = await loadSnapshot(pool, upgraded)
    for (let at = 0; at < dump.length; at += dumpBytes) yield line({ dump: base64(dump.subarray(at, at + dumpBytes)) })
    yield line({ from: seq, hash: hex(hash) })
    place = { seq, hash }
  }
  // Read before the rows: the journal grows meanwhile, and each head must find its row.
  const newest = await lastHead(pool)
  if (newest !== undefined && (await readWatermark(pool)).seq < newest.seq)
    throw new Error('The tables of receipts are being written again: export the journal when that has ended')
  yield line({ keys: await headKeys(pool) })
  const heads = new CoveringHeads(headsTo(pool, newest?.n ?? 0))
  const salts = new CopiedSalts(pool, { after: place.seq, to: newest?.seq ?? 0 })
  const from = place.seq
  for await (const row of readJournal(pool, place)) {
    for await (const head of heads.until(row.seq)) yield headLine(head)
    // Nobody can make the tree of a head again that covers commands before the beginning.
    const { users, bytes } = await salts.until(row.seq, heads.after < from ? undefined : heads.current?.n)
    if (users.length > 0) yield line({ users })
    yield rowLine(row, bytes)
    written.rows += 1
    written.salts += bytes.length / saltBytes
    place = row
  }
  for await (const head of heads.until(Number.POSITIVE_INFINITY)) yield headLine(head)
  Object.assign(written, { seq: place.seq, hash: hex(place.hash), heads: newest?.n ?? 0 })
  yield line({ end: place.seq, hash: hex(place.hash), heads: newest?.n ?? 0 })
}

/** Heads in turn, each before the first row that it covers. */
class CoveringHeads {
  readonly #heads: AsyncGenerator<SignedHead>
  /** The last one that was given, and the end of the one before it. */
  current: SignedHead | undefined
  after = 0

  constructor(heads: AsyncGenerator<SignedHead>) {
    this.#heads = heads
  }

  /** The next heads, up to the one that covers the row that ends at `seq`. */
  async *until(seq: number): AsyncGenerator<SignedHead> {
    while (this.current === undefined || this.current.seq < seq) {
      const { done, value } = await this.#heads.next()
      if (done === true) return
      this.after = this.current?.seq ?? 0
      this.current = value
      yield value
    }
  }
}

async function* headsTo(pool: pg.Pool, newest: number): AsyncGenerator<SignedHead> {
  for (let n = 1; n <= newest; n += headsPerRead) yield* await headsFrom(pool, n, Math.min(headsPerRead, newest - n + 1))
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`
const headLine = ({ n, text, signature }: SignedHead): string => line({ n, text, signature })

function rowLine({ seq, epoch, n, firstAt, coreVersion: core, eventsDigest, payload }: Row, salts: Buffer): string {
  const own = salts.length === 0 ? {} : { salts: base64(salts) }
  return line({ row: [seq, epoch, n, firstAt, core], events: hex(eventsDigest), payload: base64(payload), ...own })
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
