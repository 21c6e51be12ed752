/** Bytes, hex text and addresses of TRON. Inside the node an address is the hex text of its 21 bytes: `41…`. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'

const base58check = createBase58check(sha256)

export const nothing: Uint8Array = new Uint8Array(0)

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** throws  Error when the text is not hex, with or without `0x` */
export function fromHex(text: string): Uint8Array {
  const digits = text.startsWith('0x') ? text.slice(2) : text
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) throw new Error(`invalid hex: ${text.slice(0, 80)}`)
  return new Uint8Array(Buffer.from(digits, 'hex'))
}

export function join(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

export function hash(bytes: Uint8Array): Uint8Array {
  return sha256(bytes)
}

export function keccak(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes)
}

/** Eight bytes, the highest first. */
export function bytesOf(number: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(number))
  return new Uint8Array(bytes)
}

export function isAddress(address: string): boolean {
  return /^41[0-9a-f]{40}$/.test(address)
}

export function toBase58(address: string): string {
  return base58check.encode(fromHex(address))
}

/**
 * An address as clients write it: base58check, hex of 21 bytes, or hex of 20 bytes after `0x`.
 *
 * returns  hex of 21 bytes; undefined for anything else
 */
export function addressOf(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  if (/^41[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase()
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return `41${text.slice(2).toLowerCase()}`
  if (/^0x41[0-9a-fA-F]{40}$/.test(text)) return text.slice(2).toLowerCase()
  try {
    const address = toHex(base58check.decode(text))
    return isAddress(address) ? address : undefined
  } catch {
    return undefined
  }
}

/** The last 20 bytes of a hash of a public key (64 bytes, without its first byte 04). */
export function addressOfKey(publicKey: Uint8Array): string {
  return `41${toHex(keccak(publicKey).slice(12))}`
}
