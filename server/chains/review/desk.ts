import type { WithdrawalReason } from '@candor/core/protocol/wire/withdrawal-reasons.ts'
import { sql } from 'kysely'
import { areActing } from '../../four-eyes.ts'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { refuseOwn } from './own-withdrawal.ts'
import { approvedReason, type Reviews } from './reviews.ts'
import { type Officer, type ReviewDb, withdrawalRoles } from './tables.ts'

export type WithdrawalDeskOptions = {
  readonly db: ReviewDb
  readonly clock: Clock
  readonly reviews: Pick<Reviews, 'send'>
}

/** A claim that nobody ended by then is nobody's. */
export const claimMs = 30 * 60_000
/** Requests that one member holds at a time: the queue is for all of them. */
const claimsMax = 10

/** `open`: another member must approve, too. `waits`: the core can't be reached; it gets the decision as soon as it can. */
export type Decided = { readonly state: 'open' | 'done' | 'waits' }

type Verdict = { readonly isApproved: true } | { readonly isApproved: false; readonly reason: WithdrawalReason; readonly note: string }

/**
 * People decide about requests for withdrawals. One looks at a request at a time; where two have to approve, the second looks after the
 * first has. One member rejects, with a reason for the customer and a note for the staff.
 */
export class WithdrawalDesk {
  readonly #options: WithdrawalDeskOptions

  constructor(options: WithdrawalDeskOptions) {
    this.#options = options
  }

  /**
   * Takes a request for the member alone, for half an hour; again: for another.
   *
   * throws  Refused NOT_FOUND, WITHDRAWAL_STATE, CLAIMED, FORBIDDEN for their own account, SECOND_PERSON_NEEDED, RATE_LIMITED
   */
  async claim(id: number, officer: Officer): Promise<void> {
    const { db, clock } = this.#options
    const now = clock()
    await db.transaction().execute(async (tx) => {
      const { round } = await this.#requested(tx, id, officer)
      if (await hasApproved(tx, id, round, officer)) throw new Refused('SECOND_PERSON_NEEDED')
      await refuseMore(tx, id, officer, now)
      const taken = await tx
        .insertInto('withdrawal_claims')
        .values({ withdrawal: id, staff: officer.id, claimed_at: now })
        .onConflict((clash) =>
          clash
            .column('withdrawal')
            .doUpdateSet({ staff: officer.id, claimed_at: now })
            .where((where) =>
              where.or([where('withdrawal_claims.staff', '=', officer.id), where('withdrawal_claims.claimed_at', '<=', now - claimMs)]),
            ),
        )
        .returning('withdrawal')
        .executeTakeFirst()
      if (!taken) throw new Refused('CLAIMED')
      await officer.note(tx, 'withdrawal-claimed', String(id))
    })
  }

  /** Gives a request back. Does nothing when it is not the member's. */
  async release(id: number, officer: Officer): Promise<void> {
    await this.#options.db.transaction().execute(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('withdrawal_claims')
        .where('withdrawal', '=', id)
        .where('staff', '=', officer.id)
        .executeTakeFirst()
      if (numDeletedRows > 0n) await officer.note(tx, 'withdrawal-released', String(id))
    })
  }

  /**
   * Approves a claimed request. The core hears of it once enough members have.
   *
   * throws  Refused NOT_FOUND, WITHDRAWAL_STATE also when the customer cancelled meanwhile, CLAIMED, FORBIDDEN, SECOND_PERSON_NEEDED, or
   *         by the core
   */
  approve(id: number, officer: Officer): Promise<Decided> {
    return this.#decide(id, officer, { isApproved: true })
  }

  /** Rejects a claimed request; the amount is available again. throws  Refused as `approve` */
  reject(id: number, reason: WithdrawalReason, note: string, officer: Officer): Promise<Decided> {
    return this.#decide(id, officer, { isApproved: false, reason, note })
  }

  async #decide(id: number, officer: Officer, verdict: Verdict): Promise<Decided> {
    const { db, clock, reviews } = this.#options
    const isDecided = await db.transaction().execute(async (tx) => {
      if (!(await areActing(tx, [officer.id], withdrawalRoles))) throw new Refused('FORBIDDEN')
      await this.#claimed(tx, id, officer)
      const { round, people } = await this.#requested(tx, id, officer)
      const { number } = await tx.selectFrom('staff').select('number').where('id', '=', officer.id).executeTakeFirstOrThrow()
      const { isApproved } = verdict
      const words = verdict.isApproved ? { reason: null, note: null } : { reason: verdict.reason, note: verdict.note }
      const at = clock()
      const given = await tx
        .insertInto('withdrawal_verdicts')
        .values({ withdrawal: id, round, staff: officer.id, member: number, is_approved: isApproved, ...words, at })
        .onConflict((clash) => clash.doNothing())
        .returning('withdrawal')
        .executeTakeFirst()
      if (!given) throw new Refused('SECOND_PERSON_NEEDED')
      await tx.deleteFrom('withdrawal_claims').where('withdrawal', '=', id).execute()
      await officer.note(tx, isApproved ? 'withdrawal-approved' : 'withdrawal-rejected', String(id), {
        after: { round, people, ...(verdict.isApproved ? {} : { reason: verdict.reason }) },
        ...(verdict.isApproved ? {} : { why: verdict.note }),
      })
      const behind = verdict.isApproved ? await approvers(tx, id, round) : [number]
      if (verdict.isApproved && behind.length < Math.max(1, people)) return false
      const [first = 0, second = 0] = behind
      const reason = verdict.isApproved ? approvedReason : verdict.reason
      await tx
        .insertInto('withdrawal_decisions')
        .values({ withdrawal: id, round, is_approved: isApproved, first, second, reason, decided_at: at })
        .execute()
      return true
    })
    return isDecided ? reviews.send(id) : { state: 'open' }
  }

  /** Holds the member's claim. throws  Refused CLAIMED */
  async #claimed(tx: ReviewDb, id: number, { id: staff }: Officer): Promise<void> {
    const row = await tx
      .selectFrom('withdrawal_claims')
      .select(['staff', 'claimed_at'])
      .where('withdrawal', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined || row.staff !== staff || row.claimed_at <= this.#options.clock() - claimMs) throw new Refused('CLAIMED')
  }

  /**
   * A request that is still open, with the round in which it is decided: each decision that the core refused begins another.
   *
   * throws  Refused NOT_FOUND, WITHDRAWAL_STATE, FORBIDDEN for the member's own
   */
  async #requested(tx: ReviewDb, id: number, officer: Officer): Promise<{ readonly round: number; readonly people: number }> {
    const row = await tx
      .selectFrom('withdrawal_reviews as r')
      .innerJoin('core_withdrawals as w', 'w.id', 'r.withdrawal')
      .select(['w.state', 'r.people'])
      .where('r.withdrawal', '=', id)
      .executeTakeFirst()
    if (row === undefined) throw new Refused('NOT_FOUND')
    await refuseOwn(tx, id, officer)
    const decisions = await tx.selectFrom('withdrawal_decisions').select(['refusal']).where('withdrawal', '=', id).execute()
    if (row.state !== 'requested' || decisions.some(({ refusal }) => refusal === null)) throw new Refused('WITHDRAWAL_STATE')
    return { round: decisions.length, people: row.people }
  }
}

async function hasApproved(tx: ReviewDb, id: number, round: number, { id: staff }: Officer): Promise<boolean> {
  const found = await tx
    .selectFrom('withdrawal_verdicts')
    .select('staff')
    .where('withdrawal', '=', id)
    .where('round', '=', round)
    .where('staff', '=', staff)
    .executeTakeFirst()
  return found !== undefined
}

/** Numbers of the members who approve in this round, the first two. A member whose role ended since no longer counts. */
async function approvers(tx: ReviewDb, id: number, round: number): Promise<readonly number[]> {
  const { rows } = await sql<{ member: number }>`
    select member from withdrawal_verdicts
    where withdrawal = ${id} and round = ${round} and is_approved and withdrawals_may(staff) order by at, member limit 2`.execute(tx)
  return rows.map(({ member }) => member)
}

/** Parallel claims of one member wait for each other. throws  Refused RATE_LIMITED when the member holds too many others */
async function refuseMore(tx: ReviewDb, id: number, { id: staff }: Officer, now: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('withdrawal-claimed'), hashtext(${staff}))`.execute(tx)
  const { count, first } = await tx
    .selectFrom('withdrawal_claims')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min('claimed_at').as('first')])
    .where('staff', '=', staff)
    .where('claimed_at', '>', now - claimMs)
    .where('withdrawal', '<>', id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= claimsMax) throw new Refused('RATE_LIMITED', { retryAfter: (Number(first) + claimMs - now) / 1_000 })
}
