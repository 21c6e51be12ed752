import type { Hash } from '@candor/core/proof/merkle.ts'
import { fromHex } from '@candor/core/proof/sha256.ts'

/** Imported keys: a file has thousands of heads and few keys. */
const imported = new Map<string, Promise<CryptoKey>>()

const noEd25519 =
  'There is no Ed25519 here, so nothing was checked. Node has it; Chromium 137, Firefox 129 and Safari 17 have it on pages with https.'

/** Whether the Ed25519 key signed the text. throws  Error when there is no Ed25519 here */
export async function isSigned(publicKey: string, text: string, signature: string): Promise<boolean> {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto }
  if (subtle === undefined) throw new Error(noEd25519)
  const key = imported.get(publicKey) ?? subtle.importKey('raw', fromHex(publicKey) as Hash, 'Ed25519', false, ['verify'])
  imported.set(publicKey, key)
  try {
    return await subtle.verify('Ed25519', await key, fromHex(signature) as Hash, new TextEncoder().encode(text))
  } catch (cause) {
    imported.delete(publicKey)
    // Bytes that are no key are refused with another error.
    if ((cause as Error).name === 'NotSupportedError') throw new Error(noEd25519, { cause })
    return false
  }
}
