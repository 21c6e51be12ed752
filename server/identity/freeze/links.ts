import type { Clock } from '../../ports.ts'
import { hashOf, newToken } from '../secret.ts'
import type { IdentityDb } from '../tables.ts'

const livesMs = 72 * 3_600_000

/** Links in messages by which the owner freezes the account: 128 random bits, for 72 hours, once. Only their hashes are stored. */
export class FreezeLinks {
  readonly #db: IdentityDb
  readonly #clock: Clock
  readonly #publicUrl: string

  constructor(db: IdentityDb, clock: Clock, publicUrl: string) {
    this.#db = db
    this.#clock = clock
    this.#publicUrl = publicUrl
  }

  /** A new link. It works once `keep` has stored it. */
  next(account: string): { readonly link: string; readonly keep: () => Promise<true> } {
    const token = newToken(16)
    const row = { token: hashOf(token), account, expires_at: this.#clock() + livesMs }
    return {
      link: `${this.#publicUrl}/#/freeze?token=${token}`,
      keep: async () => {
        await this.#db.insertInto('freeze_links').values(row).execute()
        return true
      },
    }
  }

  /** The account of a link that works now. */
  async accountOf(token: string): Promise<string | undefined> {
    const living = this.#db.selectFrom('freeze_links').select('account').where('token', '=', hashOf(token))
    return (await living.where('expires_at', '>', this.#clock()).executeTakeFirst())?.account
  }

  /** Uses up the link, in the transaction that holds the account's row. Returns false when another request was faster. */
  async take(db: IdentityDb, token: string): Promise<boolean> {
    const taken = db.deleteFrom('freeze_links').where('token', '=', hashOf(token)).where('expires_at', '>', this.#clock())
    return (await taken.returning('account').executeTakeFirst()) !== undefined
  }
}
