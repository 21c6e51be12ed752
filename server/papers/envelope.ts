import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type Seal, SealFault } from '../identity/seal.ts'

/** Layout of a file: version, initialization vector, tag, ciphertext. */
const version = 1
const ivBytes = 12
const tagBytes = 16

export type Enveloped = { readonly file: Buffer; readonly key: Buffer }

/**
 * Encrypts a file with a key of its own (AES-256-GCM), and that key with the server's. So a rotation of the server's key renews a
 * few bytes in the database and leaves the files alone, and a file whose row is gone can't be opened by anybody.
 *
 * place  the row that owns the file: a key moved to another row opens nothing
 */
export function closeFile(bytes: Buffer, seal: Seal, place: string): Enveloped {
  const key = randomBytes(32)
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
  const hidden = Buffer.concat([cipher.update(bytes), cipher.final()])
  return { file: Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), hidden]), key: seal.close(key.toString('base64'), place) }
}

/** throws  SealFault when key or file don't belong to this place, were changed, or the server's key is another */
export function openFile({ file, key }: Enveloped, seal: Seal, place: string): Buffer {
  const opened = Buffer.from(seal.open(key, place), 'base64')
  try {
    if (file[0] !== version) throw new RangeError(`version ${file[0]}`)
    const iv = file.subarray(1, 1 + ivBytes)
    const tag = file.subarray(1 + ivBytes, 1 + ivBytes + tagBytes)
    const decipher = createDecipheriv('aes-256-gcm', opened, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(place)).setAuthTag(tag)
    return Buffer.concat([decipher.update(file.subarray(1 + ivBytes + tagBytes)), decipher.final()])
  } catch (cause) {
    throw new SealFault(cause)
  }
}
