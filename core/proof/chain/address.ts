/** Addresses of chains, as proofs write them: of an EVM network in lower case, of TRON in base58. */
import { fromBase58Check, toBase58Check } from '../base58.ts'
import { fromHex, toHex } from '../sha256.ts'
import { keccak256 } from './keccak.ts'

export type ChainKind = 'evm' | 'tron'

const evmShape = /^0x[0-9a-f]{40}$/
const tronPrefix = 0x41
/** A clone as EIP-1167 describes it, around the address of the code that it runs. */
const [cloneHead, cloneTail] = ['3d602d80600a3d3981f3363d3d373d3d3d363d73', '5af43d82803e903d91602b57fd5bf3']

/** Whether a text is an address of this kind, in the one way in which proofs write it. */
export function isChainAddress(kind: ChainKind, text: string): boolean {
  if (kind === 'evm') return evmShape.test(text)
  return fromBase58Check(text, 21)?.[0] === tronPrefix
}

/** The address of a public key of 64 bytes. */
export function addressOfPublicKey(kind: ChainKind, publicKey: Uint8Array): string {
  const last20 = keccak256(publicKey).subarray(12)
  return kind === 'evm' ? `0x${toHex(last20)}` : toBase58Check(Uint8Array.of(tronPrefix, ...last20))
}

/** The 20 bytes of an address as contracts see them, in hex with `0x`. Undefined for a text that is none. */
export function addressBytes(kind: ChainKind, text: string): string | undefined {
  if (!isChainAddress(kind, text)) return undefined
  return kind === 'evm' ? text : `0x${toHex(fromBase58Check(text, 21)!.subarray(1))}`
}

/** Where the code is that all forwarders of a factory run: the factory makes it first of all. Its `sink()` is whom they pay. */
export const forwarderCode = (factory: string): string => `0x${hashed(`d694${factory.slice(2)}01`).slice(24)}`

/**
 * Address of the forwarder that a factory has at a place, also before it exists: nobody has a key for it, and its code pays to the
 * factory's sink alone.
 */
export function forwarderOf({
  chainId,
  factory,
  place,
}: {
  readonly chainId: number
  readonly factory: string
  readonly place: number
}): string {
  const maker = factory.slice(2)
  const code = forwarderCode(factory).slice(2)
  const salt = hashed(`${word(chainId)}${'0'.repeat(24)}${maker}${word(place)}`)
  return `0x${hashed(`ff${maker}${salt}${hashed(cloneHead + code + cloneTail)}`).slice(24)}`
}

const word = (value: number): string => value.toString(16).padStart(64, '0')

const hashed = (hex: string): string => toHex(keccak256(fromHex(hex)!))
