import { createHmac, timingSafeEqual } from 'node:crypto'
import { keyFor } from './seal.ts'
import type { ServerKey, ServerKeys } from './server-keys.ts'

const keyBytes = 16
const tagBytes = 8
const macBytes = 16
/** A cookie that no known key signed makes the keys be read again, but not more often than this: made-up cookies are free. */
const rereadMs = 60_000

/** A browser that logged in here, by what its cookie proves without a look-up. Whether an account still knows it is another question. */
export type SignedDevice = {
  /** The browser's own key. */
  readonly key: string
  /** Equal for all browsers that logged in to one account with one password; reveals nothing about the account. */
  readonly account: string
}

/**
 * The device's key in a cookie, without any check: 22 characters are the key alone (as older versions set it), 54 are key, tag
 * and signature. Undefined for anything else.
 */
export function deviceKeyIn(cookie: string): string | undefined {
  if (!/^(?:[A-Za-z0-9_-]{22}|[A-Za-z0-9_-]{54})$/.test(cookie)) return undefined
  return Buffer.from(cookie, 'base64url').subarray(0, keyBytes).toString('base64url')
}

/**
 * Signs the cookies by which browsers are recognized: key (16 bytes), tag of the account (8), signature (16). The entrance
 * verifies them without the database, to count known browsers apart from strangers of the same network. The tag changes with the
 * password, so that a browser which a reset made unknown shares no limit with the owner's.
 */
export class Devices {
  readonly #keys: ServerKeys
  readonly #now: () => number
  readonly #drawn = new Map<string, Buffer>()
  #readAt = Number.NEGATIVE_INFINITY

  constructor(keys: ServerKeys, now: () => number = () => performance.now()) {
    this.#keys = keys
    this.#now = now
  }

  /** The cookie of a browser that has just logged in. */
  sign(deviceKey: string, account: string, passwordChangedAt: number): string {
    const signing = this.#keyOf(this.#keys.newest)
    const key = Buffer.from(deviceKey, 'base64url').subarray(0, keyBytes)
    const tag = hmac(signing, `account ${account} ${passwordChangedAt}`).subarray(0, tagBytes)
    return Buffer.concat([key, tag, macOf(signing, Buffer.concat([key, tag]))]).toString('base64url')
  }

  /** Undefined for a cookie without a valid signature by one of the server's keys, and for one of older versions. */
  verified(cookie: string): SignedDevice | undefined {
    if (!/^[A-Za-z0-9_-]{54}$/.test(cookie)) return undefined
    const bytes = Buffer.from(cookie, 'base64url')
    const [signed, mac] = [bytes.subarray(0, keyBytes + tagBytes), bytes.subarray(keyBytes + tagBytes)]
    if (!this.#isSigned(signed, mac)) return undefined
    return { key: bytes.toString('base64url', 0, keyBytes), account: signed.toString('base64url', keyBytes) }
  }

  #isSigned(signed: Buffer, mac: Buffer): boolean {
    const fits = (keys: readonly ServerKey[]): boolean => keys.some((key) => timingSafeEqual(macOf(this.#keyOf(key), signed), mac))
    if (fits(this.#keys.all)) return true
    const now = this.#now()
    if (now - this.#readAt < rereadMs) return false
    // Another gateway may sign with a key that is newer than those in this memory.
    this.#readAt = now
    void this.#keys.newest
    return fits(this.#keys.all)
  }

  #keyOf(key: ServerKey): Buffer {
    let drawn = this.#drawn.get(key.id)
    if (drawn === undefined) {
      drawn = keyFor(key, 'device-cookie')
      this.#drawn.set(key.id, drawn)
    }
    return drawn
  }
}

const macOf = (key: Buffer, signed: Buffer): Buffer => hmac(key, Buffer.concat([Buffer.from('device '), signed])).subarray(0, macBytes)

function hmac(key: Buffer, data: Buffer | string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}
