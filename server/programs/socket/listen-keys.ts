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
  /** What listen keys are drawn from, with the seed of each; in no table. */
  readonly secret: Buffer
  readonly now: () => number
  /** Tells everybody that a listen key, of which this is the hash, opens nothing any more. */
  readonly onDeleted: (hash: string) => void
}

/** What is known of a listen key once it has been told: 64 hexadecimal digits. */
export const listenKeyHash = (listenKey: string): string => hashOf(listenKey).toString('hex')

/** Listen keys: what opens a user's stream for an hour at a time. Whoever has one may listen, so that only hashes are kept. */
export class ListenKeys {
  readonly #options: ListenKeysOptions

  constructor(options: ListenKeysOptions) {
    this.#options = options
  }

  /** The one of this API key for this stream, good for an hour from now on. */
  async put(owner: query.ListenKeyOwner): Promise<string> {
    const { pool, now } = this.#options
    for (;;) {
      const seed = randomBytes(32)
      const fresh = { seed, hash: hashOf(this.#keyOf(seed)) }
      const kept = await query.putListenKey(pool, owner, fresh, now() + listenKeyMs, now())
      const listenKey = this.#told(kept)
      if (listenKey !== undefined) return listenKey
      await query.deleteListenKey(pool, owner, kept.hash, now())
    }
  }

  /** One that ends by itself. */
  async token(owner: query.ListenKeyOwner, validMs: number): Promise<{ readonly token: string; readonly expirationTime: number }> {
    const { pool, now } = this.#options
    const token = newApiKey()
    const expirationTime = now() + validMs
    await query.addListenToken(pool, owner, hashOf(token), expirationTime)
    return { token, expirationTime }
  }

  /** Another hour. throws  ApiError -1125 */
  async renew(owner: query.ListenKeyOwner, listenKey: string | undefined): Promise<string> {
    const { pool, now } = this.#options
    const hash = listenKey === undefined ? undefined : hashOf(listenKey)
    const renewed = await query.renewListenKey(pool, owner, hash, now() + listenKeyMs, now())
    const known = renewed && (listenKey ?? this.#told(renewed))
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

  /** hash  of `listenKeyHash` */
  find(hash: string): Promise<query.ListenKeyRow | undefined> {
    return query.findListenKey(this.#options.pool, Buffer.from(hash, 'hex'), this.#options.now())
  }

  #keyOf(seed: Buffer): string {
    return lettersFrom(this.#options.secret, seed)
  }

  /** The key as it was told; undefined when it was drawn with another secret than this one. */
  #told({ seed, hash }: query.ListenKeyTrace): string | undefined {
    const listenKey = this.#keyOf(seed)
    return hashOf(listenKey).equals(hash) ? listenKey : undefined
  }
}
