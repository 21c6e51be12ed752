/** Addresses of TRON: 21 bytes, the first 0x41, written in base58 with a checksum. No other way of writing is taken. */
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'

const base58check = createBase58check(sha256)
const prefix = 0x41

/** throws  RangeError when these are not the bytes of an address */
export function toBase58(bytes21: Uint8Array): string {
  if (bytes21.length !== 21 || bytes21[0] !== prefix) throw new RangeError('Not the bytes of a TRON address')
  return base58check.encode(bytes21)
}

/** The 21 bytes of an address. throws  RangeError when the text is none */
export function fromBase58(text: string): Uint8Array {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) throw new RangeError('Not a TRON address')
  const bytes = base58check.decode(text)
  if (bytes.length !== 21 || bytes[0] !== prefix) throw new RangeError('Not a TRON address')
  return bytes
}

/** The 20 bytes that contracts see, as hex with `0x` in lower case. throws  RangeError when the text is no address */
export function toHex20(text: string): string {
  return `0x${Buffer.from(fromBase58(text).subarray(1)).toString('hex')}`
}

/** An address from the 20 bytes that contracts see, as hex with `0x`. throws  RangeError when these are no 20 bytes */
export function fromHex20(hex: string): string {
  if (!/^0x[0-9a-f]{40}$/i.test(hex)) throw new RangeError('Not the 20 bytes of an address')
  return toBase58(Buffer.from(`41${hex.slice(2)}`, 'hex'))
}
