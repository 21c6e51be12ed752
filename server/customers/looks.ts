import { sql } from 'kysely'
import { Refused } from '../refused.ts'
import type { Clock } from '../ports.ts'
import type { Actor, StaffEntry, StaffLog } from '../staff/log.ts'
import type { Decider } from '../staff/proposals.ts'
import type { CustomersDb, CustomersTables } from './tables.ts'

/** One entry of the log stands for all looks of a member at a customer in this time. */
const lookMs = 15 * 60_000

export type LookParts = { readonly db: CustomersDb; readonly clock: Clock; readonly log: StaffLog }

/** An account as its pages find it. */
export type Subject = { readonly id: string; readonly uid: string; readonly user: number | null }

/** Looks of the staff at customers. Each is in the log before anything of the customer is shown. */
export class Looks {
  readonly #parts: LookParts

  constructor(parts: LookParts) {
    this.#parts = parts
  }

  /** throws  Refused USER_UNKNOWN, UNAUTHENTICATED */
  async at(uid: string, who: Decider): Promise<Subject> {
    const { db } = this.#parts
    const subject = await subjectOf(db, uid)
    if (await this.#isLogged(db, uid, who)) return subject
    await db.transaction().execute(async (tx) => {
      // Pages ask for several parts of a customer at once.
      await sql`select pg_advisory_xact_lock(hashtext('customer-seen'), hashtext(${who.session.staff + uid}))`.execute(tx)
      if (!(await this.#isLogged(tx, uid, who))) await this.write(tx, who, { action: 'customer-seen', subject: uid })
    })
    return subject
  }

  async write(tx: CustomersDb, who: Decider, entry: StaffEntry): Promise<void> {
    await this.#parts.log.write<CustomersTables>(tx, actorOf(who), entry)
  }

  async #isLogged(db: CustomersDb, uid: string, { session }: Decider): Promise<boolean> {
    const { rows } = await sql`
      select from staff_log where subject = ${uid} and action = 'customer-seen' and staff = ${session.staff}
        and at > ${this.#parts.clock() - lookMs} limit 1`.execute(db)
    return rows.length > 0
  }
}

/** throws  Refused USER_UNKNOWN */
export async function subjectOf(db: CustomersDb, uid: string): Promise<Subject> {
  const row = await db.selectFrom('accounts').select(['id', 'core_user']).where('uid', '=', uid).executeTakeFirst()
  if (!row) throw new Refused('USER_UNKNOWN')
  return { id: row.id, uid, user: row.core_user }
}

const actorOf = ({ session, visitor }: Decider): Actor => ({ staff: session.staff, session: session.id, visitor })
