import { randomUUID } from 'node:crypto'
import { firmMembersMax, type FirmRole, type WireFirmMemberChange, type WireNewFirmMember } from '@candor/core/protocol/wire/firm/firm.ts'
import type { WireFirmMemberWish } from '@candor/core/protocol/wire/firm/requests.ts'
import { secondsUntil } from '../identity/codes.ts'
import type { Person } from '../identity/factors/factors.ts'
import { requireLiving } from '../identity/sessions.ts'
import type { IdentityDb } from '../identity/tables.ts'
import type { Asker, Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { type FirmAction, writeFirmLog } from './log.ts'
import { approves, hasRight, isTrusted, type Membership, membershipOf, requireAwake } from './membership.ts'
import { tellPerson } from './notices.ts'
import type { FirmDb, FirmMemberRow } from './tables.ts'

export type MemberParts = {
  readonly db: FirmDb
  readonly clock: Clock
  /** Ends the keys that a member made, as a part of the change. `announce`: after its commit. */
  readonly endKeys: (tx: FirmDb, member: string) => Promise<{ readonly announce: () => void }>
  /** The person acts for no account of a firm with what was remembered, in no process. */
  readonly forgetActing: (account: string) => void
}

/** Who applied a change, for the log. Undefined: the exchange. */
export type By = { readonly member?: string | undefined; readonly visitor?: Asker['visitor'] | undefined }

/** What is left to do once a change is durable. */
export type Afterwards = { readonly announce: () => void }

const [hourMs, dayMs] = [3_600_000, 86_400_000]
/** People whom one firm invites in a day: a UID is a number, and nobody should learn by trying which of them exist. */
export const invitationsPerDay = 20

/**
 * The people of a firm. An invitation to a UID that nobody has is refused: whoever mistypes one would wait for ever otherwise. It reveals
 * that the number exists and nothing of its owner, whose contact is shown once they have accepted; and a firm invites few people a day,
 * with wrong numbers counted.
 *
 * Roles that approve are given and taken by requests alone, which call `applyMember`.
 */
export class Members {
  readonly #parts: MemberParts
  /** Wrong UIDs of the last day, by firm. */
  readonly #wrong = new Map<string, readonly number[]>()

  constructor(parts: MemberParts) {
    this.#parts = parts
  }

  /** throws  Refused NOT_FOUND, FIRM_RIGHT_MISSING, FIRM_NEEDS_REQUEST, USER_UNKNOWN, FIRM_MEMBER_EXISTS, FIRM_FULL, RATE_LIMITED */
  async invite(id: string, form: WireNewFirmMember, person: Person): Promise<void> {
    if (approves(form.role)) throw new Refused('FIRM_NEEDS_REQUEST', { field: 'role' })
    await this.naming(id, () => this.#change(id, person, (tx, { member }) => this.applyMember(tx, id, form, this.#by(member, person))))
  }

  /** Does work that looks up a UID for a firm. Unknown UIDs are counted for a day. throws  Refused RATE_LIMITED after too many of them */
  async naming<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const now = this.#parts.clock()
    const wrong = (this.#wrong.get(id) ?? []).filter((at) => at > now - dayMs)
    if (wrong.length >= invitationsPerDay) throw new Refused('RATE_LIMITED', { retryAfter: secondsUntil(wrong[0]! + dayMs, now) })
    // Counted until it proves right: many at once try no more than one after another.
    this.#wrong.set(id, [...wrong, now])
    let isWrong = false
    try {
      return await work()
    } catch (error) {
      isWrong = error instanceof Refused && error.refusal === 'USER_UNKNOWN'
      throw error
    } finally {
      const counted = this.#wrong.get(id) ?? []
      const own = counted.indexOf(now)
      if (!isWrong && own >= 0) this.#wrong.set(id, counted.toSpliced(own, 1))
    }
  }

  /** The invited person becomes a member. throws  Refused NOT_FOUND, FIRM_NEEDS_TRUST, RESTING for a role that trades */
  async accept(id: string, person: Person): Promise<void> {
    await this.#answer(id, person, async (tx, invited) => {
      if (approves(invited.role) && !(await isTrusted(tx, invited.account))) throw new Refused('FIRM_NEEDS_TRUST')
      const now = this.#parts.clock()
      if (hasRight(invited.role, 'trade')) await requireAwake(tx, invited.account, now)
      await tx.updateTable('firm_members').set({ state: 'active', joined_at: now }).where('id', '=', invited.id).execute()
      return 'member-joined'
    })
  }

  /** throws  Refused NOT_FOUND */
  async decline(id: string, person: Person): Promise<void> {
    await this.#answer(id, person, async (tx, invited) => {
      await tx.updateTable('firm_members').set({ state: 'ended', ended_at: this.#parts.clock() }).where('id', '=', invited.id).execute()
      return 'member-declined'
    })
  }

  /** throws  Refused NOT_FOUND, FIRM_RIGHT_MISSING, FIRM_NEEDS_REQUEST for a role that approves, FIRM_OWNER_STAYS */
  async change(id: string, member: string, form: WireFirmMemberChange, person: Person): Promise<void> {
    await this.#change(id, person, async (tx, by) => {
      const row = await this.#memberOf(tx, id, member)
      const { role = row.role, ...rest } = form
      if (row.role === 'owner' && (form.role !== undefined || form.accounts !== undefined)) throw new Refused('FIRM_OWNER_STAYS')
      if (role !== row.role && (approves(role) || approves(row.role))) throw new Refused('FIRM_NEEDS_REQUEST', { field: 'role' })
      return this.#update(tx, row, { ...rest, role }, this.#by(by.member, person))
    })
  }

  /** Ends a member, or an invitation that nobody has answered. Members may leave by themselves. throws  as `change` */
  async end(id: string, member: string, person: Person): Promise<void> {
    const isSelf = await this.#isOwn(id, member, person.session.account)
    const end = async (tx: FirmDb, by: Membership): Promise<Afterwards> => {
      const row = await this.#memberOf(tx, id, member)
      if (row.role === 'owner') throw new Refused('FIRM_OWNER_STAYS')
      if (approves(row.role)) throw new Refused('FIRM_NEEDS_REQUEST')
      return this.#end(tx, row, this.#by(by.member, person), isSelf ? 'member-left' : 'member-ended')
    }
    await this.#change(id, person, end, isSelf ? 'read' : 'manage')
  }

  /**
   * Carries out what was wished about one member, in the caller's transaction: an invitation, another role, or the end. It asks for no
   * right and no rule: the caller has, and the firm's row is locked.
   *
   * throws  Refused NOT_FOUND, USER_UNKNOWN, FIRM_MEMBER_EXISTS, FIRM_FULL, FIRM_ACCOUNT_UNKNOWN, FIRM_OWNER_STAYS
   */
  async applyMember(tx: FirmDb, firm: string, wish: WireFirmMemberWish, by: By): Promise<Afterwards> {
    const { member, uid, label = '', role, accounts } = wish
    if (member !== undefined) {
      const row = await this.#memberOf(tx, firm, member)
      if (row.role === 'owner') throw new Refused('FIRM_OWNER_STAYS')
      if (role === null) return this.#end(tx, row, by, 'member-ended')
      return this.#update(tx, row, { role, ...(label === '' ? {} : { label }), ...(accounts === undefined ? {} : { accounts }) }, by)
    }
    if (uid === undefined || role === null || label === '') throw new Refused('FIELD_MISSING', { field: 'member' })
    await this.#insert(tx, firm, { uid, label, role, accounts: accounts ?? null }, by)
    return { announce: () => undefined }
  }

  async #insert(tx: FirmDb, firm: string, { uid, label, role, accounts }: WireNewFirmMember, by: By): Promise<void> {
    const now = this.#parts.clock()
    await this.#requireRoom(tx, firm, now)
    await requireAccounts(tx, firm, accounts)
    const invited = await tx
      .selectFrom('accounts')
      .select('id')
      .where('uid', '=', uid)
      .where('firm', 'is', null)
      .where('erased_at', 'is', null)
      .executeTakeFirst()
    if (invited === undefined) throw new Refused('USER_UNKNOWN', { field: 'uid' })
    const known = await tx
      .selectFrom('firm_members')
      .select('id')
      .where('firm', '=', firm)
      .where('account', '=', invited.id)
      .where('state', '<>', 'ended')
      .executeTakeFirst()
    if (known) throw new Refused('FIRM_MEMBER_EXISTS', { field: 'uid' })
    const id = randomUUID()
    await tx
      .insertInto('firm_members')
      .values({
        ...{ id, firm, account: invited.id, label, role, accounts, state: 'invited' },
        ...{ invited_by: by.member ?? null, invited_at: now },
      })
      .execute()
    await writeFirmLog(tx, now, { firm, ...by, action: 'member-invited', detail: { uid, label, role, accounts: shown(accounts) } })
    await tellPerson(tx, now, { firm, account: invited.id, kind: 'firm-invited', event: id })
  }

  async #requireRoom(tx: FirmDb, firm: string, now: number): Promise<void> {
    const { living, today, first } = await tx
      .selectFrom('firm_members')
      .select((row) => [
        row.fn.countAll<number>().filterWhere('state', '<>', 'ended').as('living'),
        row.fn
          .countAll<number>()
          .filterWhere('invited_at', '>', now - dayMs)
          .as('today'),
        row.fn
          .min('invited_at')
          .filterWhere('invited_at', '>', now - dayMs)
          .as('first'),
      ])
      .where('firm', '=', firm)
      .executeTakeFirstOrThrow()
    if (Number(living) >= firmMembersMax) throw new Refused('FIRM_FULL')
    if (Number(today) >= invitationsPerDay) throw new Refused('RATE_LIMITED', { retryAfter: secondsUntil((first ?? now) + dayMs, now) })
  }

  async #update(
    tx: FirmDb,
    row: FirmMemberRow,
    change: { readonly role: FirmRole; readonly label?: string; readonly accounts?: readonly string[] | null },
    by: By,
  ): Promise<Afterwards> {
    const { role, label = row.label, accounts = row.accounts } = change
    await requireAccounts(tx, row.firm, accounts)
    await tx.updateTable('firm_members').set({ role, label, accounts }).where('id', '=', row.id).execute()
    const detail = { name: label, ...(role === row.role ? {} : { role, before: row.role }), accounts: shown(accounts) }
    const now = this.#parts.clock()
    await writeFirmLog(tx, now, { firm: row.firm, ...by, action: 'member-changed', detail })
    if (role === row.role && shown(accounts) === shown(row.accounts)) return this.#afterwards(row, undefined)
    // Once in each hour of the clock, and nobody who has not accepted: an invitation must not become a way to fill somebody's inbox.
    const event = `${row.id}:${Math.floor(now / hourMs)}`
    if (row.state === 'active') await tellPerson(tx, now, { firm: row.firm, account: row.account, kind: 'firm-changed', event })
    // Keys go with the right to make them, or with an account that the member no longer has.
    return this.#afterwards(row, await this.#parts.endKeys(tx, row.id))
  }

  async #end(tx: FirmDb, row: FirmMemberRow, by: By, action: FirmAction): Promise<Afterwards> {
    const now = this.#parts.clock()
    await tx.updateTable('firm_members').set({ state: 'ended', ended_at: now }).where('id', '=', row.id).execute()
    await writeFirmLog(tx, now, { firm: row.firm, ...by, action, detail: { name: row.label, role: row.role } })
    if (action !== 'member-left') await tellPerson(tx, now, { firm: row.firm, account: row.account, kind: 'firm-ended', event: row.id })
    return this.#afterwards(row, await this.#parts.endKeys(tx, row.id))
  }

  #afterwards({ account }: FirmMemberRow, ended: Afterwards | undefined): Afterwards {
    return {
      announce: () => {
        ended?.announce()
        this.#parts.forgetActing(account)
      },
    }
  }

  /** One change of the firm at a time. */
  async #change(
    id: string,
    { session }: Person,
    work: (tx: FirmDb, by: Membership) => Promise<Afterwards>,
    right: 'manage' | 'read' = 'manage',
  ): Promise<void> {
    const { db } = this.#parts
    const { announce } = await db.transaction().execute(async (tx) => {
      const by = await membershipOf(tx, id, session.account, right, { isLocked: true })
      await requireLiving(tx as unknown as IdentityDb, session.id)
      return work(tx, by)
    })
    announce()
  }

  async #answer(
    id: string,
    { session, visitor }: Person,
    work: (tx: FirmDb, invited: FirmMemberRow) => Promise<FirmAction>,
  ): Promise<void> {
    const { db, clock } = this.#parts
    await db.transaction().execute(async (tx) => {
      await requireLiving(tx as unknown as IdentityDb, session.id)
      const firm = await tx.selectFrom('firms').select('state').where('id', '=', id).forUpdate().executeTakeFirst()
      const invited = await tx
        .selectFrom('firm_members')
        .selectAll()
        .where('firm', '=', id)
        .where('account', '=', session.account)
        .where('state', '=', 'invited')
        .executeTakeFirst()
      if (firm?.state !== 'active' || invited === undefined) throw new Refused('NOT_FOUND')
      const action = await work(tx, invited)
      await writeFirmLog(tx, clock(), { firm: id, member: invited.id, action, detail: { role: invited.role }, visitor })
    })
    this.#parts.forgetActing(session.account)
  }

  async #memberOf(tx: FirmDb, firm: string, member: string): Promise<FirmMemberRow> {
    const row = await tx
      .selectFrom('firm_members')
      .selectAll()
      .where('firm', '=', firm)
      .where('id', '=', member)
      .where('state', '<>', 'ended')
      .executeTakeFirst()
    if (row === undefined) throw new Refused('NOT_FOUND')
    return row
  }

  async #isOwn(firm: string, member: string, account: string): Promise<boolean> {
    const { db } = this.#parts
    const own = db.selectFrom('firm_members').select('id').where('firm', '=', firm).where('id', '=', member).where('account', '=', account)
    return (await own.executeTakeFirst()) !== undefined
  }

  #by({ id }: FirmMemberRow, { visitor }: Person): By {
    return { member: id, visitor }
  }
}

const shown = (accounts: readonly string[] | null): string => (accounts === null ? 'all' : [...accounts].sort().join(','))

/** throws  Refused FIRM_ACCOUNT_UNKNOWN for an account that the firm does not have */
async function requireAccounts(tx: FirmDb, firm: string, accounts: readonly string[] | null): Promise<void> {
  if (accounts === null || accounts.length === 0) return
  const found = await tx.selectFrom('firm_accounts').select('account').where('firm', '=', firm).where('account', 'in', accounts).execute()
  if (found.length !== new Set(accounts).size) throw new Refused('FIRM_ACCOUNT_UNKNOWN', { field: 'accounts' })
}
