/** Keys of chains. Whatever holds one, a signature leaves this room only after it was checked against the public key. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { NetworkKind } from '../ports.ts'
import { toBase58 } from '../tron/address.ts'
import type { Signature, Unsigned } from '../unsigned.ts'

/** Holds one secp256k1 key. The policy is checked before it is asked, whichever adapter it is. */
export type ChainSigner = {
  /** 65 bytes, uncompressed. */
  readonly publicKey: Uint8Array
  /** Signs the digest of a transaction that this program built. Throws when the key can't be used. */
  sign(unsigned: Unsigned): Promise<{ readonly r: bigint; readonly s: bigint }>
} & Disposable

const { n: order } = secp256k1.Point.CURVE()

/**
 * The signature in the form that chains take: with the low `s`, and the recovery id that leads back to this key.
 *
 * throws  Error when the signature does not fit digest and key
 */
export function checked(digest: Uint8Array, { r, s }: { readonly r: bigint; readonly s: bigint }, publicKey: Uint8Array): Signature {
  const low = s > order / 2n ? order - s : s
  const signature = new secp256k1.Signature(r, low)
  // The key that a signature leads back to is the one under which it is valid: that it is this one is the proof.
  for (const recovery of [0, 1]) {
    const found = recoveredKey(signature, recovery, digest)
    if (found !== undefined && Buffer.from(found).equals(publicKey)) return { r, s: low, recovery }
  }
  throw new Error('The signature does not fit the key')
}

function recoveredKey(signature: InstanceType<typeof secp256k1.Signature>, recovery: number, digest: Uint8Array): Uint8Array | undefined {
  try {
    return signature.addRecoveryBit(recovery).recoverPublicKey(digest).toBytes(false)
  } catch {
    return undefined
  }
}

/** The address of a public key, as the network writes it; of an EVM network in lower case. */
export function addressOfKey(kind: NetworkKind, publicKey: Uint8Array): string {
  const last20 = keccak_256(publicKey.subarray(1)).subarray(-20)
  if (kind === 'evm') return `0x${Buffer.from(last20).toString('hex')}`
  return toBase58(Buffer.concat([Buffer.of(0x41), last20]))
}
