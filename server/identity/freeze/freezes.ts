import { sql } from 'kysely'
import type { Clock, Session } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { Account } from '../accounts.ts'
import { record } from '../audit.ts'
import { secondsUntil } from '../codes.ts'
import type { Notices } from '../contacts/notices.ts'
import type { Visitor } from '../device.ts'
import type { Keys } from '../keys.ts'
import { cancelDeletion } from '../gates/cancel.ts'
import { stopRegain } from '../regain/stop.ts'
import { requireLiving, type Sessions } from '../sessions.ts'
import type { IdentityDb } from '../tables.ts'
import type { CoreFreezes } from './core-freezes.ts'
import type { FreezeLinks } from './links.ts'

export type FreezeParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly core: CoreFreezes
  readonly sessions: Sessions
  readonly keys: Pick<Keys, 'announceAll' | 'endPrograms'>
  readonly notices: Notices
  readonly links: FreezeLinks
  readonly onFault: (cause: unknown) => void
}

export type OfficerAction = 'customer-frozen' | 'lift-proposed' | 'lift-approved' | 'lift-declined'

/** A member of the staff. `note`: writes to the staff's log, in the transaction of the action; throws Refused without a living session. */
export type Officer = {
  readonly id: string
  readonly name: string
  readonly visitor: Visitor
  note(tx: IdentityDb, action: OfficerAction, subject: string, after?: Readonly<Record<string, unknown>>, why?: string): Promise<void>
}

/** How a freeze comes about; `check` runs in its transaction, with the account's row held. */
type Cause = {
  readonly by: 'owner' | 'link' | 'staff'
  readonly visitor: Visitor
  readonly session?: string
  readonly officer?: Officer
  readonly reason?: string
  readonly check?: (db: IdentityDb) => Promise<void>
}

/**
 * Freezes accounts: all sessions and waiting logins end, logins are refused once every factor was right, resets change nothing, API keys
 * are refused, and the core takes no new orders or transfers and cancels open ones. Positions and what protects them stay. A freeze by the
 * owner ends API keys and webhooks for good.
 */
export class Freezes {
  readonly #parts: FreezeParts

  constructor(parts: FreezeParts) {
    this.#parts = parts
  }

  /** By its owner, from any session: speed counts more than a proof here. throws  Refused UNAUTHENTICATED */
  async byOwner({ account, id }: Session, visitor: Visitor): Promise<void> {
    await this.#freeze(account, { by: 'owner', visitor, session: id, check: (db) => requireLiving(db, id) })
  }

  /**
   * By the link in a message about a change that was not the owner's. After a lift, links rest for half an hour and stay valid: a stranger
   * who reads the mailbox would otherwise freeze the account again before its owner can log in and change the address.
   *
   * throws  Refused TOKEN_EXPIRED, FREEZE_LINK_RESTS with the seconds to wait
   */
  async byLink(token: string, visitor: Visitor): Promise<void> {
    const { links } = this.#parts
    const account = await links.accountOf(token)
    if (account === undefined) {
      visitor.asStranger?.()
      throw expired()
    }
    const check = async (db: IdentityDb): Promise<void> => {
      await this.#refuseResting(db, account)
      if (!(await links.take(db, token))) throw expired()
    }
    await this.#freeze(account, { by: 'link', visitor, check })
  }

  /**
   * By one member of the staff: not the exchange's own accounts, which would stop its markets, and not many in a day, because it takes two
   * to open each again.
   *
   * throws  Refused USER_UNKNOWN, ACCOUNT_OF_EXCHANGE, STAFF_EXISTS when it is frozen, RATE_LIMITED
   */
  async byStaff(uid: string, reason: string, officer: Officer): Promise<void> {
    const row = await this.#parts.db.selectFrom('accounts').select(['id', 'class']).where('uid', '=', uid).executeTakeFirst()
    if (!row) throw new Refused('USER_UNKNOWN')
    if (row.class !== 'retail') throw new Refused('ACCOUNT_OF_EXCHANGE')
    const check = (db: IdentityDb): Promise<void> => this.#refuseMore(db, officer)
    if (!(await this.#freeze(row.id, { by: 'staff', visitor: exchange, officer, reason, check }))) throw new Refused('STAFF_EXISTS')
  }

  /** Parallel freezes of one member wait for each other. */
  async #refuseMore(db: IdentityDb, { id }: Officer): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtext('customer-frozen'), hashtext(${id}))`.execute(db)
    const now = this.#parts.clock()
    const { count, first } = await db
      .selectFrom('freezes')
      .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min('frozen_at').as('first')])
      .where('staff', '=', id)
      .where('frozen_at', '>', now - dayMs)
      .executeTakeFirstOrThrow()
    if (Number(count) >= freezesPerDay) throw new Refused('RATE_LIMITED', { retryAfter: secondsUntil((first ?? now) + dayMs, now) })
  }

  async #refuseResting(db: IdentityDb, account: string): Promise<void> {
    const now = this.#parts.clock()
    const lifted = db
      .selectFrom('freezes')
      .select('lifted_at')
      .where('account', '=', account)
      .where('lifted_at', '>', now - restMs)
    const since = (await lifted.orderBy('lifted_at', 'desc').limit(1).executeTakeFirst())?.lifted_at
    if (since) throw new Refused('FREEZE_LINK_RESTS', { retryAfter: secondsUntil(since + restMs, now) })
  }

  /** Returns false when the account is frozen already. */
  async #freeze(id: string, cause: Cause): Promise<boolean> {
    const { db, core, sessions, keys, notices, onFault } = this.#parts
    const { visitor, check } = cause
    const done = await db.transaction().execute(async (tx) => {
      const account = await tx.selectFrom('accounts').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
      await check?.(tx)
      if (account.frozen_at !== null) return undefined
      await this.#store(tx, account, cause)
      // One of them may be a thief's.
      await sessions.forgetDevices(tx, id)
      // Who has the account may have made keys and webhooks that would work again after a lift. The staff freeze on a suspicion only.
      const programs = cause.by === 'staff' ? [] : [await keys.endPrograms(tx, id)]
      return { account, ended: [...programs, await sessions.revokeWithin(tx, id)] }
    })
    if (done === undefined) return false
    const { account, ended } = done
    for (const { announce } of ended) announce()
    await keys.announceAll(id)
    notices.tell(account, 'account-frozen', visitor)
    // Logins and keys are refused by now. The core is told by `CoreFreezes.finish` if it can't be at once.
    await core.tell(id).catch(onFault)
    return true
  }

  async #store(tx: IdentityDb, { id, uid }: Account, { by, visitor, session, officer, reason }: Cause): Promise<void> {
    const { clock } = this.#parts
    const now = clock()
    await tx.updateTable('accounts').set({ frozen_at: now }).where('id', '=', id).execute()
    const whose = { staff: officer?.id ?? null, officer: officer?.name ?? null, reason: reason ?? null }
    await tx
      .insertInto('freezes')
      .values({ account: id, frozen_at: now, cause: by, ...whose, lifted_at: null })
      .execute()
    for (const table of ['reset_tokens', 'login_steps', 'freeze_links'] as const)
      await tx.deleteFrom(table).where('account', '=', id).execute()
    // No login can end the request from now on.
    await cancelDeletion(tx, id, clock)
    await stopRegain(tx, clock, id, { by: 'freeze', visitor, session })
    await record(tx, clock, { account: id, action: 'account-frozen', visitor, session, detail: { by } })
    await officer?.note(tx, 'customer-frozen', uid, undefined, reason)
  }
}

const restMs = 30 * 60_000
const dayMs = 86_400_000
/** Accounts that one member of the staff freezes in a day. */
const freezesPerDay = 50

/** The customer learns that it was the exchange, and no address of its staff. */
export const exchange: Visitor = { ip: '—', userAgent: '' }

const expired = (): Refused => new Refused('TOKEN_EXPIRED', { field: 'token' })
