import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'

const base58check = createBase58check(sha256)
/** First byte of every address of the main network and its test networks. */
const prefix = 0x41
const bytesMax = 21

/** An address as people write it: `T` and 33 letters. throws  Error unless these are 21 bytes that begin with 0x41 */
export function toBase58(bytes21: Uint8Array): string {
  if (bytes21.length !== bytesMax || bytes21[0] !== prefix) throw new Error('an address of TRON has 21 bytes and begins with 0x41')
  return base58check.encode(bytes21)
}

/** The 21 bytes of an address; undefined unless it is strictly the base58check form: no hex, no spaces, no other network. */
export function fromBase58(text: string): Uint8Array | undefined {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return undefined
  try {
    const bytes = base58check.decode(text)
    return bytes.length === bytesMax && bytes[0] === prefix ? bytes : undefined
  } catch {
    return undefined
  }
}

/** The 20 bytes that contracts and JSON-RPC use, as `0x` and 40 digits. throws  Error for text that is no address */
export function toHex20(text: string): `0x${string}` {
  const bytes = fromBase58(text)
  if (bytes === undefined) throw new Error('not an address of TRON')
  return `0x${Buffer.from(bytes.subarray(1)).toString('hex')}`
}

/** An address from its 20 bytes as `0x` and 40 digits. */
export function fromHex20(hex: string): string {
  if (!/^0x[0-9a-f]{40}$/i.test(hex)) throw new Error('not the 20 bytes of an address')
  return toBase58(Buffer.from(`41${hex.slice(2)}`, 'hex'))
}
