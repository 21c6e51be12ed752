import type { Clock, Session } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { agreementVersion } from './agreement.ts'
import { record } from '../audit.ts'
import { deviceOf, type Visitor } from '../device.ts'
import { requireLiving } from '../sessions.ts'
import type { IdentityDb } from '../tables.ts'

/** Versions of the user agreement that accounts have accepted, each with time, session, network and device. */
export class Agreements {
  readonly #db: IdentityDb
  readonly #clock: Clock

  constructor(db: IdentityDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Part of a registration, which has no session yet. */
  async store(db: IdentityDb, account: string, visitor: Visitor, session?: string): Promise<boolean> {
    const accepted = { account, version: agreementVersion, accepted_at: this.#clock(), session: session ?? null }
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('agreements')
      .values({ ...accepted, ip: visitor.ip, device: deviceOf(visitor.userAgent) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  }

  /**
   * Accepts the present version. Repeating it changes nothing.
   *
   * version  the one whose text the customer has read
   * throws   Refused AGREEMENT_MISSING when it is no longer the present one, UNAUTHENTICATED
   */
  async accept(version: string, { account, id }: Session, visitor: Visitor): Promise<void> {
    if (version !== agreementVersion) throw new Refused('AGREEMENT_MISSING', { field: 'version' })
    await this.#db.transaction().execute(async (tx) => {
      await requireLiving(tx, id)
      if (!(await this.store(tx, account, visitor, id))) return
      const detail = { agreement: agreementVersion }
      await record(tx, this.#clock, { account, action: 'agreement-accepted', visitor, session: id, detail })
    })
  }

  /** Whether the account has accepted an older version, but not the present one. Accounts of the command line have accepted none. */
  async isDue(account: string): Promise<boolean> {
    const rows = await this.#db.selectFrom('agreements').select('version').where('account', '=', account).execute()
    return rows.length > 0 && !rows.some(({ version }) => version === agreementVersion)
  }
}
