/** The check of a deposit address on this device, before anybody sees it. */
import { isDepositAddressSigned, type SignatureCheck } from '@candor/core/proof/deposit-address.ts'
import type { WireDepositAddress } from '@candor/core/protocol/wire/chains.ts'

/** The address does not have the wallet service's signature for this customer and network. */
export class AddressUnsigned extends Error {
  override readonly name = 'AddressUnsigned'
}

/**
 * The address, if the wallet service has signed it for this customer on this network.
 *
 * walletKey  Ed25519, 32 bytes in hex
 *
 * throws  AddressUnsigned
 */
export async function verified(
  given: WireDepositAddress,
  asked: { readonly network: string; readonly uid: string; readonly walletKey: string },
): Promise<string> {
  const { network, uid, walletKey } = asked
  const [key, signature] = [bytesOf(walletKey, 32), bytesOf(given.signature, 64)]
  const isOurs = given.network === network && given.uid === uid && key !== undefined && signature !== undefined
  if (!isOurs || !(await isSigned(key, given, signature))) throw new AddressUnsigned('a deposit address is not signed')
  return given.address
}

/** Pages without https have no WebCrypto, and older browsers no Ed25519 in it: they load a library that has it. */
async function isSigned(key: Uint8Array<ArrayBuffer>, about: WireDepositAddress, signature: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto }
  try {
    if (subtle !== undefined) return await isDepositAddressSigned(subtle, key, about, signature)
  } catch {}
  const { ed25519 } = await import('@noble/curves/ed25519.js')
  const own: SignatureCheck<Uint8Array> = {
    importKey: (_format, bytes) => Promise.resolve(bytes),
    verify: (_algorithm, bytes, signed, data) => Promise.resolve(ed25519.verify(signed, data, bytes)),
  }
  return isDepositAddressSigned(own, key, about, signature)
}

function bytesOf(hex: string, length: number): Uint8Array<ArrayBuffer> | undefined {
  if (hex.length !== 2 * length || !/^[0-9a-f]*$/i.test(hex)) return undefined
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
}
