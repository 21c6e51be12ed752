import { sql } from 'kysely'
import { areActing, proposalLivesMs } from '../../four-eyes.ts'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { refuseMarked } from './own-withdrawal.ts'
import { depositRoles, type Officer, type ReviewDb } from './tables.ts'

export type DepositDeskOptions = { readonly db: ReviewDb; readonly clock: Clock }

/**
 * Held deposits end by two members: one proposes to release or to refuse with a reason, another approves within a day. A released one is
 * checked again, and credited unless a check fails that no member can answer. A refused one stays with the exchange, uncredited.
 */
export class DepositDesk {
  readonly #options: DepositDeskOptions

  constructor(options: DepositDeskOptions) {
    this.#options = options
  }

  /** Returns the proposal's number. throws  Refused NOT_FOUND, FORBIDDEN for their own account, PROPOSAL_OPEN */
  async propose(deposit: number, isReleased: boolean, reason: string, officer: Officer): Promise<number> {
    const { db, clock } = this.#options
    const at = clock()
    return db.transaction().execute(async (tx) => {
      await this.#held(tx, deposit, officer)
      await tx
        .updateTable('deposit_decisions')
        .set({ state: 'expired' })
        .where('deposit', '=', deposit)
        .where('state', '=', 'open')
        .where('expires_at', '<=', at)
        .execute()
      const made = await tx
        .insertInto('deposit_decisions')
        .values({
          ...{ deposit, is_released: isReleased, reason, proposed_by: officer.id },
          ...{ proposed_at: at, expires_at: at + proposalLivesMs },
        })
        .onConflict((clash) => clash.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!made) throw new Refused('PROPOSAL_OPEN')
      await officer.note(tx, 'deposit-proposed', String(deposit), { after: { id: made.id, isReleased }, why: reason })
      return made.id
    })
  }

  /** Approves somebody else's proposal. throws  Refused NOT_FOUND, FORBIDDEN, PROPOSAL_CLOSED, SECOND_PERSON_NEEDED */
  async approve(id: number, officer: Officer): Promise<void> {
    const { db, clock } = this.#options
    await db.transaction().execute(async (tx) => {
      const { deposit, is_released: isReleased, proposed_by: proposer, reason } = await find(tx, id)
      if (proposer === officer.id) throw new Refused('SECOND_PERSON_NEEDED')
      if (!(await areActing(tx, [proposer, officer.id], depositRoles))) throw new Refused('PROPOSAL_CLOSED')
      await this.#opened(tx, id)
      await this.#held(tx, deposit, officer)
      await tx
        .updateTable('deposit_decisions')
        .set({ state: 'approved', decided_by: officer.id, decided_at: clock() })
        .where('id', '=', id)
        .execute()
      const { numUpdatedRows } = await tx
        .updateTable('deposits')
        .set({ state: isReleased ? 'confirming' : 'refused' })
        .where('id', '=', deposit)
        .where('state', '=', 'held')
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Refused('PROPOSAL_CLOSED')
      await officer.note(tx, 'deposit-approved', String(deposit), { after: { id, isReleased }, why: reason })
    })
  }

  /** Declines somebody's proposal, or takes back the own. throws  Refused NOT_FOUND, PROPOSAL_CLOSED, FORBIDDEN */
  async decline(id: number, why: string, officer: Officer): Promise<void> {
    const { db, clock } = this.#options
    await db.transaction().execute(async (tx) => {
      const { deposit } = await find(tx, id)
      if (!(await areActing(tx, [officer.id], depositRoles))) throw new Refused('FORBIDDEN')
      await this.#opened(tx, id)
      await refuseOwn(tx, deposit, officer)
      await tx
        .updateTable('deposit_decisions')
        .set({ state: 'declined', decided_by: officer.id, decided_at: clock(), why })
        .where('id', '=', id)
        .execute()
      await officer.note(tx, 'deposit-declined', String(deposit), { after: { id }, why })
    })
  }

  /** A held deposit that is not of the member’s own account. throws  Refused NOT_FOUND, FORBIDDEN */
  async #held(tx: ReviewDb, deposit: number, officer: Officer): Promise<void> {
    if (!(await areActing(tx, [officer.id], depositRoles))) throw new Refused('FORBIDDEN')
    const row = await tx.selectFrom('deposits').select('state').where('id', '=', deposit).executeTakeFirst()
    if (row?.state !== 'held') throw new Refused('NOT_FOUND')
    await refuseOwn(tx, deposit, officer)
  }

  async #opened(tx: ReviewDb, id: number): Promise<void> {
    const row = await tx
      .selectFrom('deposit_decisions')
      .select(['state', 'expires_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (row.state !== 'open' || row.expires_at <= this.#options.clock()) throw new Refused('PROPOSAL_CLOSED')
  }
}

async function find(tx: ReviewDb, id: number) {
  const row = await tx.selectFrom('deposit_decisions').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Refused('NOT_FOUND')
  return row
}

/** throws  Refused FORBIDDEN for a deposit of the member's own account, or of a firm in which the member takes part */
async function refuseOwn(tx: ReviewDb, deposit: number, { id: staff, email }: Officer): Promise<void> {
  const own = await tx
    .selectFrom('deposits as d')
    .innerJoin('accounts as a', 'a.id', 'd.account')
    .select(['a.email', sql<boolean>`account_is_own(${staff}, a.id)`.as('is_own')])
    .where('d.id', '=', deposit)
    .executeTakeFirst()
  refuseMarked(own, email)
}
