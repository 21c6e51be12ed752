import type { Clock } from '../ports.ts'
import type { Decider } from '../staff/proposals.ts'
import type { Looks, Subject } from './looks.ts'
import type { CustomersDb } from './tables.ts'

export type Note = { readonly id: number; readonly at: number; readonly author: string; readonly text: string }

const shownMax = 100

/** Notes of the staff about a customer, for each other. They are added and never changed. */
export class Notes {
  readonly #db: CustomersDb
  readonly #clock: Clock
  readonly #looks: Looks

  constructor(db: CustomersDb, clock: Clock, looks: Looks) {
    this.#db = db
    this.#clock = clock
    this.#looks = looks
  }

  /** Newest first. */
  async of({ id }: Subject): Promise<readonly Note[]> {
    return this.#db
      .selectFrom('customer_notes')
      .select(['id', 'at', 'author', 'text'])
      .where('account', '=', id)
      .orderBy('id', 'desc')
      .limit(shownMax)
      .execute()
  }

  async add({ id, uid }: Subject, text: string, who: Decider): Promise<void> {
    const { staff, email } = who.session
    await this.#db.transaction().execute(async (tx) => {
      await this.#looks.write(tx, who, { action: 'note-added', subject: uid })
      await tx.insertInto('customer_notes').values({ account: id, at: this.#clock(), staff, author: email, text }).execute()
    })
  }
}
