import type { UserId } from '@candor/core/protocol/ids.ts'
import { sql } from 'kysely'
import { secondsUntil } from '../identity/codes.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { Decider } from '../staff/proposals.ts'
import type { StaffLog } from '../staff/log.ts'
import { subjectOf } from './looks.ts'
import type { CustomersDb, CustomersTables } from './tables.ts'

export type MarkParts = {
  readonly db: CustomersDb
  readonly clock: Clock
  readonly log: StaffLog
  /** Tells the core that a user is an account of the staff. throws  Refused; what `Submit` throws */
  readonly mark: (user: UserId) => Promise<void>
  readonly onFault: (cause: unknown) => void
}

/** `uid` null: the member said to have none. Undefined: the member has not said anything yet. */
export type Declared = { readonly uid: string | null; readonly at: number } | undefined

/** Accounts that one member declares in this time: a stolen session must not bar customers. */
const declaredMax = 3
const declaredMs = 30 * 86_400_000
/** How often marks that the core does not know yet are told again. */
const againMs = 5_000

/**
 * Customer accounts of members of the staff. The database marks those that have a member's address; members declare others. What is
 * marked stays marked: a member who declares another account, or none, unmarks nothing.
 */
export class StaffMarks implements Disposable {
  readonly #parts: MarkParts
  readonly #timer: NodeJS.Timeout
  #telling: Promise<void> | undefined

  constructor(parts: MarkParts) {
    this.#parts = parts
    this.#timer = setInterval(() => void this.tell().catch(parts.onFault), againMs)
    this.#timer.unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  async declared(staff: string): Promise<Declared> {
    const row = await this.#parts.db
      .selectFrom('staff_customers as d')
      .leftJoin('accounts as a', 'a.id', 'd.account')
      .select(['a.uid', 'd.declared_at as at'])
      .where('d.staff', '=', staff)
      .executeTakeFirst()
    return row === undefined ? undefined : { uid: row.uid, at: row.at }
  }

  /** Null: the member has no account here. throws  Refused USER_UNKNOWN, RATE_LIMITED after many accounts */
  async declare(uid: string | null, { session, visitor }: Decider): Promise<void> {
    const { db, clock, log, onFault } = this.#parts
    const account = uid === null ? null : (await subjectOf(db, uid)).id
    await db.transaction().execute(async (tx) => {
      const actor = { staff: session.staff, session: session.id, visitor }
      if (account !== null) await this.#refuseMore(tx, session.staff, account)
      await log.write<CustomersTables>(tx, actor, { action: 'account-declared', ...(uid === null ? {} : { subject: uid }) })
      const row = { account, declared_at: clock() }
      await tx
        .insertInto('staff_customers')
        .values({ staff: session.staff, ...row })
        .onConflict((conflict) => conflict.column('staff').doUpdateSet(row))
        .execute()
    })
    await this.tell().catch(onFault)
  }

  /** A mark closes Second to its customer for good. Parallel declarations of one member wait for each other. */
  async #refuseMore(tx: CustomersDb, staff: string, account: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtext('account-declared'), hashtext(${staff}))`.execute(tx)
    const now = this.#parts.clock()
    const { count, first } = await tx
      .selectFrom('staff_marks')
      .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min('marked_at').as('first')])
      .where('staff', '=', staff)
      .where('cause', '=', 'declared')
      .where('account', '<>', account)
      .where('marked_at', '>', now - declaredMs)
      .executeTakeFirstOrThrow()
    if (Number(count) >= declaredMax) throw new Refused('RATE_LIMITED', { retryAfter: secondsUntil((first ?? now) + declaredMs, now) })
  }

  /** Tells the core about the accounts of which it does not know. A customer whom the core has not yet is told about later. */
  async tell(): Promise<void> {
    this.#telling ??= this.#tellAll().finally(() => {
      this.#telling = undefined
    })
    await this.#telling
  }

  async #tellAll(): Promise<void> {
    const { db, clock, mark } = this.#parts
    const untold = await db
      .selectFrom('staff_marks as m')
      .innerJoin('accounts as a', 'a.id', 'm.account')
      .select(['m.account', 'a.core_user'])
      .where('m.told_at', 'is', null)
      .where('a.core_user', 'is not', null)
      .execute()
    for (const { account, core_user: user } of untold) {
      await mark(user as UserId)
      await db.updateTable('staff_marks').set({ told_at: clock() }).where('account', '=', account).where('told_at', 'is', null).execute()
    }
  }
}
