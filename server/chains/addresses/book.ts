import { webcrypto } from 'node:crypto'
import { isDepositAddressSigned } from '@candor/core/proof/deposit-address.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { WalletService } from './wallet.ts'

/** An address with all that a browser needs to check it by itself. */
export type ShownAddress = {
  readonly network: string
  readonly address: string
  readonly uid: string
  readonly signature: Uint8Array<ArrayBuffer>
}

export type AddressBookOptions = {
  readonly pool: pg.Pool
  readonly wallet: WalletService
  /** Ed25519 key of the wallet service, from the settings: not from the database. */
  readonly walletKey: Uint8Array<ArrayBuffer>
  readonly clock: Clock
}

/** A row does not have the wallet service's signature: somebody changed it. It is neither shown nor credited. */
export class AddressFault extends Error {
  constructor(network: string, address: string) {
    super(`The address ${address} on ${network} is not signed for its customer`)
    this.name = 'AddressFault'
  }
}

type Row = { readonly address: string; readonly uid: string; readonly signature: Buffer }

/** The deposit addresses of customers: one on each network, for ever. */
export class AddressBook {
  readonly #options: AddressBookOptions

  constructor(options: AddressBookOptions) {
    this.#options = options
  }

  /**
   * The address of an account on a network, issued when it is asked for first.
   *
   * throws  AddressFault when its row was changed. Error when the wallet service does not answer
   */
  async of(network: string, account: string): Promise<ShownAddress> {
    const row = (await this.#known(this.#options.pool, network, account)) ?? (await this.#issue(network, account))
    if (!(await this.#isSigned(network, row))) throw new AddressFault(network, row.address)
    return { network, address: row.address, uid: row.uid, signature: Uint8Array.from(row.signature) }
  }

  /** Whether the address of a deposit is signed for the account to which it would be credited, and that account has this number. */
  async isGood(deposit: { readonly network: string; readonly address: string; readonly account: string; readonly user_no: number }) {
    const { rows } = await this.#options.pool.query<Row>(
      `select address, uid, signature from deposit_addresses join accounts on accounts.id = account
       where network = $1 and address = $2 and account = $3 and user_no = $4 and core_user = user_no`,
      [deposit.network, deposit.address, deposit.account, deposit.user_no],
    )
    return rows.length === 1 && (await this.#isSigned(deposit.network, rows[0]!))
  }

  async #known(queries: Pick<pg.Pool, 'query'>, network: string, account: string): Promise<Row | undefined> {
    const { rows } = await queries.query<Row>(
      `select address, uid, signature from deposit_addresses join accounts on accounts.id = account where network = $1 and account = $2`,
      [network, account],
    )
    return rows[0]
  }

  /** One at a time for a network, so that places have no gaps and two requests give one address. */
  #issue(network: string, account: string): Promise<Row> {
    const { pool, wallet, clock } = this.#options
    return inTransaction(pool, async (client) => {
      await client.query('select pg_advisory_xact_lock(hashtext($1))', [`deposit addresses of ${network}`])
      const known = await this.#known(client, network, account)
      if (known !== undefined) return known
      const { rows } = await client.query<{ uid: string; user: number | null; place: number }>(
        `select uid, core_user as user, (select coalesce(max(place), 0) + 1 from deposit_addresses where network = $1) as place
         from accounts where id = $2`,
        [network, account],
      )
      const [about] = rows
      if (about === undefined || about.user === null) throw new Error('an address needs an account that the core knows')
      const { uid, user, place } = about
      const { address, signature } = await wallet.issue({ network, place, uid })
      const row = { address, uid, signature: Buffer.from(signature) }
      await client.query(
        `insert into deposit_addresses (network, address, account, user_no, place, signature, made_at) values ($1, $2, $3, $4, $5, $6, $7)`,
        [network, address, account, user, place, row.signature, clock()],
      )
      return row
    })
  }

  #isSigned(network: string, { address, uid, signature }: Row): Promise<boolean> {
    return isDepositAddressSigned(webcrypto.subtle, this.#options.walletKey, { network, address, uid }, Uint8Array.from(signature))
  }
}
