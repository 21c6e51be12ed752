import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Follower, Following, OpenedByKey } from '../../sockets/listen-key.ts'
import type { KeyRing, ReadyKey } from '../key-ring.ts'
import { listenKeyHash, type ListenKeys } from './listen-keys.ts'
import type { UserData, UserStream } from './user-data.ts'

/** `expiresAt`: end of the stream unless it is renewed; 0: it ends only with the API key. */
export type Attached = Following & { readonly stream: UserStream; readonly expiresAt: number }

type Kept = {
  readonly stream: UserStream
  readonly key: string
  readonly ip: string
  /** Hash of the listen key that opened it. */
  readonly hash: string | undefined
  expiresAt: number
  /** Expiry of the API key; 0: none. */
  keyEndsAt: number
  readonly follower: Follower
  readonly leave: () => void
}

const lookEveryMs = 1_000

export type KeyedStreamsOptions = {
  readonly users: UserData
  readonly ring: KeyRing
  readonly listenKeys: ListenKeys
  readonly now: () => number
  readonly onFault: (cause: unknown) => void
}

/**
 * User streams opened by a key. They end with the key, when the key is narrowed so that it no longer permits them, and at their
 * expiry.
 */
export class KeyedStreams implements OpenedByKey {
  readonly #options: KeyedStreamsOptions
  readonly #kept = new Set<Kept>()
  readonly #timer: NodeJS.Timeout
  #isLooking = false

  constructor(options: KeyedStreamsOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#look(), lookEveryMs)
    this.#timer.unref()
  }

  /** The stream of a listen key; undefined when the key opens none from this address. */
  async attach(listenKey: string, ip: string, follower: Follower): Promise<Attached | undefined> {
    const hash = listenKeyHash(listenKey)
    const found = await this.#options.listenKeys.find(hash)
    if (!found) return undefined
    const stream = { user: found.user as UserId, kind: found.kind, market: found.market as MarketId | 0 }
    return this.#follow(stream, found.key, ip, follower, hash, found.expiresAt)
  }

  /** A stream of the owner of an API key. */
  follow(stream: UserStream, key: string, ip: string, follower: Follower): Promise<Attached | undefined> {
    return this.#follow(stream, key, ip, follower, undefined, 0)
  }

  async #follow(
    stream: UserStream,
    key: string,
    ip: string,
    follower: Follower,
    hash: string | undefined,
    expiresAt: number,
  ): Promise<Attached | undefined> {
    const { ring, users } = this.#options
    if (!this.#opens(await ring.find(key), stream, ip)) return undefined
    const leaveStream = await users.join(stream, follower)
    const kept: Kept = {
      ...{ stream, key, ip, hash, expiresAt, follower, keyEndsAt: 0 },
      leave: () => {
        this.#kept.delete(kept)
        leaveStream()
      },
    }
    this.#kept.add(kept)
    // The key may have changed while the stream was prepared, before its changes were watched.
    const ready = await ring.find(key)
    kept.keyEndsAt = ready?.owner.expiresAt ?? 0
    if (this.#opens(ready, stream, ip)) return { stream, expiresAt, leave: kept.leave }
    kept.leave()
    return undefined
  }

  /** Called when the listen key with this hash was deleted somewhere. */
  listenKeyDeleted(hash: string): void {
    for (const kept of this.#kept) if (kept.hash === hash) this.#end(kept)
  }

  /** Called when an API key was changed or deleted somewhere. */
  async keyChanged(key: string): Promise<void> {
    const own = [...this.#kept].filter((kept) => kept.key === key)
    if (own.length === 0) return
    try {
      const ready = await this.#options.ring.find(key)
      for (const kept of own) {
        kept.keyEndsAt = ready?.owner.expiresAt ?? 0
        if (!this.#opens(ready, kept.stream, kept.ip)) this.#end(kept)
      }
    } catch (cause) {
      // The key's permissions are unknown: the streams are closed to be safe.
      this.#options.onFault(cause)
      for (const kept of own) this.#end(kept)
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #opens(ready: ReadyKey | undefined, { user }: UserStream, ip: string): boolean {
    if (!ready || ready.owner.user !== user || !ready.isAllowedFrom(ip) || !ready.owner.scopes.has('read')) return false
    const { expiresAt } = ready.owner
    return expiresAt === null || expiresAt > this.#options.now()
  }

  #end(kept: Kept): void {
    if (!this.#kept.has(kept)) return
    kept.leave()
    kept.follower.onEnd()
  }

  /** A stream that was renewed, here or elsewhere, continues. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const now = this.#options.now()
      for (const kept of this.#kept) {
        if (kept.keyEndsAt !== 0 && kept.keyEndsAt <= now) this.#end(kept)
        else if (kept.expiresAt !== 0 && kept.expiresAt <= now) {
          const found = await this.#options.listenKeys.find(kept.hash as string)
          if (found) kept.expiresAt = found.expiresAt
          else this.#end(kept)
        }
      }
    } catch (cause) {
      this.#options.onFault(cause)
    } finally {
      this.#isLooking = false
    }
  }
}
