/** Files that the exchange gives and anybody can check: what each is, and whether it holds. Needs no exchange and no network. */
import { type Evidence, type EvidenceVerdict, evidenceVerdict, readEvidence } from './evidence.ts'
import type { ProofHead } from './head.ts'
import { HeadFile } from './head-file.ts'
import { type CheckSignature, isWritten } from './head-keys.ts'
import { checkLiabilities, type ProvedLiabilities } from './liabilities.ts'
import { checkAnchor, type ProvedAnchor } from './chain/anchor.ts'
import { checkReserveText, type ProvedReserves } from './chain/reserves.ts'
import type { CheckedReceipt } from './receipt.ts'
import { ReceiptFile } from './receipt-file.ts'
import { type CheckedTick, TapeFile } from './tape-file.ts'

export type HeadsVerdict = {
  readonly kind: 'heads'
  /** The first line that is wrong, and why; undefined when each is right. */
  readonly wrong: { readonly line: number; readonly why: string } | undefined
  /** The last head that was right. */
  readonly last: ProofHead | undefined
  /** The public key of the first key, in hex: what the reader has to compare with what others have. */
  readonly firstKey: string | undefined
}

export type ReceiptsVerdict = {
  readonly kind: 'receipts'
  readonly wrong: { readonly line: number; readonly why: string } | undefined
  /** Those that were proved, before the first wrong one. */
  readonly proved: readonly CheckedReceipt[]
}

export type LiabilitiesVerdict = {
  readonly kind: 'liabilities'
  /** Whose proof it is, as it says; empty when it is wrong before that. */
  readonly uid: string
  readonly wrong: string | undefined
  readonly proved: ProvedLiabilities | undefined
}

export type AnchorsVerdict = {
  readonly kind: 'anchors'
  readonly wrong: { readonly line: number; readonly why: string } | undefined
  /** Those that were proved, before the first wrong one. */
  readonly proved: readonly ProvedAnchor[]
}

export type ReservesVerdict = { readonly kind: 'reserves'; readonly wrong: string | undefined; readonly proved: ProvedReserves | undefined }

export type TapeVerdict = {
  readonly kind: 'tape'
  readonly wrong: { readonly line: number; readonly why: string } | undefined
  /** How many ticks were right, the first one and the last one. */
  readonly count: number
  readonly first: CheckedTick | undefined
  readonly last: CheckedTick | undefined
}

export type FileVerdict =
  | HeadsVerdict
  | ReceiptsVerdict
  | LiabilitiesVerdict
  | AnchorsVerdict
  | ReservesVerdict
  | TapeVerdict
  | { readonly kind: 'evidence'; readonly evidence: Evidence; readonly verdict: EvidenceVerdict }
  | { readonly kind: 'unknown' }

/** Recognizes a file by what is in it and checks it. Several downloads of heads may follow one another in one text. */
export async function fileVerdict(check: CheckSignature, text: string): Promise<FileVerdict> {
  const end = text.indexOf('\n')
  const first = parsed(end < 0 ? text : text.slice(0, end))
  if (isOf(first, 'keys') && Object.keys(first).length === 1) return headsVerdict(check, text)
  if (isOf(first, 'salt')) return receiptsVerdict(check, text)
  if (isOf(first, 'anchor')) return anchorsVerdict(check, text)
  if (isOf(first, 'venues')) return tapeVerdict(text)
  const whole = parsed(text)
  if (isOf(whole, 'reserves')) return reservesVerdict(check, text)
  if (isOf(whole, 'statement')) return liabilitiesVerdict(check, whole, text)
  const evidence = readEvidence(whole)
  if (evidence !== undefined) return { kind: 'evidence', evidence, verdict: await evidenceVerdict(check, evidence) }
  return { kind: 'unknown' }
}

async function receiptsVerdict(check: CheckSignature, text: string): Promise<ReceiptsVerdict> {
  const file = new ReceiptFile(check)
  const proved: CheckedReceipt[] = []
  for (const [index, line] of linesOf(text).entries()) {
    const why = await file.take(line)
    if (why !== undefined) return { kind: 'receipts', wrong: { line: index + 1, why }, proved }
    proved.push({ ...file.last!, firstKey: file.firstKey! })
  }
  return { kind: 'receipts', wrong: undefined, proved }
}

async function anchorsVerdict(check: CheckSignature, text: string): Promise<AnchorsVerdict> {
  const proved: ProvedAnchor[] = []
  const heads = new Map<number, string>()
  const txids = new Set<string>()
  for (const [index, line] of linesOf(text).entries()) {
    const found = await checkAnchor(line, check)
    const why = 'wrong' in found ? found.wrong : anchorFault(found, { first: proved[0], heads, txids })
    if ('wrong' in found || why !== undefined) return { kind: 'anchors', wrong: { line: index + 1, why: why ?? '' }, proved }
    heads.set(found.n, found.hash)
    txids.add(found.txid)
    proved.push(found)
  }
  return { kind: 'anchors', wrong: undefined, proved }
}

/** Two heads of one number are two stories, also where each was signed; so are two first keys. */
function anchorFault(
  found: ProvedAnchor,
  {
    first,
    heads,
    txids,
  }: { readonly first: ProvedAnchor | undefined; readonly heads: ReadonlyMap<number, string>; readonly txids: ReadonlySet<string> },
): string | undefined {
  if ((heads.get(found.n) ?? found.hash) !== found.hash) return `has another head ${found.n} than an anchor before`
  if (first !== undefined && first.firstKey !== found.firstKey) return 'has another first key than an anchor before'
  return txids.has(found.txid) ? 'has an anchor that was there before' : undefined
}

async function reservesVerdict(check: CheckSignature, text: string): Promise<ReservesVerdict> {
  const found = await checkReserveText(text, check)
  if ('wrong' in found) return { kind: 'reserves', wrong: found.wrong, proved: undefined }
  return { kind: 'reserves', wrong: undefined, proved: found }
}

async function liabilitiesVerdict(check: CheckSignature, proof: { readonly uid?: unknown }, text: string): Promise<LiabilitiesVerdict> {
  const uid = typeof proof.uid === 'string' ? proof.uid : ''
  // Written in one way only: a second `uid` before the one that counts would be read by people, and not by the check.
  if (!isWritten(proof, text.endsWith('\n') ? text.slice(0, -1) : text))
    return { kind: 'liabilities', uid, wrong: 'It is not written as the exchange writes it', proved: undefined }
  const found = await checkLiabilities(proof, {}, check)
  if ('wrong' in found) return { kind: 'liabilities', uid, wrong: found.wrong, proved: undefined }
  return { kind: 'liabilities', uid, wrong: undefined, proved: found }
}

async function headsVerdict(check: CheckSignature, text: string): Promise<HeadsVerdict> {
  const file = new HeadFile(check)
  for (const [index, line] of linesOf(text).entries()) {
    const why = await file.take(line)
    if (why !== undefined) return { kind: 'heads', wrong: { line: index + 1, why }, last: file.last, firstKey: file.firstKey }
  }
  return { kind: 'heads', wrong: undefined, last: file.last, firstKey: file.firstKey }
}

function tapeVerdict(text: string): TapeVerdict {
  const file = new TapeFile()
  for (const [index, line] of linesOf(text).entries()) {
    const why = file.take(line)
    if (why !== undefined) return { kind: 'tape', wrong: { line: index + 1, why }, count: file.count, first: file.first, last: file.last }
  }
  return { kind: 'tape', wrong: undefined, count: file.count, first: file.first, last: file.last }
}

/** A line feed ends each line, also the last one if there is one. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Whether a value is an object with this field. */
const isOf = (value: unknown, field: string): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, field)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
