/** The whitepaper: it is saved only if it is the file whose hash the terms of the presale name. */
import { sha256 } from '@candor/core/proof/sha256.ts'

/** Whether the SHA-256 of the bytes is this hash. The core's own code, because pages without https have no `crypto.subtle`. */
export function isPaper(bytes: Uint8Array, hash: string): boolean {
  return Array.from(sha256(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('') === hash.toLowerCase()
}

/** Saves a file on the device. */
export function saveFile(name: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
