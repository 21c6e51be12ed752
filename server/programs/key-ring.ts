import { createHmac, createPublicKey, createSecretKey, timingSafeEqual, verify } from 'node:crypto'
import type { UserClass } from '@candor/core/protocol/command/user.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { KeyKind, KeyScope } from '@candor/core/protocol/wire/keys.ts'
import { ipChecker } from '../identity/key-terms.ts'
import type { KeyRecord, Keys } from '../identity/keys.ts'
import { Refused } from '../refused.ts'

/** How long a key is trusted without another look-up. A message about a change ends it at once. */
const believedMs = 5_000
/** Precision of the last use that the owner sees, in milliseconds. */
const notedEveryMs = 60_000
const keptMax = 50_000
/** Most addresses per key whose last use is remembered. */
const addressesMax = 50

/** The user that a program acts for. Requests with the same key get the same object as long as the key is trusted. */
export type ApiUser = {
  readonly user: UserId
  readonly account: string
  readonly uid: string
  readonly class: UserClass
  readonly key: string
  /** Number of the key that the journal stores with each command. */
  readonly keyId: number
  readonly kind: KeyKind
  readonly scopes: ReadonlySet<KeyScope>
  /** Whether the key works only from listed addresses. */
  readonly isBound: boolean
  readonly createdAt: number
  /** Milliseconds; null: no expiry. */
  readonly expiresAt: number | null
  /** See `KeyRecord`. */
  readonly restUntil: number
}

/** A key prepared for use. */
export type ReadyKey = {
  readonly owner: ApiUser
  readonly isAllowedFrom: (ip: string) => boolean
  readonly signed: (message: string, encoding: 'latin1' | 'utf8', signature: string) => boolean
}

/** `noted`: when a use was last noted, by address. */
type Kept = { readonly ready: ReadyKey; readonly until: number; readonly noted: Map<string, number> }

export type KeyRingOptions = {
  readonly keys: Pick<Keys, 'find' | 'used'>
  /** Wall clock. */
  readonly now: () => number
  readonly onFault: (cause: unknown) => void
}

/**
 * Keys in memory, so that a request needs no query. Only existing keys are kept: made-up ones are looked up each time, which the
 * limits per address bound.
 */
export class KeyRing {
  readonly #keys: KeyRingOptions['keys']
  readonly #now: () => number
  readonly #onFault: (cause: unknown) => void
  readonly #kept = new Map<string, Kept>()
  readonly #asked = new Map<string, Promise<ReadyKey | undefined>>()

  constructor({ keys, now, onFault }: KeyRingOptions) {
    this.#keys = keys
    this.#now = now
    this.#onFault = onFault
  }

  /** The key if it is in memory. Undefined means only that it must be looked up. */
  remembered(key: string): ReadyKey | undefined {
    const kept = this.#kept.get(key)
    return kept && kept.until > performance.now() ? kept.ready : undefined
  }

  /** Concurrent requests with one key share a look-up. */
  find(key: string): Promise<ReadyKey | undefined> {
    const remembered = this.remembered(key)
    if (remembered) return Promise.resolve(remembered)
    const asked = this.#asked.get(key)
    if (asked) return asked
    const asking: Promise<ReadyKey | undefined> = this.#lookUp(key, () => this.#asked.get(key) === asking).finally(() => {
      if (this.#asked.get(key) === asking) this.#asked.delete(key)
    })
    this.#asked.set(key, asking)
    return asking
  }

  /** Call when a key was changed or deleted somewhere. A look-up under way is not kept. */
  forget(key: string): void {
    this.#kept.delete(key)
    this.#asked.delete(key)
  }

  /** Notes a use for the owner to see, once a minute per address. */
  used({ owner: { key, keyId } }: ReadyKey, ip: string): void {
    const kept = this.#kept.get(key)
    const now = this.#now()
    if (!kept || now - (kept.noted.get(ip) ?? 0) < notedEveryMs) return
    if (kept.noted.size >= addressesMax) kept.noted.delete(kept.noted.keys().next().value!)
    kept.noted.set(ip, now)
    this.#keys.used(keyId, now, ip).catch(this.#onFault)
  }

  async #lookUp(key: string, isStillAsked: () => boolean): Promise<ReadyKey | undefined> {
    const until = performance.now() + believedMs
    const record = await this.#keys.find(key).catch((cause: unknown) => {
      this.#onFault(cause)
      // Nothing was sent yet, so the answer is "unavailable", not "status unknown".
      throw new Refused('UNAVAILABLE')
    })
    const before = this.#kept.get(key)
    const ready = record && readyKey(record)
    if (!isStillAsked()) return ready
    this.#kept.delete(key)
    if (!ready) return undefined
    if (this.#kept.size >= keptMax) this.#kept.delete(this.#kept.keys().next().value!)
    this.#kept.set(key, { ready, until, noted: before?.noted ?? new Map() })
    return ready
  }
}

function readyKey(record: KeyRecord): ReadyKey {
  const { number: keyId, key, kind, account, uid, createdAt, expiresAt, restUntil } = record
  const whose = { user: record.user as UserId, account, uid, class: record.class }
  return {
    owner: { ...whose, key, keyId, kind, scopes: new Set(record.scopes), isBound: record.ips.length > 0, createdAt, expiresAt, restUntil },
    isAllowedFrom: ipChecker(record.ips),
    signed: checks[kind](record.material),
  }
}

/** SHA-256 in hexadecimal digits of either case, compared in constant time. */
function hmacCheck(secret: string): ReadyKey['signed'] {
  const key = createSecretKey(secret, 'utf8')
  return (message, encoding, signature) => {
    if (!/^[0-9a-fA-F]{64}$/.test(signature)) return false
    return timingSafeEqual(createHmac('sha256', key).update(message, encoding).digest(), Buffer.from(signature, 'hex'))
  }
}

/** Of a message with an Ed25519 key. */
function ed25519Check(pem: string): ReadyKey['signed'] {
  const key = createPublicKey(pem)
  return (message, encoding, signature) => {
    const text = plain(signature)
    if (!/^[A-Za-z0-9+/]{86}==$/.test(text)) return false
    return verify(null, Buffer.from(message, encoding), key, Buffer.from(text, 'base64'))
  }
}

/** Of the SHA-256 of a message with an RSA key, padded as PKCS #1 version 1.5 has it. */
function rsaCheck(pem: string): ReadyKey['signed'] {
  const key = createPublicKey(pem)
  return (message, encoding, signature) => {
    const text = plain(signature)
    if (text.length > 1_000 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return false
    return verify('sha256', Buffer.from(message, encoding), key, Buffer.from(text, 'base64'))
  }
}

/** Base64 as it is or percent-encoded. */
const plain = (signature: string): string => signature.replace(/%(2B|2F|3D)/gi, (escape) => decodeURIComponent(escape))

const checks: Readonly<Record<KeyKind, (material: string) => ReadyKey['signed']>> = {
  hmac: hmacCheck,
  ed25519: ed25519Check,
  rsa: rsaCheck,
}
