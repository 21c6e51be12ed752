/** Signatures, checked on this device. */
import { isTextSigned, type SignatureCheck } from '@candor/core/proof/deposit-address.ts'

/**
 * Whether a text in ASCII is signed with an Ed25519 key. Key and signature in hex. Pages without https have no WebCrypto, and older
 * browsers no Ed25519 in it: they load a library that has it.
 */
export async function isSigned(publicKey: string, text: string, hex: string): Promise<boolean> {
  const [key, signature] = [bytesOf(publicKey, 32), bytesOf(hex, 64)]
  if (key === undefined || signature === undefined) return false
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto }
  try {
    if (subtle !== undefined) return await isTextSigned(subtle, key, text, signature)
  } catch {}
  const { ed25519 } = await import('@noble/curves/ed25519.js')
  const own: SignatureCheck<Uint8Array> = {
    importKey: (_format, bytes) => Promise.resolve(bytes),
    verify: (_algorithm, bytes, signed, data) =>
      Promise.resolve(isExact(ed25519.Point, bytes, signed) && ed25519.verify(signed, data, bytes)),
  }
  return isTextSigned(own, key, text, signature)
}

/**
 * Whether neither point has a part of small order. The library multiplies both sides by 8, so that it would take signatures that WebCrypto
 * refuses: what convinces one phone has to convince everybody.
 */
function isExact(Point: Points, key: Uint8Array, signature: Uint8Array): boolean {
  try {
    return [key, signature.subarray(0, 32)].every((bytes) => Point.fromBytes(bytes).isTorsionFree())
  } catch {
    return false
  }
}

type Points = { fromBytes(bytes: Uint8Array): { isTorsionFree(): boolean } }

function bytesOf(hex: string, length: number): Uint8Array<ArrayBuffer> | undefined {
  if (hex.length !== 2 * length || !/^[0-9a-f]*$/i.test(hex)) return undefined
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
}
