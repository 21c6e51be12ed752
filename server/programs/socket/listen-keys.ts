import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { hashOf, lettersFrom, newApiKey } from '../../identity/secret.ts'
import * as query from '../../store/query/listen-keys.ts'
import { ApiError } from '../errors.ts'

export const listenKeyMs = 60 * 60_000
export const listenTokenMaxMs = 24 * 60 * 60_000

const noSuchKey = () => new ApiError(-1125, 'This listenKey does not exist.')

export type ListenKeysOptions = {
  readonly pool: pg.Pool
  /** The secret from which listen keys are derived together with their seeds; it is in no table. */
  readonly secret: Buffer
  readonly now: () => number
  /** Announces that the listen key with this hash is no longer valid. */
  readonly onDeleted: (hash: string) => void
}

/** The stored form of a listen key: a hash, 64 hexadecimal digits. */
export const listenKeyHash = (listenKey: string): string => hashOf(listenKey).toString('hex')

/** A listen key opens a user's stream for an hour, and each renewal extends it by an hour. Anyone who has a key can listen, so only hashes are stored. */
export class ListenKeys {
  readonly #options: ListenKeysOptions

  constructor(options: ListenKeysOptions) {
    this.#options = options
  }

  /** The listen key of this API key for this stream, valid for an hour from now. */
  async put(owner: query.ListenKeyOwner): Promise<string> {
    const { pool, now } = this.#options
    for (;;) {
      const seed = randomBytes(32)
      const fresh = { seed, hash: hashOf(this.#keyOf(seed)) }
      const kept = await query.putListenKey(pool, owner, fresh, now() + listenKeyMs, now())
      const listenKey = this.#listenKeyOf(kept)
      if (listenKey !== undefined) return listenKey
      await query.deleteListenKey(pool, owner, kept.hash, now())
    }
  }

  /** A listen key that expires by itself. */
  async token(owner: query.ListenKeyOwner, validMs: number): Promise<{ readonly token: string; readonly expirationTime: number }> {
    const { pool, now } = this.#options
    const token = newApiKey()
    const expirationTime = now() + validMs
    await query.addListenToken(pool, owner, hashOf(token), expirationTime)
    return { token, expirationTime }
  }

  /** Extends a listen key by another hour. throws  ApiError -1125 */
  async renew(owner: query.ListenKeyOwner, listenKey: string | undefined): Promise<string> {
    const { pool, now } = this.#options
    const hash = listenKey === undefined ? undefined : hashOf(listenKey)
    const renewed = await query.renewListenKey(pool, owner, hash, now() + listenKeyMs, now())
    const known = renewed && (listenKey ?? this.#listenKeyOf(renewed))
    if (known === undefined) throw noSuchKey()
    return known
  }

  /** throws  ApiError -1125 */
  async delete(owner: query.ListenKeyOwner, listenKey: string | undefined): Promise<void> {
    const { pool, now, onDeleted } = this.#options
    const hash = listenKey === undefined ? undefined : hashOf(listenKey)
    const deleted = await query.deleteListenKey(pool, owner, hash, now())
    if (deleted === undefined) throw noSuchKey()
    onDeleted(deleted.toString('hex'))
  }

  /** hash  from `listenKeyHash` */
  find(hash: string): Promise<query.ListenKeyRow | undefined> {
    return query.findListenKey(this.#options.pool, Buffer.from(hash, 'hex'), this.#options.now())
  }

  #keyOf(seed: Buffer): string {
    return lettersFrom(this.#options.secret, seed)
  }

  /** The listen key itself, from its seed; undefined when it was derived with another secret. */
  #listenKeyOf({ seed, hash }: query.ListenKeyTrace): string | undefined {
    const listenKey = this.#keyOf(seed)
    return hashOf(listenKey).equals(hash) ? listenKey : undefined
  }
}
