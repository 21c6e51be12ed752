import { fromBase58Check } from '../proof/base58.ts'
import type { NetworkKind } from '../protocol/wire/chains.ts'
import { withoutPrefix } from './address-groups.ts'

/** Keccak-256, which the core has no own copy of. */
export type Keccak = (bytes: Uint8Array) => Uint8Array

/**
 * What is wrong with the text of an address. `invalid`: no address. `checksum`: a character is wrong. `other-network`: an address of
 * the other kind of network. `keyless`: nobody can have its key.
 */
export type AddressFault = 'invalid' | 'checksum' | 'other-network' | 'keyless'

/** `address`: in the one form that is stored and shown. */
export type ReadAddress = { readonly address: string; readonly fault?: undefined } | { readonly fault: AddressFault }

/** TRON writes the 20 bytes of an address after this one. */
export const tronPrefix = 0x41
const tronBytes = 21
/** Addresses below 2^16 are the zero address, precompiled contracts and those that are used for burning. */
const lowBytes = 18

/** The kind of network whose addresses look like this; undefined for other texts. Checksums are not looked at. */
export function kindOfAddress(text: string): NetworkKind | undefined {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return 'evm'
  // Characters that Base58 leaves out because they resemble others are typing errors.
  return /^T[0-9A-Za-z]{33}$/.test(text) ? 'tron' : undefined
}

/** Reads an address of a network. Nothing is trimmed or guessed. */
export function readAddress(text: string, kind: NetworkKind, keccak: Keccak): ReadAddress {
  const found = kindOfAddress(text)
  if (found === undefined) return { fault: 'invalid' }
  if (found !== kind) return { fault: 'other-network' }
  return kind === 'evm' ? readEvm(text, keccak) : readTron(text)
}

/** EIP-55: letters are capital where the hash of the lower-case text has a high digit. `hex`: 40 digits. Returns it with `0x`. */
export function withChecksum(hex: string, keccak: Keccak): string {
  const lower = hex.toLowerCase()
  const hash = keccak(Uint8Array.from(lower, (char) => char.charCodeAt(0)))
  const digits = Array.from(hash, (byte) => [byte >> 4, byte & 15]).flat()
  return `0x${Array.from(lower, (char, at) => ((digits[at] ?? 0) >= 8 ? char.toUpperCase() : char)).join('')}`
}

function readEvm(text: string, keccak: Keccak): ReadAddress {
  const hex = text.slice(2)
  const address = withChecksum(hex, keccak)
  // Text in one case has no checksum; wallets of exchanges often write it so.
  const hasChecksum = hex !== hex.toLowerCase() && hex !== hex.toUpperCase()
  if (hasChecksum && address !== text) return { fault: 'checksum' }
  return hex.startsWith('00'.repeat(lowBytes)) ? { fault: 'keyless' } : { address }
}

function readTron(text: string): ReadAddress {
  const bytes = fromBase58Check(text, tronBytes)
  if (bytes === undefined || bytes[0] !== tronPrefix) return { fault: 'checksum' }
  return bytes.subarray(1, 1 + lowBytes).every((byte) => byte === 0) ? { fault: 'keyless' } : { address: text }
}

/** People compare this many characters at each end. */
const endChars = 4
const middleChars = 8

/**
 * Whether two addresses look the same at a glance and are not: the first four and the last four characters agree. Thieves make such
 * addresses and hope that theirs is copied. Both in their stored form.
 */
export function areAlike(one: string, other: string): boolean {
  const kind = kindOfAddress(one)
  if (kind === undefined || kind !== kindOfAddress(other)) return false
  const [a, b] = [comparable(one), comparable(other)]
  return a !== b && a.slice(0, endChars) === b.slice(0, endChars) && a.slice(-endChars) === b.slice(-endChars)
}

/** The eight characters in the middle of an address: two of the groups in which it is shown. */
export function middleOf(address: string): string {
  const text = withoutPrefix(address)
  const at = Math.floor((text.length - middleChars) / 2 / endChars) * endChars
  return text.slice(at, at + middleChars)
}

/** Whether this is the middle of the address. Spaces don't count, nor does the case where it means nothing. */
export function isMiddleOf(address: string, typed: string): boolean {
  const text = typed.replace(/\s/g, '')
  const middle = middleOf(address)
  return kindOfAddress(address) === 'evm' ? text.toLowerCase() === middle.toLowerCase() : text === middle
}

function comparable(address: string): string {
  return address.startsWith('0x') ? address.slice(2).toLowerCase() : address
}
