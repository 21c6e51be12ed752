import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { Issue, Issued, WalletService } from '../addresses/wallet.ts'
import { SignerRefused } from '../signer/reasons.ts'

export type IssuerOptions = {
  readonly pool: pg.Pool
  readonly wallet: WalletService
  readonly clock: Clock
}

/** Places in a row that crashes may have lost. */
const lostMax = 100

type Asked = { readonly network: string; readonly account: string }

/** Issues the deposit addresses that customers wait for. One address for each account and network, for ever. */
export class Issuer {
  readonly #options: IssuerOptions

  constructor(options: IssuerOptions) {
    this.#options = options
  }

  /** throws  Error when the wallet service does not answer: the next turn asks again */
  async turn(): Promise<void> {
    const { rows } = await this.#options.pool.query<Asked>(
      'select network, account from deposit_address_requests order by asked_at limit 100',
    )
    for (const asked of rows) await this.#issue(asked)
  }

  /** One at a time for a network, so that places have no gaps and two requests give one address. */
  #issue({ network, account }: Asked): Promise<void> {
    const { pool, wallet, clock } = this.#options
    return inTransaction(pool, async (client) => {
      await client.query('select pg_advisory_xact_lock(hashtext($1))', [`deposit addresses of ${network}`])
      await client.query('delete from deposit_address_requests where network = $1 and account = $2', [network, account])
      const { rows } = await client.query<{ uid: string; user: number | null; place: number; has: boolean }>(
        `select uid, core_user as user, (select coalesce(max(place), 0) + 1 from deposit_addresses where network = $1) as place,
           exists (select from deposit_addresses where network = $1 and account = $2) as has
         from accounts where id = $2`,
        [network, account],
      )
      const [about] = rows
      if (about === undefined || about.user === null || about.has) return
      const { uid, user, place } = about
      const { place: free, address, signature } = await issueFrom(wallet, { network, place, uid })
      await client.query(
        `insert into deposit_addresses (network, address, account, user_no, place, signature, made_at) values ($1, $2, $3, $4, $5, $6, $7)`,
        [network, address, account, user, free, Buffer.from(signature), clock()],
      )
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
