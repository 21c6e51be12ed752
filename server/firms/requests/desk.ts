import { createHash, randomUUID } from 'node:crypto'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { FirmRequestKind, WireFirmRequest, WireFirmWish, WireNewFirmRequest } from '@candor/core/protocol/wire/firm/requests.ts'
import type { WireFirmRule } from '@candor/core/protocol/wire/firm/firm.ts'
import { sql } from 'kysely'
import { secondsUntil } from '../../identity/codes.ts'
import type { Factors, Person } from '../../identity/factors/factors.ts'
import type { IdentityDb } from '../../identity/tables.ts'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { isTrusted, type Membership, membershipOf, reaches } from '../membership.ts'
import { invitationsPerDay, type Members } from '../members.ts'
import type { FirmDb } from '../tables.ts'
import { Carrier } from './carrier.ts'
import { isAbout, mayCancel, type RequestFilter, requestOf, requestsOf } from './reading.ts'
import { openRequests, ruleOf } from './rule.ts'
import { end, note, settle, standingOf, tellApprovers } from './steps.ts'
import { asFirmDb, requestDb, type RequestDb, type RequestRow } from './tables.ts'
import { FirmWishes, type WishParts } from './wishes.ts'

export type FirmRequestsOptions = Omit<WishParts, 'db'> & {
  readonly db: FirmDb
  readonly factors: Pick<Factors, 'require'>
  readonly members: Pick<Members, 'applyMember' | 'naming'>
  readonly clock?: Clock
  readonly onFault: (cause: unknown) => void
}

/** Requests that wait at the same time: of a firm, and of one member, who could otherwise leave no room to ask for their own removal. */
const openMax = 50
const openOfMemberMax = 20
const dayMs = 86_400_000

/**
 * What firms decide by several people. Whoever asks approves by asking; each approval is of a session that proved itself, by a certified
 * person with a second factor. The database counts them, so this room only asks in the right order, and says why not.
 */
export class FirmRequests {
  readonly #options: FirmRequestsOptions
  readonly #db: RequestDb
  readonly #clock: Clock
  readonly #wishes: FirmWishes
  readonly #carrier: Carrier
  /** The last step of each firm in this process: others wait for it before they take a connection. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(options: FirmRequestsOptions) {
    this.#options = options
    this.#db = requestDb(options.db)
    this.#clock = options.clock ?? Date.now
    const parts = { ...options, db: this.#db, clock: this.#clock }
    this.#wishes = new FirmWishes(parts)
    this.#carrier = new Carrier({ ...parts, wishes: this.#wishes })
  }

  /** The rule of a firm. throws  Refused NOT_FOUND */
  async rule(firm: string, { session }: Pick<Person, 'session'>): Promise<WireFirmRule> {
    await this.#member(firm, session.account)
    return ruleOf(asFirmDb(this.#db), firm)
  }

  /** A page of the firm's requests, newest first. throws  Refused NOT_FOUND, FIELD_INVALID */
  async list(firm: string, filter: RequestFilter, { session }: Pick<Person, 'session'>): Promise<WirePage<WireFirmRequest>> {
    return requestsOf(this.#parts(), await this.#member(firm, session.account), filter)
  }

  /**
   * Asks, which is the asker's approval as well. What needs nobody else is carried out at once. A repeat under the same client id gets the
   * first request.
   *
   * throws  Refused NOT_FOUND, FIRM_RIGHT_MISSING, FIRM_NEEDS_TRUST, PROOF_NEEDED, WITHDRAWALS_PAUSED, FIRM_FULL, RATE_LIMITED, CLIENT_ID_REUSED,
   *         FIRM_ACCOUNT_UNKNOWN without the main account; those of what is asked for
   */
  async ask(firm: string, { clientId, ...given }: WireNewFirmRequest, person: Person): Promise<WireFirmRequest> {
    const wish = given as WireFirmWish
    const by = await membershipOf(asFirmDb(this.#db), firm, person.session.account, rightOf[wish.kind])
    const asked = hashOf(wish)
    const first = await this.#repeated(this.#db, by, clientId, asked)
    if (first !== undefined) return requestOf(this.#parts(), by, first)
    if (rightOf[wish.kind] === 'treasury' && !reaches(by.member, (await this.#wishes.mainOf(firm)).account))
      throw new Refused('FIRM_ACCOUNT_UNKNOWN')
    await this.#requireVoter(this.#db, person)
    const id = randomUUID()
    const prepare = () => this.#wishes.prepare(firm, id, wish)
    const { payload, payment, sealed, shown } = await (wish.kind === 'member' ? this.#options.members.naming(firm, prepare) : prepare())
    const made = await this.#in(firm, person, rightOf[wish.kind], async (tx, { member }) => {
      const before = await this.#repeated(tx, by, clientId, asked)
      if (before !== undefined) return before
      if (wish.kind === 'member' && wish.member.uid !== undefined) await this.#requireFew(tx, firm)
      if ((await openRequests(asFirmDb(tx), firm)) >= openMax || (await openOf(tx, member.id)) >= openOfMemberMax)
        throw new Refused('FIRM_FULL')
      await tx
        .insertInto('firm_requests')
        .values({
          ...{ id, firm, kind: wish.kind, payload: JSON.stringify(payload), shown: JSON.stringify(shown), sealed, asked },
          ...{ payment: payment === null ? null : JSON.stringify(payment), client_id: clientId, asked_by: member.id },
          // The table's trigger sets these.
          ...{ number: 0, rule: 0, people: 1, asked_at: 0, expires_at: 0 },
        })
        .execute()
      await this.#say(tx, id, member.id, person, true)
      const row = await rowOf(tx, firm, id)
      await note(tx, row, { action: 'request-asked' }, { member: member.id, visitor: person.visitor }, this.#clock())
      if (!(await settle(tx, id))) await tellApprovers(tx, row, this.#clock())
      return id
    })
    return this.#carried(by, made, person)
  }

  /**
   * Approves. With enough approvals the request is carried out. A repeat of one's own approval changes nothing.
   *
   * throws  Refused NOT_FOUND, FIRM_RIGHT_MISSING, FIRM_DECIDED, FIRM_SAID, FIRM_NEEDS_TRUST, PROOF_NEEDED, WITHDRAWALS_PAUSED
   */
  approve(firm: string, id: string, person: Person): Promise<WireFirmRequest> {
    return this.#verdict(firm, id, person, true)
  }

  /** Refuses, which ends the request: everybody may who approves, except whom it is about. throws  as `approve` */
  refuse(firm: string, id: string, person: Person): Promise<WireFirmRequest> {
    return this.#verdict(firm, id, person, false)
  }

  /** Takes a request back that is not decided. throws  Refused NOT_FOUND, FIRM_RIGHT_MISSING, FIRM_DECIDED */
  async cancel(firm: string, id: string, person: Person): Promise<WireFirmRequest> {
    const by = await this.#in(firm, person, 'read', async (tx, membership) => {
      const row = await rowOf(tx, firm, id)
      if (!mayCancel(membership.member, row)) throw new Refused('FIRM_RIGHT_MISSING')
      if (row.state === 'cancelled') return membership
      if (row.state !== 'open') throw new Refused('FIRM_DECIDED')
      await end(tx, row, { state: 'cancelled' }, { member: membership.member.id, visitor: person.visitor }, this.#clock())
      return membership
    })
    return requestOf(this.#parts(), by, id)
  }

  /** Finishes what a process left undone, and ends requests whose time is over. */
  mend(): Promise<void> {
    return this.#carrier.mend()
  }

  async #verdict(firm: string, id: string, person: Person, isApproved: boolean): Promise<WireFirmRequest> {
    const by = await this.#in(firm, person, 'approve', async (tx, membership) => {
      const row = await rowOf(tx, firm, id)
      const { member } = membership
      const own = await tx
        .selectFrom('firm_verdicts')
        .select('is_approved')
        .where('request', '=', id)
        .where('account', '=', member.account)
        .executeTakeFirst()
      if (own?.is_approved === isApproved) return membership
      if (row.state !== 'open' || (await standingOf(tx, id)).isOver) throw new Refused('FIRM_DECIDED')
      if (own !== undefined) throw new Refused('FIRM_SAID')
      if (!isApproved && isAbout(member, row)) throw new Refused('FIRM_RIGHT_MISSING')
      await this.#requireVoter(tx, person, isApproved)
      await this.#say(tx, id, member.id, person, isApproved)
      const who = { member: member.id, visitor: person.visitor }
      if (!isApproved) {
        await end(tx, row, { state: 'refused' }, who, this.#clock())
        return membership
      }
      await note(tx, row, { action: 'request-approved' }, who, this.#clock())
      await settle(tx, id)
      return membership
    })
    return this.#carried(by, id, person)
  }

  /** The request after what it asks for was carried out, if enough people approved it. What fails for now is tried again later. */
  async #carried(by: Membership, id: string, { visitor }: Person): Promise<WireFirmRequest> {
    await this.#carrier.carry(id, { member: by.member.id, visitor }).catch(this.#options.onFault)
    return requestOf(this.#parts(), by, id)
  }

  #say(tx: RequestDb, request: string, member: string, { session }: Person, isApproved: boolean) {
    return tx
      .insertInto('firm_verdicts')
      .values({ request, member, account: session.account, is_approved: isApproved, session: session.id, at: 0 })
      .execute()
  }

  /** The request that this member made under the client id. throws  Refused CLIENT_ID_REUSED when it asked for something else */
  async #repeated(db: RequestDb, { member }: Membership, clientId: string, asked: string): Promise<string | undefined> {
    const row = await db
      .selectFrom('firm_requests')
      .select(['id', 'asked'])
      .where('asked_by', '=', member.id)
      .where('client_id', '=', clientId)
      .executeTakeFirst()
    if (row !== undefined && row.asked !== asked) throw new Refused('CLIENT_ID_REUSED', { field: 'clientId' })
    return row?.id
  }

  /** throws  Refused FIRM_NEEDS_TRUST, PROOF_NEEDED; WITHDRAWALS_PAUSED for a day after a change of the login's protection */
  async #requireVoter(db: RequestDb, { session }: Person, isApproving = true): Promise<void> {
    const { account } = session
    if (!(await isTrusted(asFirmDb(db), account))) throw new Refused('FIRM_NEEDS_TRUST')
    await this.#options.factors.require(session, 'firm-approve', db as unknown as IdentityDb)
    const { withdrawals_closed_until: until } = await db
      .selectFrom('accounts')
      .select('withdrawals_closed_until')
      .where('id', '=', account)
      .executeTakeFirstOrThrow()
    const now = this.#clock()
    if (isApproving && until > now) throw new Refused('WITHDRAWALS_PAUSED', { retryAfter: secondsUntil(until, now) })
  }

  /** Also a request that is taken back tells that its UID exists. throws  Refused RATE_LIMITED */
  async #requireFew(tx: RequestDb, firm: string): Promise<void> {
    const now = this.#clock()
    const { count, first } = await tx
      .selectFrom('firm_requests')
      .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min('asked_at').as('first')])
      .where('firm', '=', firm)
      .where('asked_at', '>', now - dayMs)
      .where(sql<boolean>`kind = 'member' and payload ? 'uid'`)
      .executeTakeFirstOrThrow()
    if (Number(count) < invitationsPerDay) return
    throw new Refused('RATE_LIMITED', { retryAfter: secondsUntil((first ?? now) + dayMs, now) })
  }

  /**
   * A step of one member: their own account is locked first, and then the firm. The lock on the account lets others refer to it, who hold
   * the firm and write a notice for its owner.
   */
  #in<Result>(
    firm: string,
    { session }: Person,
    right: Parameters<typeof membershipOf>[3],
    work: (tx: RequestDb, by: Membership) => Promise<Result>,
  ): Promise<Result> {
    return this.#next(firm, () =>
      this.#db.transaction().execute(async (tx) => {
        await tx.selectFrom('accounts').select('id').where('id', '=', session.account).forNoKeyUpdate().executeTakeFirstOrThrow()
        const living = tx.selectFrom('sessions').select('id').where('id', '=', session.id).where('revoked_at', 'is', null)
        if ((await living.executeTakeFirst()) === undefined) throw new Refused('UNAUTHENTICATED')
        return work(tx, await membershipOf(asFirmDb(tx), firm, session.account, right, { isLocked: true }))
      }),
    )
  }

  #next<Result>(firm: string, step: () => Promise<Result>): Promise<Result> {
    const mine = (this.#turns.get(firm) ?? Promise.resolve()).then(step)
    const over = mine.then(
      () => undefined,
      () => undefined,
    )
    this.#turns.set(firm, over)
    void over.then(() => this.#turns.get(firm) === over && this.#turns.delete(firm))
    return mine
  }

  #member(firm: string, account: string): Promise<Membership> {
    return membershipOf(asFirmDb(this.#db), firm, account, 'read')
  }

  #parts() {
    return { db: this.#db, book: this.#options.book }
  }
}

/** Who may ask for it. */
const rightOf: Readonly<Record<FirmRequestKind, 'treasury' | 'manage'>> = {
  withdrawal: 'treasury',
  address: 'treasury',
  rule: 'manage',
  member: 'manage',
}

/** How many requests of a member wait for people. */
async function openOf(tx: RequestDb, member: string): Promise<number> {
  const { count } = await tx
    .selectFrom('firm_requests')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('asked_by', '=', member)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function rowOf(tx: RequestDb, firm: string, id: string): Promise<RequestRow> {
  const row = await tx.selectFrom('firm_requests').selectAll().where('id', '=', id).where('firm', '=', firm).executeTakeFirst()
  if (row === undefined) throw new Refused('NOT_FOUND')
  return row
}

/** Tells a repeat from another wish under the same client id, without keeping what is sealed. */
function hashOf(wish: WireFirmWish): string {
  const sorted = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, one]) => [name, sorted(one)]),
        )
      : Array.isArray(value)
        ? value.map(sorted)
        : value
  return createHash('sha256')
    .update(JSON.stringify(sorted(wish)))
    .digest('hex')
}
