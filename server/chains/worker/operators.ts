import type pg from 'pg'
import { inTransaction } from '../../store/transaction.ts'
import type { SignerDoor } from '../treasury/heartbeat.ts'

/** Keeps the keys of the operators by the signer's policy in a table, so that the console knows who can sign. */
export class Operators {
  readonly #pool: pg.Pool
  readonly #signer: SignerDoor
  #policy: number | undefined

  constructor(pool: pg.Pool, signer: SignerDoor) {
    this.#pool = pool
    this.#signer = signer
  }

  /** The number of the signer's policy; undefined until the signer answered. */
  get policy(): number | undefined {
    return this.#policy
  }

  /** throws  PayoutWaits when the signer does not answer */
  async turn(): Promise<void> {
    const { operators, policy } = await this.#signer.through((link) => link.status())
    const values = [operators.map(({ key }) => key), operators.map(({ operator }) => operator)]
    const listed = 'select * from unnest($1::text[], $2::text[]) as listed (key, operator)'
    await inTransaction(this.#pool, async (client) => {
      await client.query(`delete from payout_operators where (key, operator) not in (${listed})`, values)
      await client.query(`insert into payout_operators (key, operator) ${listed} on conflict do nothing`, values)
    })
    this.#policy = policy
  }
}
