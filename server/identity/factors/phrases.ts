import type { Clock } from '../../ports.ts'
import type { Account } from '../accounts.ts'
import { record } from '../audit.ts'
import { type Seal, SealFault } from '../seal.ts'
import type { IdentityDb } from '../tables.ts'
import type { Factors, Person } from './factors.ts'

export type PhraseParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly factors: Factors
  readonly seal: Seal
  readonly onFault: (cause: unknown) => void
}

/**
 * The owner's own words in every mail to them, so that mail of somebody else is recognized. Nobody can read them back, also not the
 * owner's session: whoever stole one could write such mail.
 */
export class Phrases {
  readonly #parts: PhraseParts

  constructor(parts: PhraseParts) {
    this.#parts = parts
  }

  /** The words, as a part of a message. A mail leaves without them when the server key is lost. */
  of({ id, phrase }: Pick<Account, 'id' | 'phrase'>): { readonly phrase?: string } {
    try {
      return phrase === null ? {} : { phrase: this.#parts.seal.open(phrase, id) }
    } catch (cause) {
      if (!(cause instanceof SealFault)) throw cause
      this.#parts.onFault(cause)
      return {}
    }
  }

  /** `phrase`: null removes it. throws  Refused PROOF_NEEDED */
  async set(phrase: string | null, { session, visitor }: Person): Promise<void> {
    const { clock, factors, seal } = this.#parts
    const { account, id } = session
    await this.#parts.db.transaction().execute(async (db) => {
      await factors.require(session, 'phrase-set', db)
      const sealed = phrase === null ? null : seal.close(phrase, account)
      await db.updateTable('accounts').set({ phrase: sealed }).where('id', '=', account).execute()
      await record(db, clock, { account, action: phrase === null ? 'phrase-removed' : 'phrase-set', visitor, session: id })
    })
  }
}
