import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { parseEmail } from '../identity/address.ts'
import type { Visitor } from '../identity/device.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { dropFactors, type Enrolments } from './enrolments.ts'
import type { Actor, StaffLog } from './log.ts'
import type { StaffMail } from './mail.ts'
import { nameMax, reasonMax, requirePlain } from './text.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { Role } from './permissions.ts'
import type { StaffSession, StaffSessions } from './sessions.ts'
import type { ProposalKind, ProposalTable, StaffDb, StaffTable, StaffTables } from './tables.ts'

export type ProposalParts = {
  readonly db: StaffDb
  readonly clock: Clock
  readonly enrolments: Enrolments
  readonly sessions: StaffSessions
  readonly log: StaffLog
  readonly mail: Pick<StaffMail, 'enrolment' | 'addressChanged'>
}

/** What an administrator wishes. `staff`: the member's id. */
export type Wish = { readonly reason: string } & (
  | { readonly kind: 'invitation'; readonly email: string; readonly name: string; readonly role: Role }
  | { readonly kind: 'role'; readonly staff: string; readonly role: Role }
  | { readonly kind: 'address'; readonly staff: string; readonly email: string }
  | { readonly kind: 'enrolment' | 'deactivation'; readonly staff: string }
)

export type Proposal = {
  readonly id: number
  readonly kind: ProposalKind
  readonly subject: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly reason: string
  /** Null while it comes from the machine's owner and no administrator has taken it over. */
  readonly proposedBy: string | null
  readonly proposedAt: number
  readonly expiresAt: number
}

/** `waits`: the approver took over a proposal of the command line, and a second administrator must approve it. */
export type Approved = { readonly state: 'approved' | 'waits' }

/** Who decides: an administrator in a session. */
export type Decider = { readonly session: StaffSession; readonly visitor: Visitor }

const livesMs = 24 * 60 * 60_000
/** Open proposals of one administrator: those of others stay in sight. */
const openMax = 20

/**
 * Decisions about the staff that need two administrators: one proposes with a reason, another approves within a day. The row of the
 * proposal names both and the database checks them. A proposal from the command line, which knows nobody's name, needs two approvals,
 * except where only one administrator could give them: the machine's owner is then the second person for a new administrator or a new
 * enrolment, whose link goes to its own person.
 */
export class Proposals {
  readonly #parts: ProposalParts

  constructor(parts: ProposalParts) {
    this.#parts = parts
  }

  async open(): Promise<readonly Proposal[]> {
    const { db, clock } = this.#parts
    const rows = await db
      .selectFrom('staff_proposals')
      .leftJoin('staff as proposer', 'proposer.id', 'staff_proposals.proposed_by')
      .selectAll('staff_proposals')
      .select('proposer.email as proposer')
      .where('staff_proposals.state', '=', 'open')
      .where('staff_proposals.expires_at', '>', clock())
      .orderBy('staff_proposals.id', 'desc')
      .limit(200)
      .execute()
    return rows.map((row) => ({
      ...{ id: row.id, kind: row.kind, subject: row.subject, email: row.email, name: row.name, role: row.role, reason: row.reason },
      ...{ proposedBy: row.proposer, proposedAt: row.proposed_at, expiresAt: row.expires_at },
    }))
  }

  /** Returns its number. throws  Refused NOT_FOUND, STAFF_EXISTS, EMAIL_INVALID, FIELD_INVALID, RATE_LIMITED */
  async propose(wish: Wish, actor: Actor): Promise<number> {
    const { db, clock, log } = this.#parts
    const now = clock()
    requirePlain('reason', wish.reason, reasonMax)
    if (wish.kind === 'invitation') requirePlain('name', wish.name, nameMax)
    return db.transaction().execute(async (tx) => {
      await oneAtATime(tx)
      if (actor.staff !== undefined) await requireAdministrator(tx, actor.staff)
      if (actor.staff !== undefined) await this.#requireFew(tx, actor.staff)
      const about = await subjectOf(tx, wish)
      await tx.updateTable('staff_proposals').set({ state: 'expired' }).where('state', '=', 'open').where('expires_at', '<=', now).execute()
      const made = await tx
        .insertInto('staff_proposals')
        .values({
          ...{ kind: wish.kind, ...about, reason: wish.reason, proposed_by: actor.staff ?? null },
          ...{ proposed_at: now, expires_at: now + livesMs },
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!made) throw new Refused('STAFF_EXISTS')
      const { email, role, subject } = about
      await log.write<StaffTables>(tx, actor, {
        action: 'proposed',
        subject,
        why: wish.reason,
        after: { proposal: made.id, kind: wish.kind, email, role },
      })
      return made.id
    })
  }

  /**
   * Approves, and carries it out in the same transaction.
   *
   * throws  Refused NOT_FOUND, PROPOSAL_CLOSED, SECOND_PERSON_NEEDED, STAFF_EXISTS, FORBIDDEN, SESSION_NOT_FRESH
   */
  async approve(id: number, { session, visitor }: Decider): Promise<Approved> {
    const { db, clock, log, sessions } = this.#parts
    sessions.requireFresh(session)
    const actor: Actor = { staff: session.staff, session: session.id, visitor }
    const { state, after } = await db.transaction().execute(async (tx): Promise<Approved & { readonly after: readonly After[] }> => {
      const proposal = await this.#opened(tx, id, session.staff)
      const { kind, email, role, subject, reason } = proposal
      const about = { subject, why: reason, after: { proposal: id, kind, email, role } }
      if (proposal.proposed_by === null && !(await isOnlyDecider(tx, proposal, session.staff))) {
        await tx.updateTable('staff_proposals').set({ proposed_by: session.staff }).where('id', '=', id).execute()
        await log.write<StaffTables>(tx, actor, { action: 'proposal-taken-over', ...about })
        return { state: 'waits', after: [] }
      }
      if (proposal.proposed_by === session.staff) throw new Refused('SECOND_PERSON_NEEDED')
      // A proposer who is no administrator any more proposes nothing.
      if (proposal.proposed_by !== null && !(await isAdministrator(tx, proposal.proposed_by))) throw new Refused('PROPOSAL_CLOSED')
      const decided = { decided_by: session.staff, decided_at: clock() }
      await tx
        .updateTable('staff_proposals')
        .set({ state: 'approved', ...decided })
        .where('id', '=', id)
        .execute()
      const before = await tx
        .selectFrom('staff')
        .select(['email', 'role', 'state'])
        .where('id', '=', subject)
        .forUpdate()
        .executeTakeFirst()
      await log.write<StaffTables>(tx, actor, { action: 'approved', ...about, ...(before ? { before } : {}) })
      return { state: 'approved', after: await this.#carryOut(tx, proposal, before) }
    })
    for (const send of after) send()
    return { state }
  }

  /** Declines somebody's proposal, or takes back the own. throws  Refused NOT_FOUND, PROPOSAL_CLOSED, FORBIDDEN */
  async decline(id: number, why: string, { session, visitor }: Decider): Promise<void> {
    const { db, clock, log } = this.#parts
    await db.transaction().execute(async (tx) => {
      const { kind, email, role, subject } = await this.#opened(tx, id, session.staff)
      const decided = { decided_by: session.staff, decided_at: clock() }
      await tx
        .updateTable('staff_proposals')
        .set({ state: 'declined', ...decided })
        .where('id', '=', id)
        .execute()
      const actor: Actor = { staff: session.staff, session: session.id, visitor }
      await log.write<StaffTables>(tx, actor, { action: 'declined', subject, why, after: { proposal: id, kind, email, role } })
    })
  }

  /** The proposal, if it is open and an administrator asks for it. */
  async #opened(tx: StaffDb, id: number, staff: string): Promise<Pick<ProposalRow, keyof ProposalRow>> {
    await oneAtATime(tx)
    await requireAdministrator(tx, staff)
    const row = await tx.selectFrom('staff_proposals').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!row) throw new Refused('NOT_FOUND')
    if (row.state !== 'open' || row.expires_at <= this.#parts.clock()) throw new Refused('PROPOSAL_CLOSED')
    return row
  }

  /** throws  Refused RATE_LIMITED when the administrator has too many open proposals */
  async #requireFew(tx: StaffDb, staff: string): Promise<void> {
    const now = this.#parts.clock()
    const { count, first } = await tx
      .selectFrom('staff_proposals')
      .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min('expires_at').as('first')])
      .where('proposed_by', '=', staff)
      .where('state', '=', 'open')
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow()
    if (Number(count) >= openMax) throw new Refused('RATE_LIMITED', { retryAfter: (Number(first) - now) / 1_000 })
  }

  /** `before`: the member's row; none at an invitation. Returns the mail to send once all of it is stored. */
  async #carryOut(tx: StaffDb, proposal: ProposalRow, before: Pick<StaffTable, 'email' | 'state'> | undefined): Promise<readonly After[]> {
    const { clock, sessions, mail } = this.#parts
    const { id, kind, subject, email, name, role } = proposal
    if (kind === 'invitation') {
      const made = await tx
        .insertInto('staff')
        .values({ id: subject, email, name, role, state: 'invited', created_at: clock(), proposal: id })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!made) throw new Refused('STAFF_EXISTS')
      return [await this.#invite(tx, subject, email)]
    }
    // Somebody who left meanwhile doesn't come back by an older proposal.
    if (before === undefined || before.state === 'deactivated') throw new Refused('PROPOSAL_CLOSED')
    if (kind === 'address') await requireFree(tx, email, subject)
    await lapse(tx, kind, subject)
    const changes = { role: { role }, deactivation: { state: 'deactivated' }, address: { email }, enrolment: {} } as const
    await tx
      .updateTable('staff')
      .set({ ...changes[kind], proposal: id })
      .where('id', '=', subject)
      .execute()
    await sessions.end(tx, subject)
    if (kind === 'role') return []
    await tx.deleteFrom('staff_enrolments').where('staff', '=', subject).execute()
    if (kind === 'address') {
      const isInvited = before.state === 'invited'
      return [() => mail.addressChanged(before.email), ...(isInvited ? [await this.#invite(tx, subject, email)] : [])]
    }
    await dropFactors(tx, subject)
    return kind === 'enrolment' ? [await this.#invite(tx, subject, email)] : []
  }

  /** A new token, for the eyes of its member only. */
  async #invite(tx: StaffDb, staff: string, email: string): Promise<After> {
    const token = await this.#parts.enrolments.issue(tx, staff)
    return () => this.#parts.mail.enrolment(email, token)
  }
}

type ProposalRow = Pick<ProposalTable, 'kind' | 'subject' | 'email' | 'name' | 'role' | 'reason' | 'proposed_by' | 'expires_at'> & {
  readonly id: number
}

/** Sends a mail. */
type After = () => void

/**
 * Whether this administrator is the only one besides the person concerned, so that nobody else could approve what the machine's owner
 * proposes. The database checks the same.
 */
async function isOnlyDecider(tx: StaffDb, { kind, role, subject }: ProposalRow, decider: string): Promise<boolean> {
  if (kind !== 'enrolment' && (kind !== 'invitation' || role !== 'administrator')) return false
  const others = await tx
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'administrator')
    .where('state', '=', 'active')
    .where('id', '<>', subject)
    .execute()
  return others.length === 1 && others[0]!.id === decider
}

async function isAdministrator(tx: StaffDb, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('staff')
    .select('id')
    .where('id', '=', id)
    .where('role', '=', 'administrator')
    .where('state', '=', 'active')
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

async function requireAdministrator(tx: StaffDb, id: string): Promise<void> {
  if (!(await isAdministrator(tx, id))) throw new Refused('FORBIDDEN')
}

async function subjectOf(tx: StaffDb, wish: Wish): Promise<Pick<ProposalTable, 'subject' | 'email' | 'name' | 'role'>> {
  if (wish.kind === 'invitation') {
    const { name, role } = wish
    const email = parseEmail(wish.email)
    await requireFree(tx, email)
    return { subject: randomUUID(), email, name, role }
  }
  const row = await tx.selectFrom('staff').select(['email', 'name', 'role', 'state']).where('id', '=', wish.staff).executeTakeFirst()
  if (!row || row.state === 'deactivated') throw new Refused('NOT_FOUND')
  const role = wish.kind === 'role' ? wish.role : row.role
  if (wish.kind === 'role' && role === row.role) throw new Refused('FIELD_INVALID', { field: 'role' })
  const email = wish.kind === 'address' ? parseEmail(wish.email) : row.email
  if (wish.kind === 'address') await requireFree(tx, email, wish.staff)
  return { subject: wish.staff, email, name: row.name, role }
}

/** An address names one person for ever, in the log and in decisions. `staff`: who may have it again. throws  Refused STAFF_EXISTS */
async function requireFree(tx: StaffDb, email: string, staff?: string): Promise<void> {
  const known = await tx.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirst()
  const earlier = await tx
    .selectFrom('staff_log')
    .select('id')
    .where('action', '=', 'approved')
    .where(sql`before ->> 'email'`, '=', email)
    .where('subject', '<>', staff ?? '')
    .executeTakeFirst()
  if (known || earlier) throw new Refused('STAFF_EXISTS')
}

/** Ends proposals of somebody whose role or login ends, and those about somebody who is no more as the proposal says. */
async function lapse(tx: StaffDb, kind: ProposalKind, staff: string): Promise<void> {
  const column = kind === 'address' || kind === 'deactivation' ? 'subject' : undefined
  await tx
    .updateTable('staff_proposals')
    .set({ state: 'expired' })
    .where('state', '=', 'open')
    .where((where) =>
      where.or([
        ...(kind === 'address' ? [] : [where('proposed_by', '=', staff)]),
        ...(column === undefined ? [] : [where(column, '=', staff)]),
      ]),
    )
    .execute()
}
