/**
 * A key in a hardware module, reached through PKCS#11. The module protects the key, not the intent: the policy is checked before it is
 * asked. Its signatures may have the high `s` and carry no recovery id; `checked` adds both.
 */
import type { ChainSigner } from './chain-signer.ts'
import { CustodyFault } from './reasons.ts'

/** What is used of a PKCS#11 session. The package `pkcs11js` has it; the tests have it over a software module. */
export type Pkcs11Session = {
  /** The value of `CKA_EC_POINT` of the public key with this label: a DER octet string of 65 bytes, uncompressed. */
  ecPoint(label: string): Promise<Uint8Array>
  /** Signs 32 bytes with the private key of this label by `CKM_ECDSA`. Gives r and s, 32 bytes each. */
  signEcdsa(label: string, digest: Uint8Array): Promise<Uint8Array>
  close(): void
}

/** throws  CustodyFault when the session has no such key of secp256k1 */
export async function pkcs11Signer(session: Pkcs11Session, label: string): Promise<ChainSigner> {
  const publicKey = pointOf(await session.ecPoint(label))
  return {
    publicKey,
    async sign({ digest }) {
      const bytes = await session.signEcdsa(label, digest)
      if (bytes.length !== 64) throw new CustodyFault('The module gave no signature of 64 bytes')
      const number = (part: Uint8Array): bigint => BigInt(`0x${Buffer.from(part).toString('hex')}`)
      return { r: number(bytes.subarray(0, 32)), s: number(bytes.subarray(32)) }
    },
    [Symbol.dispose]: () => session.close(),
  }
}

/** DER: tag 4, length 65, then the point. Some modules leave out tag and length. */
function pointOf(value: Uint8Array): Uint8Array {
  const point = value.length === 67 && value[0] === 0x04 && value[1] === 65 ? value.subarray(2) : value
  if (point.length !== 65 || point[0] !== 0x04) throw new CustodyFault('The module has no uncompressed point of secp256k1')
  return Uint8Array.from(point)
}
