/**
 * Anchors: once a day the newest head of the journal stands in the data of a transaction of a public chain. Whoever sees the block knows
 * that the head existed then, and everybody sees the same one.
 */
import { type CheckSignature, hasFields, type HeadKey, HeadKeys, isWritten } from '../head-keys.ts'
import type { ProofHead } from '../head.ts'
import type { SignedHead } from '../remembered.ts'
import { fromHex, toHex } from '../sha256.ts'
import { addressOfPublicKey } from './address.ts'
import { keccak256 } from './keccak.ts'
import { headHash } from './possession.ts'
import { recoveredKey } from './secp256k1.ts'

/** ASCII of `candor anchor 1` and a line feed. */
const dataPrefix = '63616e646f7220616e63686f7220310a'

/** What an anchor's transaction carries: the prefix, the head's number in 8 bytes, the most significant first, and its leaf. As hex with `0x`. */
export function anchorData({ n, hash }: { readonly n: number; readonly hash: string }): string {
  return `0x${dataPrefix}${n.toString(16).padStart(16, '0')}${hash}`
}

/** The head in the data; undefined for any other data. */
export function readAnchorData(data: string): { readonly n: number; readonly hash: string } | undefined {
  const found = new RegExp(`^0x${dataPrefix}(00[0-9a-f]{14})([0-9a-f]{64})$`).exec(data)
  const n = found === null ? Number.NaN : Number.parseInt(found[1]!, 16)
  return Number.isSafeInteger(n) && n > 0 ? { n, hash: found![2]! } : undefined
}

/** A line of the download, with the fields in this order. */
export type AnchorLine = {
  /** The signed transaction as it was sent, in hex with `0x`. */
  readonly anchor: string
  readonly txid: string
  readonly network: string
  /** The final block that has it; null until there is one. */
  readonly block: { readonly number: number; readonly hash: string } | null
  readonly head: SignedHead
  readonly keys: readonly HeadKey[]
}

/** What a transaction says. It pays nothing, and goes to its own sender. */
export type ReadAnchor = {
  readonly chainId: number
  readonly from: string
  readonly txid: string
  readonly n: number
  readonly hash: string
}

export type ProvedAnchor = ReadAnchor & {
  readonly network: string
  readonly block: AnchorLine['block']
  readonly head: ProofHead
  readonly firstKey: string
}

/** Checks a line of a download. Returns what it proves, or in `wrong` the first fault as a sentence. Whether a block has it, a node tells. */
export async function checkAnchor(line: string, check: CheckSignature): Promise<ProvedAnchor | { readonly wrong: string }> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { wrong: 'is no JSON' }
  }
  if (!isWritten(value, line)) return { wrong: 'is not written as the exchange writes it' }
  if (!hasFields(value, 'anchor,txid,network,block,head,keys')) return { wrong: 'has no anchor' }
  const { anchor, txid, network, block, head: given } = value
  if (typeof network !== 'string' || !/^[a-z][a-z0-9-]{0,31}$/.test(network)) return { wrong: 'names no network' }
  if (!isBlock(block)) return { wrong: 'has a block that is none' }
  const keys = new HeadKeys(check)
  const wrongKey = await keys.take(value['keys'])
  if (wrongKey !== undefined) return { wrong: wrongKey }
  const head = hasFields(given, 'n,text,signature') ? await keys.read(given) : undefined
  if (head === undefined) return { wrong: 'has no head that its key signed' }
  const read = typeof anchor === 'string' ? readAnchor(anchor) : undefined
  if (read === undefined || read.txid !== txid) return { wrong: 'has no transaction of an anchor' }
  if (read.n !== head.n || read.hash !== headHash((given as SignedHead).text)) return { wrong: 'has another head than its transaction' }
  return { ...read, network, block, head, firstKey: keys.first! }
}

function isBlock(value: unknown): value is AnchorLine['block'] {
  if (value === null) return true
  if (!hasFields(value, 'number,hash')) return false
  return Number.isSafeInteger(value['number']) && typeof value['hash'] === 'string' && /^0x[0-9a-f]{64}$/.test(value['hash'])
}

/** Reads a signed transaction of EIP-1559 that goes to its own sender, pays nothing and carries a head. Undefined for any other. */
export function readAnchor(raw: string): ReadAnchor | undefined {
  const bytes = /^0x02([0-9a-f]{2}){1,1000}$/.test(raw) ? fromHex(raw.slice(2))! : undefined
  const fields = bytes === undefined ? undefined : readList(bytes.subarray(1))
  if (bytes === undefined || fields?.length !== 12) return undefined
  const [chain, , , , , to, value, data, access, parity, r, s] = fields as readonly Uint8Array[]
  const head = readAnchorData(`0x${toHex(data!)}`)
  if (head === undefined || value!.length > 0 || access!.length !== 1 || access![0] !== 0xc0 || chain!.length > 6) return undefined
  const digest = keccak256(unsignedBytes(bytes, [parity!, r!, s!]))
  const recovery = parity!.length === 0 ? 0 : parity![0]!
  const key = recoveredKey(digest, { r: BigInt(`0x0${toHex(r!)}`), s: BigInt(`0x0${toHex(s!)}`), recovery })
  const from = key === undefined ? undefined : addressOfPublicKey('evm', key)
  if (from === undefined || from !== `0x${toHex(to!)}`) return undefined
  return { chainId: Number.parseInt(toHex(chain!), 16), from, txid: `0x${toHex(keccak256(bytes))}`, ...head }
}

/** The bytes that were signed: the list without its last three fields. */
function unsignedBytes(bytes: Uint8Array, signature: readonly Uint8Array[]): Uint8Array {
  const start = 1 + headLength(bytes.subarray(1))
  const tail = signature.reduce((sum, field) => sum + field.length + (field.length === 1 && field[0]! < 0x80 ? 0 : 1), 0)
  const body = bytes.subarray(start, bytes.length - tail)
  const size =
    body.length < 56 ? [0xc0 + body.length] : body.length < 256 ? [0xf8, body.length] : [0xf9, body.length >> 8, body.length & 255]
  return Uint8Array.of(2, ...size, ...body)
}

const headLength = (list: Uint8Array): number => (list[0]! < 0xf8 ? 1 : 1 + list[0]! - 0xf7)

/**
 * The fields of a list of RLP: bytes, and for an empty list within it its own byte. Undefined for anything else: another way of writing, a
 * list with something in it, or bytes behind the end.
 */
function readList(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const first = bytes[0] ?? 0
  if (first < 0xc0) return undefined
  const start = headLength(bytes)
  const length = first < 0xf8 ? first - 0xc0 : numberIn(bytes.subarray(1, start))
  const isShortest = first < 0xf8 || (bytes[1] !== 0 && length >= 56)
  if (!isShortest || start + length !== bytes.length) return undefined
  const fields: Uint8Array[] = []
  for (let at = start; at < bytes.length; ) {
    const field = fieldAt(bytes, at)
    if (field === undefined) return undefined
    fields.push(bytes.subarray(field.from, field.to))
    at = field.to
  }
  return fields
}

function fieldAt(bytes: Uint8Array, at: number): { readonly from: number; readonly to: number } | undefined {
  const first = bytes[at]!
  if (first < 0x80 || first === 0xc0) return { from: at, to: at + 1 }
  // Longer than 55 bytes: the data, with its length in one byte.
  const isLong = first === 0xb8
  if (first > 0xb7 && !isLong) return undefined
  const length = isLong ? bytes[at + 1]! : first - 0x80
  const from = at + (isLong ? 2 : 1)
  const isShortest = isLong ? length >= 56 : length !== 1 || bytes[from]! >= 0x80
  return isShortest && from + length <= bytes.length ? { from, to: from + length } : undefined
}

const numberIn = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0)
