import type { UserId } from '@candor/core/protocol/ids.ts'
import { areActing } from '../four-eyes.ts'
import { stopRegainOf } from '../identity/regain/stop.ts'
import type { Clock, Owners } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { Reviewer } from './reviews.ts'
import type { PapersDb, PapersTables, RevocationTable } from './tables.ts'

export type RevocationParts = {
  readonly db: PapersDb
  readonly clock: Clock
  readonly owners: Owners
  /** Closes, in the core, the products that need certification. throws Refused */
  readonly revoke: (user: UserId) => Promise<void>
  readonly onFault: (cause: unknown) => void
}

/** `id`: of the member of the staff, who is the same person under another name. */
export type Revoker = Reviewer & { readonly id: string }

export type Revocation = {
  readonly id: number
  readonly papers: string
  readonly uid: string
  readonly reason: string
  readonly proposedBy: string
  readonly proposedAt: number
  readonly expiresAt: number
}

const livesMs = 24 * 60 * 60_000
const shownMax = 200

/** The end of a certificate: one reviewer proposes it with a reason, another approves it within a day. The database checks both. */
export class Revocations {
  readonly #parts: RevocationParts

  constructor(parts: RevocationParts) {
    this.#parts = parts
  }

  /** Open ones, newest first. */
  async open(): Promise<readonly Revocation[]> {
    const { db, clock } = this.#parts
    const rows = await db
      .selectFrom('paper_revocations as r')
      .innerJoin('papers', 'papers.id', 'r.papers')
      .innerJoin('accounts', 'accounts.id', 'papers.account')
      .select(['r.id', 'r.papers', 'accounts.uid', 'r.reason', 'r.proposer', 'r.proposed_at', 'r.expires_at'])
      .where('r.state', '=', 'open')
      .where('r.expires_at', '>', clock())
      .orderBy('r.id', 'desc')
      .limit(shownMax)
      .execute()
    return rows.map(({ id, papers, uid, reason, proposer: proposedBy, proposed_at: proposedAt, expires_at: expiresAt }) => ({
      ...{ id, papers, uid, reason, proposedBy, proposedAt, expiresAt },
    }))
  }

  /** Returns its number. throws  Refused NOT_FOUND without such a certificate, STAFF_EXISTS while one is open */
  async propose(papers: string, reason: string, revoker: Revoker): Promise<number> {
    const { db, clock } = this.#parts
    const now = clock()
    return db.transaction().execute(async (tx) => {
      const certified = tx.selectFrom('papers').select('id').where('id', '=', papers).where('state', '=', 'certified').forShare()
      if (!(await certified.executeTakeFirst())) throw new Refused('NOT_FOUND')
      await tx
        .updateTable('paper_revocations')
        .set({ state: 'expired' })
        .where('papers', '=', papers)
        .where('state', '=', 'open')
        .where('expires_at', '<=', now)
        .execute()
      const made = await tx
        .insertInto('paper_revocations')
        .values({ papers, reason, proposed_by: revoker.id, proposer: revoker.name, proposed_at: now, expires_at: now + livesMs })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!made) throw new Refused('STAFF_EXISTS')
      await revoker.note(tx, 'revocation-proposed', papers, { revocation: made.id }, reason)
      return made.id
    })
  }

  /**
   * Ends the certificate. The customer may send a new check, and the document may certify another account.
   *
   * throws  Refused NOT_FOUND, PROPOSAL_CLOSED, SECOND_PERSON_NEEDED
   */
  async approve(id: number, revoker: Revoker): Promise<void> {
    const { db, clock, owners, onFault } = this.#parts
    const account = await db.transaction().execute(async (tx) => {
      const proposed = await tx.selectFrom('paper_revocations').select('proposed_by').where('id', '=', id).executeTakeFirst()
      if (!proposed) throw new Refused('NOT_FOUND')
      if (proposed.proposed_by === revoker.id) throw new Refused('SECOND_PERSON_NEEDED')
      // Held before the row of the revocation, as where a member's role changes.
      const areReviewing = await areActing(tx, [proposed.proposed_by, revoker.id], ['compliance'])
      const { papers, reason } = await this.#opened(tx, id)
      if (!areReviewing) throw new Refused('PROPOSAL_CLOSED')
      const decided = { decided_by: revoker.id, decided_at: clock() }
      await tx
        .updateTable('paper_revocations')
        .set({ state: 'approved', ...decided })
        .where('id', '=', id)
        .execute()
      const row = await tx
        .updateTable('papers')
        .set({ state: 'revoked', decided_at: decided.decided_at, decided_by: revoker.name })
        .where('id', '=', papers)
        .where('state', '=', 'certified')
        .returning('account')
        .executeTakeFirst()
      if (!row) throw new Refused('PROPOSAL_CLOSED')
      const owner = await tx
        .updateTable('accounts')
        .set({ certification: 'none' })
        .where('id', '=', row.account)
        .returning(['id', 'core_user'])
        .executeTakeFirstOrThrow()
      await stopRegainOf<PapersTables>(tx, clock, owner.id)
      const detail = { papers, by: revoker.name }
      await owners.log<PapersTables>(tx, { account: owner.id, visitor: revoker.visitor, action: 'certificate-revoked', detail })
      await revoker.note(tx, 'revocation-approved', papers, { revocation: id }, reason)
      return owner
    })
    owners.tell(account.id, 'papers-revoked', {}).catch(onFault)
    // The core is told by `finish` if it can't be now.
    if (account.core_user !== null) await this.#parts.revoke(account.core_user as UserId)
  }

  /** Declines another reviewer's proposal, or takes back the own. throws  Refused NOT_FOUND, PROPOSAL_CLOSED */
  async decline(id: number, why: string, revoker: Revoker): Promise<void> {
    await this.#parts.db.transaction().execute(async (tx) => {
      const { papers } = await this.#opened(tx, id)
      await tx
        .updateTable('paper_revocations')
        .set({ state: 'declined', decided_by: revoker.id, decided_at: this.#parts.clock() })
        .where('id', '=', id)
        .execute()
      await revoker.note(tx, 'revocation-declined', papers, { revocation: id }, why)
    })
  }

  /** Tells the core about revocations that it did not learn of, because it or this process was away. Does nothing for others. */
  async finish(): Promise<void> {
    const { db, revoke, onFault } = this.#parts
    const rows = await db
      .selectFrom('papers')
      .innerJoin('accounts', 'accounts.id', 'papers.account')
      .innerJoin('core_users', 'core_users.user_id', 'accounts.core_user')
      .select('core_users.user_id')
      .distinct()
      .where('papers.state', '=', 'revoked')
      .where('accounts.certification', '<>', 'certified')
      .where('core_users.is_certified', '=', true)
      .execute()
    for (const row of rows)
      try {
        await revoke(row.user_id as UserId)
      } catch (cause) {
        onFault(cause)
      }
  }

  async #opened(tx: PapersDb, id: number): Promise<Pick<RevocationTable, 'papers' | 'reason'>> {
    const row = await tx.selectFrom('paper_revocations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!row) throw new Refused('NOT_FOUND')
    if (row.state !== 'open' || row.expires_at <= this.#parts.clock()) throw new Refused('PROPOSAL_CLOSED')
    return row
  }
}
