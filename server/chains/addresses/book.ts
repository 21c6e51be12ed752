import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { inTransaction } from '../../store/transaction.ts'
import { type AddressRow, KnownAddresses, rowOf, type ShownAddress } from './known.ts'
import { SignerRefused } from '../signer/reasons.ts'
import type { Issue, Issued, WalletService } from './wallet.ts'

/** Places in a row that crashes may have lost. */
const lostMax = 100

export type AddressBookOptions = {
  readonly pool: pg.Pool
  readonly wallet: WalletService
  /** Ed25519 key of the wallet service, from the settings: not from the database. */
  readonly walletKey: Uint8Array<ArrayBuffer>
  readonly clock: Clock
}

/** The deposit addresses of customers: one on each network, for ever. It issues them; where they are only shown, `KnownAddresses` does. */
export class AddressBook {
  readonly #options: AddressBookOptions
  readonly #known: KnownAddresses

  constructor(options: AddressBookOptions) {
    this.#options = options
    this.#known = new KnownAddresses(options.pool, options.walletKey)
  }

  /**
   * The address of an account on a network, issued when it is asked for first.
   *
   * throws  AddressFault when its row was changed. Error when the wallet service does not answer
   */
  async of(network: string, account: string): Promise<ShownAddress> {
    return (await this.#known.of(network, account)) ?? this.#known.shown(network, await this.#issue(network, account))
  }

  /** Whether the address of a deposit is signed for the account to which it would be credited, and that account has this number. */
  isGood(deposit: Parameters<KnownAddresses['isGood']>[0]): Promise<boolean> {
    return this.#known.isGood(deposit)
  }

  /** One at a time for a network, so that places have no gaps and two requests give one address. */
  #issue(network: string, account: string): Promise<AddressRow> {
    const { pool, wallet, clock } = this.#options
    return inTransaction(pool, async (client) => {
      await client.query('select pg_advisory_xact_lock(hashtext($1))', [`deposit addresses of ${network}`])
      const known = await rowOf(client, network, account)
      if (known !== undefined) return known
      const { rows } = await client.query<{ uid: string; user: number | null; place: number }>(
        `select uid, core_user as user, (select coalesce(max(place), 0) + 1 from deposit_addresses where network = $1) as place
         from accounts where id = $2`,
        [network, account],
      )
      const [about] = rows
      if (about === undefined || about.user === null) throw new Error('an address needs an account that the core knows')
      const { uid, user, place } = about
      const { place: free, address, signature } = await issueFrom(wallet, { network, place, uid })
      const row = { address, uid, signature: Buffer.from(signature) }
      await client.query(
        `insert into deposit_addresses (network, address, account, user_no, place, signature, made_at) values ($1, $2, $3, $4, $5, $6, $7)`,
        [network, address, account, user, free, row.signature, clock()],
      )
      return row
    })
  }
}

/** The first place that the signer gives to the customer: one that was given to somebody before a crash is never used again. */
async function issueFrom(wallet: WalletService, { network, place: first, uid }: Issue): Promise<Issued & { readonly place: number }> {
  for (let place = first; ; place++) {
    try {
      return { ...(await wallet.issue({ network, place, uid })), place }
    } catch (cause) {
      if (!(cause instanceof SignerRefused && cause.reason === 'PLACE_TAKEN') || place - first >= lostMax) throw cause
    }
  }
}
