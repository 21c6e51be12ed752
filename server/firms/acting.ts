import { rightsOf } from '@candor/core/protocol/wire/firm/firm.ts'
import type { Acting, Session } from '../ports.ts'
import type { FirmDb } from './tables.ts'

/** A name that a UID can have; anything else is not looked up. */
const uidPattern = /^[0-9]{9}$/

/**
 * The session by which a member acts for the firm's account with this UID; undefined when they do not. An account of strangers, one that
 * nobody has, one that is frozen and one that the member may not use all answer the same.
 */
export async function actingFor(db: FirmDb, { id, account, lang, loggedInAt }: Session, uid: string): Promise<Acting | undefined> {
  if (!uidPattern.test(uid)) return undefined
  const row = await db
    .selectFrom('accounts')
    .innerJoin('firm_accounts', 'firm_accounts.account', 'accounts.id')
    .innerJoin('firms', 'firms.id', 'firm_accounts.firm')
    .innerJoin('firm_members', 'firm_members.firm', 'firms.id')
    .innerJoin('accounts as person', 'person.id', 'firm_members.account')
    .innerJoin('sessions', 'sessions.account', 'person.id')
    .select(['accounts.id as of', 'accounts.core_user', 'accounts.uid', 'accounts.class', 'person.core_user as person_user'])
    .select(['firm_accounts.archived_at', 'firms.id as firm'])
    .select(['firm_members.id as member', 'firm_members.role', 'firm_members.label', 'firm_members.accounts'])
    .where('accounts.uid', '=', uid)
    .where('accounts.frozen_at', 'is', null)
    .where('firm_accounts.is_open', '=', true)
    .where('firms.state', '=', 'active')
    .where('firm_members.account', '=', account)
    .where('firm_members.state', '=', 'active')
    .where('person.frozen_at', 'is', null)
    .where('sessions.id', '=', id)
    .where('sessions.revoked_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined || row.core_user === null || row.person_user === null) return undefined
  if (row.accounts !== null && !row.accounts.includes(row.of)) return undefined
  const { member, role, label, firm } = row
  return {
    session: {
      ...{ id, account: row.of, user: row.core_user, uid: row.uid, lang, class: row.class, loggedInAt },
      member: { id: member, account, user: row.person_user, firm, role, rights: rightsOf[role], label },
    },
    isArchived: row.archived_at !== null,
  }
}
