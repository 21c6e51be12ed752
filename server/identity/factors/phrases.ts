import type { Account } from '../accounts.ts'
import { type Seal, SealFault } from '../seal.ts'
import type { Factors, Person } from './factors.ts'

export type PhraseParts = {
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
  async set(phrase: string | null, person: Person): Promise<void> {
    const { factors, seal } = this.#parts
    const { account } = person.session
    const sealed = phrase === null ? null : seal.close(phrase, account)
    const action = phrase === null ? 'phrase-removed' : 'phrase-set'
    await factors.change({ needs: 'phrase-set', action }, person, async (db) => {
      await db.updateTable('accounts').set({ phrase: sealed }).where('id', '=', account).execute()
    })
  }
}
