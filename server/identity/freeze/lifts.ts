import type { Freeze } from '@candor/core/protocol/wire/console/customers.ts'
import { type Selectable, sql } from 'kysely'
import { areActing } from '../../four-eyes.ts'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { type Account, closeWithdrawals } from '../accounts.ts'
import { record } from '../audit.ts'
import type { Notices } from '../contacts/notices.ts'
import type { Keys } from '../keys.ts'
import type { FreezeLiftTable, IdentityDb } from '../tables.ts'
import type { CoreFreezes } from './core-freezes.ts'
import { exchange, type Officer } from './freezes.ts'

export type LiftParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly core: CoreFreezes
  readonly keys: Pick<Keys, 'announceAll'>
  readonly notices: Notices
  readonly onFault: (cause: unknown) => void
}

const livesMs = 24 * 60 * 60_000
const shownMax = 200

/** The end of a freeze: one member of the staff proposes it with a reason, another approves it within a day. The database checks both. */
export class Lifts {
  readonly #parts: LiftParts

  constructor(parts: LiftParts) {
    this.#parts = parts
  }

  /** Frozen accounts, the newest first. `before`: the last one of the page before. */
  async standing(before?: number): Promise<readonly Freeze[]> {
    const { db, clock } = this.#parts
    const rows = await db
      .selectFrom('freezes as f')
      .innerJoin('accounts as a', 'a.id', 'f.account')
      .leftJoin('freeze_lifts as l', (join) =>
        join.onRef('l.freeze_id', '=', 'f.id').on('l.state', '=', 'open').on('l.expires_at', '>', clock()),
      )
      .select(['f.id', 'a.uid', 'f.frozen_at', 'f.cause', 'f.officer', 'f.reason'])
      .select(['l.id as lift', 'l.reason as why', 'l.proposer', 'l.proposed_at', 'l.expires_at'])
      .where('f.lifted_at', 'is', null)
      .$if(before !== undefined, (query) => query.where('f.id', '<', before as number))
      .orderBy('f.id', 'desc')
      .limit(shownMax)
      .execute()
    return rows.map(({ id, uid, frozen_at: frozenAt, cause, officer, reason, lift, why, proposer, proposed_at, expires_at }) => ({
      ...{ id, uid, frozenAt, by: cause, officer, reason },
      lift: lift === null ? null : { id: lift, reason: why!, proposedBy: proposer!, proposedAt: proposed_at!, expiresAt: expires_at! },
    }))
  }

  /** Returns its number. throws  Refused NOT_FOUND without such a freeze, FORBIDDEN for the own account, STAFF_EXISTS while one is open */
  async propose(freeze: number, reason: string, officer: Officer): Promise<number> {
    const { db, clock } = this.#parts
    const now = clock()
    return db.transaction().execute(async (tx) => {
      const read = tx.selectFrom('freezes').select('account').where('id', '=', freeze).where('lifted_at', 'is', null).forShare()
      const standing = await read.executeTakeFirst()
      if (!standing) throw new Refused('NOT_FOUND')
      await refuseOwn(tx, standing.account, officer)
      await tx
        .updateTable('freeze_lifts')
        .set({ state: 'expired' })
        .where('freeze_id', '=', freeze)
        .where('state', '=', 'open')
        .where('expires_at', '<=', now)
        .execute()
      const made = await tx
        .insertInto('freeze_lifts')
        .values({ freeze_id: freeze, reason, proposed_by: officer.id, proposer: officer.name, proposed_at: now, expires_at: now + livesMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!made) throw new Refused('STAFF_EXISTS')
      await officer.note(tx, 'lift-proposed', String(freeze), { lift: made.id }, reason)
      return made.id
    })
  }

  /**
   * Opens the account again, with withdrawals closed for a day. The customer is told.
   *
   * throws  Refused NOT_FOUND, PROPOSAL_CLOSED, SECOND_PERSON_NEEDED, FORBIDDEN for the own account
   */
  async approve(id: number, officer: Officer): Promise<void> {
    const { db, core, keys, notices, onFault } = this.#parts
    const account = await db.transaction().execute((tx) => this.#lift(tx, id, officer))
    await keys.announceAll(account.id)
    notices.tell(account, 'account-unfrozen', exchange, { isClosing: true })
    // The core is told by `CoreFreezes.finish` if it can't be at once.
    await core.tell(account.id).catch(onFault)
  }

  /** Declines another member's proposal, or takes back the own. throws  Refused NOT_FOUND, PROPOSAL_CLOSED */
  async decline(id: number, why: string, officer: Officer): Promise<void> {
    await this.#parts.db.transaction().execute(async (tx) => {
      const { freeze_id: freeze } = await this.#opened(tx, id)
      await tx
        .updateTable('freeze_lifts')
        .set({ state: 'declined', decided_by: officer.id, decided_at: this.#parts.clock() })
        .where('id', '=', id)
        .execute()
      await officer.note(tx, 'lift-declined', String(freeze), { lift: id }, why)
    })
  }

  async #lift(tx: IdentityDb, id: number, officer: Officer): Promise<Account> {
    const { clock } = this.#parts
    const proposed = await tx
      .selectFrom('freeze_lifts as l')
      .innerJoin('freezes as f', 'f.id', 'l.freeze_id')
      .select(['l.proposed_by', 'l.freeze_id', 'f.account'])
      .where('l.id', '=', id)
      .executeTakeFirst()
    if (!proposed) throw new Refused('NOT_FOUND')
    if (proposed.proposed_by === officer.id) throw new Refused('SECOND_PERSON_NEEDED')
    await refuseOwn(tx, proposed.account, officer)
    // Held before the row of the lift, as where a member's role changes.
    const areReviewing = await areActing(tx, [proposed.proposed_by, officer.id], ['compliance'])
    // And this, as where an account is frozen.
    await tx.selectFrom('accounts').select('id').where('id', '=', proposed.account).forUpdate().execute()
    await tx.selectFrom('freezes').select('id').where('id', '=', proposed.freeze_id).forUpdate().execute()
    const { freeze_id: freeze, reason } = await this.#opened(tx, id)
    if (!areReviewing) throw new Refused('PROPOSAL_CLOSED')
    const now = clock()
    await tx.updateTable('freeze_lifts').set({ state: 'approved', decided_by: officer.id, decided_at: now }).where('id', '=', id).execute()
    await tx.updateTable('freezes').set({ lifted_at: now }).where('id', '=', freeze).execute()
    const account = await tx
      .updateTable('accounts')
      .set({ frozen_at: null })
      .where('id', '=', proposed.account)
      .returningAll()
      .executeTakeFirstOrThrow()
    await closeWithdrawals(tx, account.id, now)
    await record(tx, clock, { account: account.id, action: 'account-unfrozen', visitor: exchange, detail: { by: officer.name } })
    await officer.note(tx, 'lift-approved', String(freeze), { lift: id }, reason)
    return account
  }

  async #opened(tx: IdentityDb, id: number): Promise<Pick<Selectable<FreezeLiftTable>, 'freeze_id' | 'reason'>> {
    const row = await tx.selectFrom('freeze_lifts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!row) throw new Refused('NOT_FOUND')
    if (row.state !== 'open' || row.expires_at <= this.#parts.clock()) throw new Refused('PROPOSAL_CLOSED')
    return row
  }
}

/** An account with the member's address, that the member declared, or of the member's firm. throws  Refused FORBIDDEN */
async function refuseOwn(db: IdentityDb, account: string, { id, name }: Officer): Promise<void> {
  const { rows } = await sql`
    select from accounts where id = ${account} and email = ${name}
    union all select from accounts where id = ${account} and account_is_own(${id}, id) limit 1`.execute(db)
  if (rows.length > 0) throw new Refused('FORBIDDEN')
}
