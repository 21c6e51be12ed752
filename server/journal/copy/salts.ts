import type pg from 'pg'
import { type ReceiptSalt, saltsOf } from '../../store/query/proof/receipts.ts'

/** The salts of one row's receipts, in the order of their leaves, and the users who have their first leaf in it. */
export type RowSalts = { readonly users: readonly (readonly [user: number, uid: string])[]; readonly bytes: Buffer }

/** Salts in the order of the journal, read in pages. Users are kept, so that each is named once. */
export class CopiedSalts {
  readonly #salts: AsyncGenerator<ReceiptSalt>
  readonly #named = new Set<number>()
  /** Read, and of a later row. */
  #next: ReceiptSalt | undefined
  #isRead = false

  constructor(pool: pg.Pool, range: { readonly after: number; readonly to: number }) {
    this.#salts = saltsOf(pool, range)
  }

  /** The salts of the commands up to `seq`, from where the call before ended. `head`: covers them; undefined: nobody needs their salts. */
  async until(seq: number, head: number | undefined): Promise<RowSalts> {
    const users: (readonly [number, string])[] = []
    const salts: Buffer[] = []
    if (!this.#isRead) await this.#read()
    for (let one = this.#next; one !== undefined && one.seq <= seq; one = this.#next) {
      await this.#read()
      // Before their first head, users have no leaves.
      if (head === undefined || one.head > head) continue
      if (!this.#named.has(one.user)) users.push([one.user, one.uid])
      this.#named.add(one.user)
      salts.push(one.salt)
    }
    return { users, bytes: Buffer.concat(salts) }
  }

  async #read(): Promise<void> {
    this.#isRead = true
    const { done, value } = await this.#salts.next()
    this.#next = done === true ? undefined : value
  }
}
