import { webcrypto } from 'node:crypto'
import { isDepositAddressSigned } from '@candor/core/proof/deposit-address.ts'
import type pg from 'pg'

/** An address with all that a browser needs to check it by itself. */
export type ShownAddress = {
  readonly network: string
  readonly address: string
  readonly uid: string
  readonly signature: Uint8Array<ArrayBuffer>
}

/** A row does not have the wallet service's signature: somebody changed it. It is neither shown nor credited. */
export class AddressFault extends Error {
  constructor(network: string, address: string) {
    super(`The address ${address} on ${network} is not signed for its customer`)
    this.name = 'AddressFault'
  }
}

export type AddressRow = { readonly address: string; readonly uid: string; readonly signature: Buffer }

/** The deposit addresses that were issued. Reading them needs the wallet service's public key, not the service. */
export class KnownAddresses {
  readonly #pool: pg.Pool
  readonly #walletKey: Uint8Array<ArrayBuffer>

  /** walletKey: Ed25519, from the settings: not from the database */
  constructor(pool: pg.Pool, walletKey: Uint8Array<ArrayBuffer>) {
    this.#pool = pool
    this.#walletKey = walletKey
  }

  /**
   * The address of an account on a network; undefined before it was issued.
   *
   * throws  AddressFault when its row was changed
   */
  async of(network: string, account: string): Promise<ShownAddress | undefined> {
    const row = await rowOf(this.#pool, network, account)
    return row && this.shown(network, row)
  }

  /** Whether the address of a deposit is signed for the account to which it would be credited, and that account has this number. */
  async isGood(deposit: { readonly network: string; readonly address: string; readonly account: string; readonly user_no: number }) {
    const { rows } = await this.#pool.query<AddressRow>(
      `select address, uid, signature from deposit_addresses join accounts on accounts.id = account
       where network = $1 and address = $2 and account = $3 and user_no = $4 and core_user = user_no`,
      [deposit.network, deposit.address, deposit.account, deposit.user_no],
    )
    return rows.length === 1 && (await this.#isSigned(deposit.network, rows[0]!))
  }

  /** throws  AddressFault for a row that is not signed */
  async shown(network: string, row: AddressRow): Promise<ShownAddress> {
    if (!(await this.#isSigned(network, row))) throw new AddressFault(network, row.address)
    return { network, address: row.address, uid: row.uid, signature: Uint8Array.from(row.signature) }
  }

  #isSigned(network: string, { address, uid, signature }: AddressRow): Promise<boolean> {
    return isDepositAddressSigned(webcrypto.subtle, this.#walletKey, { network, address, uid }, Uint8Array.from(signature))
  }
}

export async function rowOf(queries: Pick<pg.Pool, 'query'>, network: string, account: string): Promise<AddressRow | undefined> {
  const { rows } = await queries.query<AddressRow>(
    `select address, uid, signature from deposit_addresses join accounts on accounts.id = account where network = $1 and account = $2`,
    [network, account],
  )
  return rows[0]
}
