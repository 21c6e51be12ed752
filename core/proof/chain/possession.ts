/**
 * Who holds an address: a text that its key signs as a message (EIP-191, and TRON's own form). It names one day and one head of the
 * journal, so that it can't be made before the head was known, and is of no use on another day.
 */
import type { ProofHead } from '../head.ts'
import { headLeaf } from '../head.ts'
import { fromHex, toHex } from '../sha256.ts'
import { addressOfPublicKey, type ChainKind } from './address.ts'
import { keccak256 } from './keccak.ts'
import { numberOf, recoveredKey } from './secp256k1.ts'

export type Possession = {
  readonly network: string
  readonly kind: ChainKind
  readonly chainId: number
  readonly address: string
  /** Of the calendar in UTC: `2026-11-30`. */
  readonly day: string
  /** Number of a head of that day, and its leaf in hex. */
  readonly head: { readonly n: number; readonly hash: string }
}

/** Words that no transaction, permit or login of any chain begins with. */
const beginning = 'candor reserves address 1\nThis says who holds an address. It moves nothing and allows nothing.'

const prefixes: Readonly<Record<ChainKind, string>> = { evm: '\x19Ethereum Signed Message:\n', tron: '\x19TRON Signed Message:\n' }

/** What is signed: lines of ASCII, the last without a line feed, so that it can be pasted into a wallet. */
export function possessionText({ network, chainId, address, day, head }: Possession): string {
  return `${beginning}\nnetwork ${network}\nchain ${chainId}\naddress ${address}\nday ${day}\nhead ${head.n} ${head.hash}`
}

/** The bytes that a wallet hashes when it signs the text. No transaction begins with 0x19. */
export function possessionBytes(about: Possession): Uint8Array<ArrayBuffer> {
  const text = possessionText(about)
  return Uint8Array.from(`${prefixes[about.kind]}${text.length}${text}`, (letter) => letter.charCodeAt(0))
}

/**
 * Whether the key of the address signed it. `signature`: 65 bytes in lower-case hex, `r`, the low `s`, and 27 or 28.
 */
export function isPossessed(about: Possession, signature: unknown): boolean {
  if (typeof signature !== 'string' || !/^[0-9a-f]{128}1[bc]$/.test(signature)) return false
  const bytes = fromHex(signature)!
  const parts = { r: numberOf(bytes.subarray(0, 32)), s: numberOf(bytes.subarray(32, 64)), recovery: bytes[64]! - 27 }
  const key = recoveredKey(keccak256(possessionBytes(about)), parts)
  return key !== undefined && addressOfPublicKey(about.kind, key) === about.address
}

/** The leaf of a head, by which chains and messages name it. */
export const headHash = (text: string): string => toHex(headLeaf(text))

/** The day of a time in UTC, as `2026-11-30`. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Days from one to another; negative when it was earlier. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000

/** Whether a text is a day as `dayOf` writes it. */
export function isDay(text: string): boolean {
  return /^2[0-9]{3}-[0-9]{2}-[0-9]{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text
}

/** Whether a head is of a day. */
export const isOfDay = ({ at }: ProofHead, day: string): boolean => dayOf(at) === day
