import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HDKey } from '@scure/bip32'
import { toBase58 } from './address.ts'

/**
 * Addresses of an account on TRON by its extended public key (m/44'/195'/0'): the ones that a wallet with the backup words shows at
 * m/44'/195'/0'/0/place. No private key is needed, and none may ever be exported: one of them together with this key reveals all.
 */
export class TronAddresses {
  readonly #branch: HDKey

  /** throws  Error for text that is no extended public key of an account */
  constructor(xpub: string) {
    const account = HDKey.fromExtendedKey(xpub)
    if (account.privateKey) throw new Error('an extended private key must not be here')
    // m/44'/195'/0'
    if (account.depth !== 3 || account.index !== 0x8000_0000) throw new Error('not the extended key of the first account')
    this.#branch = account.deriveChild(0)
  }

  at(place: number): string {
    const key = this.#branch.deriveChild(place).publicKey!
    const point = secp256k1.Point.fromBytes(key).toBytes(false)
    return toBase58(Uint8Array.of(0x41, ...keccak_256(point.subarray(1)).subarray(-20)))
  }
}
