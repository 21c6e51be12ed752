import { createHmac, randomBytes } from 'node:crypto'
import type { Seal } from '../identity/seal.ts'
import type { PaperFields, PapersDb } from './tables.ts'

const place = 'paper tags'

/** A document's number without what people write between its characters: `A 123.456(7)` is `A1234567`. */
export function plainNumber(number: string): string {
  return number
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
}

/**
 * Says whether two documents are the same without storing what they say: an HMAC of kind, country and number under a random key
 * that only the server can open. Numbers are short: without the key, somebody with a copy of the database would try them all.
 */
export class Tags {
  readonly #db: PapersDb
  readonly #seal: Seal
  #key: Promise<Buffer> | undefined

  constructor(db: PapersDb, seal: Seal) {
    this.#db = db
    this.#seal = seal
  }

  /** Reads the key; after this, `of` needs no connection to the database. */
  async ready(): Promise<void> {
    await this.#keyOnce()
  }

  async of({ kind, country, number }: Required<Pick<PaperFields, 'kind' | 'country' | 'number'>>): Promise<Buffer> {
    const key = await this.#keyOnce()
    return createHmac('sha256', key)
      .update(`${kind}:${country}:${plainNumber(number)}`)
      .digest()
  }

  #keyOnce(): Promise<Buffer> {
    this.#key ??= this.#read().catch((cause: unknown) => {
      // A database that was away for a moment must not be remembered.
      this.#key = undefined
      throw cause
    })
    return this.#key
  }

  /** The key, made once for all time by whoever comes first. */
  async #read(): Promise<Buffer> {
    const sealed = this.#seal.close(randomBytes(32).toString('base64'), place)
    await this.#db
      .insertInto('paper_tag_keys')
      .values({ name: place, key: sealed })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { key } = await this.#db.selectFrom('paper_tag_keys').select('key').where('name', '=', place).executeTakeFirstOrThrow()
    return Buffer.from(this.#seal.open(key, place), 'base64')
  }
}
