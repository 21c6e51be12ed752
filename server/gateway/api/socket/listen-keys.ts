import type pg from 'pg'
import { newApiKey } from '../../../identity/secret.ts'
import * as query from '../../../store/query/listen-keys.ts'
import { ApiError } from '../errors.ts'

export const listenKeyMs = 60 * 60_000
export const listenTokenMaxMs = 24 * 60 * 60_000

const shape = /^[A-Za-z0-9]{64}$/
export const isListenKey = (name: string): boolean => shape.test(name)

const noSuchKey = () => new ApiError(-1125, 'This listenKey does not exist.')

export type ListenKeysOptions = {
  readonly pool: pg.Pool
  readonly now: () => number
  /** Tells everybody that a listen key opens nothing any more. */
  readonly onDeleted: (listenKey: string) => void
}

/** Listen keys: what opens a user's stream for an hour at a time. */
export class ListenKeys {
  readonly #options: ListenKeysOptions

  constructor(options: ListenKeysOptions) {
    this.#options = options
  }

  /** The one of this API key for this stream, good for an hour from now on. */
  put(owner: query.ListenKeyOwner): Promise<string> {
    const { pool, now } = this.#options
    return query.putListenKey(pool, owner, newApiKey(), now() + listenKeyMs, now())
  }

  /** One that ends by itself. */
  async token(owner: query.ListenKeyOwner, validMs: number): Promise<{ readonly token: string; readonly expirationTime: number }> {
    const { pool, now } = this.#options
    const token = newApiKey()
    const expirationTime = now() + validMs
    await query.addListenToken(pool, owner, token, expirationTime)
    return { token, expirationTime }
  }

  /** Another hour. throws  ApiError -1125 */
  async renew(owner: query.ListenKeyOwner, listenKey: string | undefined): Promise<string> {
    const { pool, now } = this.#options
    const renewed = await query.renewListenKey(pool, owner, listenKey, now() + listenKeyMs, now())
    if (renewed === undefined) throw noSuchKey()
    return renewed
  }

  /** throws  ApiError -1125 */
  async delete(owner: query.ListenKeyOwner, listenKey: string | undefined): Promise<void> {
    const { pool, now, onDeleted } = this.#options
    const deleted = await query.deleteListenKey(pool, owner, listenKey, now())
    if (deleted === undefined) throw noSuchKey()
    onDeleted(deleted)
  }

  find(listenKey: string): Promise<query.ListenKeyRow | undefined> {
    return query.findListenKey(this.#options.pool, listenKey, this.#options.now())
  }
}
