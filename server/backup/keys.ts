import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { BackupFault } from './fault.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Layout of an object: version, id of the key, initialization vector, tag, ciphertext of the compressed bytes. */
const version = 1
const idBytes = 4
const ivBytes = 12
const tagBytes = 16
const headBytes = 1 + idBytes + ivBytes + tagBytes

/** An object opens to at most this many bytes: a damaged length can't take all memory. */
const openedMax = 256 * 1024 * 1024

/**
 * Seals the objects of a store with AES-256-GCM and names them. Each object has a key of its own, derived from its name, and is bound to that
 * name: moved to another one, it doesn't open.
 */
export class BackupKeys {
  readonly id: string
  readonly #names: Buffer
  readonly #contents: Buffer

  /** key  32 random bytes */
  constructor(key: Buffer) {
    const derive = (purpose: string, length = 32): Buffer => Buffer.from(hkdfSync('sha256', key, '', `candor backup ${purpose}`, length))
    this.id = derive('id', idBytes).toString('hex')
    this.#names = derive('names')
    this.#contents = derive('contents')
  }

  /** The name of these bytes, equal for equal bytes. Without the key, it says nothing about them. */
  nameOf(bytes: Uint8Array): string {
    return createHmac('sha256', this.#names).update(bytes).digest('hex').slice(0, 40)
  }

  async seal(name: string, bytes: Uint8Array): Promise<Buffer> {
    const small = await compress(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(name), iv).setAAD(Buffer.from(name))
    const hidden = Buffer.concat([cipher.update(small), cipher.final()])
    return Buffer.concat([Buffer.of(version), Buffer.from(this.id, 'hex'), iv, cipher.getAuthTag(), hidden])
  }

  /** throws  BackupFault when the object was sealed with another key or for another name, or was changed or cut */
  async open(name: string, sealed: Buffer): Promise<Buffer> {
    const [ivAt, tagAt] = [1 + idBytes, 1 + idBytes + ivBytes]
    if (sealed.length < headBytes || sealed[0] !== version)
      throw new BackupFault(`${name} in the store is damaged: it is no object of a backup`)
    const id = sealed.subarray(1, ivAt).toString('hex')
    if (id !== this.id) throw new BackupFault(`${name} was sealed with the backup key ${id}, and the given key is ${this.id}`)
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#keyOf(name), sealed.subarray(ivAt, tagAt), { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(tagAt, headBytes))
      const small = Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()])
      return await decompress(small, { maxOutputLength: openedMax })
    } catch (cause) {
      throw new BackupFault(`${name} in the store was changed or damaged`, { cause })
    }
  }

  #keyOf(name: string): Buffer {
    return createHmac('sha256', this.#contents).update(name).digest()
  }
}
