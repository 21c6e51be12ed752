import type pg from 'pg'
import type { AddressBook } from '../addresses/book.ts'

type Asked = { readonly network: string; readonly account: string }

/**
 * Issues the deposit addresses that customers wait for, on networks that are read: reading begins with the newest final block, so what
 * came before it would never be seen.
 */
export class Issuer {
  readonly #pool: pg.Pool
  readonly #book: AddressBook

  constructor(pool: pg.Pool, book: AddressBook) {
    this.#pool = pool
    this.#book = book
  }

  /** throws  Error when the wallet service does not answer: the next turn asks again */
  async turn(): Promise<void> {
    const { rows } = await this.#pool.query<Asked>(
      `select network, account from deposit_address_requests r join accounts a on a.id = r.account join chain_cursors c using (network)
       where a.core_user is not null order by asked_at limit 100`,
    )
    for (const { network, account } of rows) {
      await this.#book.of(network, account)
      await this.#pool.query('delete from deposit_address_requests where network = $1 and account = $2', [network, account])
    }
  }
}
