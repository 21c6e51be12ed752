import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const version = 1
const ivBytes = 12
const tagBytes = 16

/** Something sealed that does not open: another server key, another place, or changed bytes. */
export class SealFault extends Error {
  constructor(cause: unknown) {
    super('a sealed secret does not open with this server key', { cause })
    this.name = 'SealFault'
  }
}

/** A key of 32 bytes for one purpose, drawn from the server's key, so that no two purposes share one. serverKey  32 bytes */
export function keyFor(serverKey: Buffer, purpose: string): Buffer {
  if (serverKey.length !== 32) throw new RangeError('the server key has 32 bytes')
  return Buffer.from(hkdfSync('sha256', serverKey, '', purpose, 32))
}

/**
 * Keeps secrets that the exchange must be able to read again: AES-256-GCM under a key of its own for each purpose, drawn
 * from the server's key. A copy of the database opens none of them.
 */
export class Seal {
  readonly #key: Buffer

  /** serverKey  32 bytes; purpose  what is sealed, so that two kinds of secret never share a key */
  constructor(serverKey: Buffer, purpose: string) {
    this.#key = keyFor(serverKey, purpose)
  }

  /** place  whose secret it is: moved to another row it does not open */
  close(text: string, place: string): Buffer {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(Buffer.from(place))
    const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), hidden])
  }

  /** throws  SealFault */
  open(sealed: Buffer, place: string): string {
    try {
      if (sealed[0] !== version) throw new RangeError(`version ${sealed[0]}`)
      const tagAt = 1 + ivBytes
      const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(1, tagAt), { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(tagAt, tagAt + tagBytes))
      return Buffer.concat([decipher.update(sealed.subarray(tagAt + tagBytes)), decipher.final()]).toString('utf8')
    } catch (cause) {
      throw new SealFault(cause)
    }
  }
}
