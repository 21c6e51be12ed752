import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { ServerKey, ServerKeys } from './server-keys.ts'

/** Layout: version, id of the server key, initialization vector, tag, ciphertext. Version 1 has no id. */
const version = 2
const versionWithoutId = 1
const idBytes = 4
const ivBytes = 12
const tagBytes = 16

/** An encrypted value can't be opened: another server key, another place, or changed bytes. */
export class SealFault extends Error {
  constructor(cause: unknown) {
    super('a sealed secret does not open with this server key', { cause })
    this.name = 'SealFault'
  }
}

/** A 32-byte key for one purpose, derived from a server key, so that no two purposes share one. */
export function keyFor({ bytes }: ServerKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', bytes, '', purpose, 32))
}

/**
 * Encrypts secrets that the exchange must read again: AES-256-GCM under one key per purpose, derived from the newest server
 * key. A copy of the database alone opens none of them.
 */
export class Seal {
  readonly #keys: ServerKeys
  readonly #purpose: string
  readonly #drawn = new Map<string, Buffer>()

  /** purpose  the kind of secret; two kinds never share a key */
  constructor(keys: ServerKeys, purpose: string) {
    this.#keys = keys
    this.#purpose = purpose
  }

  /** place  the row that owns the secret: moved to another row it does not open */
  close(text: string, place: string): Buffer {
    const newest = this.#keys.newest
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(newest), iv).setAAD(Buffer.from(place))
    const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.of(version), Buffer.from(newest.id, 'hex'), iv, cipher.getAuthTag(), hidden])
  }

  /** throws  SealFault */
  open(sealed: Buffer, place: string): string {
    try {
      if (sealed[0] === versionWithoutId) return this.#openWithAny(sealed.subarray(1), place)
      if (sealed[0] !== version) throw new RangeError(`version ${sealed[0]}`)
      const id = idOf(sealed)
      const key = this.#keys.find(id)
      if (key === undefined) throw new RangeError(`there is no server key ${id}`)
      return this.#open(key, sealed.subarray(1 + idBytes), place)
    } catch (cause) {
      throw new SealFault(cause)
    }
  }

  /** The same secret under the newest key; undefined when it already is. throws  SealFault */
  renew(sealed: Buffer, place: string): Buffer | undefined {
    if (sealed[0] === version && idOf(sealed) === this.#keys.newest.id) return undefined
    return this.close(this.open(sealed, place), place)
  }

  #openWithAny(rest: Buffer, place: string): string {
    let failure: unknown
    for (const key of this.#keys.all) {
      try {
        return this.#open(key, rest, place)
      } catch (cause) {
        failure = cause
      }
    }
    throw failure
  }

  #open(key: ServerKey, rest: Buffer, place: string): string {
    const decipher = createDecipheriv('aes-256-gcm', this.#keyOf(key), rest.subarray(0, ivBytes), { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(place)).setAuthTag(rest.subarray(ivBytes, ivBytes + tagBytes))
    return Buffer.concat([decipher.update(rest.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
  }

  #keyOf(key: ServerKey): Buffer {
    let drawn = this.#drawn.get(key.id)
    if (drawn === undefined) {
      drawn = keyFor(key, this.#purpose)
      this.#drawn.set(key.id, drawn)
    }
    return drawn
  }
}

function idOf(sealed: Buffer): string {
  return sealed.subarray(1, 1 + idBytes).toString('hex')
}
