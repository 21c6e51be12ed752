import { readAddress, withChecksum } from '@candor/core/risk/addresses.ts'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** The address of 20 bytes with the checksum of EIP-55. throws  RangeError */
export function toChecksum(hex20: string): string {
  if (!/^0x[0-9a-f]{40}$/i.test(hex20)) throw new RangeError(`${hex20} is no address of 20 bytes`)
  return withChecksum(hex20.slice(2), keccak_256)
}

/** Whether the text is an address whose checksum, if it has one, is right. */
export function isAddress(text: string): boolean {
  const { fault } = readAddress(text, 'evm', keccak_256)
  return fault === undefined || fault === 'keyless'
}
