import { sql } from 'kysely'
import { type FirmRight, type FirmRole, rightsOf } from '@candor/core/protocol/wire/firm/firm.ts'
import { Refused } from '../refused.ts'
import type { FirmDb, FirmMemberRow, FirmRow } from './tables.ts'

/** A member of a firm that was accepted. */
export type Membership = { readonly firm: FirmRow; readonly member: FirmMemberRow }

export const hasRight = (role: FirmRole, right: FirmRight): boolean => rightsOf[role].includes(right)

/** Roles that count towards the rule: only a request gives or takes them. */
export const approves = (role: FirmRole): boolean => hasRight(role, 'approve')

/**
 * The membership by which an account looks at a firm, or changes it. A stranger learns nothing: a firm of others answers as one that does
 * not exist. Within a transaction, `isLocked` keeps the firm as it is until the end of it, so that two changes never cross.
 *
 * right  needed, beside being an active member; only in a firm that was accepted
 *
 * throws  Refused NOT_FOUND, FIRM_RIGHT_MISSING
 */
export async function membershipOf(
  db: FirmDb,
  id: string,
  account: string,
  right?: FirmRight,
  { isLocked = false }: { readonly isLocked?: boolean } = {},
): Promise<Membership> {
  const firm = await db
    .selectFrom('firms')
    .selectAll()
    .where('id', '=', id)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst()
  const member = await db
    .selectFrom('firm_members')
    .selectAll()
    .where('firm', '=', id)
    .where('account', '=', account)
    .where('state', '=', 'active')
    .executeTakeFirst()
  if (firm === undefined || member === undefined) throw new Refused('NOT_FOUND')
  if (right === undefined) return { firm, member }
  if (firm.state !== 'active') throw new Refused('NOT_FOUND')
  if (!hasRight(member.role, right)) throw new Refused('FIRM_RIGHT_MISSING')
  return { firm, member }
}

/** Of how many firms a person is a member, by their user in the core. */
export async function firmsOf(db: FirmDb, user: number): Promise<number> {
  const found = await db
    .selectFrom('firm_members')
    .innerJoin('accounts', 'accounts.id', 'firm_members.account')
    .innerJoin('firms', 'firms.id', 'firm_members.firm')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('accounts.core_user', '=', user)
    .where('firm_members.state', '=', 'active')
    .where('firms.state', '<>', 'refused')
    .executeTakeFirstOrThrow()
  return Number(found.count)
}

/** Whether a member sees and uses an account of the firm. */
export const reaches = ({ accounts }: Pick<FirmMemberRow, 'accounts'>, account: string): boolean =>
  accounts === null || accounts.includes(account)

/** Refuses a person whose own pause runs: the accounts of a firm have none. throws  Refused RESTING */
export async function requireAwake(db: FirmDb, account: string, now: number): Promise<void> {
  const { rows } = await sql`select from own_rests where account = ${account} and until > ${now} limit 1`.execute(db)
  if (rows.length > 0) throw new Refused('RESTING')
}

/** Whether somebody is a certified person with a second factor, as all must be who apply for a firm or approve in one. */
export async function isTrusted(db: FirmDb, account: string): Promise<boolean> {
  const found = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', account)
    .where('certification', '=', 'certified')
    .where('frozen_at', 'is', null)
    .where((where) =>
      where.or([
        where.exists(where.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.account', '=', 'accounts.id')),
        where.exists(
          where
            .selectFrom('authenticators')
            .select('authenticators.account')
            .whereRef('authenticators.account', '=', 'accounts.id')
            .where('authenticators.confirmed_at', 'is not', null),
        ),
      ]),
    )
    .executeTakeFirst()
  return found !== undefined
}
