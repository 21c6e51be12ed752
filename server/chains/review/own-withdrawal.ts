import { sql } from 'kysely'
import { Refused } from '../../refused.ts'
import type { Officer, ReviewDb } from './tables.ts'

/** throws  Refused FORBIDDEN for a withdrawal of the member's own account, or of a firm in which the member takes part */
export async function refuseOwn(db: ReviewDb, id: number, { id: staff, email }: Pick<Officer, 'id' | 'email'>): Promise<void> {
  const own = await db
    .selectFrom('core_withdrawals as w')
    .innerJoin('accounts as a', 'a.core_user', 'w.user_id')
    .select(['a.email', sql<boolean>`account_is_own(${staff}, a.id)`.as('is_own')])
    .where('w.id', '=', id)
    .executeTakeFirst()
  refuseMarked(own, email)
}

/** The account, and whether it is the member's. throws  Refused FORBIDDEN where it is, or has the member's address */
export function refuseMarked(own: { readonly is_own: boolean; readonly email: string | null } | undefined, email: string): void {
  if (own !== undefined && (own.is_own || own.email === email)) throw new Refused('FORBIDDEN')
}
