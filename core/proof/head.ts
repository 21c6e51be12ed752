/**
 * Heads of the journal: each minute the exchange signs how far its journal reaches and what is in it. A head carries the root of all
 * heads before it, so that whoever keeps one of them can tell whether a later one tells another story.
 */
import { leafHash, type Hash } from './merkle.ts'

export type ProofHead = {
  /** Number of the head, from 1. */
  readonly n: number
  /** Time at which it was made, in milliseconds. */
  readonly at: number
  /** Journal position: the last command that `hash` covers. */
  readonly seq: number
  readonly epoch: number
  /** Of the journal's row that ends at `seq`, in hex. */
  readonly hash: string
  /** Root of the tree of the heads 1 to n − 1, in hex. */
  readonly log: string
  /** Receipts of the commands after the `seq` of the head before, up to this one: how many, and the root of their tree in hex. */
  readonly receipts: { readonly size: number; readonly root: string }
  /** The newest statement of liabilities: its number and the SHA-256 of its text in hex. 0 and zeros while there is none. */
  readonly liabilities: { readonly n: number; readonly hash: string }
  /** Number of the key that signs it, from 1. */
  readonly key: number
}

const digits = '(0|[1-9][0-9]{0,15})'
const hex = '([0-9a-f]{64})'
const shape = new RegExp(
  `^candor head 1\\nn ${digits}\\nat ${digits}\\nseq ${digits}\\nepoch ${digits}\\nhash ${hex}\\nlog ${hex}\\n` +
    `receipts ${digits} ${hex}\\nliabilities ${digits} ${hex}\\nkey ${digits}\\n$`,
)

/** The last millisecond that a date can have: nobody could show a later one. */
export const timeMax = 8_640_000_000_000_000

/** The liabilities of a head before the first statement. */
export const noLiabilities: ProofHead['liabilities'] = { n: 0, hash: '0'.repeat(64) }

/** The signed text, byte by byte: lines of ASCII, each ended by a line feed. */
export function headText({ n, at, seq, epoch, hash, log, receipts, liabilities, key }: ProofHead): string {
  const journal = `n ${n}\nat ${at}\nseq ${seq}\nepoch ${epoch}\nhash ${hash}\nlog ${log}\n`
  const trees = `receipts ${receipts.size} ${receipts.root}\nliabilities ${liabilities.n} ${liabilities.hash}\n`
  const text = `candor head 1\n${journal}${trees}key ${key}\n`
  if (readHeadText(text) === undefined) throw new Error('a head has whole numbers and hashes of 64 hexadecimal digits')
  return text
}

/** Reads the text of a head; undefined for any other text. */
export function readHeadText(text: string): ProofHead | undefined {
  const found = shape.exec(text)
  if (found === null) return undefined
  const [n, at, seq, epoch] = found.slice(1, 5).map(Number) as [number, number, number, number]
  const receipts = { size: Number(found[7]), root: found[8]! }
  const liabilities = { n: Number(found[9]), hash: found[10]! }
  const head: ProofHead = { n, at, seq, epoch, hash: found[5]!, log: found[6]!, receipts, liabilities, key: Number(found[11]) }
  const numbers = [n, at, seq, epoch, receipts.size, liabilities.n, head.key]
  return n >= 1 && head.key >= 1 && at <= timeMax && numbers.every(Number.isSafeInteger) ? head : undefined
}

/** The head's leaf in the tree of heads. */
export function headLeaf(text: string): Hash {
  return leafHash(Uint8Array.from(text, (letter) => letter.charCodeAt(0)))
}

/**
 * Another key signs heads from now on. Signed with the key that did so far, so that whoever knows that one needs to trust nobody else.
 * `key`: number of the new one. `publicKey`: Ed25519, 32 bytes in hex.
 */
export function headKeyText({ key, publicKey }: { readonly key: number; readonly publicKey: string }): string {
  return ['candor head key 1', String(key), publicKey].join('\n')
}
