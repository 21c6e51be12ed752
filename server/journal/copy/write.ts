/**
 * The auditor's copy: the journal and its signed heads as lines of JSON, compressed. It holds what the core decides on, numbers of users
 * and addresses, and nothing that the core doesn't know: no names, emails, documents or addresses of chains.
 */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { headKeys, headsFrom, lastHead } from '../../store/query/proof/heads.ts'
import { readJournal } from '../read.ts'
import { coreVersion, emptyHead, type Head } from '../row.ts'
import { loadSnapshot } from '../snapshots.ts'
import { upgradePlace } from '../upgrade.ts'

const headsPerRead = 1_000
const dumpBytes = 768 * 1_024

export type WrittenCopy = { readonly seq: number; readonly hash: string; readonly rows: number; readonly heads: number }

/**
 * Writes the whole journal to a new file. May run beside the exchange, and ends at the row that was the last when it came there. Where an
 * earlier build decided the first rows, the copy begins with the state that it left.
 *
 * throws  when the file exists, or a row differs from its hash
 */
export async function writeCopy(pool: pg.Pool, path: string): Promise<WrittenCopy> {
  const written = { seq: 0, hash: '', rows: 0, heads: 0 }
  await pipeline(Readable.from(linesOf(pool, written)), createZstdCompress(), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  return written
}

type Counted = { -readonly [Name in keyof WrittenCopy]: WrittenCopy[Name] }

async function* linesOf(pool: pg.Pool, written: Counted): AsyncGenerator<string> {
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`
  const from = await upgradePlace(pool)
  yield line({ journal: 1, core: coreVersion })
  let head: Head = emptyHead
  if (from !== undefined) {
    const { seq, hash, dump } = await loadSnapshot(pool, from)
    for (let at = 0; at < dump.length; at += dumpBytes) yield line({ dump: base64(dump.subarray(at, at + dumpBytes)) })
    yield line({ from: seq, hash: hex(hash) })
    head = { seq, hash }
  }
  // Heads before rows: the journal grows meanwhile, and each head must find its row.
  const newest = (await lastHead(pool))?.n ?? 0
  yield line({ keys: await headKeys(pool) })
  for (let n = 1; n <= newest; n += headsPerRead) {
    const page = await headsFrom(pool, n, Math.min(headsPerRead, newest - n + 1))
    yield page.map(({ n: number, text, signature }) => line({ n: number, text, signature })).join('')
  }
  for await (const row of readJournal(pool, head)) {
    const { seq, epoch, n, firstAt, coreVersion: core } = row
    yield line({ row: [seq, epoch, n, firstAt, core], events: hex(row.eventsDigest), payload: base64(row.payload) })
    head = row
    written.rows += 1
  }
  Object.assign(written, { seq: head.seq, hash: hex(head.hash), heads: newest })
  yield line({ end: head.seq, hash: hex(head.hash), heads: newest })
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
