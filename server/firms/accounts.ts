import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { firmAccountsMax, type WireFirmAccountChange, type WireNewFirmAccount } from '@candor/core/protocol/wire/firm/firm.ts'
import type { Person } from '../identity/factors/factors.ts'
import { requireLiving } from '../identity/sessions.ts'
import type { IdentityDb } from '../identity/tables.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { writeFirmLog } from './log.ts'
import { type Membership, membershipOf, reaches } from './membership.ts'
import type { Openings } from './openings.ts'
import type { FirmDb } from './tables.ts'

export type FirmAccountParts = {
  readonly db: FirmDb
  readonly clock: Clock
  readonly openings: Openings
  /** Whether the user has no money, orders, positions or loans. */
  readonly isEmpty: (user: UserId) => Promise<boolean>
  /** Ends all keys and webhooks of an account, as a part of the change. `announce`: after its commit. */
  readonly endPrograms: (tx: FirmDb, account: string) => Promise<{ readonly announce: () => void }>
  readonly forgetActing: (account: string) => void
}

/** `user`: in the core. */
export type FirmUser = { readonly account: string; readonly user: UserId; readonly label: string }
/** A move between two accounts that its asker may use. */
export type Move = { readonly membership: Membership; readonly from: FirmUser; readonly to: FirmUser }

/** The accounts of firms. */
export class FirmAccounts {
  readonly #parts: FirmAccountParts

  constructor(parts: FirmAccountParts) {
    this.#parts = parts
  }

  /** Opens a sub-account. throws  Refused NOT_FOUND, FIRM_RIGHT_MISSING, FIRM_FULL */
  async make(id: string, { label }: WireNewFirmAccount, person: Person): Promise<void> {
    const { openings, clock } = this.#parts
    await this.#change(id, person, async (tx, { firm, member }) => {
      const { count } = await tx
        .selectFrom('firm_accounts')
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('firm', '=', id)
        .where('kind', '=', 'sub')
        .executeTakeFirstOrThrow()
      if (Number(count) >= firmAccountsMax) throw new Refused('FIRM_FULL')
      const account = await openings.insert(tx, { firm, kind: 'sub', label, madeBy: person.session.account })
      const { visitor } = person
      await writeFirmLog(tx, clock(), { firm: id, member: member.id, account, action: 'account-made', detail: { label }, visitor })
    })
    await openings.finish()
  }

  /**
   * Renames an account, archives it when it is empty, or takes it out of the archive.
   *
   * throws  Refused NOT_FOUND, FIRM_RIGHT_MISSING, FIRM_MAIN_STAYS, ACCOUNT_NOT_EMPTY
   */
  async change(id: string, account: string, { label, isArchived }: WireFirmAccountChange, person: Person): Promise<void> {
    const { clock } = this.#parts
    const { visitor } = person
    const afterwards = await this.#change(id, person, async (tx, { member }) => {
      const row = await tx
        .selectFrom('firm_accounts')
        .innerJoin('accounts', 'accounts.id', 'firm_accounts.account')
        .selectAll('firm_accounts')
        .select('accounts.core_user')
        .where('firm_accounts.firm', '=', id)
        .where('firm_accounts.account', '=', account)
        .executeTakeFirst()
      if (row === undefined) throw new Refused('NOT_FOUND')
      const entry = { firm: id, member: member.id, account, visitor } as const
      if (label !== undefined && label !== row.label) {
        await tx.updateTable('firm_accounts').set({ label }).where('account', '=', account).execute()
        await writeFirmLog(tx, clock(), { ...entry, action: 'account-renamed', detail: { label, before: row.label } })
      }
      if (isArchived === undefined || isArchived === (row.archived_at !== null)) return undefined
      if (row.kind === 'main') throw new Refused('FIRM_MAIN_STAYS', { field: 'isArchived' })
      if (isArchived) await this.#requireEmpty(row.core_user)
      const archived = { archived_at: isArchived ? clock() : null }
      await tx.updateTable('firm_accounts').set(archived).where('account', '=', account).execute()
      const action = isArchived ? 'account-archived' : 'account-restored'
      await writeFirmLog(tx, clock(), { ...entry, action, detail: { label: label ?? row.label } })
      return isArchived ? this.#parts.endPrograms(tx, account) : undefined
    })
    afterwards?.announce()
    this.#parts.forgetActing(account)
  }

  /**
   * Whether a member may move coins between two accounts, and their users.
   *
   * throws  Refused NOT_FOUND, FIRM_RIGHT_MISSING, FIRM_ACCOUNT_UNKNOWN, ACCOUNT_SAME, ACCOUNT_CLOSED, USER_FROZEN
   */
  async move(id: string, { from, to }: { readonly from: string; readonly to: string }, { session }: Person): Promise<Move> {
    const membership = await membershipOf(this.#parts.db, id, session.account, 'treasury')
    if (from === to) throw new Refused('ACCOUNT_SAME', { field: 'to' })
    const [source, target] = [await this.#userOf(membership, from, 'from'), await this.#userOf(membership, to, 'to')]
    return { membership, from: source, to: target }
  }

  /** Adds a move to the log once it is done. */
  async moved({ membership, from, to }: Move, asset: string, amount: string, { visitor }: Person, { seq }: Pick<Outcome, 'seq'>) {
    const { db, clock } = this.#parts
    const detail = { from: from.label, to: to.label, asset, amount, seq }
    const { firm, member } = membership
    await writeFirmLog(db, clock(), { firm: firm.id, member: member.id, account: from.account, action: 'coins-moved', detail, visitor })
  }

  async #userOf({ firm, member }: Membership, account: string, field: string): Promise<FirmUser> {
    const row = await this.#parts.db
      .selectFrom('firm_accounts')
      .innerJoin('accounts', 'accounts.id', 'firm_accounts.account')
      .select(['firm_accounts.label', 'firm_accounts.is_open', 'firm_accounts.archived_at', 'accounts.core_user', 'accounts.frozen_at'])
      .where('firm_accounts.firm', '=', firm.id)
      .where('firm_accounts.account', '=', account)
      .executeTakeFirst()
    if (row === undefined || !reaches(member, account)) throw new Refused('FIRM_ACCOUNT_UNKNOWN', { field })
    if (!row.is_open || row.archived_at !== null || row.core_user === null) throw new Refused('ACCOUNT_CLOSED', { field })
    // The core learns of a freeze a moment later.
    if (row.frozen_at !== null) throw new Refused('USER_FROZEN')
    return { account, user: row.core_user as UserId, label: row.label }
  }

  async #requireEmpty(user: number | null): Promise<void> {
    if (user !== null && !(await this.#parts.isEmpty(user as UserId))) throw new Refused('ACCOUNT_NOT_EMPTY')
  }

  async #change<Result>(id: string, { session }: Person, work: (tx: FirmDb, by: Membership) => Promise<Result>): Promise<Result> {
    return this.#parts.db.transaction().execute(async (tx) => {
      const by = await membershipOf(tx, id, session.account, 'manage', { isLocked: true })
      await requireLiving(tx as unknown as IdentityDb, session.id)
      return work(tx, by)
    })
  }
}

/** A move as the core takes it. */
export function moveCommand({ from, to }: Move, clientId: string, asset: AssetId, amount: Units) {
  return { type: 'firm.move', user: from.user, clientId, to: to.user, asset, amount } as const
}
