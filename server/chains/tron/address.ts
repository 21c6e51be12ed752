import { fromBase58Check, toBase58Check } from '@candor/core/proof/base58.ts'

/** TRON writes the 20 bytes of an address after this one. */
const prefix = 0x41
const addressBytes = 21

/** The 21 bytes of an address as TRON shows them: `T` and 33 characters. throws  RangeError for other bytes */
export function toBase58(bytes21: Uint8Array): string {
  if (bytes21.length !== addressBytes || bytes21[0] !== prefix) throw new RangeError('not the 21 bytes of an address of TRON')
  return toBase58Check(bytes21)
}

/** throws  RangeError for a text that is no address, or whose checksum is wrong */
export function fromBase58(text: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase58Check(text, addressBytes)
  if (bytes === undefined || bytes[0] !== prefix) throw new RangeError(`${text} is no address of TRON`)
  return bytes
}

/** The address without its first byte, as contracts and logs write it: `0x` and 40 lower-case digits. throws  RangeError */
export function toHex20(text: string): string {
  return `0x${Buffer.from(fromBase58(text).subarray(1)).toString('hex')}`
}
