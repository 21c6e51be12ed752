import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { ProofHead } from '@candor/core/proof/head.ts'
import { HeadFile } from '@candor/core/proof/head-file.ts'
import { isWritten } from '@candor/core/proof/head-keys.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { type AssetTotals, totalsOf } from '../audit.ts'
import { isHeadSigned } from '../audit-heads.ts'
import { replayRow } from '../replay.ts'
import { chain, coreVersion, emptyHead, type Head } from '../row.ts'
import { secret } from '../secret.ts'
import { type CopiedReceipts, ReceiptCheck, saltBytes } from './receipts.ts'

/** What was found in a copy. `from`: the state there is the file's word; 0: everything was replayed from the first command. */
export type CopyReport = {
  readonly ok: boolean
  readonly from: number
  readonly seq: number
  /** Of the core's state at the end, and of the journal. */
  readonly hash: string
  readonly journalHash: string
  /** How many heads were checked, the last command that they cover, the newest one's text, and the first public key. */
  readonly heads: number
  readonly signedTo: number
  readonly head: string
  readonly key: string
  /** Undefined for a copy without salts, whose receipts nobody can check. */
  readonly receipts: CopiedReceipts | undefined
  readonly totals: Readonly<Record<string, AssetTotals>>
  readonly problems: readonly string[]
}

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const whole = z.int().min(0)
/** Bytes in one way only: Base64 has several ways to write the last byte. */
const bytes = z.base64().refine((text) => Buffer.from(text, 'base64').toString('base64') === text)
/** No line is nearly as long; a small file could hold one that fills the memory. */
const lineMax = 2 ** 26
/** How much text each byte of the file may give, beside the length of one line: many times what real copies give. */
const textPerByteMax = 200
const salts = bytes.refine((text) => text.length > 0 && Buffer.byteLength(text, 'base64') % saltBytes === 0)
const uid = z.string().regex(/^[1-9][0-9]{8}$/)
/** Version 1 has no salts. */
const lineShape = z.union([
  z.strictObject({ journal: z.union([z.literal(1), z.literal(2)]), core: whole }),
  z.strictObject({ dump: bytes }),
  z.strictObject({ from: z.int().min(1), hash }),
  z.strictObject({ keys: z.array(z.unknown()) }),
  z.strictObject({ n: whole, text: z.string(), signature: z.string() }),
  z.strictObject({ users: z.array(z.tuple([z.int().min(1), uid])).min(1) }),
  z.strictObject({ row: z.tuple([whole, whole, whole, whole, whole]), events: hash, payload: bytes, salts: salts.optional() }),
  z.strictObject({ end: whole, hash, heads: whole }),
])
type Line = z.infer<typeof lineShape>

/** What doesn't fit, as a sentence for people. */
class Wrong extends Error {}

/**
 * Checks an auditor's copy on a machine that has nothing else: executes every command again, compares the events with those that were
 * released, the chain of hashes with the signed heads, and ends with the trial balance. Reads the file once, line by line.
 */
export async function auditCopy(path: string, onProgress?: (seq: number) => void): Promise<CopyReport> {
  const copy = new Copy(onProgress)
  const problems: string[] = []
  let number = 0
  try {
    // What fails below, a damaged file among it, is thrown by the text.
    const [file, text] = [createReadStream(path), createZstdDecompress()]
    pipeline(file, text, () => undefined)
    for await (const line of linesOf(text, () => lineMax + textPerByteMax * file.bytesRead)) await copy.take(line, ++number)
    if (text.bytesWritten !== file.bytesRead) throw new Wrong('something follows the end')
    copy.finish()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw cause
    problems.push(`Line ${number}: ${(cause as Error).message}`)
  }
  return copy.report(problems)
}

class Copy {
  readonly #onProgress: ((seq: number) => void) | undefined
  readonly #heads = new HeadFile(isHeadSigned)
  /** Heads of which the last row has not come yet, the oldest first. */
  readonly #awaited: ProofHead[] = []
  readonly #events = new Records()
  #dump: Buffer[] = []
  #exchange = Exchange.create(secret)
  #place: Head = emptyHead
  #from = 0
  #newest = ''
  /** Of the copy's form; 0: its first line has not come. */
  #version = 0
  #receipts: ReceiptCheck | undefined
  /** Of the row before; undefined where the file has no row yet. */
  #epoch: number | undefined
  /** Whether a row came that no head covers. */
  #isTail = false
  #isEnded = false

  constructor(onProgress: ((seq: number) => void) | undefined) {
    this.#onProgress = onProgress
  }

  /** `number`: of the line, from 1 on. */
  async take(line: string, number: number): Promise<void> {
    const value = parse(line)
    const parsed = lineShape.safeParse(value)
    if (!parsed.success || !isWritten(value, line)) throw new Wrong('it is none of an auditor’s copy')
    const { data } = parsed
    if ((this.#version === 0) !== 'journal' in data) throw new Wrong('an auditor’s copy begins with its version, once')
    if (this.#isEnded) throw new Wrong('something follows the end')
    if ('keys' in data || 'text' in data) await this.#takeHead(data, line, number)
    else this.#takeOther(data, number)
  }

  #takeOther(data: Exclude<Line, { readonly keys: unknown } | { readonly text: unknown }>, number: number): void {
    if ('journal' in data) {
      if (data.core !== coreVersion) throw new Wrong(`version ${data.core} of the core decided it, this is ${coreVersion}`)
      this.#version = data.journal
    } else if ('dump' in data) {
      this.#mustBegin()
      this.#dump.push(Buffer.from(data.dump, 'base64'))
    } else if ('from' in data) this.#begin(data)
    else if ('users' in data) {
      if (this.#receipts === undefined || this.#awaited.length === 0) throw new Wrong('users are out of place')
      must(this.#receipts.admit(data.users))
    } else if ('row' in data) this.#takeRow(data, number)
    else {
      const isHere = data.end === this.#place.seq && data.hash === hex(this.#place.hash) && data.heads === (this.#heads.last?.n ?? 0)
      if (!isHere) throw new Wrong('the copy does not end where it says')
      this.#isEnded = true
    }
  }

  #begin({ from, hash: at }: { readonly from: number; readonly hash: string }): void {
    this.#mustBegin()
    if (this.#from > 0) throw new Wrong('the beginning of the copy comes twice')
    const bytes = Buffer.concat(this.#dump)
    this.#dump = []
    this.#exchange = Exchange.restore(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), secret)
    if (this.#exchange.seq !== from) throw new Wrong(`the state of the beginning is that at ${this.#exchange.seq}`)
    this.#place = { seq: from, hash: Buffer.from(at, 'hex') }
    this.#from = from
  }

  /** Nothing but the version and its own pieces stands before the state of the beginning. */
  #mustBegin(): void {
    if (this.#place.seq > this.#from || this.#heads.firstKey !== undefined || this.#receipts !== undefined)
      throw new Wrong('the beginning of the copy comes late')
  }

  async #takeHead(
    data: Extract<Line, { readonly keys: unknown } | { readonly text: unknown }>,
    line: string,
    number: number,
  ): Promise<void> {
    if (this.#version > 1) this.#receipts ??= new ReceiptCheck(this.#exchange, this.#from)
    // In version 1 all heads come before the rows; later, each one before its own.
    if (this.#version === 1 ? this.#place.seq > this.#from : this.#isTail || this.#awaited.length > 0)
      throw new Wrong('a head is out of place among the rows')
    const wrong = await this.#heads.take(line)
    must(wrong === undefined ? undefined : `it ${wrong}`)
    const { last } = this.#heads
    if (!('text' in data) || last === undefined) return
    this.#newest = data.text
    // Of what an earlier build decided, the file has the outcome only.
    if (last.seq < this.#from) this.#receipts?.end(last, `Line ${number}`)
    else this.#awaited.push(last)
    if (last.seq <= this.#place.seq) this.#compareHeads(number)
  }

  #takeRow({ row, events, payload, salts: own }: Extract<Line, { readonly row: unknown }>, number: number): void {
    const [seq, epoch, n, firstAt, core] = row
    if (seq !== this.#place.seq + n || n === 0) throw new Wrong(`${n} commands can’t follow ${this.#place.seq}`)
    if (own !== undefined && this.#receipts === undefined) throw new Wrong('salts are out of place')
    const bytes = Buffer.from(payload, 'base64')
    const batch = { seq, n, firstAt, coreVersion: core, eventsDigest: Buffer.from(events, 'hex'), payload: new Uint8Array(bytes) }
    const next = chain(this.#place, epoch, batch)
    const commands = replayRow(this.#exchange, next, this.#events)
    const [head] = this.#awaited
    this.#isTail = head === undefined
    must(this.#receipts?.takeRow(head, { seq, events: this.#events, commands, salts: Buffer.from(own ?? '', 'base64') }))
    this.#place = { seq, hash: next.hash }
    this.#epoch = epoch
    this.#compareHeads(number)
    this.#onProgress?.(seq)
  }

  /** Heads up to here name this very place. */
  #compareHeads(number: number): void {
    const { seq, hash: at } = this.#place
    for (let next = this.#awaited[0]; next !== undefined && next.seq <= seq; next = this.#awaited[0]) {
      const isSame = next.seq === seq && next.hash === hex(at) && (this.#epoch === undefined || next.epoch === this.#epoch)
      if (!isSame) throw new Wrong(`head ${next.n} is not of this journal: another row ends at ${next.seq}, or none`)
      this.#awaited.shift()
      this.#receipts?.end(next, `Line ${number}`)
    }
  }

  finish(): void {
    if (!this.#isEnded) throw new Wrong('the copy has no end')
    if (this.#dump.length > 0) throw new Wrong('the state of the beginning is of no place')
    const [next] = this.#awaited
    if (next !== undefined) throw new Wrong(`head ${next.n} covers command ${next.seq}, which is not in the copy`)
  }

  report(problems: string[]): CopyReport {
    const receipts = this.#receipts?.found
    if (receipts?.first !== undefined) problems.push(receipts.first)
    let [totals, hash]: [CopyReport['totals'], string] = [{}, '']
    try {
      totals = totalsOf(this.#exchange, problems)
      hash = this.#exchange.hash()
    } catch (cause) {
      // A state that a forged copy begins with, or that a forged command left half done.
      problems.push(`The state at ${this.#place.seq} is none: ${(cause as Error).message}`)
    }
    return {
      ...{ ok: problems.length === 0, from: this.#from, seq: this.#place.seq },
      ...{ hash, journalHash: hex(this.#place.hash) },
      ...{ heads: this.#heads.last?.n ?? 0, signedTo: this.#heads.last?.seq ?? 0, head: this.#newest, key: this.#heads.firstKey ?? '' },
      ...{ receipts, totals, problems },
    }
  }
}

/** Throws when there is something wrong. */
function must(wrong: string | undefined): void {
  if (wrong !== undefined) throw new Wrong(wrong)
}

/** `textMax`: how much text there may be by now. */
async function* linesOf(text: AsyncIterable<Buffer>, textMax: () => number): AsyncGenerator<string> {
  // Pieces of a line are put together once, when it ends.
  let rest: string[] = []
  let length = 0
  let total = 0
  for await (const chunk of text) {
    total += chunk.length
    const [first = '', ...others] = chunk.toString('latin1').split('\n')
    rest.push(first)
    length += first.length
    if (length > lineMax) throw new Wrong('a line is too long')
    if (total > textMax()) throw new Wrong('it says the same too often for a file of this size')
    if (others.length === 0) continue
    yield rest.join('')
    const last = others.pop()!
    yield* others
    rest = [last]
    length = last.length
  }
  if (length > 0) throw new Wrong('the copy ends within a line')
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
