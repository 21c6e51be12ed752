import { Sha256 } from './sha256.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const checkBytes = 4

/** Base58 of the bytes and the first four bytes of their double SHA-256, as Bitcoin and TRON write addresses. */
export function toBase58Check(bytes: Uint8Array): string {
  const all = new Uint8Array(bytes.length + checkBytes)
  all.set(bytes)
  all.set(checkOf(bytes), bytes.length)
  let rest = 0n
  for (const byte of all) rest = rest * 256n + BigInt(byte)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = alphabet.charAt(Number(rest % 58n)) + text
  for (let at = 0; all[at] === 0; at++) text = alphabet.charAt(0) + text
  return text
}

/** The bytes of a text that `toBase58Check` wrote; undefined if it has other characters, another length, or a wrong checksum. */
export function fromBase58Check(text: string, length: number): Uint8Array<ArrayBuffer> | undefined {
  // Longer than any text of that many bytes: what strangers send costs no more than an address.
  if (text.length > (length + checkBytes) * 2) return undefined
  let rest = 0n
  for (const char of text) {
    const digit = alphabet.indexOf(char)
    if (digit < 0) return undefined
    rest = rest * 58n + BigInt(digit)
  }
  const all = new Uint8Array(length + checkBytes)
  for (let at = all.length - 1; at >= 0; at--, rest >>= 8n) all[at] = Number(rest & 255n)
  const bytes = all.slice(0, length)
  // The text is compared as a whole: leading zeros have one form, and nothing may be left over.
  return rest === 0n && toBase58Check(bytes) === text ? bytes : undefined
}

function checkOf(bytes: Uint8Array): Uint8Array {
  return new Sha256().update(new Sha256().update(bytes).digest()).digest().subarray(0, checkBytes)
}
