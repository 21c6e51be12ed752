import type { Units } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import {
  rightsOf,
  type WireFirm,
  type WireFirmAccount,
  type WireFirmMember,
  type WireFirmRule,
  type WireFirms,
  type WireFirmShort,
  type WireFirmTerms,
} from '@candor/core/protocol/wire/firm/firm.ts'
import { addressOf } from '../identity/accounts.ts'
import { masked } from '../identity/address.ts'
import { approves, hasRight, membershipOf, reaches } from './membership.ts'
import type { FirmDb, FirmMemberRow } from './tables.ts'

export type FirmReadingParts = {
  readonly db: FirmDb
  /** What the firm has by contract, by the user of its main account. */
  readonly standing: (main: UserId) => Promise<{ readonly tier: number; readonly withdrawMax: Units }>
  readonly amountText: (units: Units) => string
  readonly ruleOf: (db: FirmDb, firm: string) => Promise<WireFirmRule>
  readonly openRequests: (db: FirmDb, firm: string) => Promise<number>
}

type AccountRow = WireFirmAccount & { readonly isOpen: boolean; readonly user: number | null }

/** Firms as their members see them. */
export class FirmReading {
  readonly #parts: FirmReadingParts

  constructor(parts: FirmReadingParts) {
    this.#parts = parts
  }

  /** Firms of which the account is a member, or is invited to be. */
  async list(account: string): Promise<WireFirms> {
    const { db } = this.#parts
    const rows = await db
      .selectFrom('firm_members')
      .innerJoin('firms', 'firms.id', 'firm_members.firm')
      .select(['firms.id', 'firms.name', 'firms.state', 'firm_members.role', 'firm_members.state as member_state', 'firm_members.accounts'])
      .where('firm_members.account', '=', account)
      .where('firm_members.state', '<>', 'ended')
      .orderBy('firms.number')
      .execute()
    const firms: WireFirmShort[] = []
    for (const { id, name, state, role, member_state: memberState, accounts } of rows) {
      const isMember = memberState === 'active'
      const own = isMember ? (await accountsOf(db, id)).filter((one) => one.isOpen && reaches({ accounts }, one.id)).map(wireAccount) : []
      firms.push({ id, name, state, role, memberState: isMember ? 'active' : 'invited', accounts: own })
    }
    return { firms }
  }

  /** One firm. Members see the accounts that they use, and all members. throws  Refused NOT_FOUND */
  async firm(id: string, account: string): Promise<WireFirm> {
    const { db, ruleOf, openRequests } = this.#parts
    const { firm, member } = await membershipOf(db, id, account)
    const [all, members, rule, open] = await Promise.all([
      accountsOf(db, id),
      this.#members(id, member),
      ruleOf(db, id),
      openRequests(db, id),
    ])
    return {
      ...{ id, name: firm.name, registration: firm.registration, country: firm.country, state: firm.state },
      ...(firm.why === null ? {} : { why: firm.why }),
      appliedAt: firm.applied_at,
      me: { member: member.id, role: member.role, rights: rightsOf[member.role] },
      accounts: all.filter((one) => one.isOpen && reaches(member, one.id)).map(wireAccount),
      members,
      approvers: members.filter(({ role, state }) => state === 'active' && approves(role)).length,
      rule,
      terms: await this.terms(all),
      openRequests: open,
    }
  }

  /** Only those who manage members see past ones, and those invited. Contacts are shown once somebody has joined. */
  async #members(firm: string, { role }: FirmMemberRow): Promise<readonly WireFirmMember[]> {
    const rows = await this.#parts.db
      .selectFrom('firm_members')
      .innerJoin('accounts', 'accounts.id', 'firm_members.account')
      .selectAll('firm_members')
      .select(['accounts.uid', 'accounts.email', 'accounts.phone'])
      .where('firm_members.firm', '=', firm)
      .$if(!hasRight(role, 'manage'), (query) => query.where('firm_members.state', '=', 'active'))
      .orderBy('firm_members.invited_at')
      .execute()
    return rows.map((row) => ({
      ...{ id: row.id, uid: row.uid, label: row.label, role: row.role, accounts: row.accounts, state: row.state },
      contact: row.joined_at === null || (row.email === null && row.phone === null) ? '' : masked(addressOf(row)),
      invitedAt: row.invited_at,
      ...(row.joined_at === null ? {} : { joinedAt: row.joined_at }),
    }))
  }

  /** What a firm with these accounts has by contract. */
  async terms(accounts: readonly AccountRow[]): Promise<WireFirmTerms> {
    const { standing, amountText } = this.#parts
    const main = accounts.find(({ kind, isOpen }) => kind === 'main' && isOpen)
    if (main === undefined || main.user === null) return { tier: 0, withdrawMax: amountText(0 as Units) }
    const { tier, withdrawMax } = await standing(main.user as UserId)
    return { tier, withdrawMax: amountText(withdrawMax) }
  }
}

/** All accounts of a firm, the main one first. `user`: in the core. */
export async function accountsOf(db: FirmDb, firm: string): Promise<readonly AccountRow[]> {
  const rows = await db
    .selectFrom('firm_accounts')
    .innerJoin('accounts', 'accounts.id', 'firm_accounts.account')
    .selectAll('firm_accounts')
    .select(['accounts.uid', 'accounts.core_user'])
    .where('firm_accounts.firm', '=', firm)
    .orderBy('firm_accounts.kind')
    .orderBy('firm_accounts.made_at')
    .execute()
  return rows.map((row) => ({
    ...{ id: row.account, uid: row.uid, kind: row.kind, label: row.label, madeAt: row.made_at, isArchived: row.archived_at !== null },
    ...{ isOpen: row.is_open, user: row.core_user },
  }))
}

const wireAccount = ({ id, uid, kind, label, madeAt, isArchived }: AccountRow): WireFirmAccount => ({
  ...{ id, uid, kind, label, madeAt, isArchived },
})
