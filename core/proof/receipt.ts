/**
 * Receipts: what one command did to one customer, as text, and the proof that a signed head covers it. Anybody can check one who has
 * nothing but the receipt; it shows nothing of anybody else.
 */
import { type CheckSignature, HeadKeys, isHex, isWritten } from './head-keys.ts'
import { type ProofHead, readHeadText, timeMax } from './head.ts'
import { type Hash, leafHash, rootOfPath } from './merkle.ts'
import { fromHex, toHex } from './sha256.ts'

/** What a receipt may say: text of printable ASCII, whole numbers within 2^53, and lists and objects of these. */
export type ReceiptValue = string | number | boolean | readonly ReceiptValue[] | { readonly [name: string]: ReceiptValue }

/** A command of the customer's, or what happened to them. `name` as in the journal: `spot.place`, `traded`. */
export type ReceiptLine = { readonly name: string; readonly facts: { readonly [name: string]: ReceiptValue } }

export type Receipt = {
  /** Journal position of the command. */
  readonly seq: number
  /** Time of the command, in milliseconds. */
  readonly at: number
  /** The customer's UID. */
  readonly user: string
  /** Absent when somebody else's command, or time, did this to the customer. */
  readonly command?: ReceiptLine
  readonly events: readonly ReceiptLine[]
}

/** A receipt that was checked, the head that covers it, and the first of the keys: what the reader has to trust, or to compare. */
export type CheckedReceipt = { readonly receipt: Receipt; readonly head: ProofHead; readonly firstKey: string }

const beginning = /^candor receipt 1\nseq ([1-9][0-9]{0,15})\nat (0|[1-9][0-9]{0,15})\nuser ([1-9][0-9]{8})\n/
const line = /^(command|event) ([a-z]+(?:\.[a-zA-Z]+)?) (\{.*\})$/
const name = /^[a-z][a-zA-Z0-9]*$/
/** Objects and lists in one another. More would overflow the stack of whoever reads them. */
const levelsMax = 8

/** The text of a receipt. `lines`: what `receiptLine` gave, the command first. */
export function receiptText({ seq, at, user }: Pick<Receipt, 'seq' | 'at' | 'user'>, lines: string): string {
  return `candor receipt 1\nseq ${seq}\nat ${at}\nuser ${user}\n${lines}`
}

/** One line of the text, with the line feed. The names in `facts` are in rising order, also in inner objects; an undefined one is left out. */
export function receiptLine(what: 'command' | 'event', type: string, facts: object): string {
  return `${what} ${type} ${JSON.stringify(facts)}\n`
}

/** Reads the text of a receipt; undefined for any other text. */
export function readReceiptText(text: string): Receipt | undefined {
  const found = beginning.exec(text)
  if (found === null || !text.endsWith('\n')) return undefined
  const [seq, at, user] = [Number(found[1]), Number(found[2]), found[3]!]
  if (!Number.isSafeInteger(seq) || at > timeMax) return undefined
  let command: ReceiptLine | undefined
  const events: ReceiptLine[] = []
  for (const [n, one] of text.slice(found[0].length, -1).split('\n').entries()) {
    const [, what, type, json] = line.exec(one) ?? []
    const facts = json === undefined ? undefined : readFacts(json)
    if (facts === undefined || (what === 'command' && n > 0)) return undefined
    if (what === 'command') command = { name: type!, facts }
    else events.push({ name: type!, facts })
  }
  return { seq, at, user, ...(command === undefined ? {} : { command }), events }
}

/** The leaf of a receipt in the tree of its head. `salt`: 32 bytes. */
export function receiptLeaf(salt: Uint8Array, text: string): Hash {
  const bytes = new Uint8Array(salt.length + text.length)
  bytes.set(salt)
  for (let at = 0; at < text.length; at++) bytes[salt.length + at] = text.charCodeAt(at)
  return leafHash(bytes)
}

/**
 * Checks a downloaded receipt, which is one line of JSON without its line feed: its text, the path to the root in the head, and the
 * head's signature, with the keys from the first one on.
 *
 * Returns what is wrong, or what was proved: the reader still has to know the first key.
 */
export async function checkReceipt(json: string, check: CheckSignature): Promise<CheckedReceipt | string> {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return 'is no JSON'
  }
  // Written in one way only, so that no byte can change unnoticed.
  if (!hasNames(value, 'text,salt,index,path,head,keys') || !isWritten(value, json)) return 'is not written as the exchange writes it'
  const receipt = typeof value['text'] === 'string' ? readReceiptText(value['text']) : undefined
  if (receipt === undefined) return 'has no receipt'
  const signed = value['head']
  const head = hasNames(signed, 'n,text,signature') && typeof signed['text'] === 'string' ? readHeadText(signed['text']) : undefined
  if (head === undefined || !hasNames(signed) || head.n !== signed['n']) return 'has no head'
  if (receipt.seq > head.seq) return 'is later than its head'
  if (!isCovered(value, head)) return 'is not in the tree that its head names'
  const keys = new HeadKeys(check)
  const wrong = await keys.take(value['keys'])
  if (wrong !== undefined) return wrong
  if (!(await keys.isSigned(head, signed['text'] as string, signed['signature']))) return 'has a head that is not signed by its key'
  return { receipt, head, firstKey: keys.first! }
}

function isCovered({ text, salt, index, path }: Record<string, unknown>, { receipts: { size, root } }: ProofHead): boolean {
  if (!isHex(salt, 32) || typeof index !== 'number') return false
  if (!Array.isArray(path) || !path.every((hash) => isHex(hash, 32))) return false
  const hashes = path.map((hash) => fromHex(hash as string)!)
  const found = rootOfPath(receiptLeaf(fromHex(salt)!, text as string), index, size, hashes)
  return found !== undefined && toHex(found) === root
}

/** Whether the value is an object with just these names, in this order. Without names: any object. */
function hasNames(value: unknown, names?: string): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && (names === undefined || Object.keys(value).join() === names)
}

function readFacts(json: string): ReceiptLine['facts'] | undefined {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  return isFact(value, 1) && JSON.stringify(value) === json ? (value as ReceiptLine['facts']) : undefined
}

function isFact(value: unknown, level: number): boolean {
  if (typeof value === 'string') return /^[ -~]*$/.test(value)
  if (typeof value === 'number') return Number.isSafeInteger(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean'
  if (level > levelsMax) return false
  const isFactIn = (one: unknown): boolean => isFact(one, level + 1)
  if (Array.isArray(value)) return value.every(isFactIn)
  const names = Object.keys(value)
  return names.every((one, n) => name.test(one) && (n === 0 || names[n - 1]! < one)) && Object.values(value).every(isFactIn)
}
