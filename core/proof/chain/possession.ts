/**
 * Who holds an address: a text that its key signs as a message (EIP-191, and TRON's own form). It names one day and one head of the
 * journal, so that it can't be made before the head was known, and is of no use on another day.
 */
import type { ProofHead } from '../head.ts'
import { headLeaf } from '../head.ts'
import { fromHex, Sha256, toHex } from '../sha256.ts'
import { addressOfPublicKey, type ChainKind } from './address.ts'
import { dayOf } from './day.ts'
import { keccak256 } from './keccak.ts'
import { numberOf, recoveredKey } from './secp256k1.ts'

export type Possession = {
  readonly network: string
  readonly kind: ChainKind
  readonly chainId: number
  readonly address: string
  /** Of the calendar in UTC: `2026-11-30`. */
  readonly day: string
  /** A head of that day, as `ownHead` names it. */
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

/**
 * A head as the addresses of one exchange name it: SHA-256 of the exchange's first key and the head's leaf. Another exchange can sign the
 * text of the head with a key of its own, but it has another first key, so these signatures are none of its addresses.
 *
 * firstKey  the public key of the first key that signs heads, in hex
 */
export function ownHead(firstKey: string, { n, text }: { readonly n: number; readonly text: string }): Possession['head'] {
  return { n, hash: toHex(new Sha256().update(fromHex(firstKey)!).update(headLeaf(text)).digest()) }
}

/** The leaf of a head, by which chains and statements name it. */
export const headHash = (text: string): string => toHex(headLeaf(text))

/** Whether a head is of a day. */
export const isOfDay = ({ at }: ProofHead, day: string): boolean => dayOf(at) === day
